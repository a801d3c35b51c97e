public import CVector

/// Eight numbers in vector registers: one for each of eight channels, voices or frames.
///
/// They fill four SSE2 registers, two with AVX and one with AVX-512. The registers are independent, so their latencies
/// overlap.
@frozen
public struct Lanes: Vector {
  public var values: SIMD8<Double>

  /// The number of places: 8.
  @inlinable public static var count: Int { 8 }

  @inlinable @inline(__always)
  public init(values: SIMD8<Double>) { self.values = values }

  /// One number in every place.
  @inlinable @inline(__always)
  public init(_ value: Double) { values = SIMD8(repeating: value) }

  /// The numbers of four pairs, in order.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(_ a: Pair, _ b: Pair, _ c: Pair, _ d: Pair) {
    values = SIMD8(
      lowHalf: SIMD4(lowHalf: a.values, highHalf: b.values),
      highHalf: SIMD4(lowHalf: c.values, highHalf: d.values))
  }

  /// The numbers at places 2 `index` and 2 `index` + 1, for an index from 0 to 3.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func pair(_ index: Int) -> Pair {
    let half = index < 2 ? values.lowHalf : values.highHalf
    return Pair(values: index & 1 == 0 ? half.lowHalf : half.highHalf)
  }

  /// `first`, `first` + 1, and so on up to `first` + 7.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func count(from first: Double) -> Lanes {
    Lanes(values: cv_lanes_add(cv_lanes_places(), Lanes(first).values))
  }

  /// The number at a place, 0 to 7.
  @inlinable @inline(__always) public subscript(place: Int) -> Double {
    get { values[place] }
    set { values[place] = newValue }
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func + (_ a: Lanes, _ b: Lanes) -> Lanes {
    Lanes(values: cv_lanes_add(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func - (_ a: Lanes, _ b: Lanes) -> Lanes {
    Lanes(values: cv_lanes_subtract(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func * (_ a: Lanes, _ b: Lanes) -> Lanes {
    Lanes(values: cv_lanes_multiply(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func / (_ a: Lanes, _ b: Lanes) -> Lanes {
    Lanes(values: cv_lanes_divide(a.values, b.values))
  }

  @inlinable public var magnitude: Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Lanes(values: cv_lanes_magnitude(values))
    }
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func minimum(_ a: Lanes, _ b: Lanes) -> Lanes {
    Lanes(values: cv_lanes_minimum(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func maximum(_ a: Lanes, _ b: Lanes) -> Lanes {
    Lanes(values: cv_lanes_maximum(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func withSigns(of other: Lanes) -> Lanes {
    Lanes(values: cv_lanes_with_signs(values, other.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func octaves(from: Lanes, to: Lanes) -> Lanes {
    Lanes(values: cv_lanes_octaves(to.values, from.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func near(_ to: Lanes, from: Lanes) -> Lanes {
    Lanes(values: cv_lanes_near(from.values, to.values))
  }
  @inlinable public var lowBitsPowerOfTwo: Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Lanes(values: cv_lanes_power_of_two(values))
    }
  }

  /// The square root of each number; NaN below 0.
  @inlinable public var squareRoot: Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Lanes(values: cv_lanes_sqrt(values))
    }
  }

  /// The sum of all numbers: of those four places apart, then of those two apart, then of the rest.
  @inlinable public var sum: Double {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let four = Quad(values: values.lowHalf) + Quad(values: values.highHalf)
      let two = Pair(values: four.values.lowHalf) + Pair(values: four.values.highHalf)
      return two[0] + two[1]
    }
  }

  /// The largest number, if none is NaN.
  @inlinable public var largest: Double {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let four = Quad.maximum(Quad(values: values.lowHalf), Quad(values: values.highHalf))
      let two = Pair.maximum(
        Pair(values: four.values.lowHalf), Pair(values: four.values.highHalf))
      return two[0] > two[1] ? two[0] : two[1]
    }
  }

  /// Whether all numbers are from -limit to limit; false when one is NaN. Where the processor reads subnormal numbers
  /// as 0, as it does under Csound, they count as 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func isWithin(_ limit: Double) -> Bool {
    cv_lanes_is_within(values, Lanes(limit).values) != 0
  }

  /// Each number whose `size` is at least `low` and finite; 0 in the other places.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func kept(where size: Lanes, isFrom low: Double) -> Lanes {
    let zero = Lanes(0).values
    let finite = cv_lanes_where_below(size.values, Lanes(.infinity).values, values, zero)
    return Lanes(values: cv_lanes_where_below(size.values, Lanes(low).values, zero, finite))
  }

  /// The number of `other` where `size` is below `limit`; in the other places, and where either is NaN, the number itself.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func replaced(where size: Lanes, isBelow limit: Lanes, by other: Lanes) -> Lanes {
    Lanes(values: cv_lanes_where_below(size.values, limit.values, other.values, values))
  }

  /// `first` and then the numbers of places 0 to 6.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func shifted(from first: Double) -> Lanes {
    Lanes(
      values: SIMD8(
        first, values[0], values[1], values[2], values[3], values[4], values[5], values[6]))
  }

  /// Replaces the first `count` numbers, one after the other, for computations that depend on the previous frame: `body`
  /// is called with a number and its place, 0 to 7, and returns the new number. The code of `body` is there once, so it
  /// may be long; where it is a few operations, `forEachPlace` is faster.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func replaceEach(first count: Int, _ body: (Double, Int) -> Double) {
    var numbers: InlineArray<8, Double> = [
      values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7],
    ]
    var place = 0
    while place < count {
      numbers[unchecked: place] = body(numbers[unchecked: place], place)
      place &+= 1
    }
    values = SIMD8(
      numbers[unchecked: 0], numbers[unchecked: 1], numbers[unchecked: 2], numbers[unchecked: 3],
      numbers[unchecked: 4], numbers[unchecked: 5], numbers[unchecked: 6], numbers[unchecked: 7])
  }

  /// Calls `body` with each place, 0 to 7 in order, for computations that depend on the previous frame. The eight calls
  /// are written out, because reading a place that is not known at compile time goes through memory.
  @inlinable @inline(__always)
  public static func forEachPlace(_ body: (Int) -> Void) {
    body(0)
    body(1)
    body(2)
    body(3)
    body(4)
    body(5)
    body(6)
    body(7)
  }

  /// tanh of each number, for magnitudes up to 10. Faster and less precise than `tanh`.
  ///
  /// A quotient of products x (x² + zero) / (x² + pole), truncated after 4 zeros and 5 poles: a minimax fit (Remez
  /// exchange) with a relative error of at most 3.1e-9, exact for small x.
  @inlinable public var shortTanh: Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let z = self * self
      let one = Lanes(1)
      let top1 = self * (one + z * Lanes(1 / 9.870059845998474))
      let top2 = one + z * Lanes(1 / 39.9564436548951)
      let top3 = one + z * Lanes(1 / 110.9180192751347)
      let top4 = one + z * Lanes(1 / 492.4615013473779)
      let bottom1 = one + z * Lanes(1 / 2.4674027647366383)
      let bottom2 = one + z * Lanes(1 / 22.231527019693587)
      let bottom3 = one + z * Lanes(1 / 65.89493350695334)
      let bottom4 = one + z * Lanes(1 / 208.75177580564434)
      let bottom5 = one + z * Lanes(1 / 2033.8397549319575)
      return ((top1 * top2) * (top3 * top4))
        / (((bottom1 * bottom2) * (bottom3 * bottom4)) * bottom5)
    }
  }
}
