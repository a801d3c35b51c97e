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

  /// A row for each target, then where and from which commit the results were made.
  var matrix: String {
    guard let run else { return Self.nothing }
    var table = MarkdownTable([
      "Csound", "processor", "played by", "renders", "identical", "largest difference",
      "comparisons with rivals", "glibc",
    ])
    for trial in run.trials {
      let compared = trial.pairs.reduce(0) { $0 + $1.comparisons }
      let beyond = trial.pairs.reduce(0) { $0 + $1.failures.count }
      table.add([
        trial.csound, trial.kind,
        trial.shortcoming?.replacing("built, not", with: "not") ?? trial.player ?? "",
        "\(trial.pieces.count { $0.failure == nil }) of \(trial.pieces.count)",
        "\(trial.identicalCount)", trial.worst.map { "\($0.decibels) dB" } ?? "",
        compared == 0 ? "" : "\(compared - beyond) of \(compared) within limits",
        trial.glibc ?? "",
      ])
    }
    let here = run.provenance
    let commit = here.commit.map { "commit `\($0)`, " } ?? ""
    return table.text + """

      \(commit)\(here.date): \(here.processor), Csound \(here.csound), \(here.compiler).

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
