import CommandKit
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let input = Option(
    name: "input", value: "FILE", help: "Compare on this sound file, at its own sample rate.")

  static func compare(building build: ProductBuild?) -> Command {
    Command(
      name: "compare", operands: "[NAME …]",
      summary: "Compare opcodes with their rivals, case by case.",
      options: [
        input, .ksmps, .rates, .sampleRate, .plugin, .playedCsound, .arch, .timeLimit, .json,
      ] + Shard.options
    ) { arguments throws(Failure) in
      let selection = Selection(arguments)
      guard arguments[input] == nil || selection.sampleRates == nil else {
        throw .usage("The file of --input has its own rate; leave out --sample-rate.")
      }
      let path = arguments[input].map { URL(fileURLWithPath: $0).path }
      var failures: [Failure] = []
      let pairings = try Pairing.chosen(
        arguments.operands, selection, on: arguments.target.csound, building: build,
        failures: &failures)
      var grid = try Grid(arguments)
      grid.player = try arguments.player()
      let takeSignals = pairings.contains { $0.input != nil }
      let compared = pairings.filter { arguments[input] == nil || !takeSignals || $0.input != nil }
      if let path { try requireReadableFile(path) }
      let deaf = arguments.operands.filter { name in !compared.contains { $0.answers(to: name) } }
      if !deaf.isEmpty {
        printError(
          "opcodekit: left out, because no signal goes in: \(deaf.joined(separator: ", "))")
      }
      let run = try SharedRun(
        arguments, CompareReport(failures: failures), units: compared.map(\.name))
      defer { ProgressLine.clear() }
      return try run.finish { () throws(Failure) in
        for unit in run.own {
          var finding = ComparedPairing(compared[unit])
          let line = ProgressLine(finding.subject, among: run.progress)
          do throws(Failure) {
            finding.cases = try grid.compare(compared[unit], input: path, selection) {
              line.count($1)
            }
          } catch {
            // If a pairing cannot be played, the others are still compared.
            guard [.badInput, .missingInput, .unavailable].contains(error.kind) else { throw error }
            finding.failure = error
          }
          run.found(finding, unit: unit)
        }
      }
    }
  }
}

/// The results of all cases of a pairing.
struct ComparedPairing: Codable, Sendable {
  var subject, rival: String
  var rates: [String]
  var cases: [ComparedCase] = []
  /// Why the pairing cannot be played; nil if it can.
  var failure: Failure?

  init(_ pairing: Pairing) {
    subject = pairing.subject
    rival = pairing.rival
    rates = pairing.rates.map(\.name)
  }
}

struct CompareReport: SharedReport {
  /// Why pairings cannot be read, one failure each.
  var failures: [Failure]

  static var command: String { "compare" }
  static var things: String { "pairs" }

  func row(_ pairing: ComparedPairing) -> String? {
    pairing.failure == nil ? pairing.table + "\n" : nil
  }

  func conclude(
    _ pairings: [ComparedPairing], units: Int, _ exports: Exports
  ) throws(Failure) -> ExitCode {
    let cases = pairings.flatMap(\.cases)
    var failures = failures + pairings.compactMap(\.failure)
    var exports = exports
    exports.extent = RunExtent(exports.partial, isRefused: !failures.isEmpty)
    try exports[.json]?.write(cases.map(CaseExport.init))
    guard !failures.isEmpty else { return try Self.conclude(cases) }
    do throws(Failure) {
      if !cases.isEmpty { _ = try Self.conclude(cases) }
    } catch {
      failures.append(error)
    }
    try Failure.raise(failures)
    return .checkFailed
  }

  /// Prints the cases that did not pass; returns the exit code of the gravest.
  static func conclude(_ cases: [ComparedCase]) throws(Failure) -> ExitCode {
    guard !cases.isEmpty else {
      throw .usage("Nothing was compared; widen --ksmps, --rates or --sample-rate.")
    }
    let failed = cases.filter { !$0.passed }
    for item in failed.prefix(10) { print(item.account) }
    if failed.count > 10 {
      print("… and \(failed.count - 10) more; compare --json lists them all.")
    }
    for item in cases {
      if case .failed(let failure) = item.report { throw failure }
    }
    return failed.isEmpty ? .success : .checkFailed
  }
}

extension ComparedPairing {
  /// A table with a row for each case: the largest null depth at each combination of rates.
  fileprivate var table: String {
    var names: [String] = []
    for item in cases where !names.contains(item.name) { names.append(item.name) }
    let rates = self.rates.filter { name in cases.contains { $0.rates == name } }
    var rows = [["case"] + rates + ["limit", "peak error", "renders"]]
    for name in names {
      let group = cases.filter { $0.name == name }
      let depths = rates.map { rate in Self.worst(group.filter { $0.rates == rate }) }
      let peak = group.compactMap { $0.comparison?.peakError }.max() ?? .nan
      rows.append(
        [name] + depths + [(group.map(\.tolerance).max() ?? .nan).decibels, peak.decibels]
          + ["\(group.count)"])
    }
    let table = Table(
      rows: rows, alignment: [.left] + Array(repeating: .right, count: rates.count + 3))
    let sampleRates = Set(cases.map(\.sampleRate)).sorted().map { "\(Int($0))" }
    let ksmps = Set(cases.map(\.ksmps)).sorted().map { "\($0)" }
    return """
      \(subject) against \(rival): worst null depth in dB over \
      sr \(sampleRates.joined(separator: ", ")) and ksmps \(ksmps.joined(separator: ", "))
      \(table.text)
      """
  }

  private static func worst(_ cases: [ComparedCase]) -> String {
    let comparisons = cases.compactMap(\.comparison)
    guard comparisons.count == cases.count else { return "error" }
    if comparisons.contains(where: { $0.verdict == .rivalSilent }) { return "FAIL silent" }
    let depth = (comparisons.map(\.nullDepth).max() ?? .nan).decibels
    return cases.allSatisfy(\.passed) ? depth : "FAIL \(depth)"
  }
}

extension ComparedCase {
  /// What happened in a case that did not pass, in one or two sentences.
  var account: String {
    let place =
      "\(subject), case '\(name)', \(rates), sr \(Int(sampleRate.rounded())), ksmps \(ksmps)"
    guard let comparison else { return "\(place): \(report.failure(of: "the render").message)" }
    let worst = comparison.worst
    let point =
      "channel \(worst.channel), sample \(worst.frame)"
      + " (\((Double(worst.frame) / sampleRate).formatted(4)) s):"
      + " \(subject) \(worst.subject), \(rival) \(worst.rival)"
    let what =
      switch comparison.verdict {
      case .passed: "passed"
      case .exceedsTolerance:
        "the null depth \(comparison.nullDepth.decibels) dB is above"
          + " \(tolerance.decibels) dB; largest difference in \(point)"
      case .notFinite: "a sample is not a finite number, first in \(point)"
      case .differentShape: "the two sounds differ in length or channels"
      case .rivalSilent: "the rival is silent, so the case shows nothing"
      }
    return "\(place): \(what).\n  Wrote \(evidence.files)"
  }
}

extension Evidence {
  /// The files as short text, relative to the current directory if they lie below it.
  fileprivate var files: String {
    let here = FileManager.default.currentDirectoryPath + "/"
    let path = subject.hasPrefix(here) ? String(subject.dropFirst(here.count)) : subject
    let directory = path.parentPath
    let hasDifference = FileManager.default.fileExists(atPath: difference)
    let sounds = "\(directory)/{subject,rival\(hasDifference ? ",difference" : "")}.wav"
    return FileManager.default.fileExists(atPath: orchestra)
      ? "\(sounds) and \((orchestra as NSString).lastPathComponent)" : sounds
  }
}

/// A compared case in JSON.
struct CaseExport: Encodable {
  var pairing, subject, rival, name, rates, verdict: String
  var sampleRate: Double
  var ksmps: Int
  var toleranceDecibels: Double
  /// Absent if there is no finite number: for identical sounds, and for sounds that could not be
  /// compared.
  var nullDepthDecibels, peakErrorDecibels: Double?
  var worst: Comparison.Point?
  var evidence: Evidence?

  init(_ item: ComparedCase) {
    pairing = item.pairing
    subject = item.subject
    rival = item.rival
    name = item.name
    rates = item.rates
    sampleRate = item.sampleRate
    ksmps = item.ksmps
    toleranceDecibels = item.tolerance
    guard let comparison = item.comparison else {
      verdict = item.report.failure(of: "the render").message
      return
    }
    let isIdentical = comparison.verdict == .passed && comparison.nullDepth == -.infinity
    verdict = isIdentical ? "identical" : comparison.verdict.rawValue
    nullDepthDecibels = comparison.nullDepth.finite
    peakErrorDecibels = comparison.peakError.finite
    if !item.passed {
      evidence = item.evidence
      if comparison.worst.subject.isFinite && comparison.worst.rival.isFinite {
        worst = comparison.worst
      }
    }
  }
}
