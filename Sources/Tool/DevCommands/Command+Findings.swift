import CommandKit
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

extension Command {
  private static let checking = Option(
    name: "check",
    help: "Fail if a Csound does otherwise than the recorded results say.")

  static let findings = Command(
    name: "dev findings", operands: "[FINDING]...",
    summary:
      "Play the orchestras that show faults of Csound's own opcodes, with every Csound here.",
    options: [checking, .timeLimit(5), .json]
  ) { arguments throws(Failure) in
    let all = try BuiltinFinding.all(in: Project.kit + "/" + FindingTables.directory)
    let names = Set(all.map(\.name))
    if let unknown = arguments.operands.first(where: { !names.contains($0) }) {
      throw Failure(.usage, NearNames.unknown("No finding", unknown, names))
    }
    let chosen = all.filter {
      arguments.operands.isEmpty || arguments.operands.contains($0.name)
    }
    var export = try FileExport(arguments, .json)
    let recorded = arguments[checking] ? try FindingRun.recorded() : nil
    let players = try FindingPlayer.all(kit: Project.kit) { printError("opcodekit: \($0)") }
    let provenance = Provenance.current(root: Project.kit)
    let progress = RowProgress(chosen.count)
    defer { ProgressLine.clear() }
    var trials: [FindingTrial] = []
    return try PartialRun.keeping(
      "findings", of: chosen.count, finished: { trials.count },
      work: { () throws(Failure) in
        for finding in chosen {
          progress.show(finding.name)
          let sights = try players.map { (player) throws(Failure) in
            let sight = try player.play(finding.path, timeLimit: arguments[.timeLimit])
            return (csound: player.csound.release, sight: sight)
          }
          let trial = FindingTrial(finding, sights)
          progress.print(trial.sentence)
          trials.append(trial)
        }
      },
      conclude: { partial throws(Failure) in
        ProgressLine.clear()
        let run = FindingRun(provenance: provenance, partial: partial, trials: trials)
        print("\n" + run.counts.joined(separator: "\n"))
        export?.extent = RunExtent(partial)
        try export?.write(run)
        let differences = recorded.map(run.differences) ?? []
        for difference in differences { print(difference) }
        return differences.isEmpty ? .success : .checkFailed
      })
  }
}

extension FindingTrial {
  /// The result in one line.
  fileprivate var sentence: String {
    "\(name): " + results.map { "\($0.csound) \($0.words)" }.joined(separator: "; ")
  }
}

extension FindingTrial.Result {
  /// Whether the fault is there, and what was seen.
  var words: String {
    let numbers = sight.printed.joined(separator: " ")
    let seen =
      switch sight.ending {
      case .crash: "crash"
      case .noEnd: "no end"
      case .noOpcode: ""
      case .refused: "not compiled"
      case .error: (["an error"] + sight.printed).joined(separator: ", ")
      case .played: numbers
      }
    switch standing {
    case .absent: return "no such opcode"
    case .fine: return "fine" + (sight.ending == .played || seen.isEmpty ? "" : ", an error")
    case .there: return seen.isEmpty ? "nothing printed" : seen
    case .changed: return "changed: " + (seen.isEmpty ? "nothing printed" : seen)
    }
  }
}

extension FindingRun {
  /// The results on which the page is based.
  package static func recorded() throws(Failure) -> FindingRun {
    let path = Project.kit + "/" + FindingTables.results
    return try DataFile.read(FindingRun.self, from: path, as: "results of findings")
  }

  /// Where this run differs from a recorded one, one sentence each. A Csound that only one of them has is left out, and
  /// so is an opcode that only one of them has.
  package func differences(from recorded: FindingRun) -> [String] {
    trials.flatMap { trial in
      guard let old = recorded.trials.first(where: { $0.name == trial.name }) else {
        return ["\(trial.name) is not in the recorded results."]
      }
      return trial.results.compactMap { result -> String? in
        guard let before = old.results.first(where: { $0.csound == result.csound }),
          result.standing != .absent, before.standing != .absent
        else { return nil }
        let isSame =
          before.standing == result.standing && before.sight.ending == result.sight.ending
        return isSame
          ? nil
          : "\(trial.name), Csound \(result.csound): \(result.words); recorded is: \(before.words)."
      }
    }
  }

  /// A line for each Csound: how many faults it has.
  var counts: [String] {
    csounds.map { csound in
      func count(_ standing: FindingTrial.Standing) -> Int {
        trials.count { $0.standing(csound) == standing }
      }
      let absent = count(.absent)
      return
        "Csound \(csound): \(count(.there)) there, \(count(.changed)) changed, \(count(.fine)) fine"
        + (absent == 0 ? "" : ", \(absent) without the opcode")
    }
  }
}
