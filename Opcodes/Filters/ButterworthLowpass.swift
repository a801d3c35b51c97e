// aout BUTTERLP ain, xcutoff [, iskip]
//
// A Butterworth lowpass filter of second order, 12 dB per octave, -3.01 dB at the cutoff.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] + 2 t[n-1] + t[n-2])
//
// With S : C = sin(π cutoff / sr) : cos(π cutoff / sr), d = S² + √2 S C + C² and e = 2 √2 S C / d: g = S² / d,
// a = 4 g + e - 2 and b = 1 - e. That is the bilinear transform of 1 / (p² + √2 p + 1) (C. Dodge and
// T. A. Jerse, "Computer Music", 2nd ed., 1997), multiplied out by C², so that one division is left and only
// the ratio of S to C counts; and so that at low cutoffs, where 1 + a + b is small, little is rounded.
//
// At k-rate four frames are computed at once: with h the first samples of the impulse response of t,
// t[n+i] = Σ h[i-j] x[n+j] + h[i+1] t[n-1] - b h[i] t[n-2], so that one product and two additions lie
// between the states of every fourth frame. At a-rate eight frames' coefficients are (`SecondOrder`).
//
// The same as Csound's `butterlp` except that
//  - the cutoff is clamped to 0.49999 sr, where the built-in is unstable from sr/2 on;
//  - an a-rate cutoff of 0 or less gives 0 and holds the filter at that frame; the built-in silences the
//    k-cycles that begin with one and filters with negative cutoffs elsewhere;
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.

import OpcodeKit

@Opcode("BUTTERLP", "Butterworth lowpass filter, 12 dB per octave")
struct ButterworthLowpass<Cutoff: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The signal to filter.
    let input: AudioInput
    /// Cutoff frequency, Hz, k-rate or a-rate, up to 0.49999 sr and clamped there; at 0, below and NaN
    /// the output is 0 and the filter holds its state.
    let cutoff: Cutoff
    /// Nonzero goes on from the note before in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter = SecondOrder()
  private var coefficients = LowpassDesign().coefficients(Pair(0))[0]
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
        LowpassDesign())
    } else {
      let cutoff = arguments.cutoff[0]
      guard cutoff > 0 else {
        for frame in frames { output[frame] = 0 }
        return
      }
      if cutoff != lastCutoff {
        lastCutoff = cutoff
        coefficients = LowpassDesign().coefficients(Pair(cutoff * samplePeriod))[0]
      }
      filter.hold(input, output, frames, coefficients, LowpassDesign())
    }
    filter.settle()
  }
}

/// A Butterworth lowpass.
package struct LowpassDesign: SecondOrderDesign {
  package init() {}

  /// `cutoffs` in units of the sample rate, clamped to 0 … 0.49999; NaN counts as 0.
  @inline(__always) @_semantics("no_performance_analysis")
  package func coefficients<Numbers: Vector>(_ cutoffs: Numbers) -> SecondOrderVector<Numbers> {
    let (sine, cosine) = HalfTurn.ratio(
      Numbers.minimum(Numbers.maximum(cutoffs, Numbers(0)), Numbers(0.49999)))
    let (square, other) = (sine * sine, cosine * cosine)
    let bend = (Numbers(1.4142135623730951) * sine) * cosine
    let over = Numbers(1) / ((square + other) + bend)
    let (gain, half) = (square * over, bend * over)
    let rest = half + half
    return SecondOrderVector(
      gain: gain, feedback1: (Numbers(4) * gain + rest) - Numbers(2),
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
    Pair(c.gain) * ((now + before) + (before + earlier))
  }

  @inline(__always)
  func isOpen(_ cutoff: Double, _: Double) -> Bool { cutoff > 0 }

  @inline(__always)
  func held(_ input: Double) -> Double { 0 }
}
