// aout SATDELAY ain, xseconds, kfeedback, kdrive
//
// A feedback delay of at most two seconds, with a saturation in the loop.
//
// Category: Signal Modifiers:Delay

import OpcodeKit

@Opcode("SATDELAY", "Feedback delay with saturation")
struct Satdelay<Seconds: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// A signal.
    let input: AudioInput
    /// Delay in seconds.
    let seconds: Seconds
    /// Feedback.
    let feedback: ControlInput
    /// Drive.
    let drive: ControlInput
  }

  static var bufferCount: Int { 1 }
  private var line: DelayLine

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try DelayLine(longest: 2 * context.sampleRate, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let echo = line.smooth(at: line.limited(arguments.seconds[frame] * context.sampleRate - 1))
      line.push(
        Math.tanh(
          arguments.drive.value * (arguments.input[frame] + arguments.feedback.value * echo)))
      arguments.output[frame] = echo
    }
  }
}
