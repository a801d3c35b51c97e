import CommandKit
import Foundation
import HarnessBase
import PluginBuilding

/// `test` in an author's package: runs everything that can find a fault, one step after the other.
package enum PackageTest {
  /// `run` runs a command of the tool.
  package static func run(
    _ package: AuthorPackage, by run: ([String]) throws(Failure) -> ExitCode
  ) throws(Failure) -> ExitCode {
    let benchmarks = package.directory + "/Benchmarks/"
    let pairings = (try? FileManager.default.contentsOfDirectory(atPath: benchmarks)) ?? []
    let build = try PluginBuild.current()
    var steps = [["build"]]
    if !build.pieces.isEmpty { steps.append([pieces]) }
    if pairings.contains(where: { $0.hasSuffix(".json") && hasRival(benchmarks + $0) }) {
      steps.append(["compare"])
    }
    steps.append(["validate", "--only-failed"])
    if !GoldenFile.all(in: package.directory).isEmpty {
      steps.append(["check", package.directory])
    }
    var failed: [String] = []
    for step in steps {
      print("== \(step[0])")
      fflush(nil)
      var isGood = false
      do throws(Failure) {
        isGood =
          switch step {
          case ["build"]: try Self.build(build)
          case [pieces]: try playPieces(of: build)
          default: try run(step) == .success
          }
      } catch {
        // What the other steps find is told, too.
        guard error.kind != .interrupted else { throw error }
        printError("opcodekit: \(error.message)")
      }
      if !isGood { failed.append(step[0]) }
      // The other steps would test a plugin that was not built.
      if step == ["build"], !failed.isEmpty { break }
    }
    print(
      failed.isEmpty
        ? "== all good: \(steps.map { $0[0] }.joined(separator: ", "))"
        : "== not good: \(failed.joined(separator: ", "))")
    return failed.isEmpty ? .success : .checkFailed
  }

  /// Whether a file of Benchmarks names a rival; `compare` says what is wrong with one that cannot be read.
  private static func hasRival(_ path: String) -> Bool {
    struct Pair: Decodable { var rival: String? }
    let data = FileManager.default.contents(atPath: path) ?? Data()
    guard let pair = try? JSONDecoder().decode(Pair.self, from: data) else { return true }
    return pair.rival != nil
  }

  /// Builds the plugin for this machine only; the command `build` makes the one for every processor.
  private static func build(_ build: PluginBuild) throws(Failure) -> Bool {
    guard let target = try build.tested() else {
      printError("opcodekit: nothing was built; build/ is as it was.")
      return false
    }
    print(try build.summary(for: target))
    for sentence in try build.largeOpcodes(for: target) { printError("opcodekit: \(sentence)") }
    return true
  }

  /// The step that plays `csd/*.csd`; it is no command by itself.
  private static let pieces = "csd"

  private static func playPieces(of build: PluginBuild) throws(Failure) -> Bool {
    let count = try build.countUnplayable(build.pieces)
    let all = build.pieces.count
    print("\(all - count) of \(all) piece\(all == 1 ? "" : "s") in csd/ play\(all == 1 ? "s" : "")")
    return count == 0
  }
}
