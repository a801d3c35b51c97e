// aout VCS3FILTER ain, xcutoff, xresponse [, iquality]
//
// The diode ladder of the EMS VCS3: a lowpass filter whose slope gradually steepens to 24 dB per octave, with
// resonance, self-oscillation and the saturation of transistors and diodes.
//
// Source: M. Civolani and F. Fontana, "A nonlinear digital model of the EMS VCS3 voltage-controlled filter", DAFx 2008,
// and F. Fontana and M. Civolani, "Modeling of the EMS VCS3 voltage-controlled filter as a nonlinear filter network",
// IEEE TASLP 18 (2010), doi 10.1109/TASL.2009.2032620. A transistor pair drives four capacitors that are connected by
// diodes:
//
//     v1' = ω (i             - tanh(v1 - v2))      i = tanh(u - k v4)
//     v2' = ω (tanh(v1 - v2) - tanh(v2 - v3))
//     v3' = ω (tanh(v2 - v3) - tanh(v3 - v4))      out = k v4
//     v4' = ω (tanh(v3 - v4) - tanh(v4 / 3))
//
// where u and k v4 are in units of the transistors' 2 VT = 52 mV, v in units of the diodes' 2 η VT, and η = 1.836. The
// output is taken after the feedback amplifier, so resonance does not reduce low frequencies. For small signals, with p
// = s/ω,
//
//     out / in = 3k / (3p⁴ + 19p³ + 35p² + 18p + 1 + 3k)
//
// This oscillates at p = i √(18/19) when k reaches 10637/1083.
//
// It is computed once per sample with the trapezoidal rule, v = z + g v'/ω and then z = 2v - z; the loop through k has
// no delay. Within a sample a diode is treated as a conductance, tanh(d) = c d with c = tanh(d)/d, where d is predicted
// one sample ahead from the present currents. This needs no iteration, is stable because a conductance only dissipates
// energy, and is of second order like the trapezoidal rule itself. From sr/7 on, one Newton step for the transistor
// pair follows.
//
// Measured for cutoffs from 50 Hz to 0.45 sr, at 44.1, 48 and 96 kHz:
// - Tuning: at responses from 1 to 1.05 the filter oscillates at most 8 cents below the cutoff. At higher responses it
//   is flatter, as the circuit is: by 14 cents at 1.1, 46 at 1.5 and 65 at 2. There the error of the method grows with
//   the cutoff, for a response of 1.5 to +5 cents at sr/16 and +11 at sr/8. Above sr/7 the oscillation may lock to sr/6,
//   sr/5 or sr/4, at a response of 2 up to 240 cents away.
// - Slope at response 0: -3 dB at 0.343 of the cutoff and -17 dB at the cutoff. The next octaves fall by 14.1, 17.9,
//   21.4, 23.3 and 23.9 dB, which may be why the VCS3 is said to have 18 dB per octave.
// - Aliasing, as there is no oversampling: -41 dB for a full-scale sine of 5 kHz at a cutoff of 2 kHz, -76 dB at half
//   that level.
//
// Differs from Csound's `diode_ladder`, which is modelled on the TB-303 and linear except for its input:
// - the first capacitor is as large as the others and the last stage has three diodes, so the poles differ and a null
//   test is not possible;
// - the filter oscillates at the cutoff; `diode_ladder` at 0.707 of it;
// - the threshold of oscillation is a response of 1; in `diode_ladder` it is 17;
// - cutoff and response are clamped, and NaN in any argument counts as 0 and does not stay in the filter.
//
// With an iquality of 1 the filter oscillates at the cutoff, whatever the response: with f the cutoff in cycles per
// sample, at most 0.13, and e = response - 1, at least 0, the cutoff is multiplied by
//
//     1 + 0.0959799 e / (1 + 1.535496 e) (1 - f² (24.31982 + 13.588207 e) + 1072.797 f⁴)
//
// a fit to the simulated oscillation, within 0.8 cents for f up to 0.12. With 2, moreover, the circuit is computed at
// four times the sample rate (`Oversampler`), which delays low frequencies by 4.3 samples.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("VCS3FILTER", "Diode ladder lowpass filter of the EMS VCS3")
struct VCS3Filter<Cutoff: Signal, Response: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal. The gain at low frequencies is 0.73 at response 0 and 0.97 at response 1.
    let output: AudioOutput
    /// The input signal, in units of 0dbfs, which is 104 mV at the transistors. At half of 0dbfs, saturation is clearly
    /// audible above the cutoff. A finite input always gives a finite output; NaN counts as 0.
    let input: AudioInput
    /// Cutoff frequency in Hz, at which the filter oscillates; k-rate or a-rate. Clamped to 0 … 0.45 sr; NaN counts as
    /// 0. At 0 the filter keeps its state.
    let cutoff: Cutoff
    /// Response (resonance); k-rate or a-rate. 0 is the least feedback of the instrument's knob, 1 the threshold of
    /// oscillation, 2 about the most feedback. Clamped to 0 … 2; NaN counts as 0. The amplitude of oscillation is 0.3
    /// of full scale at 1.1 and 1.1 at 2; a silent filter needs some input to start oscillating.
    let response: Response
    /// 0 for the circuit's tuning; 1 for oscillation at the cutoff; 2 for that and four times the sample rate, almost
    /// without aliases. Default 0.
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 1 }

  private var ladder: DiodeLadder
  private let samplePeriod: Double
  private let quality: Quality
  /// One at the best quality, none otherwise.
  private let oversamplers: Buffer<Oversampler>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    quality = try Quality(arguments.quality.value)
    oversamplers = try context.oversamplers(times: 4, count: quality == .best ? 1 : 0)
    ladder = DiodeLadder(fullScale: context.fullScale)
    samplePeriod = 1 / context.sampleRate
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if _slowPath(quality != .original) { return performBetter(arguments, context.frames) }
    let frames = context.frames
    guard let last = frames.last else { return }
    var next = tuning(arguments, frames.lowerBound)
    for frame in frames {
      let current = next
      // Computed one frame in advance, to fill the latency of the ladder.
      if Cutoff.isAudioRate && frame < last {
        next = tuning(arguments, frame + 1)
      } else if Response.isAudioRate && frame < last {
        next.respond(arguments.response[frame + 1])
      }
      arguments.output[frame] = ladder.next(arguments.input[frame], current)
    }
    ladder.settle()
  }

  @inline(never)
  private mutating func performBetter(_ arguments: Arguments, _ frames: Range<Int>) {
    let isSteady = !Cutoff.isAudioRate && !Response.isAudioRate
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let end = isSteady ? frames.upperBound : min(frame &+ 8, frames.upperBound)
      ladder.run(
        arguments.input, to: arguments.output, frame..<end,
        cutoffs: arguments.cutoff.lanes(from: frame, before: end) * Lanes(samplePeriod),
        responses: arguments.response.lanes(from: frame, before: end), by: oversamplers)
      frame = end
    }
    ladder.settle()
  }

  @inline(__always)
  private func tuning(_ arguments: Arguments, _ frame: Int) -> DiodeLadderTuning {
    DiodeLadderTuning(
      cutoffHz: arguments.cutoff[frame], response: arguments.response[frame],
      samplePeriod: samplePeriod)
  }
}

// Not generic, so that the code is there once for all rates.
extension DiodeLadder {
  /// Filters frames with exact tuning. `cutoffs` are in units of the sample rate; those of frame i are at index i % 8,
  /// counted from the first frame.
  @inline(never)
  fileprivate mutating func run(
    _ input: AudioInput, to output: AudioOutput, _ frames: Range<Int>, cutoffs: Lanes,
    responses: Lanes, by oversamplers: Buffer<Oversampler>
  ) {
    let isOversampled = oversamplers.count > 0
    let cutoffs = DiodeLadderTuning.exactCutoffs(
      cutoffs, responses: responses, steps: isOversampled ? 4 : 1)
    func tuning(_ frame: Int) -> DiodeLadderTuning {
      let place = (frame &- frames.lowerBound) & 7
      return DiodeLadderTuning(
        cutoffHz: cutoffs[place], response: responses[place], samplePeriod: 1)
    }
    if isOversampled {
      oversamplers[0].process(input, to: output, in: frames) { samples, frame, count in
        var (ladder, result, current) = (self, samples, tuning(frame))
        result.replaceEach(first: count) { sample, index in
          if index == 4 { current = tuning(frame &+ 1) }
          return ladder.next(sample, current)
        }
        self = ladder
        return result
      }
    } else {
      var ladder = self
      for frame in frames { output[frame] = ladder.next(input[frame], tuning(frame)) }
      self = ladder
    }
  }
}

/// The coefficients of the diode ladder for one cutoff and response.
package struct DiodeLadderTuning {
  /// g, the voltage that a unit of current adds to a capacitor in half a sample: 0 at cutoff 0, 6.49 at 0.45 sr.
  package let gain: Double
  /// k, the gain from the last capacitor to the transistors: 0.918 at response 0, 10637/1083 at 1.
  package private(set) var feedback = 0.0
  /// The weight of a step in the prediction of the next sample: 1 / (1 + 2 g).
  let foresight: Double
  /// Whether the transistors need a Newton step, which is only necessary where the signal can change much per sample.
  let isFast: Bool

  /// `cutoffHz` is clamped to 0 … 0.45 of the sample rate; NaN counts as 0.
  ///
  /// g = tan(π cutoff samplePeriod) / √(18/19). The tangent is its continued fraction, cut off after six terms, with a
  /// relative error of at most 3.8e-9.
  @inline(__always)
  package init(cutoffHz: Double, response: Double, samplePeriod: Double) {
    let positive = cutoffHz > 0 ? cutoffHz * samplePeriod : 0
    let x = Double.pi * (positive < 0.45 ? positive : 0.45)
    let z = x * x
    let top = 1.0274023338281628 * x * (135_135 - z * (17_325 - z * (378 - z)))
    let bottom = 135_135 - z * (62_370 - z * (3150 - z * 28))
    // top / bottom and bottom / (bottom + 2 top) with one division.
    let both = bottom + 2 * top
    let over = 1 / (bottom * both)
    gain = top * both * over
    foresight = bottom * bottom * over
    isFast = 2 * top > bottom
    respond(response)
  }

  /// Sets the feedback only. `response` is clamped to 0 … 2; NaN counts as 0.
  ///
  /// k = η (K + 1/2), where K is the setting of the instrument's knob: at response 0, K = 0 and k = 0.918; at response
  /// 1, the threshold, K = 4.85; the knob's end, K = 10, would be response 2.06.
  @inline(__always)
  package mutating func respond(_ response: Double) {
    let knob = response > 0 ? response : 0
    feedback = 0.918 + (10637.0 / 1083 - 0.918) * (knob < 2 ? knob : 2)
  }

  /// The cutoffs at which the ladder oscillates as the given ones say, whatever the response. The given ones are in
  /// units of the sample rate, the result in units of `steps` times that.
  @inline(never)
  package static func exactCutoffs(_ cutoffs: Lanes, responses: Lanes, steps: Double) -> Lanes {
    let f = Lanes.minimum(.maximum(cutoffs, Lanes(0)), Lanes(0.45)) * Lanes(1 / steps)
    let e = Lanes.minimum(.maximum(responses - Lanes(1), Lanes(0)), Lanes(1))
    let flat = Lanes(0.0959799) * e / (Lanes(1) + Lanes(1.535496) * e)
    let held = Lanes.minimum(f, Lanes(0.13))
    let square = held * held
    let less = Lanes(24.31982) + Lanes(13.588207) * e - Lanes(1072.797) * square
    return f + f * (flat * (Lanes(1) - square * less))
  }
}

/// tanh(d) / d with a relative error of at most 8e-6 up to |d| = 6, and the value at 6 beyond.
///
/// A minimax fit that is exactly 1 at 0, so that small signals are filtered exactly.
@inline(__always)
package func diodeConductance(_ d: Double) -> Double {
  let z = min(d * d, 36)
  let top = (1 + z * 0.11498356240998925) + (z * z) * 0.0015228372571848517
  let bottom =
    (1 + z * 0.44828259299449996) + (z * z) * (0.017664464762778158 + z * 5.674663712978655e-5)
  return top / bottom
}

/// The diode ladder's state.
package struct DiodeLadder: BitwiseCopyable {
  /// Factors from orchestra units to the transistors' 2 VT, and back.
  private let toVoltage, fromVoltage: Double
  /// The capacitors' voltages, each plus the change that its present current causes in half a sample.
  private var z1 = 0.0, z2 = 0.0, z3 = 0.0, z4 = 0.0
  /// The conductances of the diodes and of the transistors for the next sample.
  private var c1 = 1.0, c2 = 1.0, c3 = 1.0, c4 = 1.0 / 3, slope = 1.0
  /// u - k v4 of the last sample.
  private var drive = 0.0

  /// A silent ladder; `fullScale` is the orchestra's 0dbfs.
  package init(fullScale: Double) {
    fromVoltage = 0.5 * fullScale
    toVoltage = 1 / fromVoltage
  }

  /// Processes one sample.
  @inline(__always)
  package mutating func next(_ input: Double, _ tuning: DiodeLadderTuning) -> Double {
    let (u, g, k) = (voltage(input), tuning.gain, tuning.feedback)
    let (a, b, c, d) = (g * c1, g * c2, g * c3, g * c4)

    // The ladder is four equations,
    //     (1 + a) v1 - a v2              = z1 + g i
    //     (1 + a + b) v2 - a v1 - b v3   = z2
    //     (1 + b + c) v3 - b v2 - c v4   = z3
    //     (1 + c + d) v4 - c v3          = z4
    // They are eliminated from both ends to the middle. The determinants of the upper one, two and three equations, of
    // the lower ones, and of all four are written as sums of positive terms.
    let upper1 = 1 + a
    let open2 = upper1 + a
    let upper2 = open2 + b * upper1
    let upper3 = upper2 * (1 + c) + b * open2
    let lower1 = (1 + c) + d
    let open3 = lower1 + c * (1 + d)
    let lower2 = open3 + b * lower1
    let all = open2 * open3 + b * (open2 * lower1 + upper1 * open3)

    // v4 = (rest4 + abcg i) / all. As i = tanh(x) = slope x, x = u - k v4 is a single fraction.
    let upper = z2 * upper1 + a * z1
    let lower = z3 * lower1 + c * z4
    let rest4 = z4 * upper3 + c * (upper2 * z3 + b * upper)
    let ag = a * g
    let bag = b * ag
    let cbag = c * bag
    var x = Fraction(u * all - k * rest4, all + slope * (k * cbag))
    if _slowPath(x.top.magnitude > 10 * x.bottom) { x = Fraction(x.top > 0 ? 10 : -10, 1) }
    var i = x.tanh.value
    let over = 1 / all
    if tuning.isFast {
      let y = k * cbag * over
      let steepness = 1 - i * i
      let error = (u - k * rest4 * over) - x.value - y * i
      i = max(-1, min(1, i + steepness * error / (1 + y * steepness)))
    }

    // Each v is rest + share i, because i is known last.
    let (p4, q4) = (rest4 * over, cbag * over)
    let (p3, q3) = ((upper2 * lower + b * lower1 * upper) * over, lower1 * bag * over)
    let (p2, q2) = ((lower2 * upper + b * upper1 * lower) * over, lower2 * ag * over)
    let first = 1 / upper1
    let (p1, q1) = ((z1 + a * p2) * first, (g + a * q2) * first)

    // v - z is half an Euler step; the next sample's v is predicted as v + 2 foresight (v - z).
    let back = 2 * tuning.foresight
    let ahead = 1 + back
    c1 = diodeConductance(
      (ahead * (p1 - p2) - back * (z1 - z2)) + (ahead * (q1 - q2)) * i)
    c2 = diodeConductance(
      (ahead * (p2 - p3) - back * (z2 - z3)) + (ahead * (q2 - q3)) * i)
    c3 = diodeConductance(
      (ahead * (p3 - p4) - back * (z3 - z4)) + (ahead * (q3 - q4)) * i)
    c4 = diodeConductance(((ahead * p4 - back * z4) + ahead * q4 * i) * (1.0 / 3)) * (1.0 / 3)
    z1 = 2 * (p1 + q1 * i) - z1
    z2 = 2 * (p2 + q2 * i) - z2
    z3 = 2 * (p3 + q3 * i) - z3
    let v4 = p4 + q4 * i
    z4 = 2 * v4 - z4
    let output = k * v4
    slope = diodeConductance((u - output) + tuning.foresight * ((u - output) - drive))
    drive = u - output
    return output * fromVoltage
  }

  /// The input in units of 2 VT, limited to ±1e6. Below -600 dB it counts as 0, because products of smaller numbers
  /// would be subnormal, which is slow.
  @inline(__always)
  private func voltage(_ input: Double) -> Double {
    let u = input * toVoltage
    if _fastPath(u.magnitude > 1e-30 && u.magnitude < 1e6) { return u }
    return u > 1e-30 ? 1e6 : u < -1e-30 ? -1e6 : 0
  }

  /// Resets the state to 0 when it is below -600 dB. Called at the end of a k-cycle.
  @inline(__always)
  package mutating func settle() {
    let level = (z1.magnitude + z2.magnitude) + (z3.magnitude + z4.magnitude)
    if level < 1e-30 { self = DiodeLadder(fullScale: 2 * fromVoltage) }
  }
}
