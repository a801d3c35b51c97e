public import CCsound

/// The C library's elementary functions, under one name in every way of building.
///
/// libm neither allocates nor locks, which the compiler cannot see; the attribute vouches for it.
/// Each is a call: keep them out of inner loops, where a call costs more than its own time because
/// every floating-point register must be saved around it.
public enum Math {
  /// The corresponding C function is `exp`.
  @inlinable @_semantics("no_performance_analysis")
  public static func exp(_ x: Double) -> Double { ccs_exp(x) }
  /// The corresponding C function is `pow`.
  @inlinable @_semantics("no_performance_analysis")
  public static func pow(_ x: Double, _ y: Double) -> Double { ccs_pow(x, y) }
  /// The corresponding C function is `log2`.
  @inlinable @_semantics("no_performance_analysis")
  public static func log2(_ x: Double) -> Double { ccs_log2(x) }
  /// The corresponding C function is `tanh`.
  @inlinable @_semantics("no_performance_analysis")
  public static func tanh(_ x: Double) -> Double { ccs_tanh(x) }
  /// The corresponding C function is `sin`.
  @inlinable @_semantics("no_performance_analysis")
  public static func sin(_ x: Double) -> Double { ccs_sin(x) }
  /// The corresponding C function is `cos`.
  @inlinable @_semantics("no_performance_analysis")
  public static func cos(_ x: Double) -> Double { ccs_cos(x) }
  /// The nearest whole number, a half to the even one, for |x| below 2^51.
  ///
  /// Adding 1.5 · 2^52 leaves no bits for a fraction, so the processor rounds it away.
  @inlinable @inline(__always)
  public static func nearestWhole(_ x: Double) -> Double { (x + 0x1.8p52) - 0x1.8p52 }
}
