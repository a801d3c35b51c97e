import CommandKit
import Foundation
import HarnessBase

/// The program by which the compiler expands `@Opcode` and `@Plugin`, built once for the plugins of all packages
/// and targets: what `Package.swift` would otherwise have built for each.
enum MacroProgram {
  /// The variable that keeps `Package.swift` from building another.
  static let variable = "OPCODEKIT_MACROS"

  /// What the compiler is told, for Swift's package manager.
  ///
  /// The program's name changes with it, so that what an older one has expanded is compiled anew.
  static func words() throws(Failure) -> [String] {
    let built = "\(Project.kit)/.build/macros/release/OpcodeMacros-tool"
    if !isFresh(built) {
      var environment = ProcessInfo.processInfo.environment
      environment["OPCODEKIT_STANDALONE"] = "1"
      environment[variable] = nil
      let finished = try ChildProcess.run(
        "/usr/bin/env",
        [
          "swift", "build", "--package-path", Project.kit, "-c", "release", "--scratch-path",
          "\(Project.kit)/.build/macros", "--product", "OpcodeMacros",
        ], environment: environment)
      guard finished.isGood else {
        writeError(finished.output + finished.errors)
        throw Failure(
          .badInput, "The build of the kit's macros failed; the compiler's messages are above.")
      }
      // Swift leaves a program alone that a change has not reached.
      utimes(built, nil)
    }
    var status = stat()
    stat(built, &status)
    let program = "\(built)-\(status.st_mtim.tv_sec)"
    link(built, program)
    return ["-Xswiftc", "-load-plugin-executable", "-Xswiftc", "\(program)#OpcodeMacros"]
  }

  /// Whether it is newer than all that it is made of, the compiler included.
  private static func isFresh(_ program: String) -> Bool {
    guard let built = PluginBuild.date(program) else { return false }
    let folders = ["OpcodeMacros", "TypeLetters"].map { "\(Project.kit)/Sources/Kit/\($0)" }
    let sources = folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map {
        "\(folder)/\($0)"
      }
    }
    let others =
      ["\(Project.kit)/Package.swift"] + [programOfSwift("swift-frontend")].compactMap(\.self)
    return (sources + others).allSatisfy { path in
      PluginBuild.date(path).map { $0 <= built } ?? true
    }
  }
}
