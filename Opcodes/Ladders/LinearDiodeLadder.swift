// aout DIODELADDER ain, xcutoff, xfeedback [, knonlinear [, ksaturation [, iskip]]]
//
// A diode ladder after the TB-303, a lowpass filter of 24 dB per octave with resonance. The ladder is
// linear; its input can be saturated.
//
//     y1' = ω (x - y1 + y2)               y3' = ω/2 (y2 - 2 y3 + y4)
//     y2' = ω/2 (y1 - 2 y2 + y3)          y4' = ω/2 (y3 - y4) - ω/2 y4        x = in - k y4
//
// by the trapezoidal rule with ω prewarped, the output being y4 (V. Zavalishin, "The art of VA filter
// design", 2012; W. Pirkle, "Virtual analog (VA) diode ladder filter", app note 6, 2013). With
// g = tan(π cutoff / sr), M = 1 - g times the matrix of the right sides and z the rule's memory, a
// sample is M y = z + g x e1 and then z = 2 y - z.
//
// The right sides' matrix is the one of Chebyshev's recurrence, T(n-1) + T(n+1) = 2 μ T(n), less 1: whatever
// the cutoff, y1 … y4 are sums of four modes, each of which goes on by itself:
//
//     yj = Σi T(j-1)(μi) ai        ai' = ω ((μi - 1) ai + x / 4)        μi = cos((2i - 1) π/8)
//
// A sample takes three products for each (`LinearLadderTunings`). All is multiplied out by
// cos(π cutoff / sr), so that only the ratio of sine to cosine counts, a tuning takes one division for its
// determinant and one for the feedback, and several frames' tunings are computed side by side. Where the
// tuning lasts for a k-cycle, two samples are made one matrix, with only a multiplication and three additions
// on the way round the loop.
//
// The same as Csound's `diode_ladder` except that
//  - cutoff is clamped to 0 … 0.4999 sr, where the built-in is unstable outside 0 … sr/2, and
//    feedback to 0 … 16.9999: from 17 on the ladder oscillates, which the built-in does louder and louder
//    without end, up to infinity and NaN, as nothing inside it saturates; NaN counts as 0;
//  - a saturation of 0 with knonlinear 1 is its limit, no saturation, where the built-in gives NaN;
//  - tanh is held at 1 - 4e-9 from 10 up;
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.

import OpcodeKit

@Opcode("DIODELADDER", "Diode ladder lowpass filter after the TB-303, 24 dB per octave")
struct LinearDiodeLadder<Cutoff: Signal, Feedback: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal; a constant comes out as its 1 / (1 + k) part.
    let output: AudioOutput
    /// The signal to filter.
    let input: AudioInput
    /// Cutoff frequency, Hz, k-rate or a-rate; clamped to 0 … 0.4999 sr. At 0 the filter holds.
    let cutoff: Cutoff
    /// Feedback k, k-rate or a-rate: 0 for none; at 17 the ladder would oscillate. Clamped to
    /// 0 … 16.9999, where it rings on: with a cutoff of 1 kHz, 18 minutes until it is 60 dB softer.
    let feedback: Feedback
    /// Saturation of the input: with 1, tanh(ksaturation in) / tanh(ksaturation); with 2,
    /// tanh(ksaturation in); anything else, none. Default 0.
    @Default(0) let nonlinear: ControlInput
    /// How strongly the input is driven into tanh. Default 1.
    @Default(1) let saturation: ControlInput
    /// Nonzero goes on from the note before in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var ladder = LinearLadder()
  /// 1 / tanh(lastSaturation).
  private var outputLevel = 1.0
  private var lastSaturation = 0.0
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    ladder.settle()
    let nonlinear = arguments.nonlinear.value
    let drive = arguments.saturation.value
    if nonlinear == 1 && drive != 0 {
      if drive != lastSaturation {
        (lastSaturation, outputLevel) = (drive, 1 / Math.tanh(drive))
      }
      run(arguments, context.frames, Saturation(drive: drive, level: outputLevel))
    } else if nonlinear == 2 {
      run(arguments, context.frames, Saturation(drive: drive, level: 1))
    } else {
      run(arguments, context.frames, NoSaturation())
    }
  }

  @inline(__always)
  private mutating func run(
    _ arguments: Arguments, _ frames: Range<Int>, _ saturation: some LadderInput
  ) {
    var frame = frames.lowerBound
    if !Cutoff.isAudioRate && !Feedback.isAudioRate {
      let tuning = tunings(arguments, frame, frame)[0]
      if frames.count >= 8 {
        let matrix = LinearLadderMatrix(tuning)
        while frame &+ 1 < frames.upperBound {
          let (one, other) = (arguments.input[frame], arguments.input[frame &+ 1])
          arguments.output.setPair(
            ladder.next(saturation.of(one), saturation.of(other), matrix), at: frame)
          frame &+= 2
        }
      }
      while frame < frames.upperBound {
        arguments.output[frame] = ladder.next(saturation.of(arguments.input[frame]), tuning)
        frame &+= 1
      }
      return
    }
    // Where a register holds two numbers, eight frames' tunings would go through memory: only those that
    // share a cutoff are worth it.
    while !Cutoff.isAudioRate || Quad.isOneRegister, frame &+ 8 <= frames.upperBound {
      let tunings = LinearLadderTunings(
        cutoffs: arguments.cutoff.lanes(at: frame) * Lanes(samplePeriod),
        feedbacks: arguments.feedback.lanes(at: frame))
      var output = arguments.input.lanes(at: frame)
      Lanes.forEachPlace { place in
        output[place] = ladder.next(saturation.of(output[place]), tunings[place])
      }
      arguments.output.setLanes(output, at: frame)
      frame &+= 8
    }
    while frame < frames.upperBound {
      let other = frame &+ 1 < frames.upperBound ? frame &+ 1 : frame
      let both = tunings(arguments, frame, other)
      let (one, two) = (arguments.input[frame], arguments.input[other])
      arguments.output[frame] = ladder.next(saturation.of(one), both[0])
      if other != frame { arguments.output[other] = ladder.next(saturation.of(two), both[1]) }
      frame &+= 2
    }
  }

  @inline(__always)
  private func tunings(
    _ arguments: Arguments, _ one: Int, _ other: Int
  ) -> LinearLadderTunings<Pair> {
    LinearLadderTunings(
      cutoffs: Pair(arguments.cutoff[one], arguments.cutoff[other]) * Pair(samplePeriod),
      feedbacks: Pair(arguments.feedback[one], arguments.feedback[other]))
  }
}

/// What happens to the signal ahead of the ladder.
private protocol LadderInput {
  func of(_ x: Double) -> Double
}

private struct NoSaturation: LadderInput {
  @inline(__always) func of(_ x: Double) -> Double { x }
}

/// level tanh(drive x), tanh being held from 10 up.
private struct Saturation: LadderInput {
  let drive, level: Double

  @inline(__always)
  func of(_ x: Double) -> Double {
    let driven = drive * x
    let held = driven > 10 ? 10 : (driven < -10 ? -10 : driven)
    return level * Fraction.tanh(Pair(held), Pair(1)).value
  }
}

/// What a cutoff and a feedback mean to the ladder: modes 1 and 4, 3 and 2 side by side.
package struct LinearLadderTuning: BitwiseCopyable {
  fileprivate let stayOuter, stayInner, gainOuter, gainInner, shareOuter, shareInner: Pair
  fileprivate let drive, round: Double
}

/// The tunings of several frames.
///
/// With S : C = sin : cos and mi = C - (μi - 1) S, z being the rule's memory of ai, a sample is
///
///     x = drive in - round Σ sharei zi  zi' = stayi zi + gaini x        y4 = Σ (zi + zi')
///     gaini = 2 ci S / mi               stayi = (2 C - mi) / mi
///     drive = D / (D + k S⁴/8)          round = 2 k C / (D + k S⁴/8)    sharei = D / mi
///
/// where D = m1 m2 m3 m4 and zi is taken ci = 4 T3(μi)/8 times, which makes y4 a plain sum. For positive
/// ci, modes 2 and 4 are negative: they are subtracted.
package struct LinearLadderTunings<V: Vector>: BitwiseCopyable {
  private let stay1, stay2, stay3, stay4, gain1, gain2, gain3, gain4: V
  private let share1, share2, share3, share4, drive, round: V

  /// `cutoffs` in units of the sample rate, clamped to 0 … 0.4999, `feedbacks` to 0 … 16.9999; NaN
  /// counts as 0.
  @inline(__always) @_semantics("no_performance_analysis")
  package init(cutoffs: V, feedbacks: V) {
    let x = V.minimum(.maximum(cutoffs, V(0)), V(0.4999))
    let k = V.minimum(.maximum(feedbacks, V(0)), V(16.9999))
    let (sine, cosine) = HalfTurn.ratio(x)
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

/// |T3(μi)| / 8 of the outer and the inner modes.
private var c1: Double { @inline(__always) get { 0.38268343236508984 / 8 } }
private var c2: Double { @inline(__always) get { 0.9238795325112867 / 8 } }

/// Two samples as a matrix: what each part of the state, and each input, becomes.
package struct LinearLadderMatrix: BitwiseCopyable {
  /// The state after both and the two outputs.
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

/// The ladder's state, its modes' memories: 1 and 4, 3 and 2.
package struct LinearLadder: BitwiseCopyable {
  fileprivate private(set) var outer, inner: Pair

  @inline(__always)
  package init(_ outer: Pair = Pair(0), _ inner: Pair = Pair(0)) {
    (self.outer, self.inner) = (outer, inner)
  }

  /// One sample in, one out.
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

  /// Two by a matrix.
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

  /// Goes back to silence from a state below -600 dB, or from one that is not finite. For the
  /// beginning of a k-cycle, where nothing waits for it.
  @inline(__always)
  package mutating func settle() {
    let level =
      (outer[0].magnitude + outer[1].magnitude) + (inner[0].magnitude + inner[1].magnitude)
    if !(level >= 1e-30 && level < .infinity) { (outer, inner) = (Pair(0), Pair(0)) }
  }
}
