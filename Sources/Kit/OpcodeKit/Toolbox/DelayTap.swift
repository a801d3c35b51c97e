/// The position where a delay line is read: a delay in samples, as a whole number and a fraction. With a constant delay
/// make it once and read with it in every frame.
@frozen
public struct DelayTap: BitwiseCopyable {
  /// The integer part of the delay in samples.
  public let whole: Int
  /// The fractional part of the delay, from 0 up to but not including 1.
  public let fraction: Double

  /// The tap for a delay in samples, from 0 up to 2^53. Not checked: limit it to `DelayLine.longest`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(delay: Double) {
    whole = Math.truncated(delay)
    fraction = delay - Double(whole)
  }

  /// The delay in samples.
  @inlinable @inline(__always)
  public var delay: Double { Double(whole) + fraction }

  /// The age of the newest of the four samples that a cubic uses; 0 is the newest sample in the line.
  @inlinable @inline(__always)
  public var age: Int { whole > 0 ? whole &- 1 : 0 }

  /// Whether a cubic has its four samples; below a delay of one sample, the first would be in the future.
  @inlinable @inline(__always)
  public var isCubic: Bool { whole > 0 }

  /// The value between `b` and `c` of four samples, newest first, on the cubic through all four (Lagrange's
  /// interpolation of third order). Below a delay of one sample it is linear between `a` and `b`.
  ///
  ///     out = L_0 a + L_1 b + L_2 c + L_3 d
  ///     L_0 = f (f-1) (2-f) / 6    L_1 = (f+1) (1-f) (2-f) / 2
  ///     L_2 = f (f+1) (2-f) / 2    L_3 = f (f+1) (f-1) / 6
  ///
  /// Source: T. I. Laakso et al., "Splitting the unit delay", IEEE Signal Processing Magazine 13(1), 1996, DOI
  /// 10.1109/79.482137.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func value(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
    isCubic ? Self.value(a, b, c, d, at: fraction) : a + (b - a) * fraction
  }

  /// The same at a fraction; always with four samples.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func value(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, at f: Double
  ) -> Double {
    let slope = c - b
    let bend = slope - (b - a)
    let half = bend * 0.5
    let sixth = (((d - c) - slope) - bend) * (1.0 / 6)
    return (b + f * ((slope - half) - sixth)) + (f * f) * (half + f * sixth)
  }

  /// The same for four frames with a fraction each; always with four samples.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func values(_ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad, at f: Quad) -> Quad {
    let slope = c - b
    let bend = slope - (b - a)
    let half = bend * Quad(0.5)
    let sixth = (((d - c) - slope) - bend) * Quad(1.0 / 6)
    return (b + f * ((slope - half) - sixth)) + (f * f) * (half + f * sixth)
  }

  /// The value between `b` and `c` on the cubic that has the slopes (c - a) / 2 and (d - b) / 2 there (E. Catmull and
  /// R. Rom, 1974). Its slope is continuous, so that a moving delay makes less noise than with Lagrange's cubic; its
  /// treble is a little weaker. Below a delay of one sample it is linear between `a` and `b`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func smoothValue(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
    guard isCubic else { return a + (b - a) * fraction }
    let slope = 0.5 * (c - a)
    let step = c - b
    let square = (3 * step - (slope + slope)) - 0.5 * (d - b)
    let cube = (slope + 0.5 * (d - b)) - (step + step)
    return b + fraction * (slope + fraction * (square + fraction * cube))
  }
}

/// The weights L_0 to L_3 of a tap's four samples, newest first (`DelayTap.value`), for a delay that is constant in a
/// k-cycle: make them once and read with `DelayLine.values`. Below a delay of one sample the last two are 0.
@frozen
public struct DelayWeights: BitwiseCopyable {
  @usableFromInline let a, b, c, d: Double

  /// All of them times `gain`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(_ tap: DelayTap, gain: Double = 1) {
    let f = tap.fraction
    guard tap.isCubic else {
      (a, b, c, d) = (gain * (1 - f), gain * f, 0, 0)
      return
    }
    let (less, rest, more) = (f * (f - 1), 2 - f, f + 1)
    a = gain * (less * rest * (1.0 / 6))
    b = gain * (more * (1 - f) * rest * 0.5)
    c = gain * (f * more * rest * 0.5)
    d = gain * (less * more * (1.0 / 6))
  }
}
