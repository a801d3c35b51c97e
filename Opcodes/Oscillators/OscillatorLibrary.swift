import OpcodeKit

/// Oscillators and the generators of their tables.
package enum OscillatorLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerMorph(in: &registry)
    registerHarmonics(in: &registry)
    registerLoopTime(in: &registry)
    registerTableOscillator(in: &registry)
    registerControlTableOscillator(in: &registry)
    registerLinearOscillator(in: &registry)
    registerControlLinearOscillator(in: &registry)
    registerBandlimitedOscillator(in: &registry)
    registerPreciseOscillator(in: &registry)
    registerControlPreciseOscillator(in: &registry)
  }

  package static func registerGenerators(in registry: inout some GeneratorRegistry) {
    registerHarmonicsGenerator(in: &registry)
  }
}
