// aout PAREQ ain, kfrequency, kgain, kq [, imode [, iskip]]
//
// One band of a parametric equalizer: a peak or a shelf (U. Zölzer, "Digitale Audiosignalverarbeitung", 1997). With K =
// tan(π f / sr) and V = kgain, the analog prototypes go through the bilinear transform:
//
//     imode 0     (s² + V s / Q + 1) / (s² + s / Q + 1)            a peak of V at the frequency
//     imode 1     (V s² + √(2 V) s + 1) / (s² + s / Q + 1)         V below it, 1 above
//     imode 2     the same, mirrored                               V above it, 1 below
//
// where s of modes 1 and 2 stands for K over the transform's variable.
//
// The same as Csound's `pareq` within the ranges of its arguments; beyond them `pareq` grows without bound or is NaN.
// Four frames are computed at once.
//
// Category: Signal Modifiers:Standard Filters:Resonant

// aout RBJEQ ain, kfrequency, klevel, kq, kslope [, imode]
//
// A filter or one band of an equalizer (R. Bristow-Johnson, "Audio EQ Cookbook", W3C note, 2021). imode chooses: 0
// lowpass, 2 highpass, 4 bandpass, 6 band reject, 8 peak, 10 low shelf, 12 high shelf; 1 more skips the initialization.
// klevel is the gain of a peak or shelf, kq the resonance of a lowpass or highpass and frequency over bandwidth of the
// next three, kslope the steepness of a shelf, 1 for the steepest without overshoot.
//
// The same as Csound's `rbjeq` within the ranges of its arguments; beyond them `rbjeq` grows without bound or is NaN, and
// an invalid mode ends the note, where it is an init error here. Four frames are computed at once.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("PAREQ", "Parametric equalizer, a peak or a shelf")
struct ParametricEqualizer: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Centre of a peak or corner of a shelf in Hz; limited to 1e-6 sr … 0.4999 sr, NaN counts as the first.
    let frequency: ControlInput
    /// Gain at the peak or of the shelf, as an amplitude; 1 changes nothing. Below 0 and NaN count as 0.
    let gain: ControlInput
    /// Q: a peak's frequency over its bandwidth, or the resonance of a shelf, 0.7071 for none. Limited to 0.001 or more.
    let q: ControlInput
    /// Kind: 0 peak, 1 low shelf, 2 high shelf; rounded, anything else counts as 0. Default 0.
    @Default(0) let mode: InitInput
    /// Nonzero keeps the state and imode of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter = DirectSecondOrder()
  private let mode: Int
  private let samplePeriod: Double
  private var last = (frequency: Double.nan, gain: 0.0, q: 0.0)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    mode = Math.whole(Math.nearestWhole(arguments.mode.value), in: -1...3)
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let controls = (arguments.frequency.value, arguments.gain.value, arguments.q.value)
    if controls != last {
      last = controls
      tune(
        DirectSecondOrder.limited(controls.0 * samplePeriod), max(0, controls.1),
        max(0.001, controls.2))
    }
    filter.perform(arguments.input, arguments.output, context.frames)
  }

  /// `frequency` is in units of the sample rate.
  private mutating func tune(_ frequency: Double, _ gain: Double, _ q: Double) {
    let isHigh = mode == 2
    // K is the quotient of these two, by whose square everything is multiplied.
    let (sines, cosines) = HalfTurn.ratio(Pair(frequency))
    let (k, one) = isHigh ? (cosines[0], sines[0]) : (sines[0], cosines[0])
    let (square, unit, damping) = (k * k, one * one, k * one / q)
    let isShelf = mode == 1 || isHigh
    let share = isShelf ? Math.sqrt(2 * gain) * (k * one) : gain * damping
    let zeros = isShelf ? gain * square : square
    let sign: Double = isHigh ? -2 : 2
    filter.tune(
      unit + share + zeros, sign * (zeros - unit), unit - share + zeros, unit + damping + square,
      sign * (square - unit), unit - damping + square)
  }
}

@Opcode("RBJEQ", "Equalizer and filters of the Audio EQ Cookbook")
struct CookbookEqualizer: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Cutoff, centre or corner in Hz; limited to 1e-6 sr … 0.4999 sr, NaN counts as the first.
    let frequency: ControlInput
    /// Gain of a peak or a shelf, as an amplitude; 1 changes nothing. Limited to 1e-6 or more.
    let level: ControlInput
    /// Q; limited to 0.001 or more, and for bandpass, band reject and peak to more than twice the frequency over sr.
    let q: ControlInput
    /// Steepness of a shelf; limited to 0.001 or more, and to what keeps it from overshooting into instability.
    let slope: ControlInput
    /// Kind, an even number from 0 to 12 (see the description), rounded; 1 more keeps the state and the kind of the
    /// previous note in the same memory. Anything else is an init error. Default 0.
    @Default(0) let mode: InitInput
  }

  private var filter = DirectSecondOrder()
  private let mode: Int
  private let samplePeriod: Double
  private var last = (frequency: Double.nan, level: 0.0, q: 0.0, slope: 0.0)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let number = Math.whole(Math.nearestWhole(arguments.mode.value), in: -1...14)
    guard number >= 0, number < 14 else {
      throw OpcodeError(
        argument: "imode", is: arguments.mode.value,
        mustBe: "an even number from 0 to 12, or 1 more")
    }
    mode = number / 2
    samplePeriod = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool {
    Math.whole(Math.nearestWhole(arguments.mode.value), in: -1...14) & 1 == 1
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let controls = (
      arguments.frequency.value, arguments.level.value, arguments.q.value, arguments.slope.value
    )
    if controls != last {
      last = controls
      tune(
        DirectSecondOrder.limited(controls.0 * samplePeriod), max(1e-6, controls.1),
        max(0.001, controls.2), max(0.001, controls.3))
    }
    filter.perform(arguments.input, arguments.output, context.frames)
  }

  /// `frequency` is in units of the sample rate.
  private mutating func tune(_ frequency: Double, _ level: Double, _ q: Double, _ slope: Double) {
    let turn = 2 * Double.pi * frequency
    let cosine = Math.cos(turn)
    let sine = Math.sqrt(1 - cosine * cosine)
    let root = Math.sqrt(level)
    // Half the bandwidth, of which a quarter turn is the most.
    let wide = mode < 2 ? 0 : Math.tan(min(turn * 0.5 / q, 1.57))
    let alpha = mode < 2 ? sine * 0.5 / q : wide
    let (a1, a2) = (-2 * cosine, 1 - alpha)
    switch mode {
    case 0: filter.tune(0.5 * (1 - cosine), 1 - cosine, 0.5 * (1 - cosine), 1 + alpha, a1, a2)
    case 1: filter.tune(0.5 * (1 + cosine), -1 - cosine, 0.5 * (1 + cosine), 1 + alpha, a1, a2)
    case 2: filter.tune(alpha, 0, -alpha, 1 + alpha, a1, a2)
    case 3: filter.tune(1, a1, 1, 1 + alpha, a1, a2)
    case 4:
      filter.tune(
        1 + alpha * root, a1, 1 - alpha * root, 1 + alpha / root, a1, 1 - alpha / root)
    default:
      let sign: Double = mode == 5 ? 1 : -1
      let beta = sine * Math.sqrt(max(0, (level + 1) / slope - level + root + root - 1))
      let (more, less, c) = (root + 1, root - 1, sign * cosine)
      filter.tune(
        root * (more - less * c + beta), sign * 2 * root * (less - more * c),
        root * (more - less * c - beta), more + less * c + beta, sign * -2 * (less + more * c),
        more + less * c - beta)
    }
  }
}

/// A second-order filter with five coefficients that are constant in a k-cycle, in direct form I: what it holds are past
/// inputs and outputs, as in Csound's equalizers, so that it sounds the same while its coefficients move.
///
///     y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]
struct DirectSecondOrder: BitwiseCopyable {
  /// x[n-2] and x[n-1].
  private var last = Pair(0)
  private var poles = SecondOrder()
  private var (b0, b1, b2) = (1.0, 0.0, 0.0)
  private var coefficients = SecondOrderCoefficients(gain: 1, feedback1: 0, feedback2: 0)

  init() {}

  /// A frequency in units of the sample rate, limited to what the filters take; NaN becomes the least.
  @inline(__always)
  static func limited(_ frequency: Double) -> Double { min(max(1e-6, frequency), 0.4999) }

  /// Sets the coefficients, all to be divided by `a0`.
  mutating func tune(
    _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
  ) {
    let part = 1 / a0
    (self.b0, self.b1, self.b2) = (b0 * part, b1 * part, b2 * part)
    coefficients = .init(gain: 1, feedback1: a1 * part, feedback2: a2 * part)
  }

  @inline(__always)
  mutating func perform(_ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>) {
    poles.settle()
    var (frame, last) = (frames.lowerBound, last)
    if !(last[0].magnitude + last[1].magnitude < 1e100) { last = Pair(0) }
    let (b0, b1, b2) = (Pair(b0), Pair(b1), Pair(b2))
    while frame &+ 2 <= frames.upperBound {
      let now = input.pair(at: frame)
      output.setPair((b0 * now + b1 * Pair(last[1], now[0])) + b2 * last, at: frame)
      last = now
      frame &+= 2
    }
    if frame < frames.upperBound {
      let now = input[frame]
      output[frame] = (b0[0] * now + b1[0] * last[1]) + b2[0] * last[0]
      last = Pair(last[1], now)
    }
    self.last = last
    poles.hold(output.written, output, frames, coefficients, PoleDesign(.none))
  }
}
