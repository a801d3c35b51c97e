import CommandKit
import Foundation
import HarnessBase

/// The times that `Benchmarks/build-times` or `Benchmarks/other-debian` has recorded.
struct BuildTimes {
  private struct Run: Decodable {
    struct Row: Decodable {
      var name: String
      var seconds: Double
      /// Absent where only the time that passed is known.
      var processorSeconds: Double?
    }

    var commit, compiler, configuration, date, processor: String
    var processors: Int
    var load: Double
    var rows: [Row]
    /// Of another system: its name, and how many tests ended how.
    var system: String?
    var testsFailed, testsPassed: Int?
  }

  private let script: String
  private let run: Run?

  /// `kind` is the script's first word, such as `fresh`.
  init(_ kind: String, by script: String = "build-times") throws(Failure) {
    self.script = "\(script) \(kind)"
    let path = "\(Project.kit)/Benchmarks/times/\(kind).json"
    let isThere = FileManager.default.fileExists(atPath: path)
    run = isThere ? try DataFile.read(Run.self, from: path, as: "times of builds") : nil
  }

  /// The table, and where and from which commit it was made; without a recorded run, how to make
  /// one.
  var text: String {
    guard let run else {
      return "Nothing is recorded: `Benchmarks/\(script)` does that.\n"
    }
    let table = MarkdownTable(
      ["what", "seconds", "of processors"],
      run.rows.map {
        [$0.name, $0.seconds.formatted(1), $0.processorSeconds?.formatted(1) ?? ""]
      })
    let system = run.system.map { $0 + ", " } ?? ""
    let tests = run.testsPassed.map { " \($0) tests passed, \(run.testsFailed ?? 0) failed." } ?? ""
    return table.text + """

      \(system)`\(run.commit)`, \(run.configuration), \(run.date): \(run.processor), \(run.processors) \
      processors, load \(run.load.formatted(1)) at the beginning, \(run.compiler).\(tests)

      """
  }
}
