import OpcodeKit

/// Filters.
package enum FilterLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerOnePole(in: &registry)
    registerPortamento(in: &registry)
    registerButterworthCornerFilter(LowpassDesign.self, in: &registry)
    registerStateVariable(in: &registry)
    registerStateVariableArray(in: &registry)
    registerButterworthCornerFilter(HighpassDesign.self, in: &registry)
    registerButterworthBandFilter(BandpassDesign.self, in: &registry)
    registerButterworthBandFilter(BandRejectDesign.self, in: &registry)
    registerResonator(in: &registry)
    registerZeroResonator(in: &registry)
    registerParametricEqualizer(in: &registry)
    registerCookbookEqualizer(in: &registry)
    registerBandEqualizer(in: &registry)
    registerParametricBand(in: &registry)
    registerParametricBands(in: &registry)
    registerDCBlock(in: &registry)
  }
}
