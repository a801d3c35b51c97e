import CommandKit
import Foundation
import HarnessBase

/// The program with which the compiler expands `@Opcode` and `@Plugin`. It is built once for the plugins of all
/// packages and targets; otherwise `Package.swift` would build it for each.
enum MacroProgram {
  /// The environment variable that keeps `Package.swift` from building the program again.
  static let variable = "OPCODEKIT_MACROS"

  /// The words that tell Swift's package manager to use the program; builds the program if it is out of date.
  ///
  /// The program's name contains the date of the first build with the same result, so that code that another program
  /// has expanded is compiled again, and no other code.
  static func words() throws(Failure) -> [String] {
    let built = "\(Project.kit)/.build/macros/release/OpcodeMacros-tool"
    let isFresh = dateWritten(built).map {
      PluginBuild.isKitOlder(["OpcodeMacros", "TypeLetters"], than: $0)
    }
    if isFresh != true {
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
        throw .badInput("The build of the kit's macros failed; the compiler's messages are above.")
      }
      // If a change does not affect the program, Swift leaves its file as old as it was.
      utimes(built, nil)
    }
    let program = named(built)
    return ["-Xswiftc", "-load-plugin-executable", "-Xswiftc", "\(program)#OpcodeMacros"]
  }

  /// The path, with a date in it, of a program that was built.
  private static func named(_ built: String) -> String {
    let files = FileManager.default
    let earlier = ((try? files.contentsOfDirectory(atPath: built.parentPath)) ?? []).sorted()
      .filter { $0.wholeMatch(of: /OpcodeMacros-tool-\d+/) != nil }
      .map { "\(built.parentPath)/\($0)" }
    if let same = earlier.first(where: { files.contentsEqual(atPath: $0, andPath: built) }) {
      return same
    }
    var status = stat()
    stat(built, &status)
    let program = "\(built)-\(status.st_mtim.tv_sec)"
    link(built, program)
    return program
  }
}
