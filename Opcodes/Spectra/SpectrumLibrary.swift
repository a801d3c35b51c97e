import OpcodeKit

/// Spectral opcodes: f-signals and frequency bands.
package enum SpectrumLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerSpectralGate(in: &registry)
    registerBands(in: &registry)
    registerSpectralAnalysis(in: &registry)
    registerSpectralSynthesis(in: &registry)
  }
}
