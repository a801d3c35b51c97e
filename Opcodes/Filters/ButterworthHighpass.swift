// aout BUTTERHP ain, xcutoff [, iskip]
//
// A Butterworth highpass filter of second order, 12 dB per octave, -3.01 dB at the cutoff.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] - 2 t[n-1] + t[n-2])
//
// With S : C = sin(π cutoff / sr) : cos(π cutoff / sr), d = S² + √2 S C + C² and e = 2 √2 S C / d: g = C² / d,
// a = 4 S² / d + e - 2 and b = 1 - e, the bilinear transform of p² / (p² + √2 p + 1) (C. Dodge and
// T. A. Jerse, "Computer Music", 2nd ed., 1997), multiplied out by C². Four frames are computed at once at
// k-rate, eight frames' coefficients at a-rate (`SecondOrder`).
//
// The same as Csound's `butterhp` except that
//  - the cutoff is clamped to 0.49999 sr, where the built-in is unstable from sr/2 on;
//  - an a-rate cutoff of 0 or less lets that frame through and holds the filter; the built-in lets
//    k-cycles through that begin with one, and filters with negative cutoffs elsewhere;
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.

import OpcodeKit

@Opcode("BUTTERHP", "Butterworth highpass filter, 12 dB per octave")
struct ButterworthHighpass<Cutoff: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The signal to filter.
    let input: AudioInput
    /// Cutoff frequency, Hz, k-rate or a-rate, up to 0.49999 sr and clamped there; at 0, below and NaN
    /// the signal goes through and the filter holds its state.
    let cutoff: Cutoff
    /// Nonzero goes on from the note before in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter = SecondOrder()
  private var coefficients = HighpassDesign().coefficients(Pair(0))[0]
  private var lastCutoff = 0.0
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    let (input, output) = (arguments.input, arguments.output)
    if Cutoff.isAudioRate {
      filter.follow(
        input, output, frames, arguments.cutoff, arguments.cutoff, samplePeriod: samplePeriod,
        HighpassDesign())
    } else {
      let cutoff = arguments.cutoff[0]
      guard cutoff > 0 else {
        for frame in frames { output[frame] = input[frame] }
        return
      }
      if cutoff != lastCutoff {
        lastCutoff = cutoff
        coefficients = HighpassDesign().coefficients(Pair(cutoff * samplePeriod))[0]
      }
      filter.hold(input, output, frames, coefficients, HighpassDesign())
    }
    filter.settle()
  }
}

/// A Butterworth highpass.
package struct HighpassDesign: SecondOrderDesign {
  package init() {}

  /// `cutoffs` in units of the sample rate, clamped to 0 … 0.49999; NaN counts as 0.
  @inline(__always) @_semantics("no_performance_analysis")
  package func coefficients<Numbers: Vector>(_ cutoffs: Numbers) -> SecondOrderVector<Numbers> {
    let (sine, cosine) = HalfTurn.ratio(
      Numbers.minimum(Numbers.maximum(cutoffs, Numbers(0)), Numbers(0.49999)))
    let (square, other) = (sine * sine, cosine * cosine)
    let bend = (Numbers(1.4142135623730951) * sine) * cosine
    let over = Numbers(1) / ((square + other) + bend)
    let (low, half) = (square * over, bend * over)
    let rest = half + half
    return SecondOrderVector(
      gain: other * over, feedback1: (Numbers(4) * low + rest) - Numbers(2),
      feedback2: Numbers(1) - rest)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func coefficients<Numbers: Vector>(
    _ cutoffs: Numbers, _: Numbers
  ) -> SecondOrderVector<Numbers> {
    coefficients(cutoffs)
  }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    Pair(c.gain) * ((now - before) - (before - earlier))
  }

  @inline(__always)
  func isOpen(_ cutoff: Double, _: Double) -> Bool { cutoff > 0 }

  @inline(__always)
  func held(_ input: Double) -> Double { input }
}
