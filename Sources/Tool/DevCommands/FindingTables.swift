import CommandKit
import Comparing
import Foundation
import HarnessBase
import PluginBuilding
import Reporting

/// The tables of the page about faults of Csound's own opcodes, from what `dev findings` has recorded.
package struct FindingTables {
  package static let directory = "Benchmarks/builtins/findings"
  package static let results = "Benchmarks/builtins/findings.json"

  private let run: FindingRun
  private let findings: [String: BuiltinFinding]
  /// The opcodes of the pack by the built-in that they are compared with.
  private let counterparts: [String: [String]]

  init() throws(Failure) {
    let path = Project.kit + "/" + Self.results
    run = try FindingRun.recorded()
    if let partial = run.partial {
      throw Failure(.badInput, "'\(path)': \(partial.sentence) Run it again.")
    }
    let all = try BuiltinFinding.all(in: Project.kit + "/" + Self.directory)
    findings = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    let recorded = run.trials.map(\.name)
    guard recorded == all.map(\.name) else {
      let odd = Set(recorded).symmetricDifference(findings.keys).sorted()
      throw Failure(
        .badInput,
        "'\(path)' and the orchestras differ in \(odd.joined(separator: ", ")); './opcodekit dev findings"
          + " --json \(Self.results)' records them anew.")
    }
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
    let standings: [FindingTrial.Standing] = [.there, .changed, .fine, .absent]
    let table = MarkdownTable(
      ["Csound", "the fault is there", "it has changed", "fine", "without the opcode"],
      run.csounds.map { csound in
        [csound]
          + standings.map { standing in "\(run.trials.count { $0.standing(csound) == standing })" }
      })
    let here = run.provenance
    let commit = here.commit.map { "commit `\($0)`, " } ?? ""
    return table.text + "\n\(commit)\(here.date): \(here.processor).\n"
  }

  /// The faults that the newest Csound has.
  var current: String { table { $0 == .there || $0 == .changed } }

  /// The faults that only older Csounds have.
  var past: String { table { $0 == .fine || $0 == .absent } }

  private func table(_ belongs: (FindingTrial.Standing) -> Bool) -> String {
    var table = MarkdownTable(
      ["opcode", "what happens"] + run.csounds.map { "Csound \($0)" }
        + ["in the pack", "orchestra"])
    for trial in run.trials {
      guard let newest = trial.results.last, belongs(newest.standing),
        let finding = findings[trial.name]
      else { continue }
      let own = finding.opcodes.matches(of: /\w+/).flatMap { counterparts["\($0.output)"] ?? [] }
      table.add(
        [finding.opcodes, finding.problem] + trial.results.map(\.words)
          + [own.map { "`\($0)`" }.joined(separator: ", "), "`\(trial.name)`"])
    }
    return table.text
  }
}
