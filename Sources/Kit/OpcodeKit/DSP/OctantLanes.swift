public import CVector

/// Eight points in the plane, each in the coordinates of its octant: along the line in the middle of the octant and
/// across it. From these follow the angles and the squared magnitudes.
///
/// The first step, in double precision, keeps the rounding error small; the rest is in single precision. Altogether they
/// take less than half the time of double precision. Each step is faster in a loop of its own, because the rounds of one
/// loop would be long chains of operations, of which the processor can overlap few.
@frozen
public struct OctantLanes: BitwiseCopyable {
  /// Both are divided by cos(π/8). `across` is negated in each second octant, so that it grows with the angle.
  @usableFromInline let along, across: ShortLanes
  /// The angle of the middle.
  @usableFromInline let middle: AngleLanes

  /// Four points, and four more.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(_ low: Complex<Quad>, _ high: Complex<Quad>) {
    let (first, second) = (Self.turned(low), Self.turned(high))
    along = ShortLanes(first.along, second.along)
    let real = cv_turns_upper(low.real.values, high.real.values)
    let imaginary = cv_turns_upper(low.imaginary.values, high.imaginary.values)
    let difference = cv_turns_upper(first.difference.values, second.difference.values)
    across = ShortLanes(
      values: cv_floats_turned(
        ShortLanes(first.across, second.across).values, real, imaginary, difference))
    middle = AngleLanes(values: cv_turns_octant(real, imaginary, difference))
  }

  /// (high + q low, low - q high) with q = tan(π/8), low and high the smaller and the larger magnitude.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  static func turned(_ numbers: Complex<Quad>) -> (along: Quad, across: Quad, difference: Quad) {
    let (a, b) = (numbers.real.magnitude, numbers.imaginary.magnitude)
    let (low, high, q) = (Quad.minimum(a, b), Quad.maximum(a, b), Quad(0.41421356237309503))
    return (high + q * low, low - q * high, a - b)
  }

  /// The squared magnitudes, with a relative error below 5e-7. Above 3.4e38 they are infinite, below 1.2e-38 0.
  @inlinable public var power: ShortLanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      (along * along + across * across) * ShortLanes(0.8535533905932737)
    }
  }

  /// The angles from the positive real axis, with an error below 6e-8 radians. Arbitrary where a part is not finite,
  /// where both are 0, and below 1e-37.
  ///
  /// The angle is that of the middle plus atan u, u = across / along, which is within ±q. atan u = u + u³ P(u²) with a P
  /// of fourth degree that interpolates at Chebyshev points, with an error of 1e-9; the rest is rounding. A term whose
  /// factor is a power of two is converted exactly.
  @inlinable public var angles: AngleLanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let unit = AngleLanes.unitsPerRadian
      // NaN, from 0 / 0, becomes 0.5.
      let u = ShortLanes.minimum(across / along, ShortLanes(0.5))
      let w = u * u
      let low =
        ShortLanes(-0.3333333176116852 * unit) + w * ShortLanes(0.19999540483649014 * unit)
      let high =
        (ShortLanes(-0.1426395559798598 * unit) + w * ShortLanes(0.10743731490809075 * unit))
        + (w * w) * ShortLanes(-0.06451928208192842 * unit)
      let rest = u * (ShortLanes(unit - 0x1p29) + w * (low + (w * w) * high))
      return (middle + AngleLanes(truncating: u * ShortLanes(0x1p29)))
        + AngleLanes(truncating: rest)
    }
  }
}
