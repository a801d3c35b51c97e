import Foundation
import HarnessBase

/// Where things are, and what the commands share.
package enum Project {
  /// The kit's own directory: the script `opcodekit` names it, and the tool was built in it.
  package static let kit: String = {
    if let named = ProcessInfo.processInfo.environment["OPCODEKIT_ROOT"] { return named }
    var directory = executable
    while directory != "/", !directory.isEmpty {
      directory = directory.parentPath
      if FileManager.default.fileExists(atPath: directory + "/Sources/Kit/OpcodeKit") {
        return directory
      }
    }
    return FileManager.default.currentDirectoryPath
  }()

  /// The directory of the package the commands are about: an author's own, or else the kit's.
  package static let root = AuthorPackage.current?.directory ?? kit

  package static let executable =
    (try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

  /// A directory for what a run leaves: `build/NAME`. Where that is in use by another run it is one
  /// beside it, and where it cannot be written, one of the system's temporary ones, which is said.
  package static func outputDirectory(_ name: String) throws(Failure) -> String {
    let usual = "\(root)/build/\(name)"
    if let free = try? lock(usual, orBeside: "\(usual)-\(getpid())") { return free }
    let other = NSTemporaryDirectory() + "/opcodekit-\(name)-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    } catch {
      throw Failure(.unwritableOutput, "Neither '\(usual)' nor '\(other)' can be written.")
    }
    printError("opcodekit: '\(usual)' cannot be written; what is left goes to '\(other)'.")
    return other
  }

  /// Takes a directory for as long as this process runs, or another one where it is taken.
  private static func lock(_ usual: String, orBeside other: String) throws -> String {
    for path in [usual, other] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard access(path, W_OK) == 0 else { throw CocoaError(.fileWriteNoPermission) }
      let file = open(path, O_RDONLY | O_CLOEXEC)
      if file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 { return path }
      close(file)
    }
    return other
  }

  /// A path as it is from the current directory, when it lies below.
  package static func short(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The file an option names, or that lies beside the opcodes: in a package of an author's own, beside
  /// its manifest.
  package static func dataFile(
    _ arguments: Arguments, _ option: Option<String?>, _ name: String,
    in directory: String = "Opcodes"
  ) -> String? {
    if let path = arguments[option] { return path }
    let place =
      if let plugin = arguments[.plugin], !arguments.takesBuiltPlugin {
        (plugin as NSString).deletingPathExtension + ".\(name).json"
      } else if arguments.takesBuiltPlugin, AuthorPackage.current != nil {
        "\(root)/\(name).json"
      } else {
        "\(kit)/\(directory)/\(name).json"
      }
    return FileManager.default.fileExists(atPath: place) ? place : nil
  }

  /// The plugin of `--plugin` as an absolute path.
  package static func plugin(_ arguments: Arguments) -> String? {
    arguments[.plugin].map { URL(fileURLWithPath: $0).path }
  }
}
