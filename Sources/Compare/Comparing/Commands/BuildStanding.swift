import HarnessBase

/// The results of a plugin for a newer processor level, compared with the build for every level.
package struct BuildStanding {
  /// One opcode, called in one way.
  package struct Row {
    package var title: String
    /// Cost in the build for every level divided by cost in this build: above 1 this build is faster. Nil if noise hid
    /// a cost.
    package var ratio: Estimate?
    /// Whether both builds made the same samples in every case of the pairing.
    package var isIdentical: Bool

    /// Whether the whole interval says that this build is slower by at least `Verdict.precision`. A smaller difference
    /// can come from where the linker places a function.
    var isSlower: Bool { ratio.map { $0.high < 1 - Verdict.precision } ?? false }
  }

  package var level: String
  package var rows: [Row] = []

  /// The geometric mean of all rows with a ratio; nil if there are none.
  var mean: Estimate? {
    let ratios = rows.compactMap(\.ratio)
    return ratios.isEmpty ? nil : Estimate(geometricMeanOf: ratios)
  }

  private func extreme(_ isBefore: (Double, Double) -> Bool) -> Row? {
    rows.filter { $0.ratio != nil }.min { isBefore($0.ratio!.value, $1.ratio!.value) }
  }
  var slowest: Row? { extreme(<) }
  var fastest: Row? { extreme(>) }

  /// Whether it may replace the build for every level: it is faster on the mean, slower in no row, and has the same
  /// samples.
  package var isBetter: Bool {
    rows.allSatisfy { $0.isIdentical && !$0.isSlower } && (mean?.low ?? 0) > 1
  }

  /// The reason why it may or may not replace that build, in a few words.
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
