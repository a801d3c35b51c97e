// aout MOOGLADDER ain, xcutoff, xresonance [, iskip]
//
// The Moog ladder, a lowpass filter of 24 dB per octave with resonance and the transistors'
// saturation.
//
// The same recurrence as Csound's `moogladder`. Differs from it:
//  - the cutoff is clamped to 0 … 3/4 sr, where the built-in grows without bound below 0 and latches
//    near sr; negative resonance is 0 at every rate;
//  - an a-rate resonance is followed at every sample, where the built-in's aa overload keeps an old
//    one whenever the resonance returns to the first value of its k-cycle;
//  - below -600 dB is silence, and NaN in the input does not stay in the filter;
//  - tanh is held at 1 - 4e-9 from 10 up, which a slow square wave of more than 12 times full scale
//    into a nearly open filter shows as a null depth of about -84 dB.
//
// Huovilainen's model (A. Huovilainen, "Non-linear digital implementation of the Moog ladder
// filter", DAFx 2004) runs four integrators at twice the sample rate. With everything in units of
// the transistors' voltage, T = tanh and r the feedback, one half sample of Csound's `moogladder` is
//
//     x   = in - r (d3[n-1] + d3[n-2]) / 2
//     d0 += g (T(x)  - T(d0))      d1 += g (T(d0) - T(d1))
//     d2 += g (T(d1) - T(d2))      d3 += g (T(d2) - T(d3))
//
// where each integrator takes the new value of the one before, and the output is the mean of d3's
// last two values after the second half sample.
//
// Here the same recurrence is arranged for speed. Time goes into the chain of tanh's round the
// feedback loop, so
//  - only t = T(d) of the first three integrators is kept, because nothing else needs their d;
//  - an integrator's step is t' = T((d - g t) + g u): the bracket is known half a sample early, and
//    by tanh's addition theorem only `advance` waits for u;
//  - so is the drive where r and g are small: x = (in - r d3[n-2] + (r g / 2) T(d3[n-2])) - (r g / 2) t2,
//    where t2 = T(d2[n-1]) alone is late;
//  - values on the chain stay fractions, top and bottom in one register, so that one division is left
//    on the way round the loop, and none at cutoffs up to 0.11 sr with r g below 1;
//  - tanh of a small step is a quotient of short polynomials, and there T(x) and T(d3) are accurate to
//    3e-9: the null depth they leave is in the benchmark's table.

import OpcodeKit

@Opcode("MOOGLADDER", "Moog ladder lowpass filter, 24 dB per octave, with saturation")
struct MoogLadder<Cutoff: Signal, Resonance: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The signal to filter, in units of 0dbfs; saturation begins about there.
    let input: AudioInput
    /// Cutoff frequency, Hz, 0 to sr/2, k-rate or a-rate; clamped to 0 … 3/4 sr.
    let cutoff: Cutoff
    /// Resonance, 0 for none, oscillation from about 1, k-rate or a-rate; negative is 0.
    let resonance: Resonance
    /// Nonzero goes on from the note before in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var ladder: Ladder
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladder = Ladder(fullScale: context.fullScale)
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  // A call is little beside a sample's work, and its code is not there twice.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    ladder.settle()
    if ladder.isSilent, arguments.input.isSilent(in: frames) {
      arguments.output.silence(frames)
      return
    }
    var tunings = LadderTunings(
      cutoff: arguments.cutoff, resonance: arguments.resonance, samplePeriod,
      until: frames.upperBound)
    for frame in frames {
      arguments.output[frame] = ladder.next(arguments.input[frame], tunings.next(frame))
    }
  }
}

/// What one cutoff and one resonance mean to the ladder.
package struct LadderTuning {
  /// g, the gain of an integrator: 0 at cutoff 0, 0.803 at sr/2, 0.976 at 3/4 sr.
  package let gain: Double
  /// From the ladder's end to its input: 0 at resonance 0.
  package let feedback: Double

  /// Whether the gain is small enough, cutoff up to 0.11 sr, and its product with the feedback, for
  /// half steps of four `SmallGain`s.
  let isGentle: Bool
  /// Whether the gain alone is.
  @inline(__always) var hasSmallGain: Bool { gain < 0.32 }

  // tanh(g u) = g u (1 + a u²) / ((1 + b u²)(1 + c u²)), exact for small u. A minimax fit for |g u| up to
  // 0.98: error at most 5.9e-8.
  @inline(__always) private var a: Double { gain * gain * (1 / 10.592067754257327) }
  @inline(__always) private var b: Double { gain * gain * (1 / 2.469880565413837) }
  @inline(__always) private var c: Double { gain * gain * (1 / 43.73620405803559) }

  /// `cutoff` in units of the sample rate.
  @inline(__always)
  package init(cutoff: Double, resonance: Double) {
    let (gains, feedbacks) = Self.gainsAndFeedbacks(
      cutoffs: Pair(cutoff), resonances: Pair(resonance))
    self.init(gain: gains[0], feedback: feedbacks[0])
  }

  /// `cutoffs` in units of the sample rate are clamped to 0 … 3/4, above which the amplitude correction
  /// soon changes its sign and feedback would latch; `resonances` to 0 and above; NaN counts as 0.
  ///
  /// Frequency and amplitude corrections are those of Csound's `moogladder`:
  /// g = 1 - exp(-π f (1.8730 f³ + 0.4955 f² - 0.6490 f + 0.9988)) and
  /// feedback = 4 resonance (-3.9364 f² + 1.8409 f + 0.9968).
  @inline(__always) @_semantics("no_performance_analysis")
  package static func gainsAndFeedbacks<V: Vector>(cutoffs: V, resonances: V) -> (V, V) {
    let f = V.minimum(.maximum(cutoffs, V(0)), V(0.75))
    let square = f * f
    let tuned = (V(0.9988) - V(0.6490) * f) + square * (V(0.4955) + V(1.8730) * f)
    let full = (V(0.9968) + V(1.8409) * f) - V(3.9364) * square
    return (
      V(0) - ((f * V(-Double.pi)) * tuned).expMinusOne,
      (V(4) * .maximum(resonances, V(0))) * full
    )
  }

  @inline(__always)
  package init(gain: Double, feedback: Double) {
    self.gain = gain
    self.feedback = feedback
    isGentle = gain < 0.32 && gain * feedback < 1
  }

  /// tanh(d - g t) for t = tanh d: (t even - g t odd) / (even - g t² odd) at u = t.
  @inline(__always)
  func rest(_ t: Pair) -> Pair {
    let z = t * t
    let even = (Pair(1) + Pair(b) * z) * (Pair(1) + Pair(c) * z)
    let odd = Pair(gain) + Pair(gain * a) * z
    return t * (even - odd) / (even - z * odd)
  }

  /// tanh(d + g u) for s = tanh d: (s even + g u odd) / (even + s g u odd); `tangent` is (s, 1).
  @inline(__always)
  func advance(_ tangent: Pair, by u: Fraction) -> Fraction {
    let steep = tangent.swapped * Pair(gain)
    let (top, bottom) = (u.tops, u.bottoms)
    let z = top * top
    let w = bottom * bottom
    let line = top * (bottom * steep)
    return Fraction(
      parts: (w + Pair(b) * z) * (tangent * w + (tangent * Pair(c)) * z)
        + line * (w + Pair(a) * z))
  }
}

/// The tunings of the frames of a k-cycle, one after the other; at a-rate of eight at once.
struct LadderTunings<Cutoff: Signal, Resonance: Signal> {
  private let cutoff: Cutoff, resonance: Resonance
  private let samplePeriod: Double
  private let end: Int
  private var current: LadderTuning
  /// Those of eight frames, and how many of them have been.
  private var gains = Lanes(0), feedbacks = Lanes(0)
  private var place = 8

  @inline(__always)
  init(cutoff: Cutoff, resonance: Resonance, _ samplePeriod: Double, until end: Int) {
    (self.cutoff, self.resonance, self.samplePeriod) = (cutoff, resonance, samplePeriod)
    self.end = end
    current =
      Cutoff.isAudioRate || Resonance.isAudioRate
      ? LadderTuning(gain: 0, feedback: 0)
      : LadderTuning(cutoff: cutoff[0] * samplePeriod, resonance: resonance[0])
  }

  @inline(__always)
  mutating func next(_ frame: Int) -> LadderTuning {
    guard Cutoff.isAudioRate || Resonance.isAudioRate else { return current }
    if place == 8 {
      guard frame &+ 8 <= end else {
        return LadderTuning(cutoff: cutoff[frame] * samplePeriod, resonance: resonance[frame])
      }
      (gains, feedbacks) = LadderTuning.gainsAndFeedbacks(
        cutoffs: cutoff.lanes(at: frame) * Lanes(samplePeriod),
        resonances: resonance.lanes(at: frame))
      place = 0
    }
    defer { place &+= 1 }
    return LadderTuning(gain: gains[place], feedback: feedbacks[place])
  }
}

/// A gain g that is small: tanh(g u) = g u (1 + a u²) / (1 + b u²), exact for small u.
package struct SmallGain {
  let gain, a, b: Double

  /// A minimax fit for |g u| up to 0.32: error at most 2.6e-8.
  @inline(__always)
  static func upTo032(_ gain: Double) -> SmallGain {
    let square = gain * gain
    return SmallGain(
      gain: gain, a: square * (1 / 15.060939632630948), b: square * (1 / 2.501704706107888))
  }

  /// A minimax fit for |g u| up to 0.5: error at most 3.6e-7.
  @inline(__always)
  static func upTo05(_ gain: Double) -> SmallGain {
    let square = gain * gain
    return SmallGain(
      gain: gain, a: square * (1 / 15.148239295676603), b: square * (1 / 2.5041870906071177))
  }

  /// `LadderTuning.rest` of t = tops / bottoms as tops and bottoms.
  @inline(__always)
  func rest(_ tops: Pair, _ bottoms: Pair) -> (tops: Pair, bottoms: Pair) {
    let z = tops * tops
    let w = bottoms * bottoms
    let even = w + Pair(b) * z
    let odd = Pair(gain) * w + Pair(gain * a) * z
    return ((tops * bottoms) * (even - odd), w * even - z * odd)
  }

  /// `LadderTuning.advance` for a tangent s of any bottom; top and bottom are `scale` times as large.
  @inline(__always)
  func advance(_ tangent: Pair, by u: Fraction, scale: Pair = Pair(1)) -> Fraction {
    let swapped = tangent.swapped
    let (top, bottom) = (u.tops, u.bottoms)
    let squares = Fraction(parts: (u.parts * u.parts) * scale)
    return Fraction(
      parts: squares.bottoms * (tangent * bottom + (swapped * Pair(gain)) * top)
        + squares.tops * ((tangent * Pair(b)) * bottom + (swapped * Pair(gain * a)) * top))
  }
}

/// The ladder's state.
package struct Ladder: BitwiseCopyable {
  /// From orchestra units to the transistors' voltage, and back.
  private let toVoltage, fromVoltage: Double
  /// tanh of the first two integrators as fractions, bottoms from 1 to 2; of the third, also as `end`.
  private var tops = Pair(0), bottoms = Pair(1)
  private var t2 = 0.0, end = Fraction(0, 1)
  /// The last integrator, its value before that, and tanh of this.
  private var d3 = 0.0, before = 0.0, third = Fraction(0, 1)
  /// The mean of d3's last two values is before + slope (t2 - third).
  private var slope = 0.0

  /// A silent ladder; `fullScale` is the orchestra's 0dbfs.
  package init(fullScale: Double) {
    fromVoltage = Self.voltage(fullScale: fullScale)
    toVoltage = 1 / fromVoltage
  }

  /// One volt of the transistors' in orchestra units.
  @inline(__always)
  package static func voltage(fullScale: Double) -> Double { 1.22070315 * fullScale }

  /// One sample in, one sample out.
  @inline(__always)
  package mutating func next(_ input: Double, _ tuning: LadderTuning) -> Double {
    var input = input * toVoltage
    // Below -600 dB is silence: products of smaller numbers would be subnormal, which is slow.
    if input.magnitude < 1e-30 { input = 0 }
    if tuning.isGentle && tuning.feedback * slope < 0.5 {
      gentleHalfStep(input, tuning)
      gentleHalfStep(input, tuning)
    } else {
      steepHalfStep(input, tuning)
      steepHalfStep(input, tuning)
    }
    return (before + slope * (t2 - third.value)) * fromVoltage
  }

  // A small gain's step takes its fraction to the third power. Once scaled, the drive's bottom is below 2^5,
  // the first's below 2^20, the second's below 2^64 and the end's below 2^24.
  @inline(__always)
  private mutating func gentleHalfStep(_ input: Double, _ tuning: LadderTuning) {
    let small = SmallGain.upTo032(tuning.gain)
    // First, as the next half step waits for it.
    let newThird = Fraction.shortTanh(Pair(d3), Pair(1))
    // What of the drive does not wait for t2; beyond 10 tanh is held.
    var early = input - tuning.feedback * before
    if _slowPath(early.magnitude > 10) { early = early > 0 ? 10 : -10 }
    let late = tuning.feedback * slope
    let tangent = Fraction.shortTanh(
      Pair(early) * third.bottoms + Pair(late) * third.tops, third.bottoms)
    let drive = SmallGain.upTo05(-late).advance(
      tangent.parts, by: end, scale: tangent.bottoms.unscale * end.bottoms.unscale(power: 3))
    let s01 = small.rest(tops, bottoms)
    let s2 = small.rest(Pair(t2), Pair(1))
    let first = small.advance(.firsts(s01.tops, s01.bottoms), by: drive)
    let second = small.advance(.seconds(s01.tops, s01.bottoms), by: first)
    finish(
      first, second,
      small.advance(
        .firsts(s2.tops, s2.bottoms), by: second, scale: first.bottoms.unscale(power: 9)),
      newThird, tuning)
  }

  // Bottoms stay below 1e290: a step takes its fraction to the fifth power, tanh to the fourteenth, and the
  // first step's value is divided out.
  @inline(__always)
  private mutating func steepHalfStep(_ input: Double, _ tuning: LadderTuning) {
    let one = Pair(1)
    let early = Pair(input - tuning.feedback * (before - slope * third.value))
    let late = Pair(tuning.feedback * slope)
    // As a gentle half step left it.
    if _slowPath(end.bottom > 0x1p12) { end = end.normalized }
    var bottoms = end.bottoms
    var tops = early * bottoms - late * end.tops
    let s01 = tuning.rest(self.tops / self.bottoms)
    let s2 = tuning.rest(Pair(t2))
    // Beyond 10 tanh is held.
    if _slowPath(tops[0].magnitude > 10 * bottoms[0]) {
      tops = Pair(tops[0] > 0 ? 10 : -10)
      bottoms = one
    }
    let first = Fraction(
      tuning.advance(.firsts(s01, one), by: .tanh(tops, bottoms)).value, 1)
    let second = tuning.advance(.seconds(s01, one), by: first)
    finish(
      first, second, tuning.advance(.firsts(s2, one), by: second), .tanh(Pair(d3), one), tuning)
  }

  @inline(__always)
  private mutating func finish(
    _ first: Fraction, _ second: Fraction, _ end: Fraction, _ third: Fraction,
    _ tuning: LadderTuning
  ) {
    let grown = Pair.seconds(first.parts, second.parts)
    let unscale = grown.unscale
    tops = .firsts(first.parts, second.parts) * unscale
    bottoms = grown * unscale
    self.end = end
    self.third = third
    t2 = end.value
    slope = 0.5 * tuning.gain
    before = d3
    d3 += tuning.gain * (t2 - third.value)
  }

  /// Whether silence in gives silence out.
  var isSilent: Bool { t2 == 0 && d3 == 0 && tops[0] == 0 && tops[1] == 0 }

  /// Goes back to silence from a state below -600 dB, or from one that is not finite. For the
  /// beginning of a k-cycle, where nothing waits for it: a NaN in the input is heard until then and not for
  /// ever.
  @inline(__always)
  package mutating func settle() {
    let level = (tops[0].magnitude + tops[1].magnitude) + (t2.magnitude + d3.magnitude)
    if !(level >= 1e-30 && level < .infinity) {
      (tops, bottoms, t2, end) = (Pair(0), Pair(1), 0, Fraction(0, 1))
      (d3, before, third, slope) = (0, 0, Fraction(0, 1), 0)
    }
  }
}
