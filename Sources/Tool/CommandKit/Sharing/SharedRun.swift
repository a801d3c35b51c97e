import Foundation
import HarnessBase
import Rendering
import Synchronization
import Workers

/// The part of a command's work that is done here: all of it, or what `--shard` says.
package final class SharedRun<Report: SharedReport>: Sendable {
  package let shard: Shard
  /// The units to be done, counted from 0.
  package let own: [Int]
  package let progress: RowProgress
  private let report: Report
  private let units: [String]
  private let arguments: Arguments
  private let results: String?
  /// Nil where nothing is kept for `merge`: after an interruption no program is asked any more.
  private let provenance: Provenance?
  private let findings = Mutex<[Int: Report.Finding]>([:])
  /// How many units there is nothing to say of.
  private let leftOut = Mutex(0)

  /// What says where things go and how the work is done, and nothing of what is found.
  private static var settings: [String] {
    ["shard", "results", "json", "junit", "markdown", "jobs", "evidence", "only-failed"]
  }

  /// - Parameters:
  ///   - units: their names, the same on every machine.
  ///   - splits: whether every part does something of every unit.
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
      throw Failure(
        .usage,
        "--shard is \(shard.part)/\(shard.count) and there are \(units.count) to share; take fewer parts,"
          + " or add --results FILE, as merge wants all parts.")
    }
    if results != nil {
      _ = try FileExport(arguments, Shard.results)
      for option in Report.exports where arguments.has(option) {
        throw Failure(
          .usage,
          "--results keeps a part and --\(option.name) is of the whole; give --\(option.name) to"
            + " ./opcodekit merge.")
      }
    }
    // Refused before the work where they cannot be written.
    _ = try Exports(arguments, Report.exports)
    if let heading = report.heading(part: shard.words, units: units.count) { print(heading) }
  }

  /// Which unit each of the paths is that the units are.
  package func numbers(of paths: [String]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(paths, paths.indices))
  }

  /// Prints what a unit gave; from any thread, one at a time.
  package func found(_ finding: Report.Finding, unit: Int) {
    findings.withLock { $0[unit] = finding }
    report.print(finding, progress)
  }

  /// Counts a unit as done that there is nothing to say of; from any thread.
  package func foundNothing() { leftOut.withLock { $0 += 1 } }

  /// Does the work, which tells what it finds, and reports on that or keeps it. After an interruption that
  /// is what was found until then, and the failure says how much it is.
  package func finish(_ work: () throws(Failure) -> Void) throws(Failure) -> ExitCode {
    try PartialRun.keeping(
      Report.things, of: own.count,
      finished: { findings.withLock(\.count) + leftOut.withLock(\.self) }, work: work,
      conclude: conclude)
  }

  private func conclude(_ partial: PartialRun?) throws(Failure) -> ExitCode {
    ProgressLine.clear()
    let found = findings.withLock { $0.sorted { $0.key < $1.key } }
    guard let results = try FileExport(arguments, Shard.results), let provenance else {
      return try report.conclude(
        found.map(\.value), units: partial?.finished ?? own.count,
        try Exports(arguments, Report.exports, partial: partial))
    }
    let file = ResultsFile(
      shard: shard, operands: arguments.operands,
      options: arguments.askedFor.filter { !Self.settings.contains($0.key) },
      provenance: provenance, units: units, partial: partial, report: report,
      entries: found.map { ResultsFile.Entry(unit: $0.key, finding: $0.value) })
    do {
      let text = String(decoding: try JSONCoding.encode(file), as: UTF8.self)
      try results.write(text + "\n")
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.internalFault, "The results cannot be written as JSON: \(error).")
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
      if let text { Swift.print(text) }
      // Long runs are followed in a file, too.
      fflush(nil)
    }
  }
}
