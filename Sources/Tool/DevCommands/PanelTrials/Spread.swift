/// Statistics of measured times, in milliseconds.
package struct Spread: Sendable {
  package let count: Int
  /// The median, the 99th percentile (`most`) and the longest time; NaN if there are no times.
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
