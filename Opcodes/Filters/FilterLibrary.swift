import OpcodeKit

/// Filters.
package enum FilterLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerOnePole(in: &registry)
    registerPortamento(in: &registry)
    registerButterworthLowpass(in: &registry)
    registerStateVariable(in: &registry)
    registerStateVariableArray(in: &registry)
    registerButterworthHighpass(in: &registry)
    registerButterworthBandpass(in: &registry)
    registerButterworthBandReject(in: &registry)
    registerResonator(in: &registry)
    registerDCBlock(in: &registry)
  }
}
