public import CVector

/// Two numbers in one vector register.
///
/// Swift's `SIMD2` operators compute one element after the other and rely on the optimizer to vectorize them again,
/// which it does not do across a recurrence.
@frozen
public struct Pair: Vector {
  public var values: SIMD2<Double>

  @inlinable @inline(__always)
  public init(values: SIMD2<Double>) { self.values = values }

  @inlinable @inline(__always)
  public init(_ first: Double, _ second: Double) { values = SIMD2(first, second) }

  /// One number in both places.
  @inlinable @inline(__always)
  public init(_ value: Double) { values = SIMD2(repeating: value) }

  /// The number at a place, 0 or 1.
  @inlinable @inline(__always) public subscript(place: Int) -> Double { values[place] }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func + (_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_add(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func - (_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_subtract(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func * (_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_multiply(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func / (_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_divide(a.values, b.values))
  }

  @inlinable public var squareRoot: Pair {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Pair(values: cv_pair_sqrt(values))
    }
  }
  @inlinable public var magnitude: Pair {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Pair(values: cv_pair_magnitude(values))
    }
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func minimum(_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_minimum(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func maximum(_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_maximum(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func withSigns(of other: Pair) -> Pair {
    Pair(values: cv_pair_with_signs(values, other.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func octaves(from: Pair, to: Pair) -> Pair {
    Pair(values: cv_pair_octaves(to.values, from.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func near(_ to: Pair, from: Pair) -> Pair {
    Pair(values: cv_pair_near(from.values, to.values))
  }
  @inlinable public var lowBitsPowerOfTwo: Pair {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Pair(values: cv_pair_power_of_two(values))
    }
  }

  /// The first number of each of two pairs.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func firsts(_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_firsts(a.values, b.values))
  }

  /// The second number of each of two pairs.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func seconds(_ a: Pair, _ b: Pair) -> Pair {
    Pair(values: cv_pair_seconds(a.values, b.values))
  }

  /// The pair with its numbers swapped.
  @inlinable public var swapped: Pair {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Pair(values: cv_pair_swap(values))
    }
  }

  /// For each number x the power of two u for which |u x| is from 1 up to but not including 2. x must be from 1e-300 to
  /// 1e300 in magnitude.
  @inlinable public var unscale: Pair {
    @inline(__always) @_semantics("no_performance_analysis") get {
      unscale(power: 1)
    }
  }

  /// `unscale` raised to a power p: x^p times it is from 1 up to but not including 2^p. The result must itself be above
  /// 1e-300.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func unscale(power: CUnsignedLongLong) -> Pair {
    Pair(values: cv_pair_unscale(values, power))
  }
}
