import CommandKit
import Foundation
import HarnessBase
import Rendering

extension PluginBuild {
  static func requireSwift() throws(Failure) {
    guard !isInstalled else { throw Tool.lacksSources }
    guard installedProgram("swift") != nil else {
      throw .unavailable(
        "Swift 6.3 or newer is missing: install it from"
          + " https://www.swift.org/install/linux and put 'swift' on the PATH.")
    }
  }

  /// The environment variable by which the kit's manifest takes the files for Csound 7.
  static let csound7 = "OPCODEKIT_CSOUND7"

  /// Runs Swift's package manager, with additional environment variables; once more if it crashes, as it rarely does in
  /// a library of its own. If the build fails, prints the messages and what they mean for an opcode.
  static func swift(
    _ words: [String], for product: String, _ variables: [String: String] = [:]
  ) throws(Failure) {
    try requireSwift()
    let environment = environment(isRelease: words.contains("release")).merging(variables) { $1 }
    var finished = try ChildProcess.run("/usr/bin/env", ["swift"] + words, environment: environment)
    if case .killed(SIGSEGV) = finished.ending {
      finished = try ChildProcess.run("/usr/bin/env", ["swift"] + words, environment: environment)
    }
    guard !finished.isGood else { return }
    let said = finished.output + finished.errors
    writeError(Advice.withoutProgress(said))
    Advice.tell(of: said, by: .compiler)
    throw .badInput("The build of '\(product)' failed; the compiler's messages are above.")
  }

  static func environment(isRelease: Bool) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["OPCODEKIT_STANDALONE"] = isRelease ? "1" : nil
    environment[MacroProgram.variable] = "1"
    return environment
  }
}
