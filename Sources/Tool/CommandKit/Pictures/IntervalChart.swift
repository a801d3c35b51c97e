import Foundation
import HarnessBase

/// Ratios with their intervals, one above the other on a logarithmic axis with a line at 1.
public struct IntervalChart: Drawing {
  public struct Row: Sendable {
    public var label: String
    public var ratio: Estimate
    public var verdict: Verdict

    public init(label: String, ratio: Estimate, verdict: Verdict) {
      (self.label, self.ratio, self.verdict) = (label, ratio, verdict)
    }
  }

  /// From top to bottom.
  public var rows: [Row]
  public var axis: String

  public init(_ rows: [Row], axis: String) { (self.rows, self.axis) = (rows, axis) }

  public var size: (width: Int, height: Int) { (860, 90 + 17 * rows.count) }

  private static let groups: [(title: String, verdicts: [Verdict], ink: Ink)] = [
    ("faster", [.faster], .curve1), ("slower", [.slower], .curve2),
    ("neither", [.same, .tooNoisy], .curve3),
  ]

  public var script: String {
    let tables = Self.groups.enumerated().map { index, group in
      gnuplotTable(
        "group\(index)",
        rows.enumerated().filter { group.verdicts.contains($0.element.verdict) }.map {
          place, row in
          [row.ratio.value, Double(rows.count - place), row.ratio.low, row.ratio.high]
        })
    }
    let plots = Self.groups.enumerated().filter { _, group in
      rows.contains { group.verdicts.contains($0.verdict) }
    }.map { index, group in
      "$group\(index) using 1:2:3:4 with xerrorbars pt 7 ps 0.45 lw 1.6 \(group.ink.code)"
        + " title \(gnuplotQuoted(group.title))"
    }
    let labels = rows.enumerated().map { place, row in
      "\(gnuplotQuoted(row.label)) \(rows.count - place)"
    }
    let letters = rows.map(\.label.count).max() ?? 0
    let low = min(0.9, rows.map(\.ratio.low).min() ?? 1)
    let high = max(1.1, rows.map(\.ratio.high).max() ?? 1)
    let ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter {
      (low / 1.1...high * 1.1).contains($0)
    }
    return """
      \(tables.joined(separator: "\n"))
      set lmargin at screen \(min(0.5, (20 + 6.6 * Double(letters)) / Double(size.width)))
      set logscale x
      set xrange [\(low / 1.1):\(high * 1.1)]
      set xtics (\(ticks.map { String(format: "'%g' %g", $0, $0) }.joined(separator: ", ")))
      set yrange [0.3:\(Double(rows.count) + 0.7)]
      set ytics (\(labels.joined(separator: ", "))) scale 0
      set grid noytics
      set xlabel \(gnuplotQuoted(axis))
      set key outside top right horizontal maxrows 1 samplen 1
      set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead lw 1.2 \(Ink.mark.code)
      plot \(plots.joined(separator: ", "))
      """
  }
}
