import CommandKit
import Comparing
import HarnessBase
import PluginBuilding
import Rendering
import Reporting

/// The tables of the page about faults of Csound's own opcodes, from what `Benchmarks/builtins/play` has recorded.
struct FindingTables {
  private struct Run: Decodable {
    var provenance: Provenance
    var trials: [Trial]
  }

  /// What the Csounds did with the orchestra of a fault.
  private struct Trial: Decodable {
    struct Result: Decodable {
      var csound, standing, seen: String
    }

    var name, opcodes, problem: String
    /// One for each Csound, the oldest first.
    var results: [Result]

    func standing(_ csound: String) -> String? {
      results.first { $0.csound == csound }?.standing
    }
  }

  private let run: Run
  private var csounds: [String] { run.trials.first?.results.map(\.csound) ?? [] }
  /// The opcodes of the pack by the built-in that they are compared with.
  private let counterparts: [String: [String]]

  init() throws(Failure) {
    run = try DataFile.read(
      Run.self, from: Project.kit + "/Benchmarks/builtins/findings.json", as: "results of findings")
    var counterparts: [String: [String]] = [:]
    for manual in try Manual.all(in: Project.kit + "/Opcodes") {
      for builtin in try manual.builtinRivals() {
        counterparts[builtin, default: []].append(manual.name)
      }
    }
    self.counterparts = counterparts
  }

  /// How many faults each Csound has.
  var counts: String {
    let table = MarkdownTable(
      ["Csound", "the fault is there", "it has changed", "fine", "without the opcode"],
      csounds.map { csound in
        [csound]
          + ["there", "changed", "fine", "no such opcode"].map { standing in
            "\(run.trials.count { $0.standing(csound) == standing })"
          }
      })
    let here = run.provenance
    let commit = here.commit.map { "commit `\($0)`, " } ?? ""
    return table.text + "\n\(commit)\(here.date): \(here.processor).\n"
  }

  /// The faults that the newest Csound has.
  var current: String { table(["there", "changed"]) }

  /// The faults that only older Csounds have.
  var past: String { table(["fine", "no such opcode"]) }

  /// The faults that have one of these standings in the newest Csound.
  private func table(_ standings: [String]) -> String {
    var table = MarkdownTable(
      ["opcode", "what happens"] + csounds.map { "Csound \($0)" } + ["in the pack", "orchestra"])
    for trial in run.trials where standings.contains(trial.results.last?.standing ?? "") {
      let own = trial.opcodes.matches(of: /\w+/).flatMap { counterparts["\($0.output)"] ?? [] }
      table.add(
        [trial.opcodes, trial.problem] + trial.results.map(\.seen)
          + [own.map { "`\($0)`" }.joined(separator: ", "), "`\(trial.name)`"])
    }
    return table.text
  }
}
