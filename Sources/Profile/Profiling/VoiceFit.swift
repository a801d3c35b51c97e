import HarnessBase

/// What numbers of notes cost: the time of a k-cycle as a line from each number that was played to the next.
package struct VoiceFit: Codable, Sendable {
  struct Point: Codable {
    var notes: Int
    /// Seconds of a k-cycle: the median of the parts of the render, and the second lowest and second highest.
    var low, middle, high: Double
  }

  private(set) var points: [Point]

  /// Nil without a number of notes, and if even the largest costs no more than none.
  package init?(_ levels: [VoicesTake.Level]) {
    points = levels.filter { !$0.seconds.isEmpty }.sorted { $0.notes < $1.notes }.map { level in
      let sorted = level.seconds.sorted()
      let edge = min(1, (sorted.count - 1) / 2)
      return Point(
        notes: level.notes, low: sorted[edge], middle: sorted.median,
        high: sorted[sorted.count - 1 - edge])
    }
    guard points.count > 1, points[0].notes == 0, points[0].high < points.last!.low else {
      return nil
    }
  }

  /// The seconds of a k-cycle without notes.
  package var base: Double { points[0].middle }

  /// How many notes fit, if the k-cycles may take a part of their time and other notes take another; all as many times
  /// as long as here. With the numbers by the edges of what was measured.
  package func notes(
    load: Double, others: Double = 0, cycle: Double, times factor: Double = 1
  ) -> (likely: Int, least: Int, most: Int) {
    let time = (load / factor - others) * cycle
    return (count(\.middle, time), count(\.high, time), count(\.low, time))
  }

  private func count(_ seconds: KeyPath<Point, Double>, _ time: Double) -> Int {
    guard time > points[0][keyPath: seconds] else { return 0 }
    let next = points.dropFirst().first { $0[keyPath: seconds] >= time } ?? points.last!
    let before = points.last { $0.notes < next.notes }!
    // Beyond the last number, as from the last but one to it.
    let (from, to) = (before[keyPath: seconds], next[keyPath: seconds])
    let part = (time - from) / max(to - from, 1e-12)
    return Int(min(1e6, max(0, Double(before.notes) + part * Double(next.notes - before.notes))))
  }
}
