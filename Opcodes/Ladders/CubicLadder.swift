// aout MOOGVCF2 ain, xcutoff, xresonance [, iscale [, iskip [, iquality]]]
//
// A ladder lowpass of four equal first-order filters with feedback: 24 dB per octave, and a resonance.
//
//     x = in - k y4[n-1]        y1 = p (x + x[n-1]) - (2 p - 1) y1[n-1], and so on to y4        out = y4 = c(y4)
//
// With an iquality of 0 it is the recurrence of Csound's `moogvcf2`, with p = f (1.8 - 0.8 f), f = 2 cutoff / sr,
// k = resonance e^(1.386249 (1 - p)) and c(y) = y - y³ / 6, except that
// - the cutoff is clamped to 0 … sr/2, and y4 to -3 … 3 before c: `moogvcf2` grows without bound;
// - iscale is what the input is divided by, as the manual and Csound 7 have it. `moogvcf2` of 6.18 divides by 0dbfs as well:
//   with a 0dbfs of 32768 nothing saturates there;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// With an iquality of 1, p and k are those at which the filter oscillates at the cutoff from a resonance of 1 on:
//
//     p = t / (1 + t),   t = tan(w / 2) / tan(v),   k = resonance / cos⁴(v),   v = (π - w) / 4,   w = 2 π cutoff / sr
//
// and y4 stays at √2, the peak of c, where it would be beyond. At a resonance of 1, cutoffs of 110, 440, 1760 and 7040 Hz and
// 48 kHz, the oscillation is 234, 230, 204 and 64 cents above the cutoff with 0, and within 0.01 cents of it with 1.
//
// The feedback waits for one product, one sum and c; what else a frame needs is known before. Four-pole filter: T. Stilson
// and J. Smith, "Analyzing the Moog VCF with considerations for digital implementation", ICMC 1996.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("MOOGVCF2", "Ladder lowpass filter, 24 dB per octave")
struct CubicLadder<Cutoff: Signal, Resonance: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Cutoff frequency in Hz; k-rate or a-rate. Clamped to 0 … sr/2; NaN counts as 0.
    let cutoff: Cutoff
    /// Resonance; k-rate or a-rate. 0 for none, 1 at the edge of oscillation. Negative values count as 0.
    let resonance: Resonance
    /// Amplitude that counts as 1 in c. Default 0: 0dbfs.
    @Default(0) let scale: InitInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for the sound of `moogvcf2`; 1 for exact tuning. Default 0.
    @Default(0) let quality: InitInput
  }

  private var poles: CubicPoles
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let quality = try Quality(arguments.quality.value)
    guard quality != .best else {
      throw OpcodeError(argument: "iquality", is: 2, mustBe: "0 or 1")
    }
    let scale = arguments.scale.value
    poles = CubicPoles(
      level: scale == 0 ? context.fullScale : scale, isExact: quality == .exact)
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    var anew = try Self(arguments, context)
    anew.poles.takeState(of: poles)
    self = anew
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (frames, period) = (context.frames, samplePeriod)
    guard !frames.isEmpty else { return }
    poles.settle()
    if Cutoff.isAudioRate || Resonance.isAudioRate, frames.count > 1 {
      var frame = frames.lowerBound
      while frame < frames.upperBound {
        let end = min(frame &+ 8, frames.upperBound)
        let (gains, feedbacks) = poles.coefficients(
          arguments.cutoff.lanes(from: frame, before: end) * Lanes(period),
          arguments.resonance.lanes(from: frame, before: end))
        poles.run(arguments.input, arguments.output, frame..<end, gains, feedbacks)
        frame = end
      }
    } else {
      let first = frames.lowerBound
      let (gain, feedback) = poles.coefficients(
        Single(arguments.cutoff[first] * period), Single(arguments.resonance[first]))
      poles.run(arguments.input, arguments.output, frames, gain, feedback)
    }
  }
}

/// The state of the ladder.
private struct CubicPoles: BitwiseCopyable {
  private let toLevel, fromLevel: Double
  private let isExact: Bool
  /// What comes into the first filter; y4 after c.
  private var x = 0.0, y4 = 0.0
  /// What the other filters put out, less what x adds to it: `p x`, `p² x` and `p³ x`.
  private var a1 = 0.0, a2 = 0.0, a3 = 0.0
  private var p = 0.0

  init(level: Double, isExact: Bool) {
    (toLevel, fromLevel, self.isExact) = (1 / level, level, isExact)
  }

  /// Goes on where others of another level or tuning have ended.
  mutating func takeState(of others: Self) {
    (x, y4, p) = (others.x, others.y4, others.p)
    (a1, a2, a3) = (others.a1, others.a2, others.a3)
  }

  @inline(__always)
  mutating func settle() {
    // Most k-cycles need no more than these two: what is not finite is in x first, and in a3 a frame later.
    let some = x.magnitude + a3.magnitude
    if some >= 1e-30 && some < 1e100 { return }
    let level = some + (a1.magnitude + a2.magnitude) + y4.magnitude
    if !(level >= 1e-30 && level < 1e100) { (x, a1, a2, a3, y4) = (0, 0, 0, 0, 0) }
  }

  /// p and k; `cutoffs` are in units of the sample rate.
  @inline(__always) @_semantics("no_performance_analysis")
  func coefficients<Numbers: Vector>(_ cutoffs: Numbers, _ resonances: Numbers) -> (
    Numbers, Numbers
  ) {
    let cutoff = Numbers.minimum(.maximum(cutoffs, Numbers(0)), Numbers(0.5))
    let resonance = Numbers.maximum(resonances, Numbers(0))
    guard isExact else {
      let f = cutoff + cutoff
      let p = (Numbers(1.8) - Numbers(0.8) * f) * f
      return (p, resonance * Self.growth(p))
    }
    let (sine, cosine) = (HalfTurn.sine(cutoff), HalfTurn.cosine(cutoff))
    let v = Numbers(0.25) - Numbers(0.5) * cutoff
    let (turn, rest) = (HalfTurn.sine(v), HalfTurn.cosine(v))
    let square = rest * rest
    let rise = sine * rest
    return (rise / (rise + cosine * turn), resonance / (square * square))
  }

  /// exp(1.386249 (1 - p)) for p from 0 to 1: the square of a polynomial around the middle, of degree 10 at the nodes of
  /// Chebyshev, with an error of 1.1e-15.
  @inline(__always) @_semantics("no_performance_analysis")
  private static func growth<Numbers: Vector>(_ p: Numbers) -> Numbers {
    let u = Numbers(0.34656225) - Numbers(0.6931245) * p
    let (square, one) = (u * u, Numbers(1.4141975248862917) + Numbers(1.414197524886301) * u)
    let three = Numbers(0.7070987624431466) + Numbers(0.2356995874794614) * u
    let five = Numbers(0.058924896870129924) + Numbers(0.011784979448049139) * u
    let seven = Numbers(0.0019641632351733874) + Numbers(0.0002805933390574954) * u
    let nine = Numbers(3.50742260763463e-05) + Numbers(3.908866759050346e-06) * u
    let fourth = square * square
    let high = seven + square * (nine + Numbers(3.9069119635852783e-07) * square)
    let root = (one + square * three) + fourth * (five + square * high)
    return root * root
  }

  @inline(__always)
  private var limit: Double { isExact ? 0x1.6a09e667f3bcdp0 : 3 }

  /// Up to eight frames, each with coefficients of its own. Not generic, so that the code is there once for all rates.
  @inline(never)
  mutating func run(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>, _ gains: Lanes,
    _ feedbacks: Lanes
  ) {
    let steps = CubicSteps(gains, before: gains.shifted(from: p), feedbacks)
    withUnsafeBytes(of: steps) { steps in
      var (state, place) = (self, 0)
      for frame in frames {
        output[frame] = state.next(input[frame], CubicSteps(steps, at: place))
        place &+= 1
      }
      self = state
    }
    p = gains[(frames.count &- 1) & 7]
  }

  /// Frames with the same coefficients.
  @inline(__always)
  mutating func run(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>, _ gain: Single,
    _ feedback: Single
  ) {
    var (state, frame) = (self, frames.lowerBound)
    // In the first frame the gain may be new.
    let first = CubicSteps(gain, before: Single(p), feedback)
    output[frame] = state.next(input[frame], first)
    frame &+= 1
    if frame < frames.upperBound {
      let steps = CubicSteps(gain, before: gain, feedback)
      while frame < frames.upperBound {
        output[frame] = state.next(input[frame], steps)
        frame &+= 1
      }
    }
    state.p = gain.value
    self = state
  }

  /// What the next frame puts out.
  @inline(__always)
  private mutating func next(_ sample: Double, _ step: CubicSteps<Single>) -> Double {
    let (p, kp, passed) = (step.p.value, step.kp.value, step.passed.value)
    let sound = sample * toLevel
    let c3 = (step.passedTwice.value * a1 + passed * a2) - kp * a3
    let early = p * (c3 + a3) + step.fourth.value * sound
    let (last, before) = (x, y4)
    x = sound - step.k.value * before
    a3 = step.x3.value * last + c3
    a2 = step.x2.value * last + (passed * a1 - kp * a2)
    a1 = step.x1.value * last - kp * a1
    // y4 comes last, as it waits for the frame before.
    var y = (early + step.x4.value * last) - step.loop.value * before
    if _slowPath(!(y.magnitude <= limit)) { y = y > 0 ? limit : -limit }
    y4 = y - (y * y) * (y * (1 / 6.0))
    return y4 * fromLevel
  }
}

/// What frames multiply with, a frame in each place.
private struct CubicSteps<Numbers: Vector>: BitwiseCopyable {
  let p, kp, passed, passedTwice, fourth, k: Numbers
  /// What x of the frame before adds to each filter and to the last one's output.
  let x1, x2, x3, x4: Numbers
  let loop: Numbers

  /// `before` has p of the frame before each.
  @inline(__always)
  init(_ p: Numbers, before: Numbers, _ k: Numbers) {
    let square = p * p
    (fourth, kp) = (square * square, p + p - Numbers(1))
    passed = p - p * kp
    passedTwice = p * passed
    x1 = p - kp * before
    let sum = p + before
    x2 = x1 * sum
    x3 = x1 * (square + before * sum)
    x4 = p * (x3 + before * (before * before))
    loop = kp + fourth * k
    (self.p, self.k) = (p, k)
  }
}

extension CubicSteps<Single> {
  /// Those in one place of a `CubicSteps<Lanes>`, read from its memory.
  @inline(__always)
  init(_ lanes: UnsafeRawBufferPointer, at place: Int) {
    func number(_ field: Int) -> Single {
      Single(lanes.load(fromByteOffset: 64 &* field &+ 8 &* place, as: Double.self))
    }
    (p, kp, passed, passedTwice) = (number(0), number(1), number(2), number(3))
    (fourth, k, x1, x2) = (number(4), number(5), number(6), number(7))
    (x3, x4, loop) = (number(8), number(9), number(10))
  }
}
