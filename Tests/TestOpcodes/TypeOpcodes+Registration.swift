// Registration of TypeOpcodes.swift and MemoryOpcodes.swift.

import OpcodeKit

public func registerTypeGenerators(in registry: inout some GeneratorRegistry) {
  registry.add("test_ramp") { Ramp.generate($0, $1) }
  registry.add("test_last") { Last.generate($0, $1) }
}

public func registerTypeOpcodes(in registry: inout some OpcodeRegistry) {
  registerEcho(in: &registry)
  registerNumberText(in: &registry)
  registerJoin(in: &registry)
  registerBlanks(in: &registry)
  registerReverseInit(in: &registry)
  registerReverseControl(in: &registry)
  registerReverseAudio(in: &registry)
  registerShape(in: &registry)
  registerSplit(in: &registry)
  registerSums(in: &registry)
  registerKinds(in: &registry)
  registerAnySignal(in: &registry)
  registerBuffers(in: &registry)
  // @Opcode refuses one that asks for more buffers than it has.
  registry.add(
    Overload(
      TooManyBuffers.self, "TEST_TOO_MANY_BUFFERS", outputs: "i", inputs: "", summary: "buffers",
      initialize: { TooManyBuffers.initialize($0, $1) }))
  registerTableFacts(in: &registry)
  registerTableRead(in: &registry)
  registerLife(in: &registry)
  registerPasses(in: &registry)
  registerSharedOne(in: &registry)
  registerStop(in: &registry)
  registerSay(in: &registry)
  registerNoteFacts(in: &registry)
  registerPick(in: &registry)
  registerCopies(in: &registry)
  registerSpectrumCount(in: &registry)
}
