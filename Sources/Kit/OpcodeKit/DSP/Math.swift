public import CVector

/// The C library's mathematical functions, under the same name in every kind of build.
///
/// libm neither allocates nor locks, but the compiler cannot see that; hence the attribute. Each
/// function except `sqrt`, `tanh`, and `floor`, `ceil` and `trunc` from x86-64-v3 on, is a call: keep it out
/// of inner loops, because every floating-point register in use must be saved around it. `Vector`
/// has the usual functions for several numbers at once, without calls.
///
/// They are emitted into the modules that call them, so that a plugin needs only those of libm that it uses.
public enum Math {
  // ---- Exponentials and logarithms

  /// e to the power x. The corresponding C function is `exp`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func exp(_ x: Double) -> Double { cv_exp(x) }
  /// 2 to the power x. The corresponding C function is `exp2`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func exp2(_ x: Double) -> Double { cv_exp2(x) }
  /// 10 to the power x, as `pow(10, x)`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func exp10(_ x: Double) -> Double { cv_pow(10, x) }
  /// e^x - 1, accurate for small x. The corresponding C function is `expm1`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func expm1(_ x: Double) -> Double { cv_expm1(x) }
  /// The natural logarithm. The corresponding C function is `log`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func log(_ x: Double) -> Double { cv_log(x) }
  /// The logarithm to base 2. The corresponding C function is `log2`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func log2(_ x: Double) -> Double { cv_log2(x) }
  /// The logarithm to base 10. The corresponding C function is `log10`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func log10(_ x: Double) -> Double { cv_log10(x) }
  /// log(1 + x), accurate for small x. The corresponding C function is `log1p`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func log1p(_ x: Double) -> Double { cv_log1p(x) }

  // ---- Powers and roots

  /// x to the power y. The corresponding C function is `pow`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func pow(_ x: Double, _ y: Double) -> Double { cv_pow(x, y) }
  /// The square root. The corresponding C function is `sqrt`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func sqrt(_ x: Double) -> Double { cv_sqrt(x) }
  /// The cube root. The corresponding C function is `cbrt`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func cbrt(_ x: Double) -> Double { cv_cbrt(x) }
  /// sqrt(x² + y²), without overflow on the way, within 2 ulp. C's `hypot` would need glibc 2.35.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func hypot(_ x: Double, _ y: Double) -> Double {
    let (a, b) = (x.magnitude, y.magnitude)
    let (large, small) = a > b ? (a, b) : (b, a)
    guard large > 0, large < .infinity else { return large }
    let ratio = small / large
    return large * sqrt(1 + ratio * ratio)
  }

  // ---- Angles, in radians

  /// The corresponding C function is `sin`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func sin(_ x: Double) -> Double { cv_sin(x) }
  /// The corresponding C function is `cos`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func cos(_ x: Double) -> Double { cv_cos(x) }
  /// The corresponding C function is `tan`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func tan(_ x: Double) -> Double { cv_tan(x) }
  /// The corresponding C function is `asin`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func asin(_ x: Double) -> Double { cv_asin(x) }
  /// The corresponding C function is `acos`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func acos(_ x: Double) -> Double { cv_acos(x) }
  /// The corresponding C function is `atan`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func atan(_ x: Double) -> Double { cv_atan(x) }
  /// The angle of the point (x, y), from -π to π; the first argument is y. The corresponding C function is `atan2`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func atan2(_ y: Double, _ x: Double) -> Double { cv_atan2(y, x) }

  // ---- Hyperbolic functions

  /// The corresponding C function is `sinh`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func sinh(_ x: Double) -> Double { cv_sinh(x) }
  /// The corresponding C function is `cosh`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func cosh(_ x: Double) -> Double { cv_cosh(x) }
  /// tanh x, with an error of at most 4 ulp: computed in place, so that a loop with it can run in vectors.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func tanh(_ x: Double) -> Double { Single(x).tanh.value }
  /// The corresponding C function is `asinh`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func asinh(_ x: Double) -> Double { cv_asinh(x) }
  /// The corresponding C function is `acosh`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func acosh(_ x: Double) -> Double { cv_acosh(x) }
  /// The corresponding C function is `atanh`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func atanh(_ x: Double) -> Double { cv_atanh(x) }

  // ---- Special functions

  /// The error function. The corresponding C function is `erf`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func erf(_ x: Double) -> Double { cv_erf(x) }
  /// 1 - erf(x), accurate for large x. The corresponding C function is `erfc`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func erfc(_ x: Double) -> Double { cv_erfc(x) }
  /// The gamma function. The corresponding C function is `tgamma`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func tgamma(_ x: Double) -> Double { cv_tgamma(x) }

  // ---- Rounding and remainders

  /// The largest whole number up to x. The corresponding C function is `floor`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func floor(_ x: Double) -> Double { cv_floor(x) }
  /// The smallest whole number from x on. The corresponding C function is `ceil`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func ceil(_ x: Double) -> Double { cv_ceil(x) }
  /// x without its fraction. The corresponding C function is `trunc`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func trunc(_ x: Double) -> Double { cv_trunc(x) }
  /// The nearest whole number, halves away from 0. The corresponding C function is `round`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func round(_ x: Double) -> Double { cv_round(x) }
  /// x minus y times their truncated quotient; it has the sign of x. The corresponding C function is `fmod`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func fmod(_ x: Double, _ y: Double) -> Double { cv_fmod(x, y) }
  /// x minus y times their quotient rounded to the nearest whole number. The corresponding C function is `remainder`.
  @_alwaysEmitIntoClient @_semantics("no_performance_analysis")
  public static func remainder(_ x: Double, _ y: Double) -> Double { cv_remainder(x, y) }

  /// The fractional part, x - floor(x), from 0 up to but not including 1; 0 for infinity and NaN.
  /// Use it to wrap a phase: a number from 0 to 1 is returned without arithmetic, which an oscillator would wait for.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func fraction(_ x: Double) -> Double {
    if _fastPath(x.bitPattern < (1.0).bitPattern) { return x }
    let rest = x - floor(x)
    return rest < 1 ? rest : 0
  }

  /// Truncates to a whole number and clamps it to a range; NaN becomes the lower bound. `Int(x)`
  /// would crash Csound on infinity and NaN.
  @inlinable
  public static func whole(_ x: Double, in range: ClosedRange<Int>) -> Int {
    if x >= Double(range.upperBound) { return range.upperBound }
    return x > Double(range.lowerBound) ? Int(x) : range.lowerBound
  }

  /// The number truncated to a whole number. |x| must be below 2^63 and not NaN, which is not
  /// checked. `Int(x)` would compare three times, to trap on such numbers.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func truncated(_ x: Double) -> Int { cv_truncate(x) }

  /// The nearest whole number, halves to the even one; -2^63 for NaN and out-of-range numbers.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func nearest(_ x: Double) -> Int64 { cv_nearest(x) }

  /// The nearest whole number, halves to the even one, for |x| below 2^51.
  ///
  /// Adding 1.5 · 2^52 leaves no bits for a fraction, so the processor rounds it away.
  @inlinable @inline(__always)
  public static func nearestWhole(_ x: Double) -> Double { (x + 0x1.8p52) - 0x1.8p52 }
}
