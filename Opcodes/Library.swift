import OpcodeKit

/// Every overload of this library, in the order Csound tries them: for one name, i-time before
/// k-rate before a-rate.
public func registerOpcodes(in registry: inout some OpcodeRegistry) {
  registerMoogLadder(in: &registry)
  registerMoogLadderArray(in: &registry)
  registerOnePole(in: &registry)
  registerSaturator(in: &registry)
  registerThreePole(in: &registry)
  registerPortamento(in: &registry)
  registerFrequencyToMidi(in: &registry)
  registerMixClip(in: &registry)
  registerMorph(in: &registry)
  registerHarmonics(in: &registry)
  registerVariableDelay(in: &registry)
  registerLoopTime(in: &registry)
  registerSpectralGate(in: &registry)
  registerBands(in: &registry)
  registerNoteNames(in: &registry)
  registerVoices(in: &registry)
  registerVCS3Filter(in: &registry)
  registerVCS3Envelope(in: &registry)
  registerFreeverb(in: &registry)
  registerReverbSC(in: &registry)
  registerPhaser(in: &registry)
  registerTableOscillator(in: &registry)
  registerConvolution(in: &registry)
  registerLinearDiodeLadder(in: &registry)
  registerButterworthLowpass(in: &registry)
  registerStateVariable(in: &registry)
  registerStateVariableArray(in: &registry)
}

/// Every GEN routine of this library.
public func registerGenerators(in registry: inout some GeneratorRegistry) {
  registerHarmonicsGenerator(in: &registry)
}

// What Csound looks for in a plugin. Only there: a host that links this library registers by itself.
#if hasFeature(Embedded)
  @c public func csound_opcode_init(
    _ csound: CsoundPointer, _ table: OpcodeTablePointer?
  ) -> Int64 {
    if processorSuits { registerEverything(csound) } else { reportProcessor(csound) }
    return 0
  }

  @c public func csound_fgen_init(_ csound: CsoundPointer) -> GeneratorListPointer {
    processorSuits ? everyGenerator(csound) : noGenerators
  }

  // Apart, so that none of their instructions move in front of the question.
  @inline(never)
  private func registerEverything(_ csound: CsoundPointer) {
    var registry = CsoundRegistry(csound)
    registerOpcodes(in: &registry)
  }

  @inline(never)
  private func everyGenerator(_ csound: CsoundPointer) -> GeneratorListPointer {
    var registry = CsoundGeneratorRegistry(csound)
    registerGenerators(in: &registry)
    return registry.list
  }

  @c public func csoundModuleInfo() -> CInt { csoundModuleVersion }
#else
  /// Makes this library's opcodes and GEN routines known to a Csound instance of this process, when it
  /// is new and after each reset.
  public func registerLibrary(in csound: CsoundPointer) {
    var opcodes = CsoundRegistry(csound)
    registerOpcodes(in: &opcodes)
    var generators = CsoundGeneratorRegistry(csound)
    registerGenerators(in: &generators)
    generators.install()
  }
#endif
