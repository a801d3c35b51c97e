import CommandKit
import HarnessBase

/// Chooses the best build of a plugin for this processor.
package struct BuildChoice {
  /// The level that every processor of the kind has; the other builds are compared with its build.
  private let plain: String
  private let standings: [BuildStanding]

  package init(plain: String, _ standings: [BuildStanding]) {
    (self.plain, self.standings) = (plain, standings)
  }

  /// The fastest of the builds that may replace the plain build; nil if none may.
  private var winner: BuildStanding? {
    standings.filter(\.isBetter).max { $0.mean!.value < $1.mean!.value }
  }

  /// The level whose build is best.
  package var level: String { winner?.level ?? plain }

  /// How much slower a row must be to count as slower.
  private static let bound = "\(Int((100 * Verdict.precision).rounded())) %"

  /// Which build `file` is now, and why.
  package func sentence(for file: String) -> String {
    guard let winner, let mean = winner.mean else {
      return
        "\(file) is the build for \(plain): on this processor no other is faster on the geometric mean"
        + " without being slower by \(Self.bound) in a row or sounding different."
    }
    return
      "\(file) is the build for \(winner.level): on this processor \(mean.value.formatted(2)) times as fast"
      + " as that for \(plain) on the geometric mean, slower by \(Self.bound) in no row of \(winner.rows.count), and the"
      + " same in sound to the last bit."
  }

  /// A table with a line for each build.
  package var table: String {
    func interval(_ estimate: Estimate?) -> String {
      estimate.map { "\($0.low.formatted(2))–\($0.high.formatted(2))" } ?? "–"
    }
    func extreme(_ row: BuildStanding.Row?) -> [String] {
      [row?.title ?? "–", row?.ratio?.value.formatted(2) ?? "–", interval(row?.ratio)]
    }
    let headings = [
      "build for", "times as fast", "99 %", "slowest row", "", "99 %", "fastest row", "", "99 %",
      "verdict",
    ]
    let lines = standings.map { standing in
      [standing.level, standing.mean?.value.formatted(2) ?? "–", interval(standing.mean)]
        + extreme(standing.slowest) + extreme(standing.fastest) + [standing.account]
    }
    let left = ["build for", "slowest row", "fastest row", "verdict"]
    return Table(
      rows: [headings] + lines, alignment: headings.map { left.contains($0) ? .left : .right }
    ).text
  }
}
