// aout ONEPOLE ain, xcutoff [, iskip]
//
// A one-pole lowpass filter with 6 dB per octave, as Csound's `tone`:
//
//     out[n] = (1 - p) in[n] + p out[n-1]
//     p = c - sqrt(c² - 1),  c = 2 - cos(2 π cutoff / sr)
//
// which gives -3 dB at the cutoff (C. Dodge and T. A. Jerse, "Computer Music", 2nd ed., 1997). It is computed as p =
// (sqrt(1 + s²) - s)² with s = sin(π cutoff / sr), which has small rounding errors at low cutoffs. Differs from `tone`:
// the cutoff can be an audio signal, and NaN in the input does not stay in the filter.
//
// At k-rate two frames are computed at once, the second as w in[n+1] + p w in[n] + p² out[n-1] with w = 1 - p, which
// halves the latency of the recursion.
//
// Category: Signal Modifiers:Standard Filters

import OpcodeKit

@Opcode("ONEPOLE", "One-pole lowpass filter, 6 dB per octave")
struct OnePole<Cutoff: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Cutoff frequency in Hz at which the response is -3 dB; k-rate or a-rate. Its sign is ignored.
    let cutoff: Cutoff
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter = OnePoleFilter()
  private var cutoffHz = Double.nan
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    filter.settle()
    if !Cutoff.isAudioRate {
      tune(arguments.cutoff[0])
      filter.process(arguments.input, to: arguments.output, in: frames)
      return
    }
    for frame in frames {
      tune(arguments.cutoff[frame])
      arguments.output[frame] = filter.next(arguments.input[frame])
    }
  }

  @inline(__always)
  private mutating func tune(_ cutoffHz: Double) {
    guard cutoffHz != self.cutoffHz else { return }
    self.cutoffHz = cutoffHz
    filter.tune(folded(Pair(cutoffHz * samplePeriod))[0])
  }
}
