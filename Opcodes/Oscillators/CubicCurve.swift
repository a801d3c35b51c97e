import OpcodeKit

/// Cubic interpolation for four positions at once, each through the two elements before and the two after it.
///
///     y(f) = y0 + f (d + (f - 1) (s/2 + (f + 1) (t - s) / 6)),    0 <= f < 1
///     d = y1 - y0,   s = y-1 - 2 y0 + y1,   t = y0 - 2 y1 + y2
///
/// This is Newton's form of Lagrange's polynomial through equidistant points (M. Abramowitz, I. Stegun, "Handbook of
/// mathematical functions", 25.2).
package struct CubicCurve: TableCurve {
  /// The points at -1, 0, 1 and 2.
  private let before, left, right, after: Quad

  @inline(__always)
  package init(before: Quad, left: Quad, right: Quad, after: Quad) {
    (self.before, self.left, self.right, self.after) = (before, left, right, after)
  }

  /// Wraps as Csound's cubic oscillators do: the element after the guard point is the second element.
  @inline(__always)
  init(_ table: TableElements, _ indices: (Int, Int, Int, Int)) {
    let (i, j, k, l) = indices
    if _slowPath(
      table.isAtEnd(i) || table.isAtEnd(j) || table.isAtEnd(k) || table.isAtEnd(l))
    {
      self.init(
        before: table.quad(i &- 1, j &- 1, k &- 1, l &- 1), left: table.quad(i, j, k, l),
        right: table.quad(i &+ 1, j &+ 1, k &+ 1, l &+ 1),
        after: table.quad(i &+ 2, j &+ 2, k &+ 2, l &+ 2))
      return
    }
    let lower = (
      table.pair(at: i &- 1), table.pair(at: j &- 1), table.pair(at: k &- 1),
      table.pair(at: l &- 1)
    )
    let upper = (
      table.pair(at: i &+ 1), table.pair(at: j &+ 1), table.pair(at: k &+ 1),
      table.pair(at: l &+ 1)
    )
    self.init(
      before: .firsts(lower.0, lower.1, lower.2, lower.3),
      left: .seconds(lower.0, lower.1, lower.2, lower.3),
      right: .firsts(upper.0, upper.1, upper.2, upper.3),
      after: .seconds(upper.0, upper.1, upper.2, upper.3))
  }

  @inline(__always)
  package func values(at rests: SIMD4<UInt64>, times level: Quad) -> Quad {
    let plus = Quad.onePlus(rests)  // f + 1
    let slope = right - left
    let bend = slope - (left - before)
    let change = ((after - right) - slope) - bend
    let sixth = plus * Quad(1.0 / 6)
    let inner = bend * Quad(0.5) + sixth * change
    let factor = slope + (plus - Quad(2)) * inner
    return level * (left + (plus - Quad(1)) * factor)
  }

  @inline(__always)
  static func value(of table: TableElements, at phase: CyclePhase) -> Double {
    let index = phase.index(in: table.count)
    var (first, last) = (index &- 1, index &+ 2)
    if _slowPath(table.isAtEnd(index)) {
      (first, last) = (table.wrapped(first), table.wrapped(last))
    }
    let (before, left) = (table[first], table[index])
    let (right, after) = (table[index &+ 1], table[last])
    let plus = phase.onePlusRest(in: table.count)
    // The same order of operations as in `values`.
    let slope = right - left
    let bend = slope - (left - before)
    let change = ((after - right) - slope) - bend
    let inner = bend * 0.5 + (plus * (1.0 / 6)) * change
    return left + (plus - 1) * (slope + (plus - 2) * inner)
  }
}

extension TableElements {
  /// Whether one of the neighbours of an index from 0 to `count - 1` (one before it, or two after it) lies outside the
  /// table.
  @inline(__always)
  fileprivate func isAtEnd(_ index: Int) -> Bool {
    // One unsigned comparison tests both ends.
    UInt(bitPattern: index &- 1) >= UInt(bitPattern: count &- 2)
  }

  /// Wraps an index that is one before the first element, or one or two after the last.
  @inline(__always)
  fileprivate func wrapped(_ index: Int) -> Int {
    index < 0 ? count &- 1 : index > count ? 1 : index
  }

  /// Elements at indices that may be outside the table.
  @inline(__always)
  fileprivate func quad(_ i: Int, _ j: Int, _ k: Int, _ l: Int) -> Quad {
    Quad(
      values: SIMD4(
        self[wrapped(i)], self[wrapped(j)], self[wrapped(k)], self[wrapped(l)]))
  }
}
