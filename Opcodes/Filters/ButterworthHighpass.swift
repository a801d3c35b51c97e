// aout BUTTERHP ain, xcutoff [, iskip]
//
// A Butterworth highpass filter of second order, 12 dB per octave, -3.01 dB at the cutoff.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] - 2 t[n-1] + t[n-2])
//
// With S = sin(π cutoff / sr), C = cos(π cutoff / sr) and d = 1 + √2 S C: g = C² / d,
// a = (4 S² - 2) / d and b = (1 - √2 S C) / d, the bilinear transform of p² / (p² + √2 p + 1)
// (C. Dodge and T. A. Jerse, "Computer Music", 2nd ed., 1997), multiplied out by C². Four frames are
// computed at once at k-rate (`SecondOrder`), two frames' coefficients at a-rate.
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
  private var coefficients = HighpassCoefficients(cutoffs: Pair(0))[0]
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
      follow(arguments, frames)
    } else {
      let cutoff = arguments.cutoff[0]
      guard cutoff > 0 else {
        for frame in frames { output[frame] = input[frame] }
        return
      }
      if cutoff != lastCutoff {
        lastCutoff = cutoff
        coefficients = HighpassCoefficients(cutoffs: Pair(cutoff * samplePeriod))[0]
      }
      let gain = Pair(coefficients.gain)
      filter.hold(input, output, frames, coefficients) { now, before, earlier in
        gain * ((now - before) - (before - earlier))
      }
    }
    filter.settle()
  }

  /// A k-cycle with a cutoff that moves.
  @inline(__always)
  private mutating func follow(_ arguments: Arguments, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let other = frame &+ 1 < frames.upperBound ? frame &+ 1 : frame
      let cutoffs = Pair(arguments.cutoff[frame], arguments.cutoff[other])
      let (x, y) = (arguments.input[frame], arguments.input[other])
      let both = HighpassCoefficients(cutoffs: cutoffs * Pair(samplePeriod))
      arguments.output[frame] = cutoffs[0] > 0 ? next(x, both, 0) : x
      if other != frame {
        arguments.output[other] = cutoffs[1] > 0 ? next(y, both, 1) : y
      }
      frame &+= 2
    }
  }

  // The division is the last to be ready: as little as can be waits for it.
  @inline(__always)
  private mutating func next(_ x: Double, _ c: HighpassCoefficients, _ place: Int) -> Double {
    filter.next(x, over: c.over[place], c.numerator1[place], c.numerator2[place]) {
      now, before, earlier in
      Pair(c.gain[place]) * (now + (earlier - (before + before)))
    }
  }
}

/// The coefficients of two frames.
package struct HighpassCoefficients: BitwiseCopyable {
  fileprivate let gain, numerator1, numerator2, over: Pair

  /// `cutoffs` in units of the sample rate, clamped to 0 … 0.49999; NaN counts as 0.
  @inline(__always)
  package init(cutoffs: Pair) {
    let x = Pair.minimum(.maximum(cutoffs, Pair(0)), Pair(0.49999))
    let (sine, cosine) = (HalfTurn.sine(x), HalfTurn.cosine(x))
    let bend = Pair(1.4142135623730951) * (sine * cosine)
    over = Pair(1) / (Pair(1) + bend)
    gain = (cosine * cosine) * over
    numerator1 = Pair(4) * (sine * sine) - Pair(2)
    numerator2 = Pair(1) - bend
  }

  @inline(__always)
  package subscript(place: Int) -> ButterworthCoefficients.Single {
    .init(
      gain: gain[place], feedback1: numerator1[place] * over[place],
      feedback2: numerator2[place] * over[place])
  }
}
