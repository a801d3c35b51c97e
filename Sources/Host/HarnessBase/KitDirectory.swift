import Foundation

/// The path of the running program.
package let ownProgram =
  (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  ?? CommandLine.arguments[0]

/// The kit's own directory: that of the variable `OPCODEKIT_ROOT`, which the script `opcodekit` sets, or else the one the
/// running program was built in.
package let kitDirectory =
  ProcessInfo.processInfo.environment["OPCODEKIT_ROOT"] ?? builtKitDirectory

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
