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

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (frames, period) = (context.frames, samplePeriod)
    guard !frames.isEmpty else { return }
    poles.settle()
    if Cutoff.isAudioRate || Resonance.isAudioRate, frames.count > 1 {
      var (frame, poles) = (frames.lowerBound, poles)
      while frame < frames.upperBound {
        let end = min(frame &+ 8, frames.upperBound)
        let (gains, feedbacks) = poles.coefficients(
          arguments.cutoff.lanes(from: frame, before: end) * Lanes(period),
          arguments.resonance.lanes(from: frame, before: end))
        for place in 0..<(end &- frame) {
          poles.next(
            arguments.input, arguments.output, frame &+ place, gains[place], feedbacks[place])
        }
        frame = end
      }
      self.poles = poles
    } else {
      let first = frames.lowerBound
      let (gains, feedbacks) = poles.coefficients(
        Pair(arguments.cutoff[first] * period), Pair(arguments.resonance[first]))
      poles.next(arguments.input, arguments.output, first, gains[0], feedbacks[0])
      poles.run(
        arguments.input, arguments.output, (first &+ 1)..<frames.upperBound, feedbacks[0])
    }
  }
}

/// The state of the ladder.
private struct CubicPoles: BitwiseCopyable {
  private let toLevel, fromLevel: Double
  private let isExact: Bool
  /// What comes into the first filter; y4 before c, and after it.
  private var x = 0.0, y = 0.0, y4 = 0.0
  /// What the other filters put out, less what x adds to it: `p x`, `p² x` and `p³ x`.
  private var a1 = 0.0, a2 = 0.0, a3 = 0.0
  private var p = 0.0

  init(level: Double, isExact: Bool) {
    (toLevel, fromLevel, self.isExact) = (1 / level, level, isExact)
  }

  @inline(__always)
  mutating func settle() {
    let level = (x.magnitude + a1.magnitude) + (a2.magnitude + a3.magnitude) + y4.magnitude
    if !(level >= 1e-30 && level < 1e100) { (x, a1, a2, a3, y, y4) = (0, 0, 0, 0, 0, 0) }
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
      return (p, resonance * ((Numbers(1) - p) * Numbers(1.386249)).exp)
    }
    let (sine, cosine) = (HalfTurn.sine(cutoff), HalfTurn.cosine(cutoff))
    let v = Numbers(0.25) - Numbers(0.5) * cutoff
    let (turn, rest) = (HalfTurn.sine(v), HalfTurn.cosine(v))
    let square = rest * rest
    let rise = sine * rest
    return (rise / (rise + cosine * turn), resonance / (square * square))
  }

  @inline(__always)
  private var limit: Double { isExact ? 0x1.6a09e667f3bcdp0 : 3 }

  /// A frame with coefficients of its own.
  @inline(__always)
  mutating func next(
    _ input: AudioInput, _ output: AudioOutput, _ frame: Int, _ p: Double, _ k: Double
  ) {
    let (kp, square, last) = (2 * p - 1, p * p, self.p * x)
    let (y1, y2) = (last + a1, self.p * last + a2)
    let y3 = (self.p * self.p) * last + a3
    // What each filter adds to what comes into it.
    let (b1, b2, b3) = (p * x - kp * y1, p * y1 - kp * y2, p * y2 - kp * y3)
    (a1, a2, a3) = (b1, p * b1 + b2, square * b1 + (p * b2 + b3))
    let sound = input[frame] * toLevel
    let early = (p * a3 + p * y3) + (square * square) * sound
    let loop = kp + (square * square) * k
    x = sound - k * y4
    // early - loop c(y), so that only two products and a sum wait for the y before.
    finish((early - loop * y) + (y * y) * ((loop * (1 / 6.0)) * y))
    output[frame] = y4 * fromLevel
    self.p = p
  }

  /// Frames with the coefficients of the one before.
  @inline(__always)
  mutating func run(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>, _ k: Double
  ) {
    var state = self
    let (kp, square) = (2 * p - 1, p * p)
    let fourth = square * square
    let loop = kp + fourth * k
    let sixth = loop * (1 / 6.0)
    // What x of the frame before adds to each filter.
    let x1 = p - kp * p
    let (x2, x3) = (2 * p * x1, 3 * square * x1)
    let x4 = p * x3 + fourth
    for frame in frames {
      let sound = input[frame] * toLevel
      let c1 = -(kp * state.a1)
      let c2 = p * state.a1 - kp * state.a2
      let c3 = ((square * c1 + p * c2) + p * state.a2) - kp * state.a3
      let early = p * (c3 + state.a3) + fourth * sound
      // x comes last, as it waits for y4.
      let (last, x) = (state.y, state.x)
      let turn = (last * last) * (sixth * last) - loop * last
      state.x = sound - k * state.y4
      state.finish((early + turn) + x4 * x)
      state.a1 = x1 * x + c1
      state.a2 = x2 * x + (p * c1 + c2)
      state.a3 = x3 * x + c3
      output[frame] = state.y4 * fromLevel
    }
    self = state
  }

  @inline(__always)
  private mutating func finish(_ sound: Double) {
    y = sound
    if _slowPath(!(y.magnitude <= limit)) { y = y > 0 ? limit : -limit }
    y4 = y - (y * y) * (y * (1 / 6.0))
  }
}
