import OpcodeKit

/// Oscillators and the generators of their tables.
package enum OscillatorLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerMorph(in: &registry)
    registerHarmonics(in: &registry)
    registerLoopTime(in: &registry)
    registerTableOscillator(CubicOscillator.self, in: &registry)
    registerControlTableOscillator(CubicOscillator.self, in: &registry)
    registerTableOscillator(CoarseOscillator.self, in: &registry)
    registerControlTableOscillator(CoarseOscillator.self, in: &registry)
    registerBandlimitedOscillator(in: &registry)
    registerTableOscillator(LinearOscillator.self, in: &registry)
    registerControlTableOscillator(LinearOscillator.self, in: &registry)
    registerInitTableReader(StepReading.self, in: &registry)
    registerControlTableReader(StepReading.self, in: &registry)
    registerTableReader(StepReading.self, in: &registry)
    registerInitTableReader(LinearReading.self, in: &registry)
    registerControlTableReader(LinearReading.self, in: &registry)
    registerTableReader(LinearReading.self, in: &registry)
    registerInitTableReader(CubicReading.self, in: &registry)
    registerControlTableReader(CubicReading.self, in: &registry)
    registerTableReader(CubicReading.self, in: &registry)
  }

  package static func registerGenerators(in registry: inout some GeneratorRegistry) {
    registerHarmonicsGenerator(in: &registry)
  }
}
