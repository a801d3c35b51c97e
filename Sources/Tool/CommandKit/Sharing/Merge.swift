import Foundation
import HarnessBase

extension Command {
  /// The command `merge`: joins the results of several parts of a command's work.
  package static func merge(_ reports: [any SharedReport.Type]) -> Command {
    Command(
      name: "merge", operands: "FILE …",
      summary: "Make one report of the results that machines have kept with --shard and --results.",
      options: [.json, .junit, .markdown]
    ) { arguments throws(Failure) in
      let paths = arguments.operands
      guard let first = paths.first else {
        throw .usage(
          "merge needs the files that --results has written; see ./opcodekit merge --help.")
      }
      var heads: [ResultsHead] = []
      for path in paths { heads.append(try ResultsHead(readingFrom: path)) }
      guard let report = reports.first(where: { $0.command == heads[0].command }) else {
        throw .badInput("'\(first)' has results of '\(heads[0].command)', which cannot be merged.")
      }
      try requireAll(heads, paths)
      for option in arguments.given(.json, .junit, .markdown)
      where !report.exports.contains(where: { $0.name == option.name }) {
        throw .usage("'\(report.command)' does not write --\(option.name); leave it out.")
      }
      return try merge(report, heads, paths, arguments)
    }
  }

  /// Fails unless each part is there exactly once and all are parts of the same work.
  private static func requireAll(_ heads: [ResultsHead], _ paths: [String]) throws(Failure) {
    for (head, path) in zip(heads, paths) {
      if let partial = head.partial {
        throw .badInput(
          "'\(path)' has only \(partial.finished) of its part's \(partial.count) results, because its"
            + " run was stopped; do that part again with '\(head.call(of: head.shard.part))'.")
      }
      if let difference = head.difference(from: heads[0]) {
        throw .badInput(
          "'\(path)' is \(difference) as '\(paths[0])' is; merge parts of the same work.")
      }
    }
    for part in 1...heads[0].shard.count {
      let own = zip(heads, paths).filter { $0.0.shard.part == part }.map(\.1)
      if own.count > 1 {
        throw .badInput(
          "'\(own[0])' and '\(own[1])' are both part \(part) of \(heads[0].shard.count); leave one out."
        )
      }
      if own.isEmpty {
        throw .missingInput(
          "Part \(part) of \(heads[0].shard.count) is missing; do it with '\(heads[0].call(of: part))'."
        )
      }
    }
  }

  private static func merge<Report: SharedReport>(
    _ type: Report.Type, _ heads: [ResultsHead], _ paths: [String], _ arguments: Arguments
  ) throws(Failure) -> ExitCode {
    let exports = try Exports(arguments, Report.exports)
    var found: [Int: [Report.Finding]] = [:]
    var report: Report?
    for path in paths {
      let file = try ResultsHead.decode(ResultsFile<Report>.self, from: path)
      report = report ?? file.report
      for entry in file.entries { found[entry.unit, default: []].append(entry.finding) }
    }
    let units = heads[0].units.count
    guard let report else { return .success }
    if let heading = report.heading(part: "", units: units) { print(heading) }
    let progress = RowProgress(units)
    let findings = found.sorted { $0.key < $1.key }.map { report.joined($0.value) }
    for finding in findings { report.print(finding, progress) }
    ProgressLine.clear()
    let processors = Set(heads.map(\.provenance.processor)).sorted()
    let code = try report.conclude(findings, units: units, exports)
    if processors.count > 1 {
      printError("opcodekit: the parts were done on \(processors.joined(separator: " and ")).")
    }
    return code
  }
}
