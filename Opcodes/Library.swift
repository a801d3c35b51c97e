import OpcodeKit

/// Every overload of this library, in the order Csound tries them: for one name, i-time before
/// k-rate before a-rate.
public func registerOpcodes(in registry: inout some OpcodeRegistry) {
  registerMoogLadder(in: &registry)
  registerPortamento(in: &registry)
  registerFrequencyToMidi(in: &registry)
  registerVCS3Filter(in: &registry)
  registerVCS3Envelope(in: &registry)
}

// What Csound looks for in a plugin. Only there: a host that links this library registers by itself.
#if hasFeature(Embedded)
  @c public func csound_opcode_init(
    _ csound: CsoundPointer, _ table: OpcodeTablePointer?
  ) -> Int64 {
    var registry = CsoundRegistry(csound)
    registerOpcodes(in: &registry)
    return 0
  }

  @c public func csoundModuleInfo() -> CInt { csoundModuleVersion }
#endif
