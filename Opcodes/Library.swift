import OpcodeKit

// A host that links this library registers it by itself and must not look like a plugin.
#if hasFeature(Embedded)
  @Plugin
#endif
public enum Library: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerMoogLadder(in: &registry)
    registerMoogLadderArray(in: &registry)
    registerOnePole(in: &registry)
    registerSaturatorInit(in: &registry)
    registerSaturatorControl(in: &registry)
    registerSaturator(in: &registry)
    registerSaturatorInitArray(in: &registry)
    registerSaturatorControlArray(in: &registry)
    registerSaturatorArray(in: &registry)
    registerDistortion(in: &registry)
    registerDistortionArray(in: &registry)
    registerThreePole(in: &registry)
    registerThreePoleArray(in: &registry)
    registerPortamento(in: &registry)
    registerFrequencyToMidi(in: &registry)
    registerFrequencyToMidiControl(in: &registry)
    registerFrequenciesToMidi(in: &registry)
    registerFrequenciesToMidiControl(in: &registry)
    registerMixClip(in: &registry)
    registerMixClipArray(in: &registry)
    registerMorph(in: &registry)
    registerHarmonics(in: &registry)
    registerVariableDelay(in: &registry)
    registerLoopTime(in: &registry)
    registerSpectralGate(in: &registry)
    registerBands(in: &registry)
    registerNoteNumber(in: &registry)
    registerNoteNumberControl(in: &registry)
    registerNoteNameInit(in: &registry)
    registerNoteNameControl(in: &registry)
    registerVoices(in: &registry)
    registerVCS3Filter(in: &registry)
    registerVCS3Envelope(in: &registry)
    registerFreeverb(in: &registry)
    registerReverbSC(in: &registry)
    registerPhaser(in: &registry)
    // As with `poscil3`, `POSCIL(kamp, kcps)` in an expression is a sound: the a-rate output comes first.
    registerTableOscillator(in: &registry)
    registerControlTableOscillator(in: &registry)
    registerConvolution(in: &registry)
    registerLinearDiodeLadder(in: &registry)
    registerButterworthLowpass(in: &registry)
    registerStateVariable(in: &registry)
    registerStateVariableArray(in: &registry)
    registerToneWheels(in: &registry)
    registerScanner(in: &registry)
    registerRotary(in: &registry)
  }

  public static func registerGenerators(in registry: inout some GeneratorRegistry) {
    registerHarmonicsGenerator(in: &registry)
  }
}
