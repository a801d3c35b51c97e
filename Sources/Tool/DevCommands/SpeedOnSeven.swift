import CommandKit
import Foundation
import HarnessBase
import SpeedCommands
import Statistics

/// What the rivals cost in Csound 7.0 beside Csound 6.18, from recorded runs of `bench` at ksmps 64.
///
/// The opcodes of the pack are the same code in both, so the ratios to them tell the change, also if the runs were made
/// on different days.
package struct SpeedOnSeven {
  private typealias Row = BenchExport.Row

  /// A change of less than this fraction does not count.
  private static let threshold = 0.1

  private let six, seven: BenchExport

  package init(six: BenchExport, seven: BenchExport) {
    self.six = six
    self.seven = seven
  }

  /// A line for each pair, with the rival's time in 7.0 divided by that in 6.18; then how many changed.
  package var text: String {
    var table = MarkdownTable([
      "rival", "opcode", "times as fast in 6.18", "in 7.0", "the rival's time in 7.0",
      "in 7.0 it is",
    ])
    var words: [String: Int] = [:]
    for line in lines {
      words[line.word, default: 0] += 1
      table.add([
        "`\(line.rival)`", line.subject, Self.range(line.pairs.map(\.0.value)),
        Self.range(line.pairs.map(\.1.value)), Self.range(line.changes.map(\.value)), line.word,
      ])
    }
    for (title, group) in [("Csound's opcodes", "pack"), ("user-defined opcodes", "udo")] {
      table.add(["geometric mean of \(title)", "", mean(six, group), mean(seven, group), "", ""])
    }
    let counts = words.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
      .map { "\($0.key) \($0.value)" }
    return table.text + "\nRivals: \(counts.joined(separator: ", ")).\n"
  }

  /// The lowest ratio of 7.0 whose whole interval is below 1, as a sentence; nil if there is none.
  package var slowest: String? {
    let slower = seven.rows.filter { ($0.ratio?.high ?? 1) < 1 }
    guard let row = slower.min(by: { $0.ratio!.value < $1.ratio!.value }) else { return nil }
    return "\(row.subject) \(row.rates) at ksmps \(row.ksmps): \(row.ratio!.value.formatted(2))"
  }

  /// A pair at all of its rates.
  private struct Line {
    var rival, subject: String
    /// The ratios in both Csounds at the rates at which both are known.
    var pairs: [(Estimate, Estimate)]

    /// The rival's time in 7.0 divided by that in 6.18, at the rates at which this is known well.
    var changes: [Estimate] {
      pairs.map { Estimate(dividing: $1, by: $0) }.filter { $0.low > 0 && $0.high < 2 * $0.low }
    }

    var word: String {
      let verdicts = Set(changes.map { $0.verdict(beyond: threshold) }).subtracting([.tooNoisy])
      guard let verdict = verdicts.first else { return "too noisy to tell" }
      if verdicts.isSuperset(of: [.faster, .slower]) { return "faster or slower" }
      if verdicts.contains(.faster) { return "faster" }
      if verdicts.contains(.slower) { return "slower" }
      return verdict == .same ? "as fast" : "too noisy to tell"
    }
  }

  private var lines: [Line] {
    let before = Dictionary(six.rows.map { (Self.place($0), $0) }) { first, _ in first }
    var lines: [Line] = []
    var places: [String: Int] = [:]
    for row in seven.rows where row.ksmps == 64 && !row.isSilence && row.instances == 1 {
      guard let now = row.ratio, let old = before[Self.place(row)]?.ratio else { continue }
      let place = places[row.pairing] ?? lines.count
      if place == lines.count {
        places[row.pairing] = place
        lines.append(Line(rival: row.rival, subject: row.subject, pairs: []))
      }
      lines[place].pairs.append((old, now))
    }
    return lines.sorted { $0.rival.lowercased() < $1.rival.lowercased() }
  }

  private static func place(_ row: Row) -> String {
    "\(row.pairing) \(row.rates) \(row.ksmps) \(row.isSilence) \(row.instances) \(row.sampleRate)"
  }

  private func mean(_ run: BenchExport, _ group: String) -> String {
    run.groups.first { $0.group == group && $0.ksmps == 64 }?.geometricMean.formatted(2) ?? "–"
  }

  /// From the smallest to the largest value.
  private static func range(_ values: [Double]) -> String {
    guard let low = values.min()?.formatted(2), let high = values.max()?.formatted(2) else {
      return "–"
    }
    return low == high ? low : "\(low)–\(high)"
  }
}
