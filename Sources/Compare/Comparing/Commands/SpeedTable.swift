import CommandKit
import Foundation
import FoundationXML
import HarnessBase
import Rendering

/// A comparison of speed as a table: a row for each row of the benchmark, then a summary.
struct SpeedTable {
  private let report: SpeedReport
  private let headings: [String]
  private let rows: [[String]]
  private let notes: [String]

  /// `origin` tells where a baseline was made; nil if another build is the reference.
  init(_ report: SpeedReport, origin: Provenance?, present: Provenance) {
    self.report = report
    let compared = report.changes.filter { $0.missing == nil }
    let hasInstances = Set(compared.map(\.place.instances)).count > 1
    let hasSampleRates = Set(compared.map(\.place.sampleRate)).count > 1
    let hasCounts = compared.contains { $0.instructions != nil }
    let figure = origin == nil ? "ns" : "ratio"
    let headings =
      ["opcode", "rival", "rates"] + (hasSampleRates ? ["sr"] : []) + ["ksmps"]
      + (hasInstances ? ["instances"] : [])
      + ["per", "\(figure) was", "\(figure) is", "cost", "99 %", "verdict"]
      + (hasCounts ? ["instr. were", "instr. are", "count", "verdict"] : [])
    self.headings = headings
    rows = compared.map { item in
      let place = item.place
      var cells = [place.subject, place.rival, place.rates + (place.isSilence ? " silence" : "")]
      if hasSampleRates { cells.append("\(Int(place.sampleRate.rounded()))") }
      cells.append("\(place.ksmps)")
      if hasInstances { cells.append("\(place.instances)") }
      cells.append(place.unit.rawValue)
      cells += item.timing.map { Self.cells($0, interval: true) } ?? []
      if hasCounts { cells += item.instructions.map { Self.cells($0, interval: false) } ?? [] }
      return cells + Array(repeating: "", count: headings.count - cells.count)
    }
    notes = Self.notes(report, origin, present)
  }

  private static func cells(_ change: CostChange, interval: Bool) -> [String] {
    func figure(_ value: Double?) -> String { value?.formatted(2) ?? "–" }
    let percent = change.change
    return [figure(change.before), figure(change.now), percent?.value.change ?? "–"]
      + (interval ? [percent.map { "\($0.low.change)…\($0.high.change)" } ?? "–"] : [])
      + [interval ? change.verdict.rawValue : change.verdict.ofCounts]
  }

  private static func notes(
    _ report: SpeedReport, _ origin: Provenance?, _ present: Provenance
  ) -> [String] {
    var notes = [report.summary]
    for item in report.changes {
      if let place = item.absence(from: report.reference) { notes.append(place) }
    }
    guard let origin else { return notes }
    let commit = origin.commit.map { ", commit \($0)" } ?? ""
    notes.append("\(report.reference.capitalizedFirst): \(origin.date)\(commit).")
    let differences = origin.differences(from: present)
    if !differences.isEmpty {
      notes.append(
        "It was made elsewhere, where subject and rival may stand otherwise to each other: "
          + differences.joined(separator: "; ") + ".")
    }
    return notes
  }

  var text: String {
    let left = ["opcode", "rival", "rates", "per", "verdict"]
    let table = Table(
      rows: [headings] + rows, alignment: headings.map { left.contains($0) ? .left : .right })
    return """
      \(table.text)

      cost: what a unit costs now, over what it cost. slower: all of the interval is above the threshold.

      \(notes.joined(separator: "\n"))
      """
  }

  var markdown: String {
    var table = MarkdownTable(headings)
    for row in rows { table.add(row) }
    return "## Speed against \(report.reference)\n\n\(table.text)\n"
      + notes.map { "- \($0)\n" }.joined()
  }
}

extension SpeedReport {
  /// The rows that are slower in time.
  var slowerPlaces: [BenchmarkPlace] {
    changes.filter { $0.timing?.verdict == .slower }.map(\.place)
  }

  /// How many rows have each verdict, in one sentence.
  var summary: String {
    func count(_ verdict: Verdict, _ changes: [CostChange?]) -> Int {
      changes.count { $0?.verdict == verdict }
    }
    func list(_ changes: [CostChange?], _ word: (Verdict) -> String) -> String {
      [Verdict.slower, .faster, .same, .tooNoisy].filter { count($0, changes) > 0 }
        .map { "\(count($0, changes)) \(word($0))" }.joined(separator: ", ")
    }
    let timings = changes.map(\.timing)
    let counts = changes.map(\.instructions)
    let missing = changes.count { $0.missing != nil }
    var parts: [String] = []
    if timings.contains(where: { $0 != nil }) {
      parts.append("time, threshold \(thresholds.time.percent): " + list(timings, \.rawValue))
    }
    if counts.contains(where: { $0 != nil }) {
      parts.append(
        "instructions, threshold \(thresholds.instructions.percent): " + list(counts, \.ofCounts))
    }
    if missing > 0 { parts.append("\(missing) without a counterpart") }
    return "Against \(reference): " + parts.joined(separator: "; ") + "."
  }
}

extension SpeedChange {
  /// Says what the row lacks, and on which side; nil if nothing.
  func absence(from reference: String) -> String? {
    func side(_ side: Side) -> String { side == .reference ? reference : "this run" }
    if let missing { return "Not in \(side(missing)): \(place.title)." }
    return uncounted.map { "No instruction count in \(side($0)): \(place.title)." }
  }
}

extension Verdict {
  /// The verdict in words for a number of instructions.
  var ofCounts: String {
    switch self {
    case .slower: "more"
    case .faster: "fewer"
    case .same, .tooNoisy: rawValue
    }
  }
}

extension Double {
  /// A factor as a change in percent, such as `+5.2 %`.
  fileprivate var change: String { String(format: "%+.1f %%", (self - 1) * 100) }

  /// A fraction in percent.
  fileprivate var percent: String { String(format: "%g %%", self * 100) }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// A comparison of speed in JSON.
struct SpeedExport: Encodable {
  var report: SpeedReport
  /// Where the baseline was made; absent if another build is the reference.
  var origin: Provenance?
  var present: Provenance
}

extension JUnit.Suite {
  /// A case for each row. A slower row is a failure, a missing row an error, and a row without a
  /// verdict is skipped.
  init(_ report: SpeedReport) {
    let name = "speed against \(report.reference)"
    let cases = report.changes.map { item in
      let verdicts = [item.timing?.verdict, item.instructions?.verdict].compactMap(\.self)
      let account = [
        item.timing.flatMap { change in change.change.map { "cost \($0.value.change)" } },
        item.instructions.flatMap { change in change.change.map { "count \($0.value.change)" } },
      ].compactMap(\.self).joined(separator: ", ")
      let outcome: JUnit.Case.Outcome =
        if verdicts.contains(.slower) {
          .failure("slower than \(report.reference): \(account)")
        } else if let absence = item.absence(from: report.reference) {
          .error(absence)
        } else if verdicts.allSatisfy({ $0 == .tooNoisy }) {
          .skipped(Verdict.tooNoisy.rawValue)
        } else {
          .success
        }
      return JUnit.Case(name: "\(item.place.pairing) \(item.place.title)", outcome: outcome)
    }
    self.init(name: name, cases: cases)
  }
}
