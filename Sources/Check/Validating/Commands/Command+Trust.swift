import CommandKit
import Foundation
import HarnessBase

extension Command {
  static let trust = Command(
    name: "dev trust", operands: "[OPCODE …]",
    summary: "Show which faults validate and compare find in opcodes that have one each.",
    options: [.toolCsound, jobs, .json] + Shard.options
  ) { arguments throws(Failure) in
    let trust = try Trust(
      root: Project.root, worker: Project.worker,
      jobs: arguments[jobs])
    let names = try names(arguments, trust)
    let run = try SharedRun(arguments, TrustReport(), units: names)
    defer { ProgressLine.clear() }
    return try run.finish { () throws(Failure) in
      for unit in run.own {
        let name = names[unit]
        let verdict = try trust.examine(name) { check, done, count in
          run.progress.show("\(name): \(check) (\(done) of \(count))")
        }
        run.found(verdict, unit: unit)
      }
    }
  }

  private static func names(_ arguments: Arguments, _ trust: Trust) throws(Failure) -> [String] {
    let all = trust.twins + trust.faults.map(\.opcode)
    for name in arguments.operands where !all.contains(name) {
      throw .usage(NearNames.unknown("No faulty opcode", name, Set(all)))
    }
    return arguments.operands.isEmpty ? all : arguments.operands
  }
}

struct TrustReport: SharedReport {
  static var command: String { "dev trust" }
  static var things: String { "opcodes" }

  func row(_ row: Trust.Verdict) -> String? { row.text }

  func conclude(
    _ rows: [Trust.Verdict], units: Int, _ exports: Exports
  ) throws(Failure) -> ExitCode {
    print(table(rows))
    try exports[.json]?.write(rows)
    return rows.allSatisfy(\.isRight) ? .success : .checkFailed
  }

  /// How many faults each check found, and the totals.
  private func table(_ rows: [Trust.Verdict]) -> String {
    let faults = rows.filter { $0.bug != nil }
    let twins = rows.filter { $0.bug == nil }
    var lines: [[String]] = [["check", "found", "alone", "faults"]]
    for id in Check.catalogue.map(\.id) + [Trust.compare] {
      let found = faults.filter { $0.caughtBy.contains(id) }
      guard !found.isEmpty else { continue }
      let alone = found.count { $0.caughtBy.count == 1 }
      let names = found.map { $0.opcode.replacing("FAULT_", with: "") }
      let shown = names.prefix(4).joined(separator: " ") + (names.count > 4 ? " …" : "")
      lines.append([id, "\(found.count)", "\(alone)", shown])
    }
    let caught = faults.count { !$0.caughtBy.isEmpty }
    let clean = twins.count { $0.caughtBy.isEmpty }
    let share =
      faults.isEmpty ? "" : " (\((100 * Double(caught) / Double(faults.count)).formatted(1)) %)"
    return """

      \(Table(rows: lines, alignment: [.left, .right, .right]).text)

      \(caught) of \(faults.count) faults found\(share), \(clean) of \(twins.count) correct opcodes \
      not flagged
      """
  }
}

extension Trust.Verdict {
  fileprivate var isRight: Bool { caughtBy.isEmpty == (bug == nil) }

  fileprivate var text: String {
    guard let bug else {
      let found = caughtBy.isEmpty ? "nothing found, as it should be" : "FLAGGED"
      return (["\(opcode): \(found) (\(checksRun) checks)"] + accounts.map { "  \($0)" })
        .joined(separator: "\n")
    }
    guard !caughtBy.isEmpty else { return "\(opcode): NOT FOUND. \(bug)" }
    return "\(opcode): \(caughtBy.joined(separator: ", "))"
  }
}
