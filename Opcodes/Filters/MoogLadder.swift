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
//  - values on the chain stay fractions, top and bottom in one register, so that one division is left
//    on the way round the loop, and none at cutoffs up to 0.11 sr;
//  - tanh of a small step is a quotient of short polynomials: the null depth it leaves is in the
//    benchmark's table.

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
  private let sampleRate: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladder = Ladder(fullScale: context.fullScale)
    sampleRate = context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  // A call is little beside a sample's work, and its code is not there twice.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    guard let last = frames.last else { return }
    if ladder.isSilent, arguments.input.isSilent(in: frames) {
      arguments.output.silence(frames)
      return
    }
    var next = tuning(arguments, frames.lowerBound)
    for frame in frames {
      let current = next
      // One frame early, so that its cost hides behind the ladder's.
      if (Cutoff.isAudioRate || Resonance.isAudioRate) && frame < last {
        next = tuning(arguments, frame + 1)
      }
      arguments.output[frame] = ladder.next(arguments.input[frame], current)
    }
    ladder.settle()
  }

  @inline(__always)
  private func tuning(_ arguments: Arguments, _ frame: Int) -> LadderTuning {
    LadderTuning(
      cutoffHz: arguments.cutoff[frame], resonance: arguments.resonance[frame],
      sampleRate: sampleRate)
  }
}

/// What one cutoff and one resonance mean to the ladder.
package struct LadderTuning {
  /// g, the gain of an integrator: 0 at cutoff 0, 0.803 at sr/2, 0.976 at 3/4 sr.
  package let gain: Double
  /// From the ladder's end to its input: 0 at resonance 0.
  package let feedback: Double

  /// Whether the gain is small enough, cutoff up to 0.11 sr, for the shorter fit of `GentleStep`.
  let isGentle: Bool
  // tanh(g u) = g u (1 + a u²) / ((1 + b u²)(1 + c u²)), exact for small u. Minimax fits: |g u| up to
  // 0.32 with c = 0, error at most 2.6e-8; up to 0.98, error at most 5.9e-8.
  let a, b, c: Double

  /// `cutoffHz` is clamped to 0 … 3/4 sampleRate, above which the amplitude correction soon changes
  /// its sign and feedback would latch; `resonance` to 0 and above; NaN counts as 0.
  ///
  /// Frequency and amplitude corrections are those of Csound's `moogladder`, for
  /// f = cutoff / sampleRate: g = 1 - exp(-π f (1.8730 f³ + 0.4955 f² - 0.6490 f + 0.9988)) and
  /// feedback = 4 resonance (-3.9364 f² + 1.8409 f + 0.9968).
  @inline(__always)
  package init(cutoffHz: Double, resonance: Double, sampleRate: Double) {
    let positive = cutoffHz > 0 ? cutoffHz / sampleRate : 0
    let f = positive < 0.75 ? positive : 0.75
    let correction = ((1.8730 * f + 0.4955) * f - 0.6490) * f + 0.9988
    // 1 - exp(-2 y) = 2 tanh y / (1 + tanh y).
    let half = Fraction(0.5 * Double.pi * f * correction, 1).tanh
    self.init(
      gain: 2 * half.top / (half.bottom + half.top),
      feedback: 4 * (resonance > 0 ? resonance : 0) * ((-3.9364 * f + 1.8409) * f + 0.9968))
  }

  @inline(__always)
  private init(gain g: Double, feedback: Double) {
    gain = g
    self.feedback = feedback
    isGentle = g < 0.32
    let square = g * g
    a = square * (isGentle ? 1 / 15.060939632630948 : 1 / 10.592067754257327)
    b = square * (isGentle ? 1 / 2.501704706107888 : 1 / 2.469880565413837)
    c = isGentle ? 0 : square * (1 / 43.73620405803559)
  }
}

/// An integrator's step in terms of tanh, in two sizes.
///
/// With tanh(g u) = g u odd / even, odd = 1 + a u² and even = (1 + b u²)(1 + c u²).
package protocol IntegratorStep {
  /// tanh(d - g t) for t = tanh d: (t even - g t odd) / (even - g t² odd) at u = t.
  static func rest(_ t: Pair, _ tuning: LadderTuning) -> Pair

  /// tanh(d + g u) for s = tanh d: (s even + g u odd) / (even + s g u odd); `tangent` is (s, 1).
  static func advance(
    _ tangent: Pair, by u: Fraction, _ tuning: LadderTuning
  ) -> Fraction

  /// The same number, small enough for the fractions that follow from it.
  static func shortened(_ fraction: Fraction) -> Fraction
}

/// For gains below 0.32: bottoms grow slowly, and c is 0.
package enum GentleStep: IntegratorStep {
  @inline(__always)
  package static func rest(_ t: Pair, _ tuning: LadderTuning) -> Pair {
    let z = t * t
    let even = Pair(1) + Pair(tuning.b) * z
    let odd = Pair(tuning.gain) + Pair(tuning.gain * tuning.a) * z
    return t * (even - odd) / (even - z * odd)
  }

  @inline(__always)
  package static func advance(
    _ tangent: Pair, by u: Fraction, _ tuning: LadderTuning
  ) -> Fraction {
    let steep = tangent.swapped * Pair(tuning.gain)
    let (top, bottom) = (u.tops, u.bottoms)
    let z = top * top
    let w = bottom * bottom
    return Fraction(
      parts: w * (tangent * bottom + steep * top)
        + z * ((tangent * Pair(tuning.b)) * bottom + (steep * Pair(tuning.a)) * top))
  }

  @inline(__always)
  package static func shortened(_ fraction: Fraction) -> Fraction { fraction.normalized }
}

/// For every gain up to 0.98.
package enum SteepStep: IntegratorStep {
  @inline(__always)
  package static func rest(_ t: Pair, _ tuning: LadderTuning) -> Pair {
    let z = t * t
    let even = (Pair(1) + Pair(tuning.b) * z) * (Pair(1) + Pair(tuning.c) * z)
    let odd = Pair(tuning.gain) + Pair(tuning.gain * tuning.a) * z
    return t * (even - odd) / (even - z * odd)
  }

  @inline(__always)
  package static func advance(
    _ tangent: Pair, by u: Fraction, _ tuning: LadderTuning
  ) -> Fraction {
    let steep = tangent.swapped * Pair(tuning.gain)
    let (top, bottom) = (u.tops, u.bottoms)
    let z = top * top
    let w = bottom * bottom
    let line = top * (bottom * steep)
    return Fraction(
      parts: (w + Pair(tuning.b) * z) * (tangent * w + (tangent * Pair(tuning.c)) * z)
        + line * (w + Pair(tuning.a) * z))
  }

  @inline(__always)
  package static func shortened(_ fraction: Fraction) -> Fraction { Fraction(fraction.value, 1) }
}

/// The ladder's state.
package struct Ladder: BitwiseCopyable {
  /// From orchestra units to the transistors' voltage, and back.
  private let toVoltage, fromVoltage: Double
  /// tanh of the first two integrators and of the third; the last integrator itself.
  private var t01 = Pair(0)
  private var t2 = 0.0, d3 = 0.0
  /// The mean of d3's last two values is lean + slope t2, and end is t2 as a fraction.
  private var lean = 0.0, slope = 0.0, end = Fraction(0, 1)

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
    if tuning.isGentle {
      halfStep(input, tuning, GentleStep.self)
      halfStep(input, tuning, GentleStep.self)
    } else {
      halfStep(input, tuning, SteepStep.self)
      halfStep(input, tuning, SteepStep.self)
    }
    return (lean + slope * t2) * fromVoltage
  }

  // Bottoms stay within 1e±290: a step takes its fraction to the third or fifth power, tanh to the
  // fourteenth, and `shortened` stands once on the way round the loop.
  @inline(__always)
  private mutating func halfStep<Step: IntegratorStep>(
    _ input: Double, _ tuning: LadderTuning, _ step: Step.Type
  ) {
    let one = Pair(1)
    let early = Pair(input - tuning.feedback * lean)
    let late = Pair(tuning.feedback * slope)
    var bottoms = end.bottoms
    var tops = early * bottoms - late * end.tops
    let s01 = Step.rest(t01, tuning)
    let s2 = Step.rest(Pair(t2), tuning)
    // Beyond 10 tanh is held.
    if _slowPath(tops[0].magnitude > 10 * bottoms[0]) {
      tops = Pair(tops[0] > 0 ? 10 : -10)
      bottoms = Pair(1)
    }
    let drive = Fraction.tanh(tops, bottoms)
    let first = Step.shortened(Step.advance(.firsts(s01, one), by: drive, tuning))
    let second = Step.advance(.seconds(s01, one), by: first, tuning)
    let t3 = Fraction(d3, 1).tanh.value
    end = Step.advance(.firsts(s2, one), by: second, tuning)
    t01 = .firsts(first.parts, second.parts) / .seconds(first.parts, second.parts)
    t2 = end.value
    slope = 0.5 * tuning.gain
    lean = d3 - slope * t3
    d3 += tuning.gain * (t2 - t3)
  }

  /// Whether silence in gives silence out.
  var isSilent: Bool { t2 == 0 && d3 == 0 && t01[0] == 0 && t01[1] == 0 }

  /// Goes back to silence from a state below -600 dB, or from one that is not finite. For the end of
  /// a k-cycle: a NaN in the input is heard until then and not for ever.
  @inline(__always)
  package mutating func settle() {
    let level = (t01[0].magnitude + t01[1].magnitude) + (t2.magnitude + d3.magnitude)
    if !(level >= 1e-30 && level < .infinity) {
      (t01, t2, d3) = (Pair(0), 0, 0)
      (lean, slope, end) = (0, 0, Fraction(0, 1))
    }
  }
}
