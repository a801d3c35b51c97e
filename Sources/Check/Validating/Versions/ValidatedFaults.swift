import CommandKit
import Foundation
import HarnessBase
import Rendering

/// What `validate` finds about an opcode in two Csounds.
struct ValidatedFaults {
  /// The failed checks of each Csound, by overload (`outputs ← inputs`): the message of each, by its id.
  private var failed: [[String: [String: String]]] = [[:], [:]]

  /// Makes new faults and mended ones part of an overload's finding.
  func judge(_ finding: inout VersionFinding) {
    let overload = "\(finding.outputs) ← \(finding.inputs)"
    let (before, after) = (failed[0][overload] ?? [:], failed[1][overload] ?? [:])
    for (id, message) in after.sorted(by: { $0.key < $1.key }) where before[id] == nil {
      finding.scenes.append(SceneComparison(.newFault, "\(id): \(message)"))
    }
    for (id, message) in before.sorted(by: { $0.key < $1.key }) where after[id] == nil {
      finding.scenes.append(SceneComparison(.mendedFault, "\(id), no longer: \(message)"))
    }
  }

  fileprivate mutating func add(_ check: Report.Check, to overload: String, of csound: Int) {
    failed[csound][overload, default: [:]][check.id] = check.message ?? "failed"
  }

  /// What is read of a file that `validate --json` writes.
  fileprivate struct Report: Decodable {
    struct Check: Decodable {
      var id: String
      var outcome: String
      var message: String?
    }
    struct Overload: Decodable {
      var name, outputs, inputs: String
      var checks: [Check]
    }
    var overloads: [Overload]
  }
}

extension Versions {
  /// Runs `validate --builtin` in both Csounds. A Csound that the tool cannot run in is left out, with a sentence.
  mutating func validate(_ opcodes: [String]) throws(Failure) {
    guard !opcodes.isEmpty else { return }
    for library in [first.csound, second.csound] {
      guard let reason = try library.unfitness(kit: kitDirectory) else { continue }
      printError(
        "opcodekit: nothing is validated, because \(library.title) does not take the tool: \(reason)."
      )
      return
    }
    let scratch = try ScratchDirectory("validated")
    defer { scratch.remove() }
    for (number, library) in [first.csound, second.csound].enumerated() {
      ProgressLine.show("validate, \(library.title)")
      let file = "\(scratch.path)/\(number).json"
      let finished = try ChildProcess.run(
        kitDirectory + "/opcodekit",
        ["validate", "--builtin", "--csound", library.path, "--json", file, "--"] + opcodes)
      guard let data = FileManager.default.contents(atPath: file),
        let report = try? JSONDecoder().decode(ValidatedFaults.Report.self, from: data)
      else {
        throw .unavailable(
          "validate gave no results in \(library.title): \(finished.errors.split(separator: "\n").last ?? "")."
        )
      }
      for overload in report.overloads {
        let opcode = String(overload.name.prefix { $0 != "." })
        for check in overload.checks where ["failed", "crashed"].contains(check.outcome) {
          faults[opcode, default: ValidatedFaults()].add(
            check, to: "\(overload.outputs) ← \(overload.inputs)", of: number)
        }
      }
    }
  }
}
