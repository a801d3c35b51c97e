public import CVector

/// Eight single-precision numbers in vector registers, for results that Csound stores in single precision.
///
/// They fill two SSE2 registers or one AVX register.
@frozen
public struct ShortLanes: BitwiseCopyable {
  public var values: SIMD8<Float>

  @inlinable @inline(__always)
  public init(values: SIMD8<Float>) { self.values = values }

  /// One number in every place, rounded to single precision.
  @inlinable @inline(__always)
  public init(_ value: Double) { values = SIMD8(repeating: Float(value)) }

  /// The numbers of two quads, in order, rounded to single precision.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(_ low: Quad, _ high: Quad) { values = cv_floats_of_quads(low.values, high.values) }

  /// The number at a place, 0 to 7.
  @inlinable @inline(__always) public subscript(place: Int) -> Double { Double(values[place]) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func + (_ a: ShortLanes, _ b: ShortLanes) -> ShortLanes {
    ShortLanes(values: cv_floats_add(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func - (_ a: ShortLanes, _ b: ShortLanes) -> ShortLanes {
    ShortLanes(values: cv_floats_subtract(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func * (_ a: ShortLanes, _ b: ShortLanes) -> ShortLanes {
    ShortLanes(values: cv_floats_multiply(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func / (_ a: ShortLanes, _ b: ShortLanes) -> ShortLanes {
    ShortLanes(values: cv_floats_divide(a.values, b.values))
  }

  /// The smaller number in each place; `b` where either is NaN.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func minimum(_ a: ShortLanes, _ b: ShortLanes) -> ShortLanes {
    ShortLanes(values: cv_floats_minimum(a.values, b.values))
  }

  /// The square root of each number; NaN below 0.
  @inlinable public var squareRoot: ShortLanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      ShortLanes(values: cv_floats_sqrt(values))
    }
  }
}
