import Foundation
import HarnessBase
import Linting

/// A check as a worker runs it: once or, for a check of the number of arguments, once for each number.
struct Trial {
  let check: Check
  /// Where its orchestra is, which stays there if it shows something.
  let path: String
  let count: Int?
  private var result: Validator.CheckResult

  init(check: Check, path: String, count: Int?) {
    (self.check, self.path, self.count) = (check, path, count)
    result = .init(check: check, outcome: .success, orchestra: nil, blocks: 0)
  }

  /// The endings of the files that a trial leaves; the second orchestra is of a second engine.
  static let endings = [".csd", "-2.csd", ".wav"]

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

  /// The result of a check from its trials: the worst of them, with the numbers of arguments that it
  /// applies to.
  static func joined(_ trials: [Trial]) -> Validator.CheckResult {
    let kinds: [Outcome.Kind] = [.crashed, .failed, .warning, .success, .skipped]
    let worst = kinds.compactMap { kind in trials.first { $0.result.outcome.kind == kind } }[0]
    var result = worst.result
    result.blocks = trials.reduce(0) { $0 + $1.result.blocks }
    result.seconds = trials.reduce(0) { $0 + $1.result.seconds }
    guard trials.count > 1, result.outcome.isFault else { return result }
    let counts = trials.filter { $0.result.outcome.kind == result.outcome.kind }.map(\.count!)
    let text =
      "with \(counts.map(String.init).joined(separator: ", ")) variadic arguments:"
      + " \(result.outcome.message)"
    result.outcome = result.outcome.kind == .crashed ? .crashed(text) : .failed(text)
    return result
  }
}
