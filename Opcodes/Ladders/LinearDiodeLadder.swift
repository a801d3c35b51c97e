// aout DIODELADDER ain, xcutoff, xfeedback [, knonlinear [, ksaturation [, iskip [, iquality]]]]
//
// A diode ladder filter modelled on the TB-303: a lowpass with 24 dB per octave and resonance. The ladder is linear;
// its input can be saturated.
//
//     y1' = ω (x - y1 + y2)               y3' = ω/2 (y2 - 2 y3 + y4)
//     y2' = ω/2 (y1 - 2 y2 + y3)          y4' = ω/2 (y3 - y4) - ω/2 y4        x = in - k y4
//
// It is discretized with the trapezoidal rule, with ω prewarped; the output is y4 (V. Zavalishin, "The art of VA filter
// design", 2012; W. Pirkle, "Virtual analog (VA) diode ladder filter", app note 6, 2013). With g = tan(π cutoff / sr),
// z the integrators' states and M = 1 - g A, where A is the matrix of the equations above, a sample is M y = z + g x
// e1, and then z = 2 y - z.
//
// A + 1 is the matrix of Chebyshev's recurrence, T(n-1) + T(n+1) = 2 μ T(n). For any cutoff, y1 … y4 are therefore sums
// of four modes that are independent of each other:
//
//     yj = Σi T(j-1)(μi) ai        ai' = ω ((μi - 1) ai + x / 4)        μi = cos((2i - 1) π/8)
//
// A sample takes three products for each mode (`LinearLadderTunings`). All coefficients are multiplied by cos(π cutoff
// / sr), so that only the ratio of sine to cosine matters. A tuning takes one division for the determinant and one for
// the feedback, and the tunings of several frames are computed at once. When the tuning is constant for a k-cycle, two
// samples are combined into one matrix, with only one multiplication and three additions in the feedback loop.
//
// The same as Csound's `diode_ladder`, except that
// - the cutoff is clamped to 0 … 0.4999 sr; `diode_ladder` is unstable outside 0 … sr/2;
// - the feedback is clamped to 0 … 16.9999. From 17 on the ladder oscillates, and as nothing inside it saturates,
//   `diode_ladder` grows to infinity and NaN. NaN counts as 0;
// - a saturation of 0 with knonlinear 1 means no saturation; `diode_ladder` gives NaN;
// - tanh is held at 1 - 4e-9 for arguments above 10;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// At a feedback of 17 the ladder oscillates at tan(π f / sr) = g / √2, half an octave below the cutoff. With an
// iquality of 1 or 2, g is √2 tan(π cutoff / sr), and it oscillates and resonates at the cutoff. With 2 the saturation
// runs at four times the sample rate (`Oversampler`); the ladder is linear and makes no aliases.
//
// Category: Signal Modifiers:Standard Filters

import OpcodeKit

@Opcode("DIODELADDER", "Diode ladder lowpass filter after the TB-303, 24 dB per octave")
struct LinearDiodeLadder<Cutoff: Signal, Feedback: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal. The gain at 0 Hz is 1 / (1 + k).
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Cutoff frequency in Hz; k-rate or a-rate. Clamped to 0 … 0.4999 sr. At 0 the filter keeps its state.
    let cutoff: Cutoff
    /// Feedback k; k-rate or a-rate. Clamped to 0 … 16.9999. At the upper limit, just below self-oscillation, the
    /// filter rings very long: with a cutoff of 1 kHz it takes 18 minutes to decay by 60 dB.
    let feedback: Feedback
    /// Saturation of the input: 1 for tanh(ksaturation in) / tanh(ksaturation), 2 for tanh(ksaturation in), anything
    /// else for none. Default 0.
    @Default(0) let nonlinear: ControlInput
    /// Gain of the input before tanh. Default 1.
    @Default(1) let saturation: ControlInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for the sound of `diode_ladder`; 1 for resonance at the cutoff; 2 with, moreover, the saturation at four times
    /// the sample rate, which delays low frequencies of a saturated signal by 4.3 samples. Default 0.
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 1 }

  private var ladder = LinearLadder()
  private var shape: DiodeLadderInput
  /// What the tangent of the cutoff's angle is multiplied by: √2 for exact tuning.
  private let warp: Double
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let quality = try Quality(arguments.quality.value)
    shape = DiodeLadderInput(
      oversamplers: try context.oversamplers(
        times: 4, count: quality == .best ? 1 : 0, keepingContents: Self.resumes(arguments)))
    warp = quality == .original ? 1 : 1.4142135623730951
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    var anew = try Self(arguments, context)
    anew.ladder = ladder
    self = anew
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (output, frames) = (arguments.output, context.frames)
    ladder.settle()
    shape.follow(mode: arguments.nonlinear.value, drive: arguments.saturation.value)
    if !Cutoff.isAudioRate && !Feedback.isAudioRate {
      let input =
        shape.isOn ? shape.apply(arguments.input, to: output, frames) : arguments.input
      ladder.run(input, to: output, frames, tunings(arguments, 0, 0)[0])
      return
    }
    var frame = frames.lowerBound
    // With two numbers per register, the tunings of eight frames would go through memory, which pays only when they
    // share a cutoff.
    while !Cutoff.isAudioRate || Quad.isOneRegister, frame &+ 8 <= frames.upperBound {
      // Read before the output is written, which may be the same memory.
      let cutoffs = arguments.cutoff.lanes(at: frame) * Lanes(samplePeriod)
      let feedbacks = arguments.feedback.lanes(at: frame)
      var output = shaped(arguments, frame..<frame &+ 8).lanes(at: frame)
      let tunings = LinearLadderTunings(
        cutoffs: cutoffs, feedbacks: feedbacks, warp: Lanes(warp))
      Lanes.forEachPlace { place in output[place] = ladder.next(output[place], tunings[place]) }
      arguments.output.setLanes(output, at: frame)
      frame &+= 8
    }
    while frame < frames.upperBound {
      let other = frame &+ 1 < frames.upperBound ? frame &+ 1 : frame
      let both = tunings(arguments, frame, other)
      let input = shaped(arguments, frame..<other &+ 1)
      let (one, two) = (input[frame], input[other])
      arguments.output[frame] = ladder.next(one, both[0])
      if other != frame { arguments.output[other] = ladder.next(two, both[1]) }
      frame &+= 2
    }
  }

  /// The input of the ladder in some frames, for the saturation in the output's memory.
  @inline(__always)
  private mutating func shaped(_ arguments: Arguments, _ frames: Range<Int>) -> AudioInput {
    _fastPath(!shape.isOn)
      ? arguments.input : shape.apply(arguments.input, to: arguments.output, frames)
  }

  @inline(__always)
  private func tunings(
    _ arguments: Arguments, _ one: Int, _ other: Int
  ) -> LinearLadderTunings<Pair> {
    LinearLadderTunings(
      cutoffs: Pair(arguments.cutoff[one], arguments.cutoff[other]) * Pair(samplePeriod),
      feedbacks: Pair(arguments.feedback[one], arguments.feedback[other]), warp: Pair(warp))
  }
}

/// The saturation of the input before the ladder, level tanh(drive x); tanh is held for arguments beyond ±10.
private struct DiodeLadderInput: BitwiseCopyable {
  private(set) var isOn = false
  private var drive = 0.0, level = 1.0
  /// 1 / tanh(lastDrive).
  private var outputLevel = 1.0
  private var lastDrive = 0.0
  /// One at the best quality, none otherwise.
  private let oversamplers: Buffer<Oversampler>

  init(oversamplers: Buffer<Oversampler>) { self.oversamplers = oversamplers }

  /// Takes the arguments knonlinear and ksaturation of a k-cycle.
  @inline(__always)
  mutating func follow(mode: Double, drive: Double) {
    self.drive = drive
    isOn = mode == 2 || (mode == 1 && drive != 0)
    level = 1
    if mode == 1 && drive != 0 {
      if drive != lastDrive { (lastDrive, outputLevel) = (drive, 1 / Math.tanh(drive)) }
      level = outputLevel
    }
    // What it held would be heard when the saturation comes back.
    if oversamplers.count > 0, !isOn { oversamplers[0] = Oversampler(times: 4) }
  }

  /// Saturates frames and returns the result, which is in the output's memory.
  @inline(never)
  func apply(_ input: AudioInput, to output: AudioOutput, _ frames: Range<Int>) -> AudioInput {
    let (drive, level) = (drive, level)
    if oversamplers.count > 0 {
      oversamplers[0].process(input, to: output, in: frames) { samples in
        (samples * Lanes(drive)).clamped(to: 10).shortTanh * Lanes(level)
      }
      return output.written
    }
    for frame in frames {
      let driven = drive * input[frame]
      let held = driven > 10 ? 10 : (driven < -10 ? -10 : driven)
      output[frame] = level * Fraction.tanh(Pair(held), Pair(1)).value
    }
    return output.written
  }
}

extension LinearLadder {
  /// Filters frames with one tuning.
  @inline(__always)
  fileprivate mutating func run(
    _ input: AudioInput, to output: AudioOutput, _ frames: Range<Int>, _ tuning: LinearLadderTuning
  ) {
    var frame = frames.lowerBound
    if frames.count >= 8 {
      let matrix = LinearLadderMatrix(tuning)
      while frame &+ 1 < frames.upperBound {
        output.setPair(next(input[frame], input[frame &+ 1], matrix), at: frame)
        frame &+= 2
      }
    }
    while frame < frames.upperBound {
      output[frame] = next(input[frame], tuning)
      frame &+= 1
    }
  }
}

/// The coefficients for one cutoff and feedback. Each pair holds modes 1 and 4 (outer) or modes 3 and 2 (inner).
package struct LinearLadderTuning: BitwiseCopyable {
  fileprivate let stayOuter, stayInner, gainOuter, gainInner, shareOuter, shareInner: Pair
  fileprivate let drive, round: Double
}

/// The coefficients of several frames.
///
/// With S : C = sin : cos, mi = C - (μi - 1) S, and zi the integrator state of mode ai, a sample is
///
///     x = drive in - round Σ sharei zi  zi' = stayi zi + gaini x        y4 = Σ (zi + zi')
///     gaini = 2 ci S / mi               stayi = (2 C - mi) / mi
///     drive = D / (D + k S⁴/8)          round = 2 k C / (D + k S⁴/8)    sharei = D / mi
///
/// where D = m1 m2 m3 m4. zi is scaled by ci = 4 T3(μi)/8, so that y4 is a plain sum. The code uses positive ci, so
/// modes 2 and 4 have the opposite sign and are subtracted.
package struct LinearLadderTunings<V: Vector>: BitwiseCopyable {
  private let stay1, stay2, stay3, stay4, gain1, gain2, gain3, gain4: V
  private let share1, share2, share3, share4, drive, round: V

  /// `cutoffs` are in units of the sample rate and are clamped to 0 … 0.4999, `feedbacks` to 0 … 16.9999. NaN counts as
  /// 0. The tangent of the cutoff's angle is multiplied by `warp`.
  @inline(__always) @_semantics("no_performance_analysis")
  package init(cutoffs: V, feedbacks: V, warp: V) {
    let x = V.minimum(.maximum(cutoffs, V(0)), V(0.4999))
    let k = V.minimum(.maximum(feedbacks, V(0)), V(16.9999))
    let (unwarped, cosine) = HalfTurn.ratio(x)
    let sine = unwarped * warp
    let sum = cosine + sine
    // μ1 = -μ4 and μ2 = -μ3.
    let (far, near) = (sine * V(0.9238795325112867), sine * V(0.38268343236508984))
    let (m1, m2, m3, m4) = (sum - far, sum - near, sum + near, sum + far)
    let (outer, inner) = (m1 * m4, m2 * m3)
    let determinant = outer * inner
    let (n1, n2, n3, n4) = (m4 * inner, m3 * outer, m2 * outer, m1 * inner)
    let square = sine * sine
    let part = V(1) / (determinant + (k * V(0.125)) * (square * square))
    drive = determinant * part
    round = ((k + k) * cosine) * part
    (share1, share2, share3, share4) = (n1, n2, n3, n4)
    let step = sine / determinant
    let (stepOuter, stepInner) = (step * V(2 * c1), step * V(2 * c2))
    (gain1, gain2, gain3, gain4) = (stepOuter * n1, stepInner * n2, stepInner * n3, stepOuter * n4)
    // 1 + (μi - 1) gaini / ci.
    stay1 = V(1) - gain1 * V((1 - 0.9238795325112867) / c1)
    stay2 = V(1) - gain2 * V((1 - 0.38268343236508984) / c2)
    stay3 = V(1) - gain3 * V((1 + 0.38268343236508984) / c2)
    stay4 = V(1) - gain4 * V((1 + 0.9238795325112867) / c1)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  package subscript(place: Int) -> LinearLadderTuning {
    LinearLadderTuning(
      stayOuter: Pair(stay1[place], stay4[place]), stayInner: Pair(stay3[place], stay2[place]),
      gainOuter: Pair(gain1[place], gain4[place]), gainInner: Pair(gain3[place], gain2[place]),
      shareOuter: Pair(share1[place], share4[place]),
      shareInner: Pair(share3[place], share2[place]), drive: drive[place], round: round[place])
  }
}

/// T3(μi)| / 8 for the outer and the inner modes.
private var c1: Double { @inline(__always) get { 0.38268343236508984 / 8 } }
private var c2: Double { @inline(__always) get { 0.9238795325112867 / 8 } }

/// Two samples as a matrix: one column for each state variable and each input.
package struct LinearLadderMatrix: BitwiseCopyable {
  /// The state after both samples, and the two outputs.
  fileprivate struct Column: BitwiseCopyable {
    let outer, inner, outputs: Pair

    @inline(__always)
    init(_ start: LinearLadder, _ one: Double, _ other: Double, _ tuning: LinearLadderTuning) {
      var ladder = start
      let first = ladder.next(one, tuning)
      outputs = Pair(first, ladder.next(other, tuning))
      (outer, inner) = (ladder.outer, ladder.inner)
    }
  }

  fileprivate let z1, z2, z3, z4, one, other: Column

  @inline(__always)
  package init(_ tuning: LinearLadderTuning) {
    let none = Pair(0)
    z1 = Column(LinearLadder(Pair(1, 0), none), 0, 0, tuning)
    z4 = Column(LinearLadder(Pair(0, 1), none), 0, 0, tuning)
    z3 = Column(LinearLadder(none, Pair(1, 0)), 0, 0, tuning)
    z2 = Column(LinearLadder(none, Pair(0, 1)), 0, 0, tuning)
    one = Column(LinearLadder(), 1, 0, tuning)
    other = Column(LinearLadder(), 0, 1, tuning)
  }
}

/// The ladder's state: modes 1 and 4 (`outer`), modes 3 and 2 (`inner`).
package struct LinearLadder: BitwiseCopyable {
  fileprivate private(set) var outer, inner: Pair

  @inline(__always)
  package init(_ outer: Pair = Pair(0), _ inner: Pair = Pair(0)) {
    (self.outer, self.inner) = (outer, inner)
  }

  /// Processes one sample.
  @inline(__always)
  package mutating func next(_ sample: Double, _ tuning: LinearLadderTuning) -> Double {
    let shares = tuning.shareOuter * outer + tuning.shareInner * inner
    let x = Pair(tuning.drive * sample - tuning.round * (shares[0] - shares[1]))
    let old = outer + inner
    outer = tuning.stayOuter * outer + tuning.gainOuter * x
    inner = tuning.stayInner * inner + tuning.gainInner * x
    let new = outer + inner
    return (old[0] - old[1]) + (new[0] - new[1])
  }

  /// Processes two samples with a matrix.
  @inline(__always)
  package mutating func next(_ one: Double, _ other: Double, _ by: LinearLadderMatrix) -> Pair {
    let (z1, z4, z3, z2) = (Pair(outer[0]), Pair(outer[1]), Pair(inner[0]), Pair(inner[1]))
    let (one, other) = (Pair(one), Pair(other))
    outer =
      (((by.one.outer * one + by.other.outer * other) + by.z1.outer * z1) + by.z4.outer * z4)
      + (by.z2.outer * z2 + by.z3.outer * z3)
    inner =
      (((by.one.inner * one + by.other.inner * other) + by.z1.inner * z1) + by.z4.inner * z4)
      + (by.z2.inner * z2 + by.z3.inner * z3)
    return
      ((by.one.outputs * one + by.other.outputs * other)
      + (by.z1.outputs * z1 + by.z4.outputs * z4))
      + (by.z2.outputs * z2 + by.z3.outputs * z3)
  }

  /// Resets the state to 0 when it is below -600 dB or not finite. Called at the beginning of a k-cycle.
  @inline(__always)
  package mutating func settle() {
    let level =
      (outer[0].magnitude + outer[1].magnitude) + (inner[0].magnitude + inner[1].magnitude)
    if !(level >= 1e-30 && level < .infinity) { (outer, inner) = (Pair(0), Pair(0)) }
  }
}
