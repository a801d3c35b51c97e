import Foundation

/// The path of the running program.
package let ownProgram =
  (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  ?? CommandLine.arguments[0]

/// The kit's own directory: that of the variable `OPCODEKIT_ROOT`, which the script `opcodekit` sets, or else the one the
/// running program was built in.
package let kitDirectory =
  ProcessInfo.processInfo.environment["OPCODEKIT_ROOT"] ?? builtKitDirectory

/// Whether the tool is one that `package --tool` made: its programs are in the folder `bin` of the kit's directory, beside
/// the files that they read, and nothing is compiled there.
package let isInstalled = FileManager.default.fileExists(atPath: kitDirectory + "/bin/opcodekit")

/// Where the tool keeps what it fetches and makes for itself: `.build` in a clone; of an installed tool, a folder of the
/// user's own, because the kit's directory is not theirs.
package let kitBuildDirectory: String = {
  guard isInstalled else { return kitDirectory + "/.build" }
  let environment = ProcessInfo.processInfo.environment
  return
    (environment["XDG_STATE_HOME"]
    ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state") + "/opcodekit"
}()

/// The kit's directory in which the running program was built; its sources are there.
package let builtKitDirectory: String = {
  var directory = ownProgram
  while directory != "/", !directory.isEmpty {
    directory = directory.parentPath
    if FileManager.default.fileExists(atPath: directory + "/Sources/Kit/OpcodeKit") {
      return directory
    }
  }
  return FileManager.default.currentDirectoryPath
}()
