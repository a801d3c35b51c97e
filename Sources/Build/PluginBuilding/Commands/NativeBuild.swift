import CommandKit
import Comparing
import Foundation
import HarnessBase
import Rendering

/// Builds the plugin for the processor level that is fastest on this machine, which is found by measuring.
struct NativeBuild {
  private let build: PluginBuild
  private let targets: [BuildTarget]

  /// Fails unless `csounds` and `processor` are those that the tool itself plays with.
  init(_ build: PluginBuild, _ csounds: [CsoundVersion], _ processor: Processor) throws(Failure) {
    guard processor == .own else {
      throw .usage(
        "--cpu native chooses by measuring, and this machine's processor is \(Processor.own.rawValue); for"
          + " \(processor.rawValue) name a level: \(processor.levels.joined(separator: ", ")).")
    }
    guard csounds == [.tools] else {
      let other = csounds.first { $0 != .tools } ?? .seven
      throw .usage(
        "--cpu native measures with Csound \(CsoundVersion.tools.release); say --csound"
          + " \(CsoundVersion.tools.rawValue), and build for \(other.rawValue) with the level it has chosen."
      )
    }
    self.build = build
    let others = Processor.executableLevels.filter { $0 != Processor.playedLevel }
    targets =
      [BuildTarget(.tools, processor)]
      + others.map { BuildTarget(.tools, processor, level: $0) }
  }

  /// Builds for each level that this processor can execute, and puts the best build in the place of the one for every
  /// processor.
  func choose() throws(Failure) -> ExitCode {
    // Read first, so that a failure comes before the long builds.
    let pairings = try BuildContest.pairings()
    for target in targets {
      printError("opcodekit: building \(build.file(for: target))")
      try build.standalone(for: target)
    }
    let plain = targets[0]
    let file = build.file(for: plain)
    guard targets.count > 1 else {
      print("\(file) is the build for every processor, the only one this processor can execute.")
      return .success
    }
    func entrant(_ target: BuildTarget) -> (level: String, plugin: String) {
      (target.level ?? "every processor", build.path(for: target))
    }
    let contest = try BuildContest(
      pairings, plain: entrant(plain), others: targets.dropFirst().map(entrant))
    let choice = try contest.run()
    print(choice.table + "\n")
    if let best = targets.dropFirst().first(where: { $0.level == choice.level }) {
      try build.install(build.path(for: best), as: build.path(for: plain))
    }
    print(choice.sentence(for: file))
    return .success
  }
}
