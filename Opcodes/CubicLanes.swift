import OpcodeKit

/// Two places in tables at once, each between the middle two of four neighbouring points, and the
/// cubics through them.
///
///     y(f) = y0 + f (d + (f - 1) (s/2 + (f + 1) (t - s) / 6)),    0 <= f < 1
///     d = y1 - y0,   s = y-1 - 2 y0 + y1,   t = y0 - 2 y1 + y2
///
/// Newton's form of Lagrange's polynomial through equidistant points (M. Abramowitz, I. Stegun,
/// "Handbook of mathematical functions", 25.2).
package struct CubicLanes: BitwiseCopyable {
  package typealias Lanes = SIMD2<Double>

  /// The points at -1, 0, 1 and 2.
  package var before, left, right, after: Lanes

  @inline(__always)
  package init(before: Lanes, left: Lanes, right: Lanes, after: Lanes) {
    (self.before, self.left, self.right, self.after) = (before, left, right, after)
  }

  /// The cubics, times `level`, at places after `left`, in units of 2^-64 of the distance to `right`.
  @inline(__always)
  package func value(at rest: SIMD2<UInt64>, times level: Lanes) -> Lanes {
    let plus = PairMath.onePlus(rest)  // f + 1
    let slope = right - left
    let bend = slope - (left - before)
    let change = ((after - right) - slope) - bend
    let sixth = PairMath.product(plus, Lanes(repeating: 1.0 / 6))
    let inner = PairMath.product(bend, Lanes(repeating: 0.5)) + PairMath.product(sixth, change)
    let factor = slope + PairMath.product(PairMath.sum(plus, Lanes(repeating: -2)), inner)
    return PairMath.product(
      level, left + PairMath.product(PairMath.sum(plus, Lanes(repeating: -1)), factor))
  }
}

extension TableElements {
  /// The four neighbours of each of two places, round and round as Csound's cubic oscillators have
  /// them: what follows the last element is the guard point, then the second element.
  ///
  /// `one` and `other` are indices from 0 to `count - 1`. Not checked.
  @inline(__always)
  package func neighbours(_ one: Int, _ other: Int) -> CubicLanes {
    // Written so that one comparison finds either end.
    let inner = UInt(bitPattern: max(count &- 2, 0))
    if _slowPath(UInt(bitPattern: one &- 1) >= inner || UInt(bitPattern: other &- 1) >= inner) {
      return CubicLanes(
        before: .init(self[wrapped(one &- 1)], self[wrapped(other &- 1)]),
        left: .init(self[one], self[other]), right: .init(self[one &+ 1], self[other &+ 1]),
        after: .init(self[wrapped(one &+ 2)], self[wrapped(other &+ 2)]))
    }
    let (lower0, upper0) = (pair(at: one &- 1), pair(at: one &+ 1))
    let (lower1, upper1) = (pair(at: other &- 1), pair(at: other &+ 1))
    return CubicLanes(
      before: .init(lower0[0], lower1[0]), left: .init(lower0[1], lower1[1]),
      right: .init(upper0[0], upper1[0]), after: .init(upper0[1], upper1[1]))
  }

  /// An index one before the first element, or one or two after the last, as it is read.
  @inline(__always)
  func wrapped(_ index: Int) -> Int { index < 0 ? count &- 1 : index > count ? 1 : index }
}
