import CommandKit
import Foundation
import HarnessBase
import Rendering

/// What `validate` finds about an opcode in two Csounds.
struct ValidatedFaults {
  /// The checks that were made in each Csound, by overload (`outputs ← inputs`) and by their ids.
  private var made: [[String: [String: Report.Check]]] = [[:], [:]]

  /// Makes new faults and mended ones part of an overload's finding.
  func judge(_ finding: inout VersionFinding) {
    let overload = "\(finding.outputs) ← \(finding.inputs)"
    let (before, after) = (made[0][overload] ?? [:], made[1][overload] ?? [:])
    // A check that was made in one Csound only tells no change.
    for (id, check) in after.sorted(by: { $0.key < $1.key }) {
      guard let earlier = before[id], check.isFault != earlier.isFault else { continue }
      finding.scenes.append(
        check.isFault
          ? SceneComparison(.newFault, "\(id): \(check.account)")
          : SceneComparison(.mendedFault, "\(id), no longer: \(earlier.account)"))
    }
  }

  fileprivate mutating func add(_ check: Report.Check, to overload: String, of csound: Int) {
    made[csound][overload, default: [:]][check.id] = check
  }

  /// What is read of a file that `validate --json` writes.
  fileprivate struct Report: Decodable {
    struct Check: Decodable {
      var id: String
      var outcome: String
      var message: String?

      var isFault: Bool { ["failed", "crashed"].contains(outcome) }
      var account: String { message ?? outcome }
    }
    struct Overload: Decodable {
      var name, outputs, inputs: String
      var checks: [Check]
    }
    var overloads: [Overload]
    var partial: PartialRun?
  }
}

extension Versions {
  /// Runs `validate --builtin` in both Csounds, on those opcodes that each has. A Csound that the tool cannot run in is left
  /// out, with a sentence.
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
    let sides = [(first.csound, firstSignatures), (second.csound, secondSignatures)]
    for (number, (library, signatures)) in sides.enumerated() {
      let known = Set(signatures.map(\.opcode))
      let own = opcodes.filter(known.contains)
      guard !own.isEmpty else { continue }
      ProgressLine.show("validate, \(library.title)")
      let file = "\(scratch.path)/\(number).json"
      let finished = try ChildProcess.run(
        kitDirectory + "/opcodekit",
        ["validate", "--builtin", "--csound", library.path, "--json", file, "--"] + own)
      guard let data = FileManager.default.contents(atPath: file),
        let report = try? JSONDecoder().decode(ValidatedFaults.Report.self, from: data)
      else {
        throw .unavailable(
          "validate gave no results in \(library.title): \(finished.errors.split(separator: "\n").last ?? "")."
        )
      }
      guard report.partial == nil else {
        throw .unavailable(
          "validate did not come to its end in \(library.title): \(finished.errors.split(separator: "\n").last ?? "")."
        )
      }
      for overload in report.overloads {
        let opcode = String(overload.name.prefix { $0 != "." })
        for check in overload.checks where check.outcome != "skipped" {
          faults[opcode, default: ValidatedFaults()].add(
            check, to: "\(overload.outputs) ← \(overload.inputs)", of: number)
        }
      }
    }
  }
}
