// aleft, aright PANNER ain, kpan
//
// A signal between two channels, with equal power.
//
// Category: Signal Modifiers:Panning and Spatialization

import OpcodeKit

@Opcode("PANNER", "Panner of equal power")
struct Panner: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The left channel.
    let left: AudioOutput
    /// The right channel.
    let right: AudioOutput
    /// A signal.
    let input: AudioInput
    /// 0 is left, 1 right.
    let pan: ControlInput
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sound = arguments.input[frame]
      arguments.left[frame] = sound * Math.sqrt(1 - arguments.pan.value)
      arguments.right[frame] = sound * Math.sqrt(arguments.pan.value)
    }
  }
}
