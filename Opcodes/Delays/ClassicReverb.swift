// aout REVERB ain, ktime [, iskip]
//
// A reverberator of four combs in parallel, of 29.7 to 43.7 ms, and two allpasses of 5 and 1.7 ms in series behind them.
//
//     comb     out = x,  line = c x + in        allpass  line = in + c x,  out = x - c line
//
// where x is what comes out of a line and c = 0.001^(length / ktime) (M. R. Schroeder, "Natural sounding artificial
// reverberation", Journal of the Audio Engineering Society 10(3), 1962). The same as Csound's `reverb`, except that
// - a ktime below 0 counts as 0; `reverb` grows without bound;
// - a change of ktime counts from the end of a batch of 64 frames on;
// - NaN in the signal clears the lines, and a tail that has been below -600 dB for the longest line ends.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("REVERB", "Reverberator of four combs and two allpasses")
struct ClassicReverb: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The reverberated signal, without the direct sound.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Time in seconds in which the reverberation decays by 60 dB; below 0 and for NaN it is 0.
    let time: ControlInput
    /// Nonzero keeps the lines of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { ReverbLines.bufferCount }

  private var lines: ReverbLines

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    lines = try ReverbLines(.classicCombs, .classicAllpasses, shortestTime: 1e-6, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    lines.perform(
      arguments.input, arguments.output, context.frames, time: arguments.time.value, damping: 0)
  }
}
