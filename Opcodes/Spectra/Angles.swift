import OpcodeKit

/// Conversion between points in the plane and angles.
package enum Angles {
  /// The angles of points (`imaginary`, `real`) from the positive real axis, in radians from -π to π, with an error
  /// below 1e-12. At 0 the angle is arbitrary.
  ///
  /// atan(low / high) = π/8 + atan((low - q high) / (high + q low)) with q = tan(π/8), so the argument of atan is
  /// always within ±q; signs select the octant. The polynomial of seventh degree in the squared argument interpolates
  /// at Chebyshev points.
  @inline(__always) @_semantics("no_performance_analysis")
  package static func of<V: Vector>(_ imaginary: V, _ real: V) -> V {
    let (a, b) = (imaginary.magnitude, real.magnitude)
    let low = V.minimum(a, b)
    let high = V.maximum(.maximum(a, b), V(1e-300))
    let q = V(0.41421356237309503)
    let u = (low - q * high) / (high + q * low)
    let w = u * u
    let v = w * w
    let first =
      (V(0.9999999999992443) + w * V(-0.33333333276909066))
      + v * (V(0.19999993052562098) + w * V(-0.14285386525734997))
    let second =
      (V(0.1110345653760167) + w * V(-0.08992550427346857))
      + v * (V(0.06974189698672108) + w * V(-0.037655008937878785))
    let eighth = V(0.39269908169872414)
    // Measured from the diagonal, in either direction.
    let rest = (eighth - u * (first + (v * v) * second)).withSigns(of: b - a)
    let quarter = V(1.5707963267948966)
    return (quarter - (quarter - (eighth + eighth - rest)).withSigns(of: real))
      .withSigns(of: imaginary)
  }

  /// Cosine and sine of angles given in turns, -1/2 to 1/2.
  @inline(__always) @_semantics("no_performance_analysis")
  package static func point<V: Vector>(turns: V) -> (cosine: V, sine: V) {
    let half = turns.magnitude + turns.magnitude
    let x = V.maximum(.minimum(half, V(1) - half), V(0))
    return (
      HalfTurn.cosine(x).withSigns(of: V(0.5) - half), HalfTurn.sine(x).withSigns(of: turns)
    )
  }
}
