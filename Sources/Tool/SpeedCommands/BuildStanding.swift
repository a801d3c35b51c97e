import Benchmarking
import Statistics

/// How a plugin for a newer level of a processor stands beside the one for every level.
package struct BuildStanding {
  /// One opcode, called in one way.
  package struct Row {
    package var title: String
    /// Cost in the build for every level over cost in this one: above 1 this one is faster. Nil where
    /// noise hid a cost.
    package var ratio: Estimate?
    /// Whether both made the same samples in every case of the pair.
    package var isIdentical: Bool

    package init(title: String, ratio: Estimate?, isIdentical: Bool) {
      (self.title, self.ratio, self.isIdentical) = (title, ratio, isIdentical)
    }

    init(_ row: BenchmarkRow) {
      self.init(
        title: "\(row.place.pairing) \(row.place.rates)", ratio: row.ratio,
        isIdentical: row.cases.allSatisfy { $0.comparison?.nullDepth == -.infinity })
    }

    /// Whether all of the interval says that it is slower, by a difference worth having: where the linker
    /// puts a function makes less.
    var isSlower: Bool { ratio.map { $0.high < 1 - Verdict.precision } ?? false }
  }

  package let level: String
  package var rows: [Row] = []

  package init(level: String, rows: [Row] = []) { (self.level, self.rows) = (level, rows) }

  /// Of all rows with a ratio; nil where there are none.
  var mean: Estimate? {
    let ratios = rows.compactMap(\.ratio)
    return ratios.isEmpty ? nil : Estimate(geometricMeanOf: ratios)
  }

  private func extreme(_ isBefore: (Double, Double) -> Bool) -> Row? {
    rows.filter { $0.ratio != nil }.min { isBefore($0.ratio!.value, $1.ratio!.value) }
  }
  var slowest: Row? { extreme(<) }
  var fastest: Row? { extreme(>) }

  /// Whether it may take the place of the build for every level: it is faster, slower in no row, and
  /// sounds the same to the last bit.
  package var isBetter: Bool {
    rows.allSatisfy { $0.isIdentical && !$0.isSlower } && (mean?.low ?? 0) > 1
  }

  /// What speaks for or against it.
  var account: String {
    if let other = rows.first(where: { !$0.isIdentical }) {
      return "sounds different: \(other.title)"
    }
    let slower = rows.filter(\.isSlower)
    if let first = slower.first {
      return slower.count == 1
        ? "slower: \(first.title)" : "slower in \(slower.count) rows"
    }
    return isBetter ? "faster" : "not faster"
  }
}
