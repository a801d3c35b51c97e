// aout MOOGLADDER ain, xcutoff, xresonance [, iskip [, iquality]]
//
// The Moog ladder: a lowpass filter with 24 dB per octave, resonance and the saturation of its transistors.
//
// With an iquality of 0 it is the same recurrence as Csound's `moogladder`, with these differences:
// - the cutoff is clamped to 0 … 3/4 sr; `moogladder` grows without bound below 0 and latches near sr. A negative
//   resonance counts as 0 at every rate;
// - an a-rate resonance is applied at every sample. The aa overload of `moogladder`, in Csound 6.18 and 7.0, keeps an old
//   value where the resonance has changed and returns to the first value of its k-cycle; `moogladder2` of 6.18, too;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter;
// - tanh is held at 1 - 4e-9 for arguments above 10.
//
// Huovilainen's model (A. Huovilainen, "Non-linear digital implementation of the Moog ladder filter", DAFx 2004) runs
// four integrators at twice the sample rate. With all signals in units of the transistors' saturation voltage, T = tanh
// and r the feedback, one half sample of Csound's `moogladder` is
//     x   = in - r (d3[n-1] + d3[n-2]) / 2
//     d0 += g (T(x)  - T(d0))      d1 += g (T(d0) - T(d1))
//     d2 += g (T(d1) - T(d2))      d3 += g (T(d2) - T(d3))
//
// where each integrator uses the new value of the previous one. The output is the mean of the last two values of d3
// after the second half sample.
//
// The code computes the same recurrence with less latency. The chain of tanh functions in the feedback loop takes most
// of the time, so
// - only t = T(d) of the first three integrators is stored, because their d is not needed elsewhere;
// - an integrator's step is t' = T((d - g t) + g u). The bracket is known half a sample earlier, and by the addition
//   theorem of tanh only `advance` waits for u;
// - when r and g are small, so is the wait for the drive: x = (in - r d3[n-2] + (r g / 2) T(d3[n-2])) - (r g / 2) t2,
//   where only t2 = T(d2[n-1]) is late;
// - values on the chain stay fractions, with numerator and denominator in one register. One division is left in the
//   feedback loop, and none at cutoffs up to 0.11 sr with r g below 1;
// - tanh of a small step is a quotient of short polynomials. There T(x) and T(d3) are accurate to 3e-9; the resulting
//   null depth is in the benchmark's table.
//
// With an iquality of 1 the recurrence and the saturation are the same, but g and r are those at which the filter
// oscillates at the cutoff from a resonance of 1 on (`ExactLadderLaw`). With 2, moreover, the recurrence runs at four
// times the sample rate, between half-band filters (`Oversampler`), so that harmonics above half the sample rate do not
// fold back; low frequencies are delayed by 4.3 samples. At 48 kHz (`./opcodekit test LadderQuality`, `./opcodekit
// bench MOOGLADDER-quality`):
//
//     iquality                                                   0           1           2
//     oscillation at a resonance of 1.05, 55 Hz to 10 kHz  -18 to -31   within 3    within 3   cents
//     a sine of 5 at 1, 2 and 5 kHz, cutoff 6 kHz:
//     its harmonics above their aliases                     102 75 22   102 75 22   188 161 99  dB
//     the same, cutoff 20 kHz, no resonance                  51 45 27    52 45 27   152 137 108  dB
//     time                                                          1         1.0         2.4
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("MOOGLADDER", "Moog ladder lowpass filter, 24 dB per octave, with saturation")
struct MoogLadder<Cutoff: Signal, Resonance: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal, in units of 0dbfs. Saturation begins at about 0dbfs.
    let input: AudioInput
    /// Cutoff frequency in Hz, 0 to sr/2; k-rate or a-rate. Clamped to 0 … 3/4 sr.
    let cutoff: Cutoff
    /// Resonance; k-rate or a-rate. 0 for none; the filter oscillates from about 1 on. Negative values count as 0.
    let resonance: Resonance
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for the sound of `moogladder`; 1 for exact tuning; 2 for exact tuning at four times the sample rate, almost
    /// without aliases. From 1 on the cutoff is clamped to 0 … sr/2. Default 0.
    @Default(0) let quality: InitInput
  }

  private var ladder: Ladder
  private let samplePeriod: Double
  private var quality: Quality
  private var oversampler = Oversampler(times: 4)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    quality = try Quality(arguments.quality.value)
    ladder = Ladder(fullScale: context.fullScale)
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    quality = try Quality(arguments.quality.value)
  }

  // Not inlined: the call costs little compared with the work, and avoids a second copy of the code.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output) = (arguments.input, arguments.output)
    ladder.settle()
    if ladder.isSilent, quality != .best || oversampler.isIdle, input.isSilent(in: context.frames) {
      output.silence(context.frames)
      return
    }
    let isSteady = !Cutoff.isAudioRate && !Resonance.isAudioRate
    if quality != .best, isSteady || context.frames.count == 1 {
      let first = context.frames.lowerBound
      let tuning = quality.ladderTuning(
        cutoff: arguments.cutoff[first] * samplePeriod, resonance: arguments.resonance[first])
      return ladder.run(input, to: output, in: context.frames, tuning)
    }
    quality.forEachLadderTuning(
      cutoff: arguments.cutoff, resonance: arguments.resonance, samplePeriod, in: context.frames
    ) { frames, gains, feedbacks in
      if quality == .best {
        ladder.runOversampled(input, to: output, in: frames, gains, feedbacks, by: &oversampler)
      } else {
        ladder.run(input, to: output, in: frames, gains, feedbacks)
      }
    }
  }
}

// Not generic, so that the code is there once for all rates and laws.
extension Ladder {
  /// All frames with the same coefficients.
  @inline(never)
  fileprivate mutating func run(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>, _ tuning: LadderTuning
  ) {
    var ladder = self
    for frame in frames { output[frame] = ladder.next(input[frame], tuning) }
    self = ladder
  }

  /// At most eight frames.
  @inline(never)
  fileprivate mutating func run(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>, _ gains: Lanes,
    _ feedbacks: Lanes
  ) {
    var ladder = self
    for frame in frames {
      let place = (frame &- frames.lowerBound) & 7
      let tuning = LadderTuning(gain: gains[place], feedback: feedbacks[place])
      output[frame] = ladder.next(input[frame], tuning)
    }
    self = ladder
  }

  @inline(never)
  fileprivate mutating func runOversampled(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>, _ gains: Lanes,
    _ feedbacks: Lanes, by oversampler: inout Oversampler
  ) {
    let (toVoltage, fromVoltage) = (toVoltage, fromVoltage)
    oversampler.process(input, to: output, in: frames) { samples, frame, count in
      var (ladder, result) = (self, samples * Lanes(toVoltage))
      result.replaceEach(first: count) { sample, index in
        let place = (frame &- frames.lowerBound &+ index &>> 2) & 7
        let tuning = LadderTuning(gain: gains[place], feedback: feedbacks[place])
        return ladder.halfStep(sample, tuning)
      }
      self = ladder
      return result * Lanes(fromVoltage)
    }
  }
}

/// The ladder's coefficients for one cutoff and resonance.
package struct LadderTuning {
  /// g, the gain of an integrator: 0 at a cutoff of 0, 0.803 at sr/2, 0.976 at 3/4 sr.
  package let gain: Double
  /// r, the gain from the end of the ladder to its input: 0 at resonance 0.
  package let feedback: Double

  /// Whether the gain (cutoff up to 0.11 sr) and its product with the feedback are small enough for half steps with
  /// four `SmallGain`s.
  let isGentle: Bool
  /// Whether the gain alone is small enough.
  @inline(__always) var hasSmallGain: Bool { gain < 0.32 }

  // tanh(g u) = g u (1 + a u²) / ((1 + b u²)(1 + c u²)), exact for small u. A minimax fit for |g u| up to 0.98, with an
  // error of at most 5.9e-8.
  @inline(__always) private var a: Double { gain * gain * (1 / 10.592067754257327) }
  @inline(__always) private var b: Double { gain * gain * (1 / 2.469880565413837) }
  @inline(__always) private var c: Double { gain * gain * (1 / 43.73620405803559) }

  /// The coefficients of Csound's `moogladder`. `cutoff` is in units of the sample rate.
  @inline(__always)
  package init(cutoff: Double, resonance: Double) {
    self.init(cutoff: cutoff, resonance: resonance, OriginalLadderLaw())
  }

  /// The coefficients by a law. `cutoff` is in units of the sample rate.
  @inline(__always)
  package init(cutoff: Double, resonance: Double, _ law: some LadderLaw) {
    let (gains, feedbacks) = law.gainsAndFeedbacks(
      cutoffs: Pair(cutoff), resonances: Pair(resonance))
    self.init(gain: gains[0], feedback: feedbacks[0])
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

/// A small gain g: tanh(g u) = g u (1 + a u²) / (1 + b u²), exact for small u.
package struct SmallGain {
  let gain, a, b: Double

  /// A minimax fit for |g u| up to 0.32, with an error of at most 2.6e-8.
  @inline(__always)
  static func upTo032(_ gain: Double) -> SmallGain {
    let square = gain * gain
    return SmallGain(
      gain: gain, a: square * (1 / 15.060939632630948), b: square * (1 / 2.501704706107888))
  }

  /// A minimax fit for |g u| up to 0.5, with an error of at most 3.6e-7.
  @inline(__always)
  static func upTo05(_ gain: Double) -> SmallGain {
    let square = gain * gain
    return SmallGain(
      gain: gain, a: square * (1 / 15.148239295676603), b: square * (1 / 2.5041870906071177))
  }

  /// `LadderTuning.rest` of t = tops / bottoms, as numerators and denominators.
  @inline(__always)
  func rest(_ tops: Pair, _ bottoms: Pair) -> (tops: Pair, bottoms: Pair) {
    let z = tops * tops
    let w = bottoms * bottoms
    let even = w + Pair(b) * z
    let odd = Pair(gain) * w + Pair(gain * a) * z
    return ((tops * bottoms) * (even - odd), w * even - z * odd)
  }

  /// `LadderTuning.advance` for a fraction s with any denominator. The result's numerator and denominator are
  /// multiplied by `scale`.
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
  /// Factors from orchestra units to the saturation voltage, and back.
  fileprivate let toVoltage, fromVoltage: Double
  /// tanh of the first two integrators as fractions, denominators from 1 to 2; tanh of the third as a number and as a
  /// fraction (`end`).
  private var tops = Pair(0), bottoms = Pair(1)
  private var t2 = 0.0, end = Fraction(0, 1)
  /// The last integrator d3, its previous value, and tanh of that previous value.
  private var d3 = 0.0, before = 0.0, third = Fraction(0, 1)
  /// The mean of the last two values of d3 is before + slope (t2 - third).
  private var slope = 0.0

  /// A silent ladder; `fullScale` is the orchestra's 0dbfs.
  package init(fullScale: Double) {
    fromVoltage = Self.voltage(fullScale: fullScale)
    toVoltage = 1 / fromVoltage
  }

  /// The saturation voltage in orchestra units.
  @inline(__always)
  package static func voltage(fullScale: Double) -> Double { 1.22070315 * fullScale }

  /// Processes one sample.
  @inline(__always)
  package mutating func next(_ input: Double, _ tuning: LadderTuning) -> Double {
    var input = input * toVoltage
    // Below -600 dB the input counts as 0: products of smaller numbers would be subnormal, which is slow.
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

  /// Processes one half sample; input and output are in units of the saturation voltage.
  @inline(__always)
  package mutating func halfStep(_ voltage: Double, _ tuning: LadderTuning) -> Double {
    let input = voltage.magnitude < 1e-30 ? 0 : voltage
    if tuning.isGentle && tuning.feedback * slope < 0.5 {
      gentleHalfStep(input, tuning)
    } else {
      steepHalfStep(input, tuning)
    }
    return 0.5 * (before + d3)
  }

  // A step with a small gain raises its fraction to the third power. After scaling, the denominators are below 2^5
  // (drive), 2^20 (first), 2^64 (second) and 2^24 (end).
  @inline(__always)
  private mutating func gentleHalfStep(_ input: Double, _ tuning: LadderTuning) {
    let small = SmallGain.upTo032(tuning.gain)
    // Computed first, because the next half step waits for it.
    let newThird = Fraction.shortTanh(Pair(d3), Pair(1))
    // The part of the drive that does not wait for t2. tanh is held for arguments beyond ±10.
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

  // Denominators stay below 1e290: a step raises its fraction to the fifth power, tanh to the fourteenth, and the first
  // step's value is divided out.
  @inline(__always)
  private mutating func steepHalfStep(_ input: Double, _ tuning: LadderTuning) {
    let one = Pair(1)
    let early = Pair(input - tuning.feedback * (before - slope * third.value))
    let late = Pair(tuning.feedback * slope)
    // The denominator can be large after a gentle half step.
    if _slowPath(end.bottom > 0x1p12) { end = end.normalized }
    var bottoms = end.bottoms
    var tops = early * bottoms - late * end.tops
    let s01 = tuning.rest(self.tops / self.bottoms)
    let s2 = tuning.rest(Pair(t2))
    // tanh is held for arguments beyond ±10.
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

  /// Whether silent input gives silent output.
  var isSilent: Bool { t2 == 0 && d3 == 0 && tops[0] == 0 && tops[1] == 0 }

  /// Resets the state to 0 when it is below -600 dB or not finite. Called at the beginning of a k-cycle, so that a NaN
  /// in the input affects one k-cycle only.
  @inline(__always)
  package mutating func settle() {
    let level = (tops[0].magnitude + tops[1].magnitude) + (t2.magnitude + d3.magnitude)
    if !(level >= 1e-30 && level < .infinity) {
      (tops, bottoms, t2, end) = (Pair(0), Pair(1), 0, Fraction(0, 1))
      (d3, before, third, slope) = (0, 0, Fraction(0, 1), 0)
    }
  }
}
