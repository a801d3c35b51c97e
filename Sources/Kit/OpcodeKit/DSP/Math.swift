public import CVector

/// The C library's elementary functions, under the same name in every kind of build.
///
/// libm neither allocates nor locks, but the compiler cannot see that; hence the attribute. Each
/// function is a call: keep it out of inner loops, because every floating-point register in use
/// must be saved around it.
public enum Math {
  /// The corresponding C function is `exp`.
  @inlinable @_semantics("no_performance_analysis")
  public static func exp(_ x: Double) -> Double { cv_exp(x) }
  /// The corresponding C function is `pow`.
  @inlinable @_semantics("no_performance_analysis")
  public static func pow(_ x: Double, _ y: Double) -> Double { cv_pow(x, y) }
  /// The corresponding C function is `log2`.
  @inlinable @_semantics("no_performance_analysis")
  public static func log2(_ x: Double) -> Double { cv_log2(x) }
  /// The corresponding C function is `tanh`.
  @inlinable @_semantics("no_performance_analysis")
  public static func tanh(_ x: Double) -> Double { cv_tanh(x) }
  /// The corresponding C function is `sin`.
  @inlinable @_semantics("no_performance_analysis")
  public static func sin(_ x: Double) -> Double { cv_sin(x) }
  /// The corresponding C function is `cos`.
  @inlinable @_semantics("no_performance_analysis")
  public static func cos(_ x: Double) -> Double { cv_cos(x) }
  /// The corresponding C function is `sqrt`.
  @inlinable @_semantics("no_performance_analysis")
  public static func sqrt(_ x: Double) -> Double { cv_sqrt(x) }
  /// The corresponding C function is `floor`.
  @inlinable @_semantics("no_performance_analysis")
  public static func floor(_ x: Double) -> Double { cv_floor(x) }

  /// The fractional part, x - floor(x), from 0 up to but not including 1; 0 for infinity and NaN.
  /// Use it to wrap a phase.
  @inlinable @_semantics("no_performance_analysis")
  public static func fraction(_ x: Double) -> Double {
    let rest = x - floor(x)
    return rest >= 0 && rest < 1 ? rest : 0
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
