import OpcodeKit

/// Computes four frames of t from the two previous ones, with constant coefficients.
struct SecondOrderLookahead: BitwiseCopyable {
  /// With h the impulse response: h[0...1] with 0 for h[0], h[1...2], h[2...3], h[3...4], -b
  /// h[0...1], -b h[2...3].
  private let h01, h12, h23, h34, b01, b23: Pair

  @inline(__always)
  init(_ c: SecondOrderCoefficients) {
    let (h1, b) = (-c.feedback1, c.feedback2)
    let square = h1 * h1
    let h2 = square - b
    let h3 = h1 * (h2 - b)
    h01 = Pair(0, h1)
    h12 = Pair(h1, h2)
    h23 = Pair(h2, h3)
    h34 = Pair(h3, h2 * h2 - b * square)
    b01 = Pair(-b) * Pair(1, h1)
    b23 = Pair(-b) * h23
  }

  @inline(__always)
  func next(_ near: Pair, _ far: Pair, after last: Pair) -> (Pair, Pair) {
    let (x0, x1, x2) = (Pair(near[0]), Pair(near[1]), Pair(far[0]))
    let ownNear = near + h01 * x0
    let ownFar = (far + h01 * x2) + (h23 * x0 + h12 * x1)
    let (t2, t1) = (Pair(last[0]), Pair(last[1]))
    return ((ownNear + b01 * t2) + h12 * t1, (ownFar + b23 * t2) + h34 * t1)
  }
}
