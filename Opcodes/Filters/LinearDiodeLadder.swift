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
// M, tridiagonal, is inverted on paper: its adjugate times z takes seven products of pairs
// (`LinearLadderTuning`). All is multiplied out by cos(π cutoff / sr), so that a tuning takes one
// division for its determinant and one for the feedback, and two frames' tunings are computed side by
// side. Where the tuning lasts for a k-cycle, the whole step is made one matrix, with only two
// additions and a multiplication on the way round the loop.
//
// The same as Csound's `diode_ladder` except that
//  - cutoff is clamped to 0 … 0.4999 sr, where the built-in is unstable outside 0 … sr/2, and
//    feedback to 0 … 20; NaN counts as 0;
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
    /// Feedback k, k-rate or a-rate: 0 for none, oscillation from 17, unlimited growth above; clamped
    /// to 0 … 20.
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
    ladder.settle()
  }

  @inline(__always)
  private mutating func run(
    _ arguments: Arguments, _ frames: Range<Int>, _ saturation: some LadderInput
  ) {
    var frame = frames.lowerBound
    if !Cutoff.isAudioRate && !Feedback.isAudioRate && frames.count >= 8 {
      let matrix = LinearLadderMatrix(tunings(arguments, frame, frame).first)
      while frame < frames.upperBound {
        let input = saturation.of(arguments.input[frame])
        arguments.output[frame] = ladder.next(input, matrix)
        frame &+= 1
      }
      return
    }
    var both = tunings(arguments, frame, frame)
    while frame &+ 1 < frames.upperBound {
      if Cutoff.isAudioRate || Feedback.isAudioRate {
        both = tunings(arguments, frame, frame &+ 1)
      }
      let one = saturation.of(arguments.input[frame])
      let other = saturation.of(arguments.input[frame &+ 1])
      arguments.output[frame] = ladder.next(one, both.first)
      arguments.output[frame &+ 1] = ladder.next(other, both.second)
      frame &+= 2
    }
    if frame < frames.upperBound {
      if Cutoff.isAudioRate || Feedback.isAudioRate { both = tunings(arguments, frame, frame) }
      let input = saturation.of(arguments.input[frame])
      arguments.output[frame] = ladder.next(input, both.first)
    }
  }

  @inline(__always)
  private func tunings(_ arguments: Arguments, _ one: Int, _ other: Int) -> LinearLadderTunings {
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

/// What a cutoff and a feedback mean to the ladder.
///
/// With S = sin, C = cos, h = S/2 and s = C + S, C M has s on the diagonal, -2h right of its first
/// element and -h at the other neighbours; its inverse is adjugate / determinant. With the minors
/// d2 = s² - h², e2 = s² - 2h², e3 = s (s² - 3h²), c = h z1 + s z2 and a = h z4 + s z3,
///
///     t = adjugate z:    t1 = s e2 z1 + 2h d2 z2 + 2h² a      t2 = d2 c + h s a
///                        t4 =   e3 z4 +  h e2 z3 +  h² c      t3 = e2 a + h s c
///
/// and z becomes scale t - z + first column times drive (in - resonance t4).
package struct LinearLadderTuning: BitwiseCopyable {
  /// h and s in both places.
  let near, own: Pair
  /// From c and a to t2 and t3, and to t3 and t2.
  let straight, across: Pair
  /// From z1 and z4, z2 and z3, a and c to t1 and t4.
  let outerOuter, outerInner, outerFar: Pair
  /// The first column of the adjugate: 1 and 4, 2 and 3.
  let inputOuter, inputInner: Pair
  let scale, drive, resonance: Double
}

/// The tunings of two frames.
package struct LinearLadderTunings: BitwiseCopyable {
  private let h, s, d2, e2, hs, hh, se2, e3, hd2, he2, hhs, hhh, scale, drive, resonance: Pair

  /// `cutoffs` in units of the sample rate, clamped to 0 … 0.4999, `feedbacks` to 0 … 20; NaN counts
  /// as 0.
  @inline(__always)
  package init(cutoffs: Pair, feedbacks: Pair) {
    let x = Pair.minimum(.maximum(cutoffs, Pair(0)), Pair(0.4999))
    let k = Pair.minimum(.maximum(feedbacks, Pair(0)), Pair(20))
    let (sine, cosine) = (HalfTurn.sine(x), HalfTurn.cosine(x))
    h = Pair(0.5) * sine
    s = cosine + sine
    hh = h * h
    hs = h * s
    let ss = s * s
    d2 = ss - hh
    e2 = d2 - hh
    se2 = s * e2
    e3 = s * (e2 - hh)
    hd2 = h * d2
    he2 = h * e2
    hhs = h * hs
    hhh = h * hh
    let determinant = ss * (ss - Pair(4) * hh) + Pair(2) * (hh * hh)
    scale = (cosine + cosine) / determinant
    drive = (sine + sine) / (determinant + k * (sine * hhh))
    resonance = Pair(0.5) * (k * scale)
  }

  package var first: LinearLadderTuning {
    @inline(__always) get {
      LinearLadderTuning(
        near: .firsts(h, h), own: .firsts(s, s), straight: .firsts(d2, e2),
        across: .firsts(hs, hs), outerOuter: .firsts(se2, e3),
        outerInner: .firsts(hd2 + hd2, he2), outerFar: .firsts(hh + hh, hh),
        inputOuter: .firsts(se2, hhh), inputInner: .firsts(hd2, hhs), scale: scale[0],
        drive: drive[0], resonance: resonance[0])
    }
  }

  package var second: LinearLadderTuning {
    @inline(__always) get {
      LinearLadderTuning(
        near: .seconds(h, h), own: .seconds(s, s), straight: .seconds(d2, e2),
        across: .seconds(hs, hs), outerOuter: .seconds(se2, e3),
        outerInner: .seconds(hd2 + hd2, he2), outerFar: .seconds(hh + hh, hh),
        inputOuter: .seconds(se2, hhh), inputInner: .seconds(hd2, hhs), scale: scale[1],
        drive: drive[1], resonance: resonance[1])
    }
  }
}

/// A whole step as a matrix: what each part of the state, and the input, becomes.
package struct LinearLadderMatrix: BitwiseCopyable {
  let z1, z2, z3, z4, input: LinearLadder

  @inline(__always)
  package init(_ tuning: LinearLadderTuning) {
    @inline(__always) func stepped(_ outer: Pair, _ inner: Pair, _ x: Double) -> LinearLadder {
      var ladder = LinearLadder(outer, inner)
      _ = ladder.next(x, tuning)
      return ladder
    }
    z1 = stepped(Pair(1, 0), Pair(0), 0)
    z4 = stepped(Pair(0, 1), Pair(0), 0)
    z2 = stepped(Pair(0), Pair(1, 0), 0)
    z3 = stepped(Pair(0), Pair(0, 1), 0)
    input = stepped(Pair(0), Pair(0), 1)
  }
}

/// The ladder's state z: 1 and 4, 2 and 3.
package struct LinearLadder: BitwiseCopyable {
  private var outer, inner: Pair

  @inline(__always)
  package init(_ outer: Pair = Pair(0), _ inner: Pair = Pair(0)) {
    (self.outer, self.inner) = (outer, inner)
  }

  /// One sample in, one out: y4 = (z4 + its next value) / 2.
  @inline(__always)
  package mutating func next(_ x: Double, _ tuning: LinearLadderTuning) -> Double {
    let old = outer[1]
    let middle = tuning.near * outer + tuning.own * inner
    let far = middle.swapped
    let tOuter =
      (tuning.outerOuter * outer + tuning.outerInner * inner) + tuning.outerFar * far
    let tInner = tuning.straight * middle + tuning.across * far
    let driven = Pair(tuning.drive * (x - tuning.resonance * tOuter[1]))
    outer = (Pair(tuning.scale) * tOuter - outer) + tuning.inputOuter * driven
    inner = (Pair(tuning.scale) * tInner - inner) + tuning.inputInner * driven
    return 0.5 * (old + outer[1])
  }

  /// The same by a matrix.
  @inline(__always)
  package mutating func next(_ x: Double, _ by: LinearLadderMatrix) -> Double {
    let (z1, z4, z2, z3) = (Pair(outer[0]), Pair(outer[1]), Pair(inner[0]), Pair(inner[1]))
    let input = Pair(x)
    outer =
      (by.z1.outer * z1 + by.input.outer * input + by.z4.outer * z4)
      + (by.z2.outer * z2 + by.z3.outer * z3)
    inner =
      (by.z1.inner * z1 + by.input.inner * input + by.z4.inner * z4)
      + (by.z2.inner * z2 + by.z3.inner * z3)
    return 0.5 * (z4[0] + outer[1])
  }

  /// Goes back to silence from a state below -600 dB, or from one that is not finite. For the end of
  /// a k-cycle.
  @inline(__always)
  package mutating func settle() {
    let level =
      (outer[0].magnitude + outer[1].magnitude) + (inner[0].magnitude + inner[1].magnitude)
    if !(level >= 1e-30 && level < .infinity) { (outer, inner) = (Pair(0), Pair(0)) }
  }
}
