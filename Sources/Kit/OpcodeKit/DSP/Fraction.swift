/// A number stored as numerator and denominator (`top` / `bottom`), so that a chain of rational functions needs no
/// division.
///
/// Both parts are in one register and are computed together.
@frozen
public struct Fraction: BitwiseCopyable {
  /// Numerator and denominator.
  public var parts: Pair

  @inlinable @inline(__always)
  public init(_ top: Double, _ bottom: Double) { parts = Pair(top, bottom) }

  /// A fraction from numerator and denominator in one pair.
  @inlinable @inline(__always)
  public init(parts: Pair) { self.parts = parts }

  @inlinable @inline(__always) public var top: Double { parts[0] }
  @inlinable @inline(__always) public var bottom: Double { parts[1] }
  @inlinable @inline(__always) public var value: Double { parts[0] / parts[1] }

  /// The numerator in both places.
  @inlinable public var tops: Pair {
    @inline(__always) @_semantics("no_performance_analysis") get { .firsts(parts, parts) }
  }
  /// The denominator in both places.
  @inlinable public var bottoms: Pair {
    @inline(__always) @_semantics("no_performance_analysis") get { .seconds(parts, parts) }
  }

  /// tanh of the fraction, for values up to ±10.
  @inlinable public var tanh: Fraction {
    @inline(__always) @_semantics("no_performance_analysis") get { Fraction.tanh(tops, bottoms) }
  }

  /// tanh(top / bottom), for quotients up to ±10; each argument holds its number in both places.
  ///
  /// Like tanh itself it is a quotient of products x (x² + zero) / (x² + pole), truncated after 6 zeros and 7 poles: a
  /// minimax fit (Remez exchange, 100 digits) with a relative error of at most 5.4e-15. At 10 the result is 1 - 4e-9;
  /// it never reaches 1. The products form a tree to keep latency low.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func tanh(_ tops: Pair, _ bottoms: Pair) -> Fraction {
    let z = tops * tops
    let w = bottoms * bottoms
    let odd = Pair.firsts(
      tops * (bottoms * Pair(0.9999999999999943)),
      w + z * Pair(1 / 6160.3227174316845))
    let f1 = w + z * Pair(1 / 1533.5828060449909, 1 / 678.02157480623088)
    let f2 = w + z * Pair(1 / 379.98993303612369, 1 / 243.30608688111909)
    let f3 = w + z * Pair(1 / 169.36637329174038, 1 / 122.99490109968912)
    let f4 = w + z * Pair(1 / 89.051560813110499, 1 / 61.697618031732610)
    let f5 = w + z * Pair(1 / 39.478756686318120, 1 / 22.206613907799713)
    let f6 = w + z * Pair(1 / 9.8696044182021330, 1 / 2.4674011002880461)
    return Fraction(parts: ((odd * f1) * (f2 * f3)) * ((f4 * f5) * f6))
  }

  /// tanh of one number, with a relative error of at most 1.3e-15. It has a lower latency than `Vector.tanh`, which is
  /// made for several numbers at once.
  ///
  /// A quotient of the same form with 7 zeros and 8 poles, whose fit is within 3.4e-18; the remaining error is
  /// rounding. Beyond ±10 it calls `Vector.tanh`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func tanh(_ x: Double) -> Double {
    guard _fastPath(x.magnitude <= 10) else { return Pair(x).tanh[0] }
    let square = x * x
    let z = Pair(square)
    // Product of the poles over product of the zeros.
    let odd = Pair(x * 155.1025788659535, square + 9749.127268350043)
    let f1 = z + Pair(2437.5135691746136, 1084.6838153132647)
    let f2 = z + Pair(612.5967584750014, 395.5643515581264)
    let f3 = z + Pair(278.7869802965684, 208.07522032907533)
    let f4 = z + Pair(159.3356552381434, 121.04796391103769)
    let f5 = z + Pair(88.83447989508521, 61.68525710414847)
    let f6 = z + Pair(39.47842079158, 22.20660992181252)
    let f7 = z + Pair(9.869604401131441, 2.467401100272359)
    return Fraction(parts: ((odd * f1) * (f2 * f3)) * ((f4 * f5) * (f6 * f7))).value
  }

  /// tanh(top / bottom), for quotients up to ±10, with a relative error of at most 3.1e-9; each argument holds its
  /// number in both places. The fit is that of `Lanes.shortTanh`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func shortTanh(_ tops: Pair, _ bottoms: Pair) -> Fraction {
    let z = tops * tops
    let w = bottoms * bottoms
    let odd = Pair.firsts(tops * bottoms, w + z * Pair(1 / 2033.8397549319575))
    let f1 = w + z * Pair(1 / 492.4615013473779, 1 / 208.75177580564434)
    let f2 = w + z * Pair(1 / 110.9180192751347, 1 / 65.89493350695334)
    let f3 = w + z * Pair(1 / 39.9564436548951, 1 / 22.231527019693587)
    let f4 = w + z * Pair(1 / 9.870059845998474, 1 / 2.4674027647366383)
    return Fraction(parts: ((odd * f1) * f2) * (f3 * f4))
  }

  /// The same number with its bottom between 1 and 2, for bottoms from 1e-300 to 1e300.
  ///
  /// Takes the bottom's power of two off both: quicker than a division.
  @inlinable public var normalized: Fraction {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Fraction(parts: parts * bottoms.unscale)
    }
  }
}
