import CsoundHost
import Foundation
import Harness

extension Command {
  private static let seed = Option(
    name: "seed", value: "N", help: "Seed of the random order and of the intervals; default 1.")

  static let bench = Command(
    name: "bench", operands: "[NAME …]",
    summary: "Compare and benchmark opcodes against their rivals.",
    options: [.ksmps, .rates, .sampleRate, seed, .plugin, .json]
  ) { arguments throws(Failure) in
    let selection = try Project.selection(arguments)
    let pairings = try Project.pairings(arguments.operands, selection)
    let grid = Project.grid(arguments)
    let export = try JSONExport(arguments)
    let seed = UInt64(try arguments.wholeNumber(seed, 0...Int.max) ?? 1)
    var rows: [BenchmarkRow] = []
    for pairing in pairings {
      let line = ProgressLine(pairing.subject)
      rows += try grid.benchmark(pairing, selection, seed: seed) { line.count($1) }
    }
    ProgressLine.clear()
    print(BenchTable(rows).text)
    try export?.write(BenchExport(rows, seed: seed))
    for row in rows where row.measurement == nil {
      throw row.report.failure(of: "Timing \(row.subject) \(row.rates) at ksmps \(row.ksmps)")
    }
    return try conclude(rows.flatMap(\.cases))
  }
}

/// One row for each rate combination and ksmps.
struct BenchTable {
  let text: String

  init(_ rows: [BenchmarkRow]) {
    let hasSampleRates = Set(rows.map(\.sampleRate)).count > 1
    let heading =
      ["opcode", "rival", "rates"] + (hasSampleRates ? ["sr"] : [])
      + [
        "ksmps", "per", "subject ns", "rival ns", "ratio", "95 %", "null dB", "peak dBFS",
      ]
    let words = rows.map { row in
      var words = [row.subject, row.rival, row.rates]
      if hasSampleRates { words.append("\(Int(row.sampleRate))") }
      words += ["\(row.ksmps)", row.unit.rawValue]
      if let measurement = row.measurement {
        let ratio = measurement.ratio
        words += [measurement.subject.formatted(2), measurement.rival.formatted(2)]
        words +=
          measurement.isTooNoisy
          ? ["too noisy", "to tell"]
          : [ratio.value.formatted(2), "\(ratio.low.formatted(2))–\(ratio.high.formatted(2))"]
      } else {
        words += ["error", "", "", ""]
      }
      let failed = row.cases.contains { !$0.passed }
      return words + [(failed ? "FAIL " : "") + row.nullDepth.decibels, row.peakError.decibels]
    }
    text =
      Table(
        rows: [heading] + words,
        alignment: heading.map {
          ["opcode", "rival", "rates", "per"].contains($0) ? .left : .right
        }
      ).text
      + "\n\nns: the opcode alone, the orchestra without it subtracted."
      + " ratio: rival / subject, above 1 the subject is faster."
      + "\nnull, peak: the worst of all compared cases at these rates and ksmps."
  }
}

/// A benchmark in JSON.
struct BenchExport: Encodable {
  struct Row: Encodable {
    var subject, rival, rates, unit: String
    var sampleRate: Double
    var ksmps: Int
    var subjectNanoseconds, rivalNanoseconds: Double?
    var ratio: Estimate?
    var isTooNoisy: Bool?
    var rounds: Int?
    var casesCompared: Int
    var casesPassed: Int
    /// The subject's sound equals the rival's in every case.
    var isIdentical: Bool
    /// Absent where there is no number, as for identical sounds.
    var nullDepthDecibels, peakErrorDecibels: Double?
  }

  var date: String
  var csound: String
  var processor: String
  var seed: UInt64
  var rows: [Row]

  init(_ rows: [BenchmarkRow], seed: UInt64) {
    date = ISO8601DateFormatter().string(from: Date())
    csound = Csound.version
    processor = Self.processorName
    self.seed = seed
    self.rows = rows.map { row in
      let measurement = row.measurement
      let hasRatio = measurement?.ratio.value.isFinite == true
      return Row(
        subject: row.subject, rival: row.rival, rates: row.rates, unit: row.unit.rawValue,
        sampleRate: row.sampleRate, ksmps: row.ksmps,
        subjectNanoseconds: measurement?.subject.finite,
        rivalNanoseconds: measurement?.rival.finite, ratio: hasRatio ? measurement?.ratio : nil,
        isTooNoisy: measurement?.isTooNoisy, rounds: measurement?.rounds,
        casesCompared: row.cases.count, casesPassed: row.cases.filter(\.passed).count,
        isIdentical: row.nullDepth == -.infinity, nullDepthDecibels: row.nullDepth.finite,
        peakErrorDecibels: row.peakError.finite)
    }
  }

  private static var processorName: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
      ?? "unknown"
  }
}
