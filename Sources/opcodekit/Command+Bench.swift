import CsoundHost
import Foundation
import Harness
import HarnessBase
import Rendering
import Statistics

extension Command {
  private static let seed = Option(
    name: "seed", value: "N", help: "Seed of the random order and of the intervals; default 1.")

  private static let instances = Option(
    name: "instances", value: "LIST",
    help: "Notes that play the opcode side by side, such as 1,10,1000; default 1.")

  private static let selfCheck = Option(
    name: "self-check", value: "N",
    help: """
      Instead, judge the benchmark: N runs of each opcode against itself, 5 against itself slowed \
      down by 5 %. Without NAME, of MOOGLADDER and ONEPOLE; exit code 1 when the slowdown is missed, \
      or when fewer of the N 99 % intervals hold 1 than would with a probability of 1 % (96 of 100).
      """)

  static let bench = Command(
    name: "bench", operands: "[NAME …]",
    summary: "Compare and benchmark opcodes against their rivals.",
    options: [
      .ksmps, .rates, .sampleRate, instances, seed, selfCheck, .plugin, .timeLimit(), .json,
    ]
      + SpeedTask.options
  ) { arguments throws(Failure) in
    var selection = try Project.selection(arguments)
    selection.instances = try arguments.wholeNumbers(instances, 1...1000)
    let runs = try arguments.wholeNumber(selfCheck, 1...10_000)
    let names = arguments.operands.isEmpty && runs != nil ? checkedNames : arguments.operands
    let pairings = try Project.pairings(names, selection)
    let task = try SpeedTask(arguments, selfCheck: selfCheck)
    let grid = try Project.grid(arguments, otherBuild: task.otherBuild)
    let export = try FileExport(arguments, .json)
    let seed = UInt64(try arguments.wholeNumber(seed, 0...Int.max) ?? 1)
    if let runs {
      return try check(grid, pairings, selection, runs: runs, seed: seed, export: export)
    }
    let callgrind = task.counts ? try Callgrind() : nil
    defer { callgrind?.close() }
    let (comparable, missing) = try task.comparable(pairings, selection, grid)
    var rows: [BenchmarkRow] = []
    for pairing in comparable {
      let line = ProgressLine(pairing.subject)
      rows += try grid.benchmark(
        pairing, selection, seed: seed, counting: callgrind, processes: task.processes
      ) { line.count($1) }
    }
    ProgressLine.clear()
    let provenance = Provenance.current(root: Project.root)
    let failure = rows.compactMap(\.failure).first
    if task.reference == nil || failure != nil {
      print(BenchTable(rows).text)
      for summary in GroupSummary.all(of: rows) { print(summary.text) }
      let results = BenchExport(
        rows, seed: seed, plugin: Project.plugin(arguments), provenance)
      try export?.write(results)
      BenchRun.leave(results)
    }
    if let failure { throw failure }
    try task.save(rows, provenance)
    rows = try task.repeatingSlower(
      rows, of: comparable, among: pairings, selection, missing, grid, seed: seed &+ 1)
    let report = try task.report(
      task.compare(rows, pairings, selection, missing), provenance, to: export)
    let compared = try conclude(rows.flatMap(\.cases))
    return switch report?.finding {
    case .slower: .slower
    case .incomplete: .checkFailed
    case .good, nil: compared
    }
  }
}

/// One row for each rate combination and ksmps.
struct BenchTable {
  let text: String

  init(_ rows: [BenchmarkRow]) {
    let hasSampleRates = Set(rows.map(\.sampleRate)).count > 1
    let hasInstances = Set(rows.map(\.instances)).count > 1
    let hasCounts = rows.contains { $0.countReport != nil }
    let heading =
      ["opcode", "rival", "rates"] + (hasSampleRates ? ["sr"] : [])
      + ["ksmps"] + (hasInstances ? ["instances"] : [])
      + [
        "per", "subject ns", "rival ns", "ratio", "99 %", "verdict", "null dB", "peak dBFS",
        "bytes", "rival bytes",
      ] + (hasCounts ? ["instr.", "rival instr."] : [])
    let words = rows.map { row in
      var words = [row.subject, row.rival, row.rates + (row.isSilence ? " silence" : "")]
      if hasSampleRates { words.append("\(Int(row.sampleRate))") }
      words.append("\(row.ksmps)")
      if hasInstances { words.append("\(row.instances)") }
      words.append(row.unit.rawValue)
      if let measurement = row.measurement {
        let ratio = measurement.ratio
        words += [measurement.subject.formatted(2), measurement.rival.formatted(2)]
        words +=
          measurement.hasRatio
          ? [ratio.value.formatted(2), "\(ratio.low.formatted(2))–\(ratio.high.formatted(2))"]
          : ["–", "–"]
        words.append(measurement.verdict.rawValue)
      } else {
        words += ["error", "", "", "", ""]
      }
      let failed = row.cases.contains { !$0.passed }
      words += [(failed ? "FAIL " : "") + row.nullDepth.decibels, row.peakError.decibels]
      let bytes = [row.measurement?.subjectBytes, row.measurement?.rivalBytes]
      words += bytes.map { $0.map { "\(Int($0.rounded()))" } ?? "–" }
      let counts = [row.instructions?.subject, row.instructions?.rival]
      return words + (hasCounts ? counts.map { $0?.formatted(2) ?? "error" } : [])
    }
    text =
      Table(
        rows: [heading] + words,
        alignment: heading.map {
          ["opcode", "rival", "rates", "per", "verdict"].contains($0) ? .left : .right
        }
      ).text
      + "\n\nns: the opcode alone, the orchestra without it subtracted."
      + " ratio: rival / subject, above 1 the subject is faster."
      + "\nverdict: too noisy to tell where the interval holds 1 and is wider than"
      + " \(Int(Verdict.precision * 100)) % either side."
      + "\nnull, peak: the worst of all compared cases at these rates and ksmps."
      + " bytes: heap memory that one more note takes."
      + (hasCounts ? " instr.: instructions." : "")
  }
}

/// The speed of a group of pairings at one ksmps.
struct GroupSummary: Codable {
  var group: String
  var ksmps: Int
  var pairings: Int
  /// Geometric mean of the pairings' ratios, each the geometric mean over its rates.
  var geometricMean: Double
  var smallestRatio: Double
  /// Where the smallest ratio is.
  var smallest: String

  /// One for each group and ksmps with a ratio, of one instance and a sounding signal.
  static func all(of rows: [BenchmarkRow]) -> [GroupSummary] {
    let timed = rows.filter {
      $0.group != nil && $0.instances == 1 && !$0.isSilence && $0.measurement?.hasRatio == true
    }
    let groups = Set(timed.compactMap(\.group)).sorted()
    return groups.flatMap { group in
      Set(timed.map(\.ksmps)).sorted().compactMap { ksmps in
        GroupSummary(group, ksmps, timed.filter { $0.group == group && $0.ksmps == ksmps })
      }
    }
  }

  private init?(_ group: String, _ ksmps: Int, _ rows: [BenchmarkRow]) {
    func ratio(_ row: BenchmarkRow) -> Double { row.measurement?.ratio.value ?? .nan }
    guard let worst = rows.min(by: { ratio($0) < ratio($1) }) else { return nil }
    let means = Dictionary(grouping: rows, by: \.pairing).values.map { rows in
      rows.reduce(0) { $0 + log(ratio($1)) } / Double(rows.count)
    }
    self.group = group
    self.ksmps = ksmps
    pairings = means.count
    geometricMean = exp(means.reduce(0, +) / Double(means.count))
    smallestRatio = ratio(worst)
    smallest = "\(worst.subject) \(worst.rates)"
  }

  var text: String {
    "\(group), \(pairings) pair\(pairings == 1 ? "" : "s") at ksmps \(ksmps): geometric mean"
      + " \(geometricMean.formatted(2)), smallest \(smallestRatio.formatted(2)) (\(smallest))."
  }
}

/// A benchmark in JSON.
struct BenchExport: Codable {
  struct Row: Codable {
    var pairing: String
    var group: String?
    var subject, rival, rates, unit: String
    var sampleRate: Double
    var ksmps, instances: Int
    var isSilence: Bool
    var subjectNanoseconds, rivalNanoseconds: Double?
    var ratio: Estimate?
    var verdict: Verdict?
    var rounds: Int?
    var casesCompared: Int
    var casesPassed: Int
    /// The subject's sound equals the rival's in every case.
    var isIdentical: Bool
    /// Absent where there is no number, as for identical sounds.
    var nullDepthDecibels, peakErrorDecibels: Double?
    /// Heap memory of one more note.
    var subjectBytes, rivalBytes: Double?
    /// Per unit; absent where they were not counted.
    var subjectInstructions, rivalInstructions: Double?
  }

  var date: String
  var csound: String
  var compiler: String
  /// The plugin the opcodes came from; absent when they were the tool's own.
  var plugin: String?
  var processor: String
  var seed: UInt64
  /// The probability with which an interval holds its ratio; absent in runs of older versions.
  var confidence: Double?
  var groups: [GroupSummary]
  var rows: [Row]

  init(_ rows: [BenchmarkRow], seed: UInt64, plugin: String?, _ provenance: Provenance) {
    self.plugin = plugin.map { ($0 as NSString).lastPathComponent }
    groups = GroupSummary.all(of: rows)
    compiler = provenance.compiler
    date = provenance.date
    csound = provenance.csound
    processor = provenance.processor
    self.seed = seed
    confidence = Estimate.confidence
    self.rows = rows.map { row in
      let measurement = row.measurement
      let hasRatio = measurement?.hasRatio == true
      return Row(
        pairing: row.pairing, group: row.group, subject: row.subject, rival: row.rival,
        rates: row.rates, unit: row.unit.rawValue, sampleRate: row.sampleRate, ksmps: row.ksmps,
        instances: row.instances, isSilence: row.isSilence,
        subjectNanoseconds: measurement?.subject.finite,
        rivalNanoseconds: measurement?.rival.finite, ratio: hasRatio ? measurement?.ratio : nil,
        verdict: measurement?.verdict, rounds: measurement?.rounds,
        casesCompared: row.cases.count, casesPassed: row.cases.filter(\.passed).count,
        isIdentical: row.nullDepth == -.infinity, nullDepthDecibels: row.nullDepth.finite,
        peakErrorDecibels: row.peakError.finite, subjectBytes: measurement?.subjectBytes,
        rivalBytes: measurement?.rivalBytes, subjectInstructions: row.instructions?.subject,
        rivalInstructions: row.instructions?.rival)
    }
  }
}
