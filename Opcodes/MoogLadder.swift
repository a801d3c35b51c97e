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
//  - values on the chain stay fractions, so that one division is left on the way round the loop.

import OpcodeKit

struct MoogLadder<Cutoff: Signal, Resonance: Signal>: AudioOpcode {
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
    let skip: InitInput
  }

  private var ladder: Ladder
  private let sampleRate: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladder = Ladder(fullScale: context.fullScale)
    sampleRate = context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    guard let last = frames.last else { return }
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

/// A number kept as top / bottom, so that a chain of rational functions needs no division.
package struct Fraction {
  package var top: Double
  package var bottom: Double

  @inline(__always)
  package init(_ top: Double, _ bottom: Double) {
    self.top = top
    self.bottom = bottom
  }

  @inline(__always) package var value: Double { top / bottom }

  /// tanh of the fraction, for magnitudes up to 10.
  ///
  /// Like tanh itself a quotient of products x (x² + zero) / (x² + pole), cut off after 6 zeros and
  /// 7 poles: a minimax fit (Remez exchange, 100 digits) with relative error at most 5.4e-15. At 10
  /// it is 1 - 4e-9, so it never reaches 1. The products are trees because latency counts; one
  /// factor is written x²/pole + 1 to keep the powers `advance` takes within 1e±290.
  @inline(__always)
  package var tanh: Fraction {
    let z = top * top
    let w = bottom * bottom
    return Fraction(
      (((z + w * 1533.5828060449909) * (top * (bottom * 0.020029164333902307)))
        * (z + w * 379.98993303612369))
        * (((z + w * 169.36637329174038) * (z + w * 89.051560813110499))
          * ((z + w * 39.478756686318120) * (z + w * 9.8696044182021330))),
      (((w + z * (1 / 6160.3227174316845)) * (z + w * 678.02157480623088))
        * (z + w * 243.30608688111909))
        * (((z + w * 122.99490109968912) * (z + w * 61.697618031732610))
          * ((z + w * 22.206613907799713) * (z + w * 2.4674011002880461))))
  }
}

/// What one cutoff and one resonance mean to the ladder.
package struct LadderTuning {
  /// g, the gain of an integrator: 0 at cutoff 0, 0.803 at sr/2, 0.976 at 3/4 sr.
  package let gain: Double
  /// From the ladder's end to its input: 0 at resonance 0.
  package let feedback: Double

  // tanh(g u) = g u (1 + a0 u²)(1 + a1 u²) / ((1 + b0 u²)(1 + b1 u²)(1 + b2 u²)), a minimax fit for
  // |g u| up to 0.82: relative error 1.2e-15 near 0, at most 8.4e-14 there and 2.5e-11 at 0.98.
  private let a0, a1, b0, b1, b2: Double
  // The same multiplied out for `rest`, as coefficients of t².
  private let r0, r1, r2, r3, s1, s2, s3: Double

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
    let square = g * g
    a0 = square * (1 / 50.409076384933271)
    a1 = square * (1 / 9.8763098505296168)
    b0 = square * (1 / 186.68532825089240)
    b1 = square * (1 / 22.840291047560450)
    b2 = square * (1 / 2.4674023063783009)
    let (p1, p2) = (a0 + a1, a0 * a1)
    let (q1, q2, q3) = (b0 + b1 + b2, b0 * b1 + (b0 + b1) * b2, b0 * b1 * b2)
    (r0, r1, r2, r3) = (1 - g, q1 - g * p1, q2 - g * p2, q3)
    (s1, s2, s3) = (q1 - g, q2 - g * p1, q3 - g * p2)
  }

  /// tanh(d - g t) for t = tanh d: (t - tanh(g t)) / (1 - t tanh(g t)).
  @inline(__always)
  func rest(_ t: Double) -> Double {
    let z = t * t
    return t * (r0 + z * (r1 + z * (r2 + z * r3))) / (1 + z * (s1 + z * (s2 + z * s3)))
  }

  /// tanh(d + g u) for s = tanh d: (s + tanh(g u)) / (1 + s tanh(g u)).
  @inline(__always)
  func advance(_ s: Double, by u: Fraction) -> Fraction {
    let z = u.top * u.top
    let w = u.bottom * u.bottom
    let line = gain * (u.top * u.bottom)
    let odd = (w + a0 * z) * (w + a1 * z)
    let even = (w + b0 * z) * (w + b1 * z)
    let last = w + b2 * z
    return Fraction(even * (last * s) + odd * line, even * last + odd * (line * s))
  }
}

/// The ladder's state.
package struct Ladder: BitwiseCopyable {
  /// From orchestra units to the transistors' voltage, and back.
  private let toVoltage, fromVoltage: Double
  /// tanh of the first three integrators; the last integrator itself.
  private var t0 = 0.0, t1 = 0.0, t2 = 0.0, d3 = 0.0
  /// The mean of d3's last two values is lean + slope t2, and end is t2 as a fraction.
  private var lean = 0.0, slope = 0.0, end = (top: 0.0, bottom: 1.0)

  /// A silent ladder; `fullScale` is the orchestra's 0dbfs.
  package init(fullScale: Double) {
    fromVoltage = 1.22070315 * fullScale
    toVoltage = 1 / fromVoltage
  }

  /// One sample in, one sample out.
  @inline(__always)
  package mutating func next(_ input: Double, _ tuning: LadderTuning) -> Double {
    var input = input * toVoltage
    // Below -600 dB is silence: products of smaller numbers would be subnormal, which is slow.
    if input.magnitude < 1e-30 { input = 0 }
    halfStep(input, tuning)
    halfStep(input, tuning)
    return (lean + slope * t2) * fromVoltage
  }

  // Statements that do not wait for `end` stand where the processor has time for them.
  @inline(__always)
  private mutating func halfStep(_ input: Double, _ tuning: LadderTuning) {
    var x = Fraction(
      (input - tuning.feedback * lean) * end.bottom - (tuning.feedback * slope) * end.top,
      end.bottom)
    let s0 = tuning.rest(t0)
    // Beyond 10 tanh is held; beyond 256 the powers of the bottom below would overflow.
    if _slowPath(x.top.magnitude > 10 * end.bottom || end.bottom > 256) {
      x = Fraction(max(-10, min(10, x.value)), 1)
    }
    let drive = x.tanh
    t0 = tuning.advance(s0, by: drive).value
    let s1 = tuning.rest(t1)
    let t3 = Fraction(d3, 1).tanh.value
    let second = tuning.advance(s1, by: Fraction(t0, 1))
    let s2 = tuning.rest(t2)
    let third = tuning.advance(s2, by: second)
    end = (third.top, third.bottom)
    t1 = second.value
    t2 = third.value
    slope = 0.5 * tuning.gain
    lean = d3 - slope * t3
    d3 += tuning.gain * (t2 - t3)
  }

  /// Goes back to silence from a state below -600 dB, or from one that is not finite. For the end of
  /// a k-cycle: a NaN in the input is heard until then and not for ever.
  @inline(__always)
  package mutating func settle() {
    let level = t0.magnitude + t1.magnitude + t2.magnitude + d3.magnitude
    if !(level >= 1e-30 && level < .infinity) {
      (t0, t1, t2, d3) = (0, 0, 0, 0)
      (lean, slope, end) = (0, 0, (0, 1))
    }
  }
}

@c @_noLocks @_noAllocation
func moogladder_kk(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, ControlInput>.perform(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_ak(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, ControlInput>.perform(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_ka(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, AudioInput>.perform(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_aa(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, AudioInput>.perform(csound, block)
}

func registerMoogLadder(in registry: inout some OpcodeRegistry) {
  let summary: StaticString = "Moog ladder lowpass filter, 24 dB per octave, with saturation"
  registry.add(
    Overload(
      MoogLadder<ControlInput, ControlInput>.self, "MOOGLADDER.kk", outputs: "a", inputs: "akko",
      summary: summary, initialize: { MoogLadder<ControlInput, ControlInput>.initialize($0, $1) },
      perform: moogladder_kk))
  registry.add(
    Overload(
      MoogLadder<AudioInput, ControlInput>.self, "MOOGLADDER.ak", outputs: "a", inputs: "aako",
      summary: summary, initialize: { MoogLadder<AudioInput, ControlInput>.initialize($0, $1) },
      perform: moogladder_ak))
  registry.add(
    Overload(
      MoogLadder<ControlInput, AudioInput>.self, "MOOGLADDER.ka", outputs: "a", inputs: "akao",
      summary: summary, initialize: { MoogLadder<ControlInput, AudioInput>.initialize($0, $1) },
      perform: moogladder_ka))
  registry.add(
    Overload(
      MoogLadder<AudioInput, AudioInput>.self, "MOOGLADDER.aa", outputs: "a", inputs: "aaao",
      summary: summary, initialize: { MoogLadder<AudioInput, AudioInput>.initialize($0, $1) },
      perform: moogladder_aa))
}
