import OpcodeKit

/// Filters.
package enum FilterLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerMoogLadder(in: &registry)
    registerMoogLadderArray(in: &registry)
    registerOnePole(in: &registry)
    registerThreePole(in: &registry)
    registerThreePoleArray(in: &registry)
    registerPortamento(in: &registry)
    registerLinearDiodeLadder(in: &registry)
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
