public import CVector

/// As many numbers side by side as a register holds of the processor that is compiled for: four from
/// x86-64-v3 on, otherwise two.
///
/// For work with many values at hand at once, which eight `Lanes` of each would drive out of the
/// registers.
@frozen
public struct Wide: Vector {
  public var values: cv_wide

  /// How many numbers there are, 2 or 4.
  @inlinable public static var count: Int { cv_wide_count }

  @inlinable @inline(__always)
  public init(values: cv_wide) { self.values = values }

  /// One number in every place.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(_ value: Double) { values = cv_wide_of(value) }

  /// The number at a place from 0 to `count - 1`.
  @inlinable @inline(__always) public subscript(place: Int) -> Double { values[place] }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func + (_ a: Wide, _ b: Wide) -> Wide {
    Wide(values: cv_wide_add(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func - (_ a: Wide, _ b: Wide) -> Wide {
    Wide(values: cv_wide_subtract(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func * (_ a: Wide, _ b: Wide) -> Wide {
    Wide(values: cv_wide_multiply(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func / (_ a: Wide, _ b: Wide) -> Wide {
    Wide(values: cv_wide_divide(a.values, b.values))
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func minimum(_ a: Wide, _ b: Wide) -> Wide {
    Wide(values: cv_wide_minimum(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func maximum(_ a: Wide, _ b: Wide) -> Wide {
    Wide(values: cv_wide_maximum(a.values, b.values))
  }

  @inlinable public var squareRoot: Wide {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Wide(values: cv_wide_sqrt(values))
    }
  }
  @inlinable public var magnitude: Wide {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Wide(values: cv_wide_magnitude(values))
    }
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func withSigns(of other: Wide) -> Wide {
    Wide(values: cv_wide_with_signs(values, other.values))
  }
  @inlinable public var lowBitsPowerOfTwo: Wide {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Wide(values: cv_wide_power_of_two(values))
    }
  }
}
