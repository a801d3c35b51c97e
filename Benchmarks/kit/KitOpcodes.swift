// What the kit adds to a call: opcodes that only copy, held against the same by hand in C (kit.c).

import OpcodeKit

@Opcode("KITCOPY.k", "Copies a control signal")
struct ControlCopy: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let input: ControlInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

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

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames { arguments.output[frame] = arguments.input[frame] }
  }
}

@Plugin
enum Library: OpcodeLibrary {
  static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerControlCopy(in: &registry)
    registerAudioCopy(in: &registry)
  }
}
