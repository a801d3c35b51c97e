import OpcodeKit

/// Linear interpolation for four positions at once.
struct LinearCurve: TableCurve {
  private let left, right: Quad

  @inline(__always)
  init(_ table: TableElements, _ indices: (Int, Int, Int, Int)) {
    let (a, b) = (table.pair(at: indices.0), table.pair(at: indices.1))
    let (c, d) = (table.pair(at: indices.2), table.pair(at: indices.3))
    left = .firsts(a, b, c, d)
    right = .seconds(a, b, c, d)
  }

  @inline(__always)
  func values(at rests: SIMD4<UInt64>, times level: Quad) -> Quad {
    (left + (right - left) * (Quad.onePlus(rests) - Quad(1))) * level
  }

  @inline(__always)
  static func value(of table: TableElements, at phase: CyclePhase) -> Double {
    let neighbours = table.pair(at: phase.index(in: table.count))
    let (left, right) = (neighbours[0], neighbours[1])
    return left + (right - left) * (phase.onePlusRest(in: table.count) - 1)
  }
}
