public import CVector

extension Pair {
  /// log2(a / b) of positive numbers, with an error of at most 5 ulp; exact where the quotient is a power of two.
  /// Infinity counts as 2^1024, and subnormal numbers as numbers from 2^-1023 up. For 0 and negative numbers the result
  /// is meaningless.
  ///
  /// a is halved e times, until the result a' is from 2/3 to 3/2 of b, so that a' - b is exact. With s = (a' - b) / (a'
  /// + b), log2(a / b) = e + s p(s²). The polynomial p interpolates 2 artanh(s) / (s log 2) at Chebyshev points, with a
  /// relative error of 1.5e-17.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func log2(_ a: Pair, over b: Pair) -> Pair {
    let octaves = Pair(values: cv_pair_octaves(a.values, b.values))
    let near = Pair(values: cv_pair_near(a.values, b.values))
    let s = (near - b) / (near + b)
    let w = s * s
    let w2 = w * w
    let p01 = Pair(2.8853900817779268) + w * Pair(0.9617966939259741)
    let p23 = Pair(0.5770780163565514) + w * Pair(0.4121985828637024)
    let p45 = Pair(0.32059892967610687) + w * Pair(0.26230591228287725)
    let p67 = Pair(0.22204883748823107) + w * Pair(0.19002752911400006)
    let high = (p45 + w2 * p67) + (w2 * w2) * Pair(0.1998640476445417)
    return octaves + s * ((p01 + w2 * p23) + (w2 * w2) * high)
  }
}
