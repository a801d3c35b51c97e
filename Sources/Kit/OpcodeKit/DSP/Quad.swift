public import CVector

/// Four numbers in vector registers, for frames of a table oscillator or points of a transform, where eight numbers
/// would need more registers than SSE2 has.
///
/// They fill two SSE2 registers or one AVX register.
@frozen
public struct Quad: Vector {
  public var values: SIMD4<Double>

  @inlinable @inline(__always)
  public init(values: SIMD4<Double>) { self.values = values }

  /// One number in every place.
  @inlinable @inline(__always)
  public init(_ value: Double) { values = SIMD4(repeating: value) }

  /// Whether one register of the target processor holds all four numbers: true from x86-64-v3 on.
  @inlinable public static var isOneRegister: Bool {
    @inline(__always) @_semantics("no_performance_analysis") get { cv_quad_is_one_register() != 0 }
  }

  /// The number at a place, 0 to 3.
  @inlinable @inline(__always) public subscript(place: Int) -> Double { values[place] }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func + (_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_add(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func - (_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_subtract(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func * (_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_multiply(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func / (_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_divide(a.values, b.values))
  }

  @inlinable public var squareRoot: Quad {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Quad(values: cv_quad_sqrt(values))
    }
  }
  @inlinable public var magnitude: Quad {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Quad(values: cv_quad_magnitude(values))
    }
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func minimum(_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_minimum(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func maximum(_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_maximum(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func withSigns(of other: Quad) -> Quad {
    Quad(values: cv_quad_with_signs(values, other.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func octaves(from: Quad, to: Quad) -> Quad {
    Quad(values: cv_quad_octaves(to.values, from.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func near(_ to: Quad, from: Quad) -> Quad {
    Quad(values: cv_quad_near(from.values, to.values))
  }
  @inlinable public var lowBitsPowerOfTwo: Quad {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Quad(values: cv_quad_power_of_two(values))
    }
  }

  /// The first number of each of four pairs.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func firsts(_ a: Pair, _ b: Pair, _ c: Pair, _ d: Pair) -> Quad {
    Quad(values: cv_quad_firsts(a.values, b.values, c.values, d.values))
  }

  /// The second number of each of four pairs.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func seconds(_ a: Pair, _ b: Pair, _ c: Pair, _ d: Pair) -> Quad {
    Quad(values: cv_quad_seconds(a.values, b.values, c.values, d.values))
  }

  /// The first number of each pair of `a`, each followed by that of `b`: a0, b0, a2, b2.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func firsts(_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_even(a.values, b.values))
  }

  /// The second number of each pair of `a`, each followed by that of `b`: a1, b1, a3, b3.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func seconds(_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_odd(a.values, b.values))
  }

  /// The first halves of two quads: a0, a1, b0, b1.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func lows(_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_lows(a.values, b.values))
  }

  /// The second halves of two quads: a2, a3, b2, b3.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func highs(_ a: Quad, _ b: Quad) -> Quad {
    Quad(values: cv_quad_highs(a.values, b.values))
  }

  /// The numbers in descending order of their places.
  @inlinable public var reversed: Quad {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Quad(values: cv_quad_reverse(values))
    }
  }

  /// 1 + rest / 2^64, with the fraction cut off after 52 bits.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func onePlus(_ rest: SIMD4<UInt64>) -> Quad {
    Quad(values: cv_quad_one_and_fraction(rest))
  }

  /// The largest whole number up to each number, for magnitudes below 2^51.
  @inlinable public var floor: Quad {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Quad(values: cv_quad_floor(values))
    }
  }

  /// The numbers truncated to whole numbers. They must be below 2^31 in magnitude, which is not checked.
  @inlinable public var truncated: SIMD4<Int32> {
    @inline(__always) @_semantics("no_performance_analysis") get { cv_quad_truncate(values) }
  }

  /// Four whole numbers, converted.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(_ whole: SIMD4<Int32>) { values = cv_quad_of_short(whole) }
}
