import Foundation
import HarnessBase
import Rendering
import Synchronization

/// The part of a command's work that is done here: all of it, or the part of `--shard`.
package final class SharedRun<Report: SharedReport>: Sendable {
  package let shard: Shard
  /// The indices of the units to do, from 0.
  package let own: [Int]
  package let progress: RowProgress
  private let report: Report
  private let units: [String]
  private let arguments: Arguments
  private let results: String?
  /// Nil unless results are kept for `merge`. Set before the work, because no program is started after an interruption.
  private let provenance: Provenance?
  private let findings = Mutex<[Int: Report.Finding]>([:])

  /// The options that say where results go and how the work is done; they do not change what is found.
  private static var settings: [String] {
    ["shard", "results", "json", "junit", "markdown", "jobs", "evidence", "only-failed"]
  }

  /// - Parameters:
  ///   - units: the names of all units, in the same order on every machine.
  ///   - splits: whether every part does some of the work on every unit.
  package init(
    _ arguments: Arguments, _ report: Report, units: [String], splits: Bool = false
  ) throws(Failure) {
    let shard = arguments[Shard.shard]
    (self.report, self.units, self.arguments, self.shard) = (report, units, arguments, shard)
    own = units.indices.filter { splits || shard.holds($0) }
    results = arguments[Shard.results]
    provenance = results == nil ? nil : Project.provenance(arguments)
    progress = RowProgress(own.count)
    guard !own.isEmpty || units.isEmpty || results != nil else {
      throw .usage(
        "--shard is \(shard.part)/\(shard.count), but the work has only \(units.count.counted("unit"));"
          + " take fewer parts, or add --results FILE, because merge needs every part.")
    }
    if results != nil {
      _ = try FileExport(arguments, Shard.results)
      for option in Report.exports where arguments.has(option) {
        throw .usage(
          "--results keeps one part, but --\(option.name) is for all; give --\(option.name) to"
            + " ./opcodekit merge.")
      }
    }
    // Fails before the work if one of the files cannot be written.
    _ = try Exports(arguments, Report.exports)
    if let heading = report.heading(part: shard.words, units: units.count) { print(heading) }
  }

  /// Prints a unit's finding. May be called from any thread; prints one finding at a time.
  package func found(_ finding: Report.Finding, unit: Int) {
    findings.withLock { $0[unit] = finding }
    report.print(finding, progress)
  }

  /// Does the work, which passes each finding to `found`, then reports the findings or keeps them. After an
  /// interruption these are the findings until then, and the failure says how many units they cover.
  package func finish(_ work: () throws(Failure) -> Void) throws(Failure) -> ExitCode {
    try PartialRun.keeping(
      Report.things, of: own.count, finished: { findings.withLock(\.count) }, work: work,
      conclude: conclude)
  }

  private func conclude(_ partial: PartialRun?) throws(Failure) -> ExitCode {
    ProgressLine.clear()
    let found = findings.withLock { $0.sorted { $0.key < $1.key } }
    guard var results = try FileExport(arguments, Shard.results), let provenance else {
      return try report.conclude(
        found.map(\.value), units: partial?.finished ?? own.count,
        try Exports(arguments, Report.exports, partial: partial))
    }
    let file = ResultsFile(
      shard: shard, operands: arguments.operands,
      options: arguments.askedFor.filter { !Self.settings.contains($0.key) },
      provenance: provenance, units: units, partial: partial, report: report,
      entries: found.map { ResultsFile.Entry(unit: $0.key, finding: $0.value) })
    results.extent = RunExtent(partial)
    do {
      let text = String(decoding: try JSONCoding.encode(file), as: UTF8.self)
      try results.write(text + "\n")
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .internalFault("The results cannot be written as JSON: \(error).")
    }
    return .success
  }
}

extension SharedReport {
  func print(_ finding: Finding, _ progress: RowProgress) {
    let text = row(finding)
    if Self.numbersRows {
      progress.print(text)
    } else {
      if let text { CommandKit.print(text) }
      // So that a long run can be followed in a file, too.
      fflush(nil)
    }
  }
}
