/// sin(π x) and cos(π x) for x from 0 to 0.5, without calls or divisions. With x = frequency / sample rate, their
/// quotient is the tan(π x) of the bilinear transform.
///
///     sin(π x) = x S(x²)        cos(π x) = (1 - 4 x²) C(x²)
///
/// S and C are polynomials of sixth degree in x², minimax fits of the relative error (Remez exchange, 50 digits):
/// 6.3e-14 for S, 8.7e-15 for C. Rounding adds less than 1e-15. Because the errors are relative, the sine stays
/// accurate near 0, the cosine near 0.5, and the tangent everywhere: 8e-14.
public enum HalfTurn {
  /// `level` sin(π x), for x from 0 to 0.5.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func sine<V: Vector>(_ x: V, times level: V = V(1)) -> V {
    let w = x * x
    let v = w * w
    let low = (V(s0) + w * V(s1)) + v * (V(s2) + w * V(s3))
    return (x * level) * (low + (v * v) * ((V(s4) + w * V(s5)) + v * V(s6)))
  }

  /// cos(π x), for x from 0 to 0.5.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func cosine<V: Vector>(_ x: V) -> V {
    let w = x * x
    let v = w * w
    let low = (V(c0) + w * V(c1)) + v * (V(c2) + w * V(c3))
    let high = (v * v) * ((V(c4) + w * V(c5)) + v * V(c6))
    return ((V(1) - (x + x)) * (V(1) + (x + x))) * (low + high)
  }

  /// tan(π x) as the fraction sin(π x) / cos(π x), for x from 0 to 0.5.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func tangent(_ x: Double) -> Fraction {
    let w = Pair(x * x)
    let v = w * w
    let low = (Pair(s0, c0) + w * Pair(s1, c1)) + v * (Pair(s2, c2) + w * Pair(s3, c3))
    let high = (v * v) * ((Pair(s4, c4) + w * Pair(s5, c5)) + v * Pair(s6, c6))
    return Fraction(parts: Pair(x, (1 - (x + x)) * (1 + (x + x))) * (low + high))
  }

  /// Two numbers in the ratio of sin(π x) to cos(π x), for x from 0 to 0.5. Takes fewer steps than the sine and the
  /// cosine themselves.
  ///
  ///     tan(π x) = x A(x²) / ((1 - 4 x²) B(x²))
  ///
  /// A and B are polynomials of third degree. Their quotient interpolates at Chebyshev points, with a relative error of
  /// 4.5e-15; rounding adds less than 1.5e-15.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func ratio<V: Vector>(_ x: V) -> (sine: V, cosine: V) {
    let w = x * x
    let v = w * w
    let a =
      (V(3.141592653589785) + w * V(-4.14102990541026)) + v
      * (V(1.0544488387597239) + w * V(-0.05501062997639948))
    let b =
      (V(1) + w * V(-0.6079988915722824)) + v
      * (V(0.07547583258610996) + w * V(-0.0012223758970120798))
    return (x * a, ((V(1) - (x + x)) * (V(1) + (x + x))) * b)
  }

  @inlinable static var s0: Double { 3.1415926535895973 }
  @inlinable static var s1: Double { -5.167712779977311 }
  @inlinable static var s2: Double { 2.550164035419306 }
  @inlinable static var s3: Double { -0.5992644257353745 }
  @inlinable static var s4: Double { 0.08214473211248484 }
  @inlinable static var s5: Double { -0.007363785018203857 }
  @inlinable static var s6: Double { 0.00044720028347237836 }
  @inlinable static var c0: Double { 0.9999999999999913 }
  @inlinable static var c1: Double { -0.9348022005413811 }
  @inlinable static var c2: Double { 0.3195033240316679 }
  @inlinable static var c3: Double { -0.05724946703282545 }
  @inlinable static var c4: Double { 0.006332687806282177 }
  @inlinable static var c5: Double { -0.000475600954977937 }
  @inlinable static var c6: Double { 2.4967299133032567e-05 }
}
