import OpcodeKit

/// Angles of two points in the plane, and points at two angles.
package enum Angles {
  /// The angles of two points from the positive real axis, radians, from -π to π, with errors below
  /// 1e-12; at 0 any.
  ///
  /// atan(low / high) = π/8 + atan((low - q high) / (high + q low)) with q = tan(π/8): so the argument
  /// is within ±q whatever the quotient, and the rest is signs. The polynomial of seventh degree in its square interpolates
  /// in Chebyshev's points.
  @inline(__always)
  package static func of(_ imaginary: Pair, _ real: Pair) -> Pair {
    let (a, b) = (imaginary.magnitude, real.magnitude)
    let low = Pair.minimum(a, b)
    let high = Pair.maximum(.maximum(a, b), Pair(1e-300))
    let q = Pair(0.41421356237309503)
    let u = (low - q * high) / (high + q * low)
    let w = u * u
    let v = w * w
    let first =
      (Pair(0.9999999999992443) + w * Pair(-0.33333333276909066))
      + v * (Pair(0.19999993052562098) + w * Pair(-0.14285386525734997))
    let second =
      (Pair(0.1110345653760167) + w * Pair(-0.08992550427346857))
      + v * (Pair(0.06974189698672108) + w * Pair(-0.037655008937878785))
    let eighth = Pair(0.39269908169872414)
    // From the diagonal: forwards or backwards.
    let rest = (eighth - u * (first + (v * v) * second)).withSigns(of: b - a)
    let quarter = Pair(1.5707963267948966)
    return (quarter - (quarter - (eighth + eighth - rest)).withSigns(of: real))
      .withSigns(of: imaginary)
  }

  /// Cosine and sine of two angles from -1/2 to 1/2, in whole turns.
  @inline(__always)
  package static func point(turns: Pair) -> (cosine: Pair, sine: Pair) {
    let half = turns.magnitude + turns.magnitude
    let x = Pair.maximum(.minimum(half, Pair(1) - half), Pair(0))
    return (
      HalfTurn.cosine(x).withSigns(of: Pair(0.5) - half), HalfTurn.sine(x).withSigns(of: turns)
    )
  }
}
