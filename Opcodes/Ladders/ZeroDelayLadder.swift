// aout LADDER ain, xcutoff, xresonance [, imode [, kdrive [, isaturation [, iskip [, iquality]]]]]
//
// A ladder of four poles with resonance and saturation: lowpass with 24 to 6 dB per octave, bandpass or highpass. It
// oscillates at its cutoff to within 3 cents, and stays bounded when cutoff and resonance change in every sample.
//
// Four equal poles are in a loop that saturates at one place, before the first pole:
//
//     y1' = ω (u  - y1)    y2' = ω (y1 - y2)        u = T(drive in - 4 resonance y4)
//     y3' = ω (y2 - y3)    y4' = ω (y3 - y4)        out = m0 u + m1 y1 + m2 y2 + m3 y3 + m4 y4
//
// The poles are integrated with the trapezoidal rule, with ω prewarped, and the loop has no delay (V. Zavalishin, "The
// Art of VA Filter Design", 2012). With g = tan(π cutoff / sr), G = g / (1 + g) and s the integrators' states, pole i is
// yi = (1 - G) si + G y(i-1) and then si = 2 yi - si. Without u, the last of them is r4; then
//
//     a = drive in - 4 resonance r4          b = 4 resonance G⁴          u = T(a - b u)
//
// For the soft curve T(v) = v (27 + v²) / (27 + 9 v²), held at ±1 beyond ±3, which differs from tanh by at most 0.024,
// u is one step of Newton's method from v = a / (1 + b). It is exact for small signals and bounded for all. At a resonance
// of 1 and 48 kHz its error is at most 0.002 at a cutoff of 10 kHz and 0.073 at 20 kHz. For the hard curve u is a / (1 +
// b), clipped, which is exact.
//
// Each mode is a mixture of u and the poles. With p = s/ω and a resonance of 0 they are
//
//     lowpass 1 / (1 + p)^n        bandpass 4 p² / (1 + p)⁴        highpass p⁴ / (1 + p)⁴
//
// The code keeps each state as w + d u, where u is the last sample's, so that the only computation between one u and the
// next is a product, a difference and T.
//
// Measured (`./opcodekit test ZeroDelayLadder`):
// - it oscillates within 3 cents of the cutoff from 55 Hz to 10 kHz at resonances from 1 to 1.2;
// - at higher resonances, and with clipping, too, but near sr/6 and sr/5: from about 7.8 to 8.2 kHz at 48 kHz the
//   oscillation is drawn towards sr/6, at a resonance of 1.5 by up to 17 cents, with clipping at 1.2 by up to 37 (with an
//   iquality of 1 or 2, sr is twice or four times the sample rate here);
// - a resonance below 1 has its peak where the analog ladder has it, within 3 cents: 2 cents below the cutoff at 0.995, 4
//   at 0.99, 22 at 0.95;
// - harmonics of a sine of 5 at 1, 2 and 5 kHz are 160, 78 and 20 dB above their aliases with an iquality of 0, more than 200,
//   153 and 43 dB with 1, more than 200, 160 and 92 dB with 2, at 48 kHz with a cutoff of 6 kHz and a resonance of 0.7;
// - noise in cutoff and resonance, at any drive, leaves the lowpass below 8 times 0dbfs.
//
// Related filters of Csound:
// - `zdf_ladder` is the linear filter of isaturation 0, with Q = 0.5 + 24.5 xresonance. There both agree to -240 dB
//   (`./opcodekit compare LADDER-zdf_ladder`), and LADDER takes half the time.
// - `moogladder` (here MOOGLADDER) is Huovilainen's model, where each of the four poles saturates by itself. Slow signals
//   pass it at any level, and it gets darker when it is driven. It takes about four times as long.
// - `moogladder2` is `moogladder` with a cheaper tanh, and takes about as long as MOOGLADDER. Its tanh is exactly linear
//   below 0.5. With a cutoff of 2 kHz and a resonance of 0.5 it differs by -26 dB on full-scale noise, by -35 dB on noise of
//   a fifth of that level.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode(
  "LADDER", "Saturating ladder filter without delay in its loop: lowpass, bandpass or highpass")
struct ZeroDelayLadder<Cutoff: Signal, Resonance: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal. The gain of the lowpass at 0 Hz is kdrive / (1 + 4 xresonance).
    let output: AudioOutput
    /// The input signal, in units of 0dbfs.
    let input: AudioInput
    /// Cutoff frequency in Hz: the frequency of the poles, at which the filter oscillates; k-rate or a-rate. Clamped to
    /// 0 … 0.49 sr. At 0 the filter keeps its state.
    let cutoff: Cutoff
    /// Resonance; k-rate or a-rate. 0 for none; 1 is the threshold of oscillation. Clamped to 0 … 2, without saturation
    /// to 0 … 0.9999.
    let resonance: Resonance
    /// 0 for a lowpass with 24 dB per octave, 1 with 18 dB, 2 with 12 dB, 3 with 6 dB; 4 for a bandpass with 12 dB per
    /// octave on either side; 5 for a highpass with 24 dB per octave. Default 0.
    @Default(0) let mode: InitInput
    /// Gain of the input before the saturation. Default 1.
    @Default(1) let drive: ControlInput
    /// Saturation of the loop: 0 for none, 1 for soft, 2 for hard (clipping). It limits u to 0dbfs. With none the filter is
    /// linear; u is then clipped at 1000 times 0dbfs, which only a resonance that moves at a-rate can reach. Default 1.
    @Default(1) let saturation: InitInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for a ladder at the sample rate; 1 for one at twice, 2 for one at four times the sample rate, which delay low
    /// frequencies by 3.2 and 4.3 samples. Default 0.
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 1 }

  private var ladder = FourPoles()
  private let sound: LadderSound
  private let samplePeriod: Double
  /// One at the higher qualities, none otherwise.
  private let oversamplers: Buffer<Oversampler>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let mixture = LadderMixture(mode: arguments.mode.value) else {
      throw OpcodeError(argument: "imode", is: arguments.mode.value, mustBe: "0, 1, 2, 3, 4 or 5")
    }
    let saturation = arguments.saturation.value
    guard saturation == 0 || saturation == 1 || saturation == 2 else {
      throw OpcodeError(argument: "isaturation", is: saturation, mustBe: "0, 1 or 2")
    }
    let quality = try Quality(arguments.quality.value)
    let times = quality == .original ? 1 : quality == .exact ? 2 : 4
    sound = LadderSound(
      mixture: mixture, saturation: saturation, fullScale: context.fullScale, times: times)
    samplePeriod = 1 / (context.sampleRate * Double(times))
    oversamplers = try context.oversamplers(
      times: times, count: times == 1 ? 0 : 1, keepingContents: Self.resumes(arguments))
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    var anew = try Self(arguments, context)
    anew.ladder = ladder
    self = anew
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    ladder.settle()
    let isSilent = oversamplers.count == 0 || oversamplers[0].isIdle
    if ladder.isSilent, isSilent, arguments.input.isSilent(in: context.frames) {
      arguments.output.silence(context.frames)
      return
    }
    let isSteady = !Cutoff.isAudioRate && !Resonance.isAudioRate
    var frame = context.frames.lowerBound
    while frame < context.frames.upperBound {
      let end = isSteady ? context.frames.upperBound : min(frame &+ 8, context.frames.upperBound)
      ladder.run(
        arguments.input, to: arguments.output, in: frame..<end, sound, drive: arguments.drive.value,
        cutoffs: arguments.cutoff.lanes(from: frame, before: end) * Lanes(samplePeriod),
        resonances: arguments.resonance.lanes(from: frame, before: end), oversamplers)
      frame = end
    }
    ladder.finish()
  }
}

/// What is the same for a whole note.
private struct LadderSound: BitwiseCopyable {
  let mixture: LadderMixture
  /// 0 for none, 1 for soft, 2 for hard.
  let saturation: Double
  let fullScale: Double
  /// The ladder's sample rate in units of Csound's: 1, 2 or 4.
  let times: Int
}

// Not generic, so that the code is there once for all rates.
extension FourPoles {
  /// Up to eight frames, or any number that have the coefficients of the first.
  @inline(never)
  fileprivate mutating func run(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>, _ sound: LadderSound,
    drive: Double, cutoffs: Lanes, resonances: Lanes, _ oversamplers: Buffer<Oversampler>
  ) {
    let tunings = FourPoleTunings(
      cutoffs: Lanes.minimum(cutoffs, Lanes(0.49 / Double(sound.times))), resonances: resonances,
      most: sound.saturation == 0 ? 0.9999 : 2)
    let hard = HardCurve(limit: sound.saturation == 2 ? 1 : 1000)
    if oversamplers.count > 0 {
      if sound.saturation == 1 {
        run(input, to: output, in: frames, sound, drive, tunings, SoftCurve(), &oversamplers[0])
      } else {
        run(input, to: output, in: frames, sound, drive, tunings, hard, &oversamplers[0])
      }
    } else if sound.saturation == 1 {
      run(input, to: output, in: frames, sound, drive, tunings, SoftCurve())
    } else {
      run(input, to: output, in: frames, sound, drive, tunings, hard)
    }
  }

  @inline(__always)
  private mutating func run(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>, _ sound: LadderSound,
    _ drive: Double, _ tunings: FourPoleTunings<Lanes>, _ curve: some LoopCurve,
    _ oversampler: inout Oversampler
  ) {
    let (mixture, fullScale) = (sound.mixture, Lanes(sound.fullScale))
    let gain = Lanes(drive / sound.fullScale)
    let (shift, places) = (sound.times &>> 1, frames.count > 8 ? 0 : 7)
    oversampler.process(input, to: output, in: frames) { samples, frame, count in
      var (poles, result) = (self, samples * gain)
      let first = frame &- frames.lowerBound
      result.replaceEach(first: count) { sample, index in
        poles.next(sample, tunings[(first &+ index &>> shift) & places], mixture, curve)
      }
      self = poles
      return result * fullScale
    }
  }

  @inline(__always)
  private mutating func run(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>, _ sound: LadderSound,
    _ drive: Double, _ tunings: FourPoleTunings<Lanes>, _ curve: some LoopCurve
  ) {
    let (mixture, fullScale) = (sound.mixture, sound.fullScale)
    let gain = drive / fullScale
    var poles = self
    if frames.count > 8 {
      let tuning = tunings[0]
      for frame in frames {
        output[frame] = fullScale * poles.next(gain * input[frame], tuning, mixture, curve)
      }
    } else {
      for frame in frames {
        let tuning = tunings[(frame &- frames.lowerBound) & 7]
        output[frame] = fullScale * poles.next(gain * input[frame], tuning, mixture, curve)
      }
    }
    self = poles
  }
}

/// The shares of the loop's input and of the four poles in the output.
package struct LadderMixture: BitwiseCopyable {
  fileprivate let loop: Double
  fileprivate let poles12, poles34: Pair

  /// The mixture of `imode`; nil for a number that is none.
  package init?(mode: Double) {
    let shares: (Double, Double, Double, Double, Double)
    switch mode {
    case 0: shares = (0, 0, 0, 0, 1)
    case 1: shares = (0, 0, 0, 1, 0)
    case 2: shares = (0, 0, 1, 0, 0)
    case 3: shares = (0, 1, 0, 0, 0)
    case 4: shares = (0, 0, 4, -8, 4)
    case 5: shares = (1, -4, 6, -4, 1)
    default: return nil
    }
    loop = shares.0
    (poles12, poles34) = (Pair(shares.1, shares.2), Pair(shares.3, shares.4))
  }
}

/// A curve T in the ladder's loop.
package protocol LoopCurve: BitwiseCopyable {
  /// u of u = T(a - b u). `linear` is u for a straight line, a / (1 + b).
  func solve(_ linear: Double, _ b: Double) -> Double
}

/// T(v) = v (27 + v²) / (27 + 9 v²), held at ±1 beyond ±3.
package struct SoftCurve: LoopCurve {
  package init() {}

  // With T = top / bottom, T' = root² / bottom² and root = 3 - v²/3, Newton's step from v is
  //     u = v ((3 + v²/9) bottom + b root²) / (bottom² + b root²),   bottom = 3 + v²,
  // which is a quotient of two polynomials in v².
  @inline(__always)
  package func solve(_ linear: Double, _ b: Double) -> Double {
    let v = linear > 3 ? 3 : (linear < -3 ? -3 : linear)
    let z = v * v
    let start = 9 + 9 * b
    let top = (start + (10.0 / 3 - 2 * b) * z) + (1.0 / 9 + (1.0 / 9) * b) * (z * z)
    let bottom = (start + (6 - 2 * b) * z) + (1 + (1.0 / 9) * b) * (z * z)
    return (v * top) / bottom
  }
}

/// Clipping at ±limit.
package struct HardCurve: LoopCurve {
  fileprivate let limit: Double

  package init(limit: Double) { self.limit = limit }

  @inline(__always)
  package func solve(_ linear: Double, _ b: Double) -> Double {
    linear > limit ? limit : (linear < -limit ? -limit : linear)
  }
}

/// The coefficients for one cutoff and resonance: powers of G, 1 - G, the feedback, b and 1 / (1 + b).
package struct FourPoleTuning: BitwiseCopyable {
  fileprivate let keep, gain, feedback, loop, share: Double
  fileprivate let gains12, gains34: Pair
}

/// The coefficients of several frames.
package struct FourPoleTunings<V: Vector>: BitwiseCopyable {
  private let keep, gain, gain2, feedback, loop, share: V

  /// `cutoffs` are in units of the sample rate and are clamped to 0 … 0.49, `resonances` to 0 … `most`. NaN counts as 0.
  @inline(__always) @_semantics("no_performance_analysis")
  package init(cutoffs: V, resonances: V, most: Double) {
    let x = V.minimum(.maximum(cutoffs, V(0)), V(0.49))
    let (sine, cosine) = HalfTurn.ratio(x)
    let part = V(1) / (sine + cosine)
    keep = cosine * part
    gain = sine * part
    gain2 = gain * gain
    feedback = V(4) * V.minimum(.maximum(resonances, V(0)), V(most))
    loop = feedback * (gain2 * gain2)
    share = V(1) / (V(1) + loop)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  package subscript(place: Int) -> FourPoleTuning {
    FourPoleTuning(
      keep: keep[place], gain: gain[place], feedback: feedback[place], loop: loop[place],
      share: share[place], gains12: Pair(gain[place], gain2[place]),
      gains34: Pair(gain[place], gain2[place]) * Pair(gain2[place]))
  }
}

/// The ladder's four poles.
package struct FourPoles: BitwiseCopyable {
  /// The integrators' states w + d u, of poles 1 and 2, 3 and 4.
  private var w12 = Pair(0), w34 = Pair(0), d12 = Pair(0), d34 = Pair(0)
  /// u of the last sample.
  private var u = 0.0

  package init() {}

  /// Processes one sample.
  @inline(__always)
  package mutating func next(
    _ sample: Double, _ tuning: FourPoleTuning, _ mixture: LadderMixture, _ curve: some LoopCurve
  ) -> Double {
    // Below -600 dB the input counts as 0: products of smaller numbers would be subnormal, which is slow.
    let x = sample.magnitude < 1e-30 ? 0 : sample
    // The poles without the new u, as w + d u in one pair.
    let (keep, gain) = (Pair(tuning.keep), Pair(tuning.gain))
    let r1 = keep * .firsts(w12, d12)
    let r2 = keep * .seconds(w12, d12) + gain * r1
    let r3 = keep * .firsts(w34, d34) + gain * r2
    let r4 = keep * .seconds(w34, d34) + gain * r3
    let round = Pair(tuning.feedback * tuning.share) * r4
    let linear = (tuning.share * x - round[0]) - round[1] * u
    let last = Pair(u)
    let p12 = Pair.firsts(r1, r2) + .seconds(r1, r2) * last
    let p34 = Pair.firsts(r3, r4) + .seconds(r3, r4) * last
    let (s12, s34) = (w12 + d12 * last, w34 + d34 * last)
    u = curve.solve(linear, tuning.loop)
    (w12, w34) = ((p12 + p12) - s12, (p34 + p34) - s34)
    let (gain12, gain34) = (tuning.gains12, tuning.gains34)
    (d12, d34) = (gain12 + gain12, gain34 + gain34)
    let shares =
      mixture.poles12 * (p12 + gain12 * Pair(u)) + mixture.poles34 * (p34 + gain34 * Pair(u))
    return mixture.loop * u + (shares[0] + shares[1])
  }

  /// Adds d u to each state. Called after the last sample of a k-cycle.
  @inline(__always)
  package mutating func finish() {
    (w12, w34) = (w12 + d12 * Pair(u), w34 + d34 * Pair(u))
    (d12, d34, u) = (Pair(0), Pair(0), 0)
  }

  /// Whether silent input gives silent output.
  var isSilent: Bool { w12[0] == 0 && w12[1] == 0 && w34[0] == 0 && w34[1] == 0 }

  /// Resets the state to 0 when it is below -600 dB or not finite. Called at the beginning of a k-cycle, so that a NaN
  /// in the input affects one k-cycle only.
  @inline(__always)
  package mutating func settle() {
    let sum = w12.magnitude + w34.magnitude
    let level = sum[0] + sum[1]
    if !(level >= 1e-30 && level < .infinity) { self = FourPoles() }
  }
}
