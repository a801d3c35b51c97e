// aout[] CHGAIN ain[], kgains[]
//
// Each channel times its own gain; channels without a gain get the last one.
//
// Category: Signal Modifiers:Amplitude Modifiers

import OpcodeKit

@Opcode("CHGAIN", "A gain for each channel")
struct Chgain: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The channels.
    let outputs: ArrayOutput<AudioOutput>
    /// The channels.
    let inputs: ArrayInput<AudioInput>
    /// A gain for each.
    let gains: ArrayInput<ControlInput>
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.outputs.resize(to: arguments.inputs.count, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let gains = arguments.gains
    for channel in 0..<min(arguments.outputs.count, arguments.inputs.count) {
      let gain = gains.count == 0 ? 1 : gains[min(channel, gains.count - 1)].value
      for frame in context.frames {
        arguments.outputs[channel][frame] = gain * arguments.inputs[channel][frame]
      }
    }
  }
}
