/// Four equal first-order allpasses in series, y[n] = b (x[n] + y[n-1]) - x[n-1], written so that a
/// sample passes all four in one multiplication and one addition.
///
/// With v_0 the input and v_j the output of the j-th, v_j[n] = b v_{j-1}[n] + c_j with
/// c_j = b v_j[n-1] - v_{j-1}[n-1], which is known a sample early. So v_j[n] = b^j v_0[n] + r_j,
/// r_j = b r_{j-1} + c_j, and only b^4 v_0 + r_4 waits for the input. For |b| <= 1 all factors are at
/// most 1.
@frozen
public struct AllpassQuartet: BitwiseCopyable {
  /// b and its powers.
  @frozen
  public struct Coefficient: BitwiseCopyable {
    @usableFromInline let one, two, three, four: Double

    /// -1 to 1.
    @inlinable @inline(__always)
    public init(_ b: Double) {
      one = b
      two = b * b
      three = two * b
      four = two * two
    }
  }

  /// v_0 to v_4 at the last sample.
  @usableFromInline var v0 = 0.0, v1 = 0.0, v2 = 0.0, v3 = 0.0, v4 = 0.0
  /// r_1 to r_4 for the next.
  @usableFromInline var r1 = 0.0, r2 = 0.0, r3 = 0.0, r4 = 0.0

  /// Four silent allpasses.
  @inlinable @inline(__always)
  public init() {}

  /// One sample in. The outputs are then in `output`.
  @inlinable @inline(__always)
  public mutating func take(_ input: Double, _ b: Coefficient) {
    v0 = input
    v1 = b.one * input + r1
    v2 = b.two * input + r2
    v3 = b.three * input + r3
    v4 = b.four * input + r4
    prepare(b)
  }

  /// Makes ready for a coefficient that is another than before.
  @inlinable @inline(__always)
  public mutating func prepare(_ b: Coefficient) {
    let c3 = b.one * v3 - v2
    r1 = b.one * v1 - v0
    let c2 = b.one * v2 - v1
    r2 = b.one * r1 + c2
    r3 = b.two * r1 + (b.one * c2 + c3)
    r4 = b.two * r2 + (b.one * c3 + (b.one * v4 - v3))
  }

  /// The last output of the first to the fourth allpass, numbered from 1.
  @inlinable @inline(__always)
  public func output(_ number: Int) -> Double {
    switch number {
    case 1: v1
    case 2: v2
    case 3: v3
    default: v4
    }
  }

  /// The sum of all magnitudes: 0 when silent, NaN or infinite when something is not finite.
  @inlinable @inline(__always)
  public var level: Double {
    (v0.magnitude + v1.magnitude) + (v2.magnitude + v3.magnitude) + v4.magnitude
  }
}
