// Entry points and registration of TypeOpcodes.swift and MemoryOpcodes.swift, written by hand.

import OpcodeKit

@c @_noLocks @_noAllocation
func test_echo(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Echo.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_reverse_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  ReverseControl.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_reverse_a(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  ReverseAudio.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_shape(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Shape.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_split(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Split.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_sums(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Sums.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_any(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  AnySignal.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_buffers(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Buffers.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_read(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  TableRead.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_life(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Life.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_passes(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Passes.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_stop(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Stop.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_note(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  NoteFacts.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_copies(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Copies.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_pick(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Pick.perform(csound, block)
}

@c @_noLocks @_noAllocation
func test_spectra(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  SpectrumCount.perform(csound, block)
}

public func registerTypeGenerators(in registry: inout some GeneratorRegistry) {
  registry.add("test_ramp") { Ramp.generate($0, $1) }
  registry.add("test_last") { Last.generate($0, $1) }
}

public func registerTypeOpcodes(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      Echo.self, "TEST_ECHO", outputs: "S", inputs: "S", summary: "strings",
      initialize: { Echo.initialize($0, $1) }, perform: test_echo))
  registry.add(
    Overload(
      NumberText.self, "TEST_NUMBER", outputs: "S", inputs: "i", summary: "strings from numbers",
      initialize: { NumberText.initialize($0, $1) }))
  registry.add(
    Overload(
      Join.self, "TEST_JOIN", outputs: "S[]", inputs: "S[]", summary: "string arrays",
      initialize: { Join.initialize($0, $1) }))
  registry.add(
    Overload(
      Blanks.self, "TEST_BLANKS", outputs: "S[]", inputs: "i", summary: "string arrays",
      initialize: { Blanks.initialize($0, $1) }))
  registry.add(
    Overload(
      ReverseInit.self, "TEST_REVERSE.i", outputs: "i[]", inputs: "i[]", summary: "arrays",
      initialize: { ReverseInit.initialize($0, $1) }))
  registry.add(
    Overload(
      ReverseControl.self, "TEST_REVERSE.k", outputs: "k[]", inputs: "k[]", summary: "arrays",
      initialize: { ReverseControl.initialize($0, $1) }, perform: test_reverse_k))
  registry.add(
    Overload(
      ReverseAudio.self, "TEST_REVERSE.a", outputs: "a[]", inputs: "a[]", summary: "arrays",
      initialize: { ReverseAudio.initialize($0, $1) }, perform: test_reverse_a))
  registry.add(
    Overload(
      Shape.self, "TEST_SHAPE", outputs: "kk", inputs: "k[]", summary: "dimensions",
      initialize: { Shape.initialize($0, $1) }, perform: test_shape))
  registry.add(
    Overload(
      Split.self, "TEST_SPLIT", outputs: "m", inputs: "ak", summary: "variadic outputs",
      initialize: { Split.initialize($0, $1) }, perform: test_split))
  registry.add(
    Overload(
      Sums.self, "TEST_SUMS", outputs: "z", inputs: "iz", summary: "variadic on both sides",
      initialize: { Sums.initialize($0, $1) }, perform: test_sums))
  registry.add(
    Overload(
      Kinds.self, "TEST_KINDS", outputs: "S", inputs: "N", summary: "arguments of any kind",
      initialize: { Kinds.initialize($0, $1) }))
  registry.add(
    Overload(
      AnySignal.self, "TEST_ANY", outputs: "a", inputs: ".", summary: "a signal of any rate",
      initialize: { AnySignal.initialize($0, $1) }, perform: test_any))
  registry.add(
    Overload(
      Buffers.self, "TEST_BUFFERS", outputs: "k", inputs: "io", summary: "buffers",
      initialize: { Buffers.initialize($0, $1) }, perform: test_buffers))
  registry.add(
    Overload(
      TooManyBuffers.self, "TEST_TOO_MANY_BUFFERS", outputs: "i", inputs: "", summary: "buffers",
      initialize: { TooManyBuffers.initialize($0, $1) }))
  registry.add(
    Overload(
      TableFacts.self, "TEST_TABLE", outputs: "iii", inputs: "i", summary: "tables",
      initialize: { TableFacts.initialize($0, $1) }))
  registry.add(
    Overload(
      TableRead.self, "TEST_READ", outputs: "k", inputs: "kk", summary: "tables",
      initialize: { TableRead.initialize($0, $1) }, perform: test_read))
  registry.add(
    Overload(
      Life.self, "TEST_LIFE", outputs: "", inputs: "Soo", summary: "deinit",
      initialize: { Life.initialize($0, $1, deinit: { Life.deinitialize($0, $1) }) },
      perform: test_life))
  registry.add(
    Overload(
      Passes.self, "TEST_PASSES", outputs: "kkk", inputs: "S", summary: "shared data",
      initialize: { Passes.initialize($0, $1) }, perform: test_passes))
  registry.add(
    Overload(
      SharedOne.self, "TEST_SHARED", outputs: "i", inputs: "So", summary: "shared data",
      initialize: { SharedOne.initialize($0, $1) }))
  registry.add(
    Overload(
      Stop.self, "TEST_STOP", outputs: "a", inputs: "k", summary: "errors in performance",
      initialize: { Stop.initialize($0, $1) }, perform: test_stop))
  registry.add(
    Overload(
      Say.self, "TEST_SAY", outputs: "i", inputs: "", summary: "messages",
      initialize: { Say.initialize($0, $1) }))
  registry.add(
    Overload(
      NoteFacts.self, "TEST_NOTE", outputs: "kkkkk", inputs: "i", summary: "p-fields and MIDI",
      initialize: { NoteFacts.initialize($0, $1) }, perform: test_note))
  registry.add(
    Overload(
      Pick.self, "TEST_PICK", outputs: "f", inputs: "ffk", summary: "f-signals",
      initialize: { Pick.initialize($0, $1) }, perform: test_pick))
  registry.add(
    Overload(
      Copies.self, "TEST_COPIES", outputs: "F", inputs: "f", summary: "f-signals",
      initialize: { Copies.initialize($0, $1) }, perform: test_copies))
  registry.add(
    Overload(
      SpectrumCount.self, "TEST_SPECTRA", outputs: "k", inputs: "f", summary: "f-signals",
      initialize: { SpectrumCount.initialize($0, $1) }, perform: test_spectra))
}
