/// What many times were, in milliseconds.
package struct Spread: Sendable {
  package let count: Int
  /// The middle one, the one that 99 % of them do not exceed, and the longest; not a number without any.
  package let median, most, worst: Double

  init(_ times: [Double]) {
    let sorted = times.sorted()
    func part(_ part: Double) -> Double {
      sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }
    count = times.count
    (median, most, worst) = (part(0.5), part(0.99), sorted.last ?? .nan)
  }
}
