import CommandKit
import Foundation
import Goldens
import HarnessBase

/// What `test` does in a package of an author's own: everything that can tell a fault, one after the
/// other.
enum PackageTest {
  /// `run` runs a command of the tool.
  static func run(
    _ package: AuthorPackage, _ words: [String],
    by run: ([String]) throws(Failure) -> ExitCode
  ) throws(Failure) -> ExitCode {
    if let word = words.first {
      throw Failure(
        .usage, "'\(word)' is one word too many: in a package 'test' takes none and does all.")
    }
    let pairings =
      (try? FileManager.default.contentsOfDirectory(atPath: package.directory + "/Benchmarks"))
      ?? []
    var steps = [["build"]]
    if pairings.contains(where: { $0.hasSuffix(".json") }) { steps.append(["compare"]) }
    steps.append(["validate", "--only-failed"])
    if try !GoldenFile.all(in: package.directory).isEmpty {
      steps.append(["check", package.directory])
    }
    var failed: [String] = []
    for step in steps {
      print("== \(step[0])")
      fflush(nil)
      if try run(step) != .success { failed.append(step[0]) }
      // What was built is what the rest is about.
      if step == ["build"], !failed.isEmpty { break }
    }
    print(
      failed.isEmpty
        ? "== all good: \(steps.map { $0[0] }.joined(separator: ", "))"
        : "== not good: \(failed.joined(separator: ", "))")
    return failed.isEmpty ? .success : .checkFailed
  }
}
