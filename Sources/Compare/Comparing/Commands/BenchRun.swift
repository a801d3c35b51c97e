import CommandKit
import Foundation
import HarnessBase

/// A run of `bench`, read from a file: one kept with `--json`, or the last run.
package struct BenchRun {
  /// The file in which `bench` leaves its last run.
  private static let last = Project.written + "/build/bench.json"

  package var path: String
  package var results: BenchExport

  package init(readingFrom path: String) throws(Failure) {
    self.path = path
    results = try DataFile.read(
      BenchExport.self, from: path, as: "a run as bench --json writes it")
  }

  /// Leaves a run for `report`. If that fails, prints a message.
  package static func leave(_ results: BenchExport) {
    try? makeDirectory(last.parentPath)
    do throws(Failure) {
      try FileExport(last).write(ResultsText.of(results), isTold: false)
    } catch {
      printError("opcodekit: report will not show this run: \(error.message)")
    }
  }

  /// The last run's duration divided by its expected duration; 1 if it had another effort, or there is none.
  static func pace(_ effort: Benchmark.Effort) -> Double {
    guard let duration = try? BenchRun(readingFrom: last).results.duration,
      duration.effort == effort, duration.expectedSeconds > 0
    else { return 1 }
    return duration.seconds / duration.expectedSeconds
  }

  /// The runs in these files, the latest first. If no files are named, the last run and those in `Benchmarks/results`.
  package static func all(_ files: [String]?) throws(Failure) -> [BenchRun] {
    let directory = Project.root + "/Benchmarks/results"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let last = FileManager.default.fileExists(atPath: last) ? [last] : []
    let kept =
      names.filter { $0.hasSuffix(".json") }.sorted().map { "\(directory)/\($0)" } + last
    var runs: [BenchRun] = []
    for path in files ?? kept { runs.append(try BenchRun(readingFrom: path)) }
    return runs.sorted { $0.results.date > $1.results.date }
  }

  package var name: String {
    path == Self.last ? "the last run" : (path as NSString).lastPathComponent
  }

  /// The probability of the run's intervals, in words.
  package var intervals: String {
    results.confidence.map { "intervals of \(Int(($0 * 100).rounded())) %" }
      ?? "intervals of a probability it does not tell"
  }

  /// When, where and with what the run was made.
  package var provenance: String {
    let plugin = results.plugin.map { ", opcodes of `\($0)`" } ?? ""
    let part = results.partial.map { ", stopped after \($0.finished) of \($0.count) rows" } ?? ""
    return "\(results.date), \(results.processor), Csound \(results.csound), \(results.compiler),"
      + " seed \(results.seed)\(plugin)\(part); \(intervals)"
  }

  /// A chart of the ratios at one ksmps, for sounding signals and one instance; nil if no row has an interval.
  package func ratioChart(_ rows: [BenchExport.Row]) -> (chart: IntervalChart, ksmps: Int)? {
    let timed = rows.filter { !$0.isSilence && $0.instances == 1 && $0.ratio != nil }
    // The timed ksmps nearest to 64.
    guard let ksmps = Set(timed.map(\.ksmps)).min(by: { abs($0 - 64) < abs($1 - 64) }) else {
      return nil
    }
    let chart = IntervalChart(
      timed.filter { $0.ksmps == ksmps }.compactMap { row in
        row.ratio.map {
          .init(
            label: "\(row.subject) \(row.rates) : \(row.rival)", ratio: $0,
            verdict: row.judgement)
        }
      }, axis: "cost of the rival over cost of the subject; right of the line the subject is faster"
    )
    return (chart, ksmps)
  }

  /// What a cost is plotted against.
  package enum Quantity { case ksmps, instances }

  /// A chart for each pairing, at its first rates, of cost against ksmps or the number of instances. A pairing timed at
  /// fewer than three ksmps, or two numbers of instances, has none.
  package func costCharts(
    _ rows: [BenchExport.Row], against quantity: Quantity
  ) -> [(title: String, chart: Chart)] {
    var titles: [String] = []
    var groups: [String: [BenchExport.Row]] = [:]
    for row in rows where !row.isSilence && (quantity == .instances || row.instances == 1) {
      if groups[row.pairing] == nil { titles.append(row.pairing) }
      let first = groups[row.pairing]?.first
      guard first == nil || first?.rates == row.rates else { continue }
      groups[row.pairing, default: []].append(row)
    }
    return titles.compactMap { title in
      let group = groups[title] ?? []
      let places = group.map { Double(quantity == .ksmps ? $0.ksmps : $0.instances) }
      guard Set(places).count >= (quantity == .ksmps ? 3 : 2), let first = group.first else {
        return nil
      }
      func curve(_ name: String, _ cost: (BenchExport.Row) -> Double?) -> Curve {
        let points = zip(places, group.map(cost)).sorted { $0.0 < $1.0 }
        return Curve(
          name, x: points.map(\.0), y: points.map { $0.1.map { $0 > 0 ? $0 : .nan } ?? .nan })
      }
      var chart = Chart(
        x: .logarithmic(quantity == .ksmps ? "ksmps" : "instances"),
        y: .logarithmic("ns per \(first.unit)"),
        [
          curve(first.subject) { $0.subjectNanoseconds },
          curve(first.rival) { $0.rivalNanoseconds },
        ])
      chart.size = (300, 220)
      chart.hasMarks = true
      return ("\(title), \(first.rates)", chart)
    }
  }
}

extension BenchExport.Row {
  /// The verdict, also for an older run that did not record it.
  package var judgement: Verdict {
    if let verdict { return verdict }
    return Measurement(
      subject: subjectNanoseconds ?? .nan, rival: rivalNanoseconds ?? .nan,
      ratio: ratio ?? Estimate(value: .nan, low: .nan, high: .nan), rounds: rounds ?? 0
    ).verdict
  }

  /// The null depth in dB, "identical", or "none".
  package var nullWords: String {
    isIdentical ? "identical" : nullDepthDecibels?.formatted(1) ?? "none"
  }
}

extension Page {
  /// Adds a table of the rows of a run; the names of `known` opcodes become links.
  package mutating func add(_ rows: [BenchExport.Row], linking known: Set<String>) {
    let hasSeveral = Set(rows.map(\.instances)).count > 1
    let headings =
      ["opcode", "rival", "rates", "ksmps"] + (hasSeveral ? ["instances"] : [])
      + ["per", "subject ns", "rival ns", "ratio", "interval", "verdict", "null dB"]
    let first = hasSeveral ? 6 : 5
    add(
      table: headings,
      numbers: Set([3] + (hasSeveral ? [4] : []) + Array(first...first + 3) + [first + 5]),
      rows.map { row in
        let opcode = row.subject.escaped
        let link = known.contains(row.subject) ? "<a href=\"\(opcode).html\">\(opcode)</a>" : opcode
        let interval = row.ratio.map { "\($0.low.formatted(2))–\($0.high.formatted(2))" } ?? "–"
        return [
          link, row.rival.escaped,
          "<span class=\"name\">\((row.rates + (row.isSilence ? " silence" : "")).escaped)</span>",
          "\(row.ksmps)",
        ] + (hasSeveral ? ["\(row.instances)"] : []) + [
          row.unit, row.subjectNanoseconds?.formatted(2) ?? "–",
          row.rivalNanoseconds?.formatted(2) ?? "–", row.ratio?.value.formatted(2) ?? "–", interval,
          row.judgement.rawValue,
          (row.casesPassed < row.casesCompared ? "FAIL " : "") + row.nullWords,
        ]
      })
  }
}
