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
    registerDelayBeginning(in: &registry)
    registerDelayEnd(in: &registry)
    registerDelayLineTap(SecondsTap.self, in: &registry)
    registerDelayLineTap(SampleTap.self, in: &registry)
    registerDelayLineTap(LinearTap.self, in: &registry)
    registerDelayLineTap(CubicTap.self, in: &registry)
    registerFreeverb(in: &registry)
    registerReverbSC(in: &registry)
    registerPhaser(in: &registry)
    registerSecondOrderPhaser(in: &registry)
    registerConvolution(in: &registry)
    registerHall(in: &registry)
    registerPlate(in: &registry)
    registerLoopFilter(CombLoop.self, in: &registry)
    registerLoopFilter(AllpassLoop.self, in: &registry)
    registerCombReverb(NewerName.self, in: &registry)
    registerCombReverb(OlderName.self, in: &registry)
  }
}
