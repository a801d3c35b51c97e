import CommandKit
import Foundation
import HarnessBase

/// The tests of what plays live. They take a third of the time of all tests, and only what Live is made of can break
/// them. So `./opcodekit test` leaves them out while that is as it was when all tests last passed.
enum LiveTests {
  /// Modules of tests, and single suites.
  private static let names = [
    "CsoundLiveTests", "PlayingTests", "CommandTests.Csound7PanelTests",
    "CommandTests.ExampleTests", "CommandTests.OscPlayTests", "CommandTests.PanelCrashTests",
    "CommandTests.PlayTests", "CommandTests.StageTests",
  ]

  /// The targets that these tests are of; what they depend on can break them, too.
  private static let targets = [
    "CsoundLiveTests", "PlayingTests", "Melody", "LoopStation", "opcodekit-play", "WidgetOpcodes",
  ]

  /// What else they read. The pieces have panels.
  private static let others = [
    "Package.swift", "Sources/Tool/opcodekit", "Tests/CommandTests/RunningTool.swift",
    "Tests/CommandTests/Tool.swift", "Tests/SoundRig", "csd",
  ]

  /// `tests-left-out RECORD`: the names of these tests, separated by spaces, if what they are made of is as RECORD has
  /// it; nothing otherwise, or when all tests are asked for. Writes how it is now to `RECORD.begun`, which the script
  /// makes the record when the tests have passed.
  static func leftOut(record: String, in root: String) -> String {
    do throws(Failure) {
      let now = Data(try sums(in: root).utf8)
      guard FileManager.default.createFile(atPath: record + ".begun", contents: now) else {
        throw .unwritableOutput("'\(record).begun' cannot be written.")
      }
      let isWhole = ProcessInfo.processInfo.environment["OPCODEKIT_TESTS"] == "all"
      let isSame = FileManager.default.contents(atPath: record) == now
      return isSame && !isWhole ? names.joined(separator: " ") : ""
    } catch {
      printError("opcodekit: no test is left out: \(error.message)")
      return ""
    }
  }

  /// The checksum of each file that they are made of, a line each.
  private static func sums(in root: String) throws(Failure) -> String {
    let suites = names.filter { $0.contains(".") }
      .map { "Tests/\($0.replacing(".", with: "/")).swift" }
    let places = try directories(in: root) + others + suites
    // A new file that is in no commit is counted, too.
    let files = try output(
      of: ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "--"]
        + places, in: root)
    let present = files.split(separator: "\n").map(String.init)
      .filter { FileManager.default.fileExists(atPath: "\(root)/\($0)") }
    return try output(of: ["sha256sum", "--"] + present, in: root)
  }

  /// The directories of the targets, as the package's manifest has them. The pack's opcodes are not among them: their own
  /// tests play them.
  private static func directories(in root: String) throws(Failure) -> [String] {
    struct Description: Decodable {
      struct Target: Decodable {
        var name: String
        var path: String
        var target_dependencies: [String]?
      }
      var targets: [Target]
    }
    let text = try output(
      of: ["swift", "package", "--ignore-lock", "describe", "--type", "json"], in: root)
    guard let description = try? JSONDecoder().decode(Description.self, from: Data(text.utf8))
    else { throw .unavailable("'swift package describe' says nothing about targets.") }
    let all = Dictionary(uniqueKeysWithValues: description.targets.map { ($0.name, $0) })
    var (open, found) = (targets, [String: String]())
    while let name = open.popLast() {
      guard let target = all[name], found[name] == nil, !target.path.hasPrefix("Opcodes")
      else { continue }
      found[name] = target.path
      open += target.target_dependencies ?? []
    }
    return found.values.sorted()
  }

  private static func output(of words: [String], in root: String) throws(Failure) -> String {
    let finished = try ChildProcess.run("/usr/bin/env", words, directory: root)
    guard finished.isGood else { throw .unavailable("'\(words[0])' failed: \(finished.errors)") }
    return finished.output
  }
}
