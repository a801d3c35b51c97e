import CommandKit
import Foundation
import HarnessBase

/// The results that `dev targets` has recorded.
struct TargetTables {
  private let run: TargetRun?

  init() throws(Failure) {
    let path = Project.kit + "/Benchmarks/targets/results.json"
    let isThere = FileManager.default.fileExists(atPath: path)
    run = isThere ? try DataFile.read(TargetRun.self, from: path, as: "results of targets") : nil
    if let partial = run?.partial {
      throw Failure(
        .badInput,
        "'\(path)' has \(partial.finished) of \(partial.count) targets, because its run was stopped; run"
          + " it again."
      )
    }
  }

  private static let nothing =
    "Nothing is recorded: `./opcodekit dev targets --json Benchmarks/targets/results.json` does that.\n"

  /// A heading, then a row for each target: what was built for it, what played it and how it sounded.
  static func rows(of trials: [TargetTrial]) -> [[String]] {
    let comparesPairs = trials.contains { !$0.pairs.isEmpty }
    let heading = [
      "system", "processor", "Csound", "bytes", "needs", "played by", "renders", "identical",
      "largest difference",
    ]
    let others = comparesPairs ? ["comparisons with rivals"] : []
    return [heading + others] + trials.map { row(of: $0, comparesPairs) }
  }

  private static func row(of trial: TargetTrial, _ comparesPairs: Bool) -> [String] {
    let needs: [String] = (trial.glibc.map { ["glibc \($0)"] } ?? []) + (trial.needs ?? [])
    let played = trial.pieces.count { $0.failure == nil }
    var row = [
      trial.system ?? "Linux", trial.level.map { "\($0) alone" } ?? trial.processors, trial.csound,
      trial.bytes.map { "\($0)" } ?? "", needs.joined(separator: ", "),
      trial.shortcoming?.replacing("built, not", with: "not") ?? trial.player ?? "",
    ]
    row +=
      trial.pieces.isEmpty
      ? ["", ""] : ["\(played) of \(trial.pieces.count)", "\(trial.identicalCount)"]
    row.append(trial.worst.map { "\($0.decibels) dB" } ?? "")
    if comparesPairs {
      let compared = trial.pairs.reduce(0) { $0 + $1.comparisons }
      let beyond = trial.pairs.reduce(0) { $0 + $1.failures.count }
      row.append(compared == 0 ? "" : "\(compared - beyond) of \(compared)")
    }
    return row
  }

  /// A row for each target, then where and from which commit the results were made.
  var matrix: String {
    guard let run else { return Self.nothing }
    let rows = Self.rows(of: run.trials)
    let dated = zip(run.trials, rows.dropFirst()).map { trial, row in
      let day = (trial.date ?? run.provenance.date).prefix(10)
      let commit = trial.commit ?? run.provenance.commit
      return row + [day + (commit.map { " at `\($0.prefix(7))`" } ?? "")]
    }
    let table = MarkdownTable(rows[0] + ["recorded"], dated)
    let here = run.provenance
    return table.text + """

      \(here.processor), Csound \(here.csound), \(here.compiler).

      """
  }

  /// For each orchestra, how much its sound differs from the tool's own, on targets with another processor or another
  /// Csound.
  var orchestras: String {
    guard let run else { return Self.nothing }
    let others = run.trials.filter { !$0.pieces.isEmpty && $0.isForEvery && $0.worst != nil }
    guard let first = others.first else { return "All renders are identical.\n" }
    let titles = others.map { "Csound \($0.csound), \($0.kind)" }
    var table = MarkdownTable(["orchestra"] + titles.flatMap { [$0, "with a recorded input"] })
    for name in first.pieces.filter({ !$0.isFed }).map(\.name) {
      let cells = others.flatMap { trial in
        [false, true].map { isFed in
          let piece = trial.pieces.first { $0.name == name && $0.isFed == isFed }
          guard let piece else { return "" }
          return piece.failure ?? piece.nullDepth.map { "\($0.decibels)" } ?? "identical"
        }
      }
      table.add(["`\(name)`"] + cells)
    }
    return table.text
  }
}
