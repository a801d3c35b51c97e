import Foundation
import HarnessBase
import Linting

/// A check as a worker runs it: once; for a check of the number of arguments, once for each number; once more for each
/// value of an argument that chooses other code.
struct Trial {
  let check: Check
  /// Where its orchestra is, which stays there if it shows something.
  let path: String
  /// The number of arguments, or the argument and its value.
  let name: String?
  private var result: Validator.CheckResult

  init(check: Check, path: String, name: String?) {
    (self.check, self.path, self.name) = (check, path, name)
    result = .init(check: check, outcome: .success, orchestra: nil, blocks: 0)
  }

  /// The endings of the files that a trial leaves; the second orchestra is of a second engine, the library is left by a
  /// worker that was killed.
  static let endings = [".csd", "-2.csd", ".wav", ".csd.so"]

  /// Takes the outcome in and removes files that show nothing. For an opcode that stays silent,
  /// `silentWith` is the text of its values.
  mutating func conclude(_ report: CheckReport, _ silentWith: String?) {
    (result.outcome, result.blocks) = (report.outcome, report.blocks)
    result.seconds = report.seconds
    if let silentWith, report.outcome == .success {
      let with = silentWith.isEmpty ? "" : " with \(silentWith)"
      result.outcome = .skipped(
        "not checked, because it stays silent\(with); give values with which it sounds in an argument"
          + " file")
    }
    if result.outcome.isFault || result.outcome.kind == .warning {
      result.orchestra = FileManager.default.fileExists(atPath: path) ? path : nil
    } else {
      let stem = (path as NSString).deletingPathExtension
      for ending in Self.endings { unlink(stem + ending) }
    }
  }

  /// The result of a check from its trials: the worst of them, with the numbers or values of
  /// arguments that it applies to.
  static func joined(_ trials: [Trial]) -> Validator.CheckResult {
    let kinds: [Outcome.Kind] = [.crashed, .failed, .warning, .success, .skipped]
    let worst = kinds.compactMap { kind in trials.first { $0.result.outcome.kind == kind } }[0]
    var result = worst.result
    result.blocks = trials.reduce(0) { $0 + $1.result.blocks }
    result.seconds = trials.reduce(0) { $0 + $1.result.seconds }
    guard worst.name != nil, result.outcome.isFault else { return result }
    let names = trials.filter { $0.result.outcome.kind == result.outcome.kind }.map(\.name!)
    let what = worst.check.id == "arguments-count" ? " variadic arguments" : ""
    let text = "with \(names.joined(separator: ", "))\(what): \(result.outcome.message)"
    result.outcome = result.outcome.kind == .crashed ? .crashed(text) : .failed(text)
    return result
  }
}
