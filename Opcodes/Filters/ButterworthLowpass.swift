// aout BUTTERLP ain, xcutoff [, iskip]
//
// A Butterworth lowpass filter of second order, 12 dB per octave, -3.01 dB at the cutoff.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] + 2 t[n-1] + t[n-2])
//
// With S = sin(π cutoff / sr), C = cos(π cutoff / sr) and d = 1 + √2 S C: g = S² / d,
// a = (4 S² - 2) / d and b = (1 - √2 S C) / d. That is the bilinear transform of 1 / (p² + √2 p + 1)
// (C. Dodge and T. A. Jerse, "Computer Music", 2nd ed., 1997), multiplied out by S² because
// S² + C² = 1, so that one division is left and no tangent.
//
// At k-rate four frames are computed at once: with h the first samples of the impulse response of t,
// t[n+i] = Σ h[i-j] x[n+j] + h[i+1] t[n-1] - b h[i] t[n-2], so that one product and two additions lie
// between the states of every fourth frame. At a-rate two frames' coefficients are in lanes.
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

  /// t[n-1] and t[n-2].
  private var t1 = 0.0, t2 = 0.0
  private var coefficients = ButterworthCoefficients(cutoffs: Pair(0))[0]
  private var lastCutoff = 0.0
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    if Cutoff.isAudioRate {
      follow(arguments, frames)
    } else {
      let cutoff = arguments.cutoff[0]
      guard cutoff > 0 else {
        for frame in frames { arguments.output[frame] = 0 }
        return
      }
      if cutoff != lastCutoff {
        lastCutoff = cutoff
        coefficients = ButterworthCoefficients(cutoffs: Pair(cutoff * samplePeriod))[0]
      }
      hold(arguments, frames)
    }
    // A NaN is heard until the end of its k-cycle and not for ever; decays end in zero.
    let level = t1.magnitude + t2.magnitude
    if !(level >= 1e-30 && level < .infinity) { (t1, t2) = (0, 0) }
  }

  /// A k-cycle with a cutoff that stands still.
  @inline(__always)
  private mutating func hold(_ arguments: Arguments, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    if frames.count >= 8 {
      let ahead = ButterworthLookahead(coefficients)
      let gain = Pair(coefficients.gain)
      // In order of time.
      var last = Pair(t2, t1)
      var sum = Pair(0, t1 + t2)
      while frame &+ 4 <= frames.upperBound {
        let (near, far) = ahead.next(
          arguments.input.pair(at: frame), arguments.input.pair(at: frame &+ 2), after: last)
        let nearSum = near + Pair(last[1], near[0])
        let farSum = far + Pair(near[1], far[0])
        arguments.output.setPair(gain * (nearSum + Pair(sum[1], nearSum[0])), at: frame)
        arguments.output.setPair(gain * (farSum + Pair(nearSum[1], farSum[0])), at: frame &+ 2)
        (last, sum) = (far, farSum)
        frame &+= 4
      }
      (t2, t1) = (last[0], last[1])
    }
    while frame < frames.upperBound {
      arguments.output[frame] = next(arguments.input[frame], coefficients)
      frame &+= 1
    }
  }

  /// A k-cycle with a cutoff that moves.
  @inline(__always)
  private mutating func follow(_ arguments: Arguments, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let other = frame &+ 1 < frames.upperBound ? frame &+ 1 : frame
      let cutoffs = Pair(arguments.cutoff[frame], arguments.cutoff[other])
      let (x, y) = (arguments.input[frame], arguments.input[other])
      let both = ButterworthCoefficients(cutoffs: cutoffs * Pair(samplePeriod))
      arguments.output[frame] = cutoffs[0] > 0 ? next(x, both[0]) : 0
      if other != frame {
        arguments.output[other] = cutoffs[1] > 0 ? next(y, both[1]) : 0
      }
      frame &+= 2
    }
  }

  @inline(__always)
  private mutating func next(_ x: Double, _ c: ButterworthCoefficients.Single) -> Double {
    let t = (x - c.feedback2 * t2) - c.feedback1 * t1
    let y = c.gain * ((t + t1) + (t1 + t2))
    (t2, t1) = (t1, t)
    return y
  }
}

/// The coefficients of two frames.
package struct ButterworthCoefficients: BitwiseCopyable {
  /// Those of one: g, a and b.
  package struct Single: BitwiseCopyable {
    package let gain, feedback1, feedback2: Double
  }

  let gain, feedback1, feedback2: Pair

  /// `cutoffs` in units of the sample rate, clamped to 0 … 0.49999; NaN counts as 0.
  @inline(__always)
  package init(cutoffs: Pair) {
    let x = Pair.minimum(.maximum(cutoffs, Pair(0)), Pair(0.49999))
    let sine = HalfTurn.sine(x)
    let square = sine * sine
    let bend = Pair(1.4142135623730951) * (sine * HalfTurn.cosine(x))
    let over = Pair(1) / (Pair(1) + bend)
    gain = square * over
    feedback1 = (Pair(4) * square - Pair(2)) * over
    feedback2 = (Pair(1) - bend) * over
  }

  @inline(__always)
  package subscript(place: Int) -> Single {
    Single(gain: gain[place], feedback1: feedback1[place], feedback2: feedback2[place])
  }
}

/// Four frames of t from the two before.
package struct ButterworthLookahead: BitwiseCopyable {
  /// h[0...1] without its 1, h[1...2], h[2...3], h[3...4], and -b h[0...1], -b h[2...3].
  private let h01, h12, h23, h34, b01, b23: Pair

  @inline(__always)
  package init(_ c: ButterworthCoefficients.Single) {
    let (h1, b) = (-c.feedback1, c.feedback2)
    let square = h1 * h1
    let h2 = square - b
    let h3 = h1 * (h2 - b)
    h01 = Pair(0, h1)
    h12 = Pair(h1, h2)
    h23 = Pair(h2, h3)
    h34 = Pair(h3, h2 * h2 - b * square)
    b01 = Pair(-b) * Pair(1, h1)
    b23 = Pair(-b) * h23
  }

  @inline(__always)
  func next(_ near: Pair, _ far: Pair, after last: Pair) -> (Pair, Pair) {
    let (x0, x1, x2) = (Pair(near[0]), Pair(near[1]), Pair(far[0]))
    let ownNear = near + h01 * x0
    let ownFar = (far + h01 * x2) + (h23 * x0 + h12 * x1)
    let (t2, t1) = (Pair(last[0]), Pair(last[1]))
    return ((ownNear + b01 * t2) + h12 * t1, (ownFar + b23 * t2) + h34 * t1)
  }
}
