public import CCsound

/// What Swift's SIMD types would compute one lane after the other, two lanes at a time; for
/// performance passes.
public enum PairMath {
  /// The product, lane by lane.
  @inlinable @_semantics("no_performance_analysis")
  public static func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
    ccs_multiply(a, b)
  }

  /// The sum, lane by lane.
  @inlinable @_semantics("no_performance_analysis")
  public static func sum(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> { ccs_add(a, b) }

  /// The difference, lane by lane.
  @inlinable @_semantics("no_performance_analysis")
  public static func difference(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
    ccs_subtract(a, b)
  }

  /// 1 + f, where f has the first 52 bits of `rest` behind the point.
  @inlinable @_semantics("no_performance_analysis")
  public static func onePlus(_ rest: SIMD2<UInt64>) -> SIMD2<Double> { ccs_one_and_fraction(rest) }

  /// The numbers' bit patterns, shifted to the left.
  @inlinable @_semantics("no_performance_analysis")
  public static func bits(_ numbers: SIMD2<Double>, shiftedLeft places: CInt) -> SIMD2<UInt64> {
    ccs_bits_shifted_left(numbers, places)
  }
}
