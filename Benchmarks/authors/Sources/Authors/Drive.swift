// aout DRIVE ain, kdrive
//
// A saturation without memory.
//
// Category: Signal Modifiers:Waveshaping

import OpcodeKit

@Opcode("DRIVE", "Saturation by tanh")
struct Drive: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// A signal.
    let input: AudioInput
    /// How much louder it gets before.
    let drive: ControlInput
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      arguments.output[frame] = Math.tanh(arguments.drive.value * arguments.input[frame])
    }
  }
}
