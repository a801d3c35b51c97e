// Registration of TypeOpcodes.swift and MemoryOpcodes.swift. What @Opcode would make otherwise, or not at all, is written
// by hand.

import OpcodeKit

@c @_noLocks @_noAllocation
func test_any(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  AnySignal.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_buffers(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Buffers.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_life(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Life.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_copies(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Copies.perform(csound, block)
}

public func registerTypeGenerators(in registry: inout some GeneratorRegistry) {
  registry.add("test_ramp") { Ramp.generate($0, $1) }
  registry.add("test_last") { Last.generate($0, $1) }
}

public func registerTypeOpcodes(in registry: inout some OpcodeRegistry) {
  registerEcho(in: &registry)
  registerNumberText(in: &registry)
  registerJoin(in: &registry)
  registerBlanks(in: &registry)
  registerNewTable(in: &registry)
  registerReverseInit(in: &registry)
  registerReverseControl(in: &registry)
  registerReverseAudio(in: &registry)
  registerShape(in: &registry)
  registerSplit(in: &registry)
  registerSums(in: &registry)
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
  registerTableFacts(in: &registry)
  registerTableRead(in: &registry)
  registry.add(
    Overload(
      Life.self, "TEST_LIFE", outputs: "", inputs: "Soo", summary: "deinit",
      initialize: { Life.initialize($0, $1, deinit: { Life.deinitialize($0, $1) }) },
      perform: test_life))
  registerPasses(in: &registry)
  registry.add(
    Overload(
      SharedOne.self, "TEST_SHARED", outputs: "i", inputs: "So", summary: "shared data",
      initialize: { SharedOne.initialize($0, $1) }))
  registerStop(in: &registry)
  registerSay(in: &registry)
  registerNoteFacts(in: &registry)
  registerPick(in: &registry)
  registry.add(
    Overload(
      Copies.self, "TEST_COPIES", outputs: "F", inputs: "f", summary: "f-signals",
      initialize: { Copies.initialize($0, $1) }, perform: test_copies))
  registerSpectrumCount(in: &registry)
}
