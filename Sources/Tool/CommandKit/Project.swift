import Foundation
import HarnessBase

/// Paths of the kit and of the package, and helpers that commands share.
package enum Project {
  /// The kit's own directory.
  package static let kit = kitDirectory

  /// The directory of the package that the commands work on: an author's own, or else the kit's.
  package static let root = AuthorPackage.current?.directory ?? kit

  /// The directory in which a run's output goes into `build`: `root`, but of an installed tool a folder of the user's own.
  package static let written =
    isInstalled && AuthorPackage.current == nil ? kitBuildDirectory : root

  package static let executable = ownProgram

  /// The words that start a worker.
  package static let worker = [executable, "worker"]

  /// Where the Swift files of the opcodes are.
  package static var opcodeSources: String { AuthorPackage.current?.sources ?? root + "/Opcodes" }

  /// A directory for a run's output: `build/NAME`, or `build/NAME-PID` while another run uses that. If neither can be
  /// written, it is a temporary directory, and a message says so.
  package static func outputDirectory(_ name: String) throws(Failure) -> String {
    let usual = "\(written)/build/\(name)"
    if let free = try? lock(usual, orBeside: "\(usual)-\(getpid())") { return free }
    let other = NSTemporaryDirectory() + "/opcodekit-\(name)-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    } catch {
      throw .unwritableOutput("Neither '\(usual)' nor '\(other)' can be written.")
    }
    printError("opcodekit: '\(usual)' cannot be written; files go to '\(other)'.")
    return other
  }

  /// Locks the directory `usual` for this process until it ends, or `other` if another process has locked `usual`.
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

  /// The path relative to the current directory if it lies below that, else unchanged.
  package static func short(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The file that an option names. Unless given, it is a data file called `name`: PLUGIN.NAME.json beside the plugin
  /// of `--plugin`, NAME.json beside the manifest of an author's package, or DIRECTORY/NAME.json in the kit. Nil if
  /// there is none.
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
