import OpcodeKit

/// Delays, reverberation and convolution.
package enum DelayLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerVariableDelay(CubicDelay.self, in: &registry)
    registerVariableDelay(LinearDelay.self, in: &registry)
    registerFixedDelay(in: &registry)
    registerMultitapDelay(in: &registry)
    registerMultitapDelayArray(in: &registry)
    registerFreeverb(in: &registry)
    registerReverbSC(in: &registry)
    registerPhaser(in: &registry)
    registerConvolution(in: &registry)
    registerHall(in: &registry)
    registerPlate(in: &registry)
  }
}
