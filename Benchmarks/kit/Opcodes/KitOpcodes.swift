// Opcodes for benchmarks of the kit itself. The first two only copy: beside the same by hand in C (kit.c) they show what
// the kit adds to a call.

import OpcodeKit

@Opcode("KITCOPY.k", "Copies a control signal")
struct ControlCopy: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let input: ControlInput
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.value = arguments.input.value
  }
}

@Opcode("KITCOPY.a", "Copies an audio signal")
struct AudioCopy: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames { arguments.output[frame] = arguments.input[frame] }
  }
}

@Plugin
enum Library: OpcodeLibrary {
  static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerControlCopy(in: &registry)
    registerAudioCopy(in: &registry)
    registerPlate(in: &registry)
    registerLowpassPart(in: &registry)
    registerDelayPart(in: &registry)
    registerTanhPart(in: &registry)
    registerSmoothPart(in: &registry)
    registerBiquadPart(in: &registry)
    registerBlockerPart(in: &registry)
    registerAllpassPart(in: &registry)
    registerFunctionPart(in: &registry)
    registerTransformPart(in: &registry)
    registerChorus(in: &registry)
    registerFollower(in: &registry)
    registerReader(in: &registry)
    registerMixer(in: &registry)
    registerHandChorus(in: &registry)
    registerHandFollower(in: &registry)
    registerHandReader(in: &registry)
    registerHandMixer(in: &registry)
    registerHandPlate(in: &registry)
  }
}
