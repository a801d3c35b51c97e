// aout EXCITER ain, kfreq, kceil, kharmonics, kblend
//
// Adds brilliance: distorts what is above kfreq, and puts out the harmonics between kfreq and kceil. Mix it with the
// signal.
//
// The signal passes two highpasses, goes up to twice the sample rate, through a curve that keeps no constant, down again,
// and through two highpasses and two lowpasses. All filters are biquads with a Q of 0.707 (R. Bristow-Johnson, "Cookbook
// formulae for audio equalizer biquad filter coefficients"). The curve is that of the exciter of Calf Studio Gear (M.
// Schmidt): square roots that differ above and below 0.
//
// The same as Csound's `exciter`, except that
// - kharmonics is limited to 0.1 … 10 and kblend to -10 … 10, as the manual has them; `exciter` fails near 0 and 10.5;
// - kfreq and kceil are limited to 10 Hz … 0.49 sr; `exciter` is silent until kfreq or kceil leaves 0 for the first
//   time, and unstable from sr/2 on;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filters. Jumps of kfreq and kceil burst, as
//   in `exciter`, which they can drive to infinity; here the filters are then emptied.
//
// The curve is computed for four frames at once.
//
// Category: Signal Modifiers:Special Effects

import OpcodeKit

@Opcode("EXCITER", "Harmonics of what is above a frequency")
struct Exciter: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The harmonics, without the signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Lower end of the harmonics in Hz, limited to 10 Hz … 0.49 sr; NaN counts as 10.
    let frequency: ControlInput
    /// Upper end of the harmonics in Hz, limited to 10 Hz … 0.49 sr; NaN counts as 10.
    let ceiling: ControlInput
    /// Amount of harmonics, limited to 0.1 … 10; NaN counts as 0.1.
    let harmonics: ControlInput
    /// Blend between the second and third harmonic, limited to -10 … 10; NaN counts as -10.
    let blend: ControlInput
  }

  private let scale, inverseScale, rate: Double
  /// Whether both frames at the doubled rate pass the curve: up to 48 kHz.
  private let isDistortedTwice: Bool
  private let doubled: Biquad
  private var highpass = Biquad()
  private var lowpass = Biquad()
  private var curve: ExciterCurve
  private var tuned = (frequency: 0.0, ceiling: 0.0, harmonics: 0.0, blend: 0.0)
  private var states = States()

  /// The states of the filters in the order of the signal, and the last number before and behind the curve's highpass.
  private struct States: BitwiseCopyable {
    var high1 = Biquad.State(), high2 = Biquad.State(), up1 = Biquad.State(), up2 = Biquad.State()
    var last = (0.0, 0.0)
    var down1 = Biquad.State(), down2 = Biquad.State(), high3 = Biquad.State()
    var high4 = Biquad.State(), low2 = Biquad.State(), low1 = Biquad.State()

    /// Empties the filters before the curve, or those behind it, where they are below -600 dB, and all where one is not
    /// finite.
    @inline(__always) mutating func settle() {
      let front = (high1.level + high2.level) + (up1.level + up2.level)
      let down = (down1.level + down2.level) + (last.0.magnitude + last.1.magnitude)
      let back = down + ((high3.level + high4.level) + (low1.level + low2.level))
      let empty = Biquad.State()
      if !(front < 1e30 && back < 1e30) { self = States() }
      if front < 1e-30 { (high1, high2, up1, up2) = (empty, empty, empty, empty) }
      if back < 1e-30 {
        (down1, down2, high3, high4) = (empty, empty, empty, empty)
        (low1, low2, last) = (empty, empty, (0, 0))
      }
    }
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    (scale, inverseScale) = (context.fullScale, 1 / context.fullScale)
    rate = context.sampleRate
    isDistortedTwice = rate <= 48_000
    let half = rate > 50_000 ? 0.25 : min(12_500 / rate, 0.49)
    doubled = Biquad.band(Pair(half), q: 0.8).1
    curve = ExciterCurve(harmonics: 1, blend: 0, sampleRate: rate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    tune(
      arguments.frequency.value, arguments.ceiling.value, arguments.harmonics.value,
      arguments.blend.value)
    let frames = context.frames
    guard !frames.isEmpty else { return }
    var states = states
    // A copy, which no store to the output can change.
    let filters = self
    var frame = frames.lowerBound
    while frame &+ 4 <= frames.upperBound {
      let raised = (
        filters.raised(arguments.input[frame], &states),
        filters.raised(arguments.input[frame &+ 1], &states),
        filters.raised(arguments.input[frame &+ 2], &states),
        filters.raised(arguments.input[frame &+ 3], &states)
      )
      let bent = filters.curve.bent(Lanes(raised.0, raised.1, raised.2, raised.3))
      arguments.output[frame] = filters.shaped(bent.pair(0), raised.0, &states)
      arguments.output[frame &+ 1] = filters.shaped(bent.pair(1), raised.1, &states)
      arguments.output[frame &+ 2] = filters.shaped(bent.pair(2), raised.2, &states)
      arguments.output[frame &+ 3] = filters.shaped(bent.pair(3), raised.3, &states)
      frame &+= 4
    }
    while frame < frames.upperBound {
      let raised = filters.raised(arguments.input[frame], &states)
      let bent = filters.curve.bent(raised)
      arguments.output[frame] = filters.shaped(bent, raised, &states)
      frame &+= 1
    }
    states.settle()
    self.states = states
  }

  /// From the input to what goes into the curve, two numbers for a frame.
  @inline(__always)
  private func raised(_ sample: Double, _ s: inout States) -> Pair {
    let high = highpass.next(highpass.next(sample * inverseScale, &s.high1), &s.high2)
    let first = doubled.next(doubled.next(high, &s.up1), &s.up2)
    return Pair(first, doubled.next(doubled.next(0, &s.up1), &s.up2))
  }

  /// From what comes out of the curve, and what went in, to the output.
  @inline(__always)
  private func shaped(_ bent: Pair, _ raised: Pair, _ s: inout States) -> Double {
    let first = curve.withoutConstant(bent[0], &s.last)
    let second = isDistortedTwice ? curve.withoutConstant(bent[1], &s.last) : raised[1]
    let sound = doubled.next(doubled.next(first, &s.down1), &s.down2)
    doubled.take(doubled.next(second, &s.down1), &s.down2)
    let harmonics = highpass.next(highpass.next(sound, &s.high3), &s.high4)
    return lowpass.next(lowpass.next(harmonics, &s.low2), &s.low1) * scale
  }

  /// Computes the coefficients when an argument has changed.
  @inline(__always)
  private mutating func tune(
    _ frequency: Double, _ ceiling: Double, _ harmonics: Double, _ blend: Double
  ) {
    func limited(_ value: Double, _ low: Double, _ high: Double) -> Double {
      value > low ? min(value, high) : low
    }
    let asked = (
      frequency: limited(frequency, 10, 0.49 * rate), ceiling: limited(ceiling, 10, 0.49 * rate),
      harmonics: limited(harmonics, 0.1, 10), blend: limited(blend, -10, 10)
    )
    if asked.frequency != tuned.frequency || asked.ceiling != tuned.ceiling {
      (highpass, lowpass) = Biquad.band(Pair(asked.frequency, asked.ceiling) * Pair(1 / rate))
    }
    if asked.harmonics != tuned.harmonics || asked.blend != tuned.blend {
      curve = ExciterCurve(harmonics: asked.harmonics, blend: asked.blend, sampleRate: rate)
    }
    tuned = asked
  }
}

/// A lowpass or highpass of second order, 12 dB per octave.
///
///     t[n] = x[n] - f1 t[n-1] - f2 t[n-2]        y[n] = g (t[n] ± 2 t[n-1] + t[n-2])
private struct Biquad: BitwiseCopyable {
  private var feedback1 = 0.0, feedback2 = 0.0, gain = 0.0
  /// 2 or -2.
  private var middle = 0.0

  /// t[n-1] and t[n-2].
  struct State: BitwiseCopyable {
    var one = 0.0, two = 0.0
    @inline(__always) var level: Double { one.magnitude + two.magnitude }
  }

  init() {}

  private init(_ feedback1: Double, _ feedback2: Double, _ gain: Double, middle: Double) {
    (self.feedback1, self.feedback2) = (feedback1, feedback2)
    (self.gain, self.middle) = (gain, middle)
  }

  /// A highpass at the first frequency and a lowpass at the second. They are in units of the sample rate, below 0.5.
  @inline(__always) @_semantics("no_performance_analysis")
  static func band(_ frequencies: Pair, q: Double = 0.707) -> (Biquad, Biquad) {
    // Sine and cosine of half the angle; 1 + cos = 2 cos², 1 - cos = 2 sin².
    let (sine, cosine) = (HalfTurn.sine(frequencies), HalfTurn.cosine(frequencies))
    let alpha = sine * cosine * Pair(1 / q)
    let inverse = Pair(1) / (Pair(1) + alpha)
    let gain = inverse * Pair(cosine[0] * cosine[0], sine[1] * sine[1])
    let feedback1 = (Pair(4) * sine * sine - Pair(2)) * inverse
    let feedback2 = (Pair(1) - alpha) * inverse
    return (
      Biquad(feedback1[0], feedback2[0], gain[0], middle: -2),
      Biquad(feedback1[1], feedback2[1], gain[1], middle: 2)
    )
  }

  /// The output for a sample, with the least steps.
  @inline(__always)
  func next(_ sample: Double, _ state: inout State) -> Double {
    let t = sample - (state.one * feedback1 + state.two * feedback2)
    let output = gain * ((t + state.two) + middle * state.one)
    state = State(one: t, two: state.one)
    return output
  }

  /// Takes a sample without an output.
  @inline(__always)
  func take(_ sample: Double, _ state: inout State) {
    state = State(
      one: sample - (state.one * feedback1 + state.two * feedback2), two: state.one)
  }
}

/// The exciter's curve, and a highpass behind it that keeps no constant.
private struct ExciterCurve: BitwiseCopyable {
  /// Below the root and before it, for numbers from 0 on and for those below.
  private let square, linear, offset: (above: Double, below: Double)
  private let level, pole: Double

  init(harmonics: Double, blend: Double, sampleRate: Double) {
    let drive = 12 / harmonics
    let double = drive * drive
    let bias = drive * (780.0 / 33) / (10.5 - blend)
    let root = Self.root(2 * double - 1)
    let above = root + 1
    let ratio = (2 * root - 2 * double).magnitude
    let inverse = 1 / Math.sqrt(above * above + ratio)
    linear = (above, 2 * above * bias * inverse)
    offset = ((2 - above) / 2, -bias * Math.sqrt(ratio) * inverse)
    square = ((double - above + 1) / 2, offset.below * offset.below)
    let rest = 2 * offset.below + Self.root(2 * linear.below + 4 * square.below - 1)
    level = 2 / (rest + 1)
    pole = 0.1 * sampleRate / (0.1 * sampleRate + 1)
  }

  /// The root of a magnitude; 0 up to 1e-8.
  @inline(__always)
  private static func root(_ x: Double) -> Double {
    x.magnitude > 1e-8 ? Math.sqrt(x.magnitude) : 0
  }

  /// What comes out of the curve for eight numbers.
  @inline(__always)
  func bent(_ x: Lanes) -> Lanes {
    func chosen(_ above: Double, _ below: Double) -> Lanes {
      Lanes(above).replaced(where: x, isBelow: Lanes(0), by: Lanes(below))
    }
    let size = x.magnitude
    let inside =
      chosen(square.above, square.below)
      + size * (chosen(linear.above, linear.below) - size)
    let root = inside.magnitude.squareRoot.kept(where: inside.magnitude, isFrom: 1e-8)
    let bent = (root + chosen(offset.above, offset.below)) * Lanes(level)
    return (bent * chosen(1, -1)).kept(where: size, isFrom: 1e-25)
  }

  /// The same for two numbers.
  @inline(__always)
  func bent(_ x: Pair) -> Pair { Pair(bent(x[0]), bent(x[1])) }

  @inline(__always)
  private func bent(_ x: Double) -> Double {
    let isAbove = x >= 0
    let size = x.magnitude
    let inside =
      (isAbove ? square.above : square.below)
      + size * ((isAbove ? linear.above : linear.below) - size)
    let bent = (Self.root(inside) + (isAbove ? offset.above : offset.below)) * level
    // Nothing but rounding errors comes of silence.
    return size < 1e-25 ? 0 : isAbove ? bent : -bent
  }

  /// The highpass behind the curve; `last` has the last number before it and behind it.
  @inline(__always)
  func withoutConstant(_ now: Double, _ last: inout (Double, Double)) -> Double {
    let out = pole * (now - last.0 + last.1)
    last = (now.magnitude > 1e-8 ? now : 0, out.magnitude > 1e-8 ? out : 0)
    return out
  }
}
