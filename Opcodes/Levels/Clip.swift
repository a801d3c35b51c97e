// aout CLIP ain, imethod, ilimit [, iarg [, iquality]]
//
// Limits a signal to ±L, where L = ilimit, by one of three curves. The output keeps the sign of the input. With m =
// min(|in|, L), its magnitude is
//
//     imethod 0     m                                      for m up to a = iarg L
//                   a + d / (1 + d² / (L - a)²), d = m - a  above (B. de Jong, musicdsp.org, 2002)
//     imethod 1     L sin(π m / 2 L)
//     imethod 2     L tanh(m / L) / tanh(1)
//
// The curve of method 0 ends at (L + a) / 2. Two or eight frames are computed at once, the sine with a polynomial
// (`HalfTurn`) and tanh with `Vector.tanh`.
//
// Differs from Csound's `clip` in two cases: a limit below 0 is an init error, and any other method counts as method 0,
// where `clip` uses an uninitialized setting.
//
// With an iquality of 1 or 2 the curve is computed at twice or four times the sample rate (`Oversampler`), so that fewer
// of its harmonics fold back to audible frequencies. That delays low frequencies by 3.5 or 4.5 samples, 20 kHz at a sample rate
// of 48 kHz by 11.5 or 12.7 samples, and costs some treble: at 48 kHz 0.12 or 0.03 dB at 5 kHz, 2 or 0.5 dB at 20 kHz. The
// limit is not kept exactly: the filter's ringing exceeds it, by 3 dB with a ramp, by up to 9 dB with noise.
//
// Category: Signal Modifiers:Amplitude Modifiers

import OpcodeKit

@Opcode("CLIP", "Keeps a signal within a limit, by three curves")
struct Clip: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The clipped signal.
    let output: AudioOutput
    /// The input signal. NaN stays NaN.
    let input: AudioInput
    /// Curve: 0, 1 or 2 (see the description). The value is rounded; any other value counts as 0.
    let method: InitInput
    /// The limit L, in units of the signal. Must be 0 or more; anything else is an init error.
    let limit: InitInput
    /// The level at which the curve of method 0 begins, as a fraction of the limit from 0 to 1. The sign is ignored; a
    /// magnitude above 1 counts as 0.999. Default 0.5.
    @Default(0.5) let start: InitInput
    /// Antialiasing: 0 for none, as `clip`; 1 at twice the sample rate; 2 at four times. Default 0.
    @Default(0) let quality: InitInput
  }

  static var hasPassOfOneFrame: Bool { true }

  private let shape: ClipShape
  private let quality: Quality
  private var oversampler: Oversampler
  private var means = LineMeans()

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.limit.value >= 0, arguments.limit.value < .infinity else {
      throw OpcodeError(argument: "ilimit", is: arguments.limit.value, mustBe: "0 or more")
    }
    shape = ClipShape(
      method: Math.whole(Math.nearestWhole(arguments.method.value), in: -1...3),
      limit: arguments.limit.value, start: arguments.start.value.magnitude)
    quality = try Quality(arguments.quality.value)
    oversampler = Oversampler(quality)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, frames) = (arguments.input, arguments.output, context.frames)
    if _slowPath(quality != .original) { return clipBetter(input, to: output, in: frames) }
    switch shape {
    case .corner(let curve): curve.shape(input, to: output, in: frames)
    case .sine(let curve): curve.shape(input, to: output, in: frames)
    case .tanh(let curve): curve.shape(input, to: output, in: frames)
    }
  }

  @inline(never)
  private mutating func clipBetter(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>
  ) {
    switch shape {
    case .corner(let curve): curve.shape(input, to: output, in: frames, by: &oversampler, &means)
    case .sine(let curve): curve.shape(input, to: output, in: frames, by: &oversampler, &means)
    case .tanh(let curve): curve.shape(input, to: output, in: frames, by: &oversampler, &means)
    }
  }
}

/// The curve of one method.
private enum ClipShape: BitwiseCopyable {
  case corner(ClipCorner)
  case sine(ClipSine)
  case tanh(ClipTanh)

  init(method: Int, limit: Double, start: Double) {
    switch method {
    case 1: self = .sine(ClipSine(limit: limit))
    case 2: self = .tanh(ClipTanh(limit: limit))
    default: self = .corner(ClipCorner(limit: limit, start: start <= 1 ? start : 0.999))
    }
  }
}

/// Method 0: linear up to a fraction of the limit.
private struct ClipCorner: IntegrableLanes {
  let straight, limit: Double
  private let factor: Double

  init(limit: Double, start: Double) {
    self.limit = limit
    straight = limit * start
    let width = limit - straight
    factor = width > 0 ? 1 / (width * width) : 0
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func callAsFunction<V: Vector>(_ x: V) -> V {
    let size = V.minimum(V(limit), x.magnitude)
    let above = V.maximum(V(0), size - V(straight))
    let below = V.minimum(V(straight), size)
    return (below + above / (V(1) + (above * above) * V(factor))).withSigns(of: x)
  }

  /// The integral of d / (1 + d² / w²) is w²/2 log(1 + d² / w²).
  @inline(__always) @_semantics("no_performance_analysis")
  func integral(_ x: Lanes) -> Lanes {
    let size = x.magnitude
    let within = Lanes.minimum(Lanes(limit), size)
    let above = Lanes.maximum(Lanes(0), within - Lanes(straight))
    let below = Lanes.minimum(Lanes(straight), within)
    let width = limit - straight
    let curved =
      Lanes(straight) * above
      + Lanes(0.5 * width * width) * (Lanes(1) + (above * above) * Lanes(factor)).log
    return (Lanes(0.5) * below * below + curved)
      + (size - within) * Lanes(0.5 * (limit + straight))
  }
}

/// Method 1: a quarter of a sine.
private struct ClipSine: IntegrableLanes {
  let limit: Double
  private let factor: Double

  init(limit: Double) { (self.limit, factor) = (limit, limit > 0 ? 0.5 / limit : 1) }

  @inline(__always) @_semantics("no_performance_analysis")
  func callAsFunction<V: Vector>(_ x: V) -> V {
    let part = V.minimum(V(0.5), V.minimum(V(limit), x.magnitude) * V(factor))
    return (HalfTurn.sine(part) * V(limit)).withSigns(of: x)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func integral(_ x: Lanes) -> Lanes {
    let size = x.magnitude
    let within = Lanes.minimum(Lanes(limit), size)
    let part = Lanes.minimum(Lanes(0.5), within * Lanes(factor))
    return (size - within) * Lanes(limit)
      + (Lanes(1) - HalfTurn.cosine(part)) * Lanes(2 * limit * limit / Double.pi)
  }
}

/// Method 2: the middle part of a hyperbolic tangent.
private struct ClipTanh: IntegrableLanes {
  let limit: Double
  private let factor, level: Double

  init(limit: Double) {
    self.limit = limit
    factor = limit > 0 ? 1 / limit : 1
    level = limit / Math.tanh(1)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func callAsFunction<V: Vector>(_ x: V) -> V {
    ((V.minimum(V(limit), x.magnitude) * V(factor)).tanh * V(level)).withSigns(of: x)
  }

  /// The integral of tanh is log cosh x = x + log((1 + e^(-2x)) / 2) for x from 0 on.
  @inline(__always) @_semantics("no_performance_analysis")
  func integral(_ x: Lanes) -> Lanes {
    let size = x.magnitude
    let within = Lanes.minimum(Lanes(limit), size)
    let part = within * Lanes(factor)
    let fall = (Lanes(-2) * part).exp
    let logCosh = part + (Lanes(0.5) + Lanes(0.5) * fall).log
    return (size - within) * Lanes(limit) + logCosh * Lanes(level * limit)
  }
}
