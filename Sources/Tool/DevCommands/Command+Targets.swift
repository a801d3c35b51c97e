import CommandKit
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

extension Command {
  private static let only = Option(
    name: "only", value: "LIST",
    takes: .choices(BuildTarget.all.map(\.word).joined(separator: ", ")) { word in
      BuildTarget.all.first { $0.word == word }
    },
    help: "Only these targets, by the last part of their plugins' names, such as arm64.")
  private static let pieces = Option(
    name: "pieces", help: "Only play the pieces, without comparing the pairs.")

  static let targets = Command(
    name: "dev targets", operands: "",
    summary:
      "Build the plugin for every system, processor and Csound, play all of csd/ with it and compare the pairs.",
    options: [only, pieces, .timeLimit, .json]
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 0)
    let chosen = arguments[only].map { Set($0.map(\.word)) }
    let targets = BuildTarget.all.filter { chosen?.contains($0.word) ?? true }
    var export = try FileExport(arguments, .json)
    let older = try older(arguments[.json], chosen: chosen != nil)
    let build = try PluginBuild.current()
    try build.renew()
    let run = TargetTrialRun(
      build: build, directory: try Project.outputDirectory("targets"),
      comparesPairs: !arguments[pieces], timeLimit: arguments[.timeLimit])
    let progress = RowProgress(targets.count)
    defer { ProgressLine.clear() }
    // Read before the work: after an interruption no program is started any more.
    let provenance = Provenance.current(root: Project.root)
    var trials: [TargetTrial] = []
    return try PartialRun.keeping(
      "targets", of: targets.count, finished: { trials.count },
      work: { () throws(Failure) in
        for target in targets {
          progress.show(target.plugin(of: build.product))
          var trial = try run.trial(of: target)
          (trial.commit, trial.date) = (provenance.commit, provenance.date)
          progress.print(
            ([trial.sentence] + trial.failures.map { "  " + $0 }).joined(separator: "\n"))
          trials.append(trial)
        }
      },
      conclude: { partial throws(Failure) in
        ProgressLine.clear()
        if trials.count > 1 {
          print("\n" + Table(rows: TargetTables.rows(of: trials)).text)
        }
        var run = TargetRun(provenance: provenance, partial: partial, trials: trials)
        if let older { run.keep(older) }
        export?.extent = RunExtent(partial)
        try export?.write(run)
        return trials.allSatisfy(\.failures.isEmpty) ? .success : .checkFailed
      })
  }
}

extension Command {
  /// The results in a file that a run of some targets is written to; nil for a run of all targets, or if there is no
  /// such file.
  private static func older(_ path: String?, chosen: Bool) throws(Failure) -> TargetRun? {
    guard chosen, let path, FileManager.default.fileExists(atPath: path) else { return nil }
    return try DataFile.read(TargetRun.self, from: path, as: "results of targets")
  }
}

extension BuildTarget {
  /// The target's name for `--only`.
  fileprivate var word: String { suffix.isEmpty ? "csound6" : String(suffix.dropFirst()) }
}

extension TargetTrial {
  /// The result in one sentence.
  fileprivate var sentence: String {
    let target = "Csound \(csound), \(kind)"
    guard let player, lack == nil else {
      return "\(target): \(shortcoming ?? "")"
    }
    let played = pieces.count { $0.failure == nil }
    let difference = worst.map { ", the others differ by at most \($0.decibels) dB" } ?? ""
    let compared = pairs.reduce(0) { $0 + $1.comparisons }
    let within = compared - pairs.reduce(0) { $0 + $1.failures.count }
    return
      "\(target), by \(player): \(played) of \(pieces.count) renders compared with"
      + " \(system == nil ? "the tool's own" : "those of the same Csound on Linux"), \(identicalCount) identical\(difference)"
      + (compared == 0
        ? "." : "; \(within) of \(compared) comparisons with rivals within their limits.")
  }
}
