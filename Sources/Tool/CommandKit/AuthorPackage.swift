import Foundation
import HarnessBase

/// A package with an author's own opcodes. When the tool is used in one, its commands work on that
/// package's opcodes.
package struct AuthorPackage: Sendable {
  package let directory: String

  /// The directory of its Swift files: `Sources` if there is one, or else the whole package,
  /// because a manifest may name any folder.
  package var sources: String {
    let usual = directory + "/Sources"
    return FileManager.default.fileExists(atPath: usual) ? usual : directory
  }

  /// The names that the file with a package's license can have; the first one that exists is taken.
  package static let licenseFiles = ["LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING"]

  /// The environment variable that names a package's directory from outside; `--package` sets it.
  package static let variable = "OPCODEKIT_PACKAGE"

  /// The package that the variable names, or else the one that the current directory is in; nil if
  /// there is none.
  package static let current: AuthorPackage? = {
    let named = ProcessInfo.processInfo.environment[variable]
    let start = URL(fileURLWithPath: named ?? FileManager.default.currentDirectoryPath)
      .resolvingSymlinksInPath().path
    return around(start)
  }()

  /// The package that a directory is in, by the nearest `Package.swift`; nil if that does not
  /// depend on OpcodeKit.
  package static func around(_ directory: String) -> AuthorPackage? {
    guard let place = manifestDirectory(directory),
      let manifest = try? String(contentsOfFile: place + "/Package.swift", encoding: .utf8),
      manifest.contains(/\.package\([^)]*OpcodeKit/)
    else { return nil }
    return AuthorPackage(directory: place)
  }

  /// Whether the current directory is in a clone of the kit.
  package static var isInKit: Bool {
    let here = FileManager.default.currentDirectoryPath
    let kit = realpath(Project.kit, nil)
    defer { free(kit) }
    if let kit, (here + "/").hasPrefix(String(cString: kit) + "/") { return true }
    guard let place = manifestDirectory(here) else { return false }
    return FileManager.default.fileExists(atPath: place + "/Sources/Kit/OpcodeKit")
  }

  /// The directory of the nearest `Package.swift`, in this directory or above it; nil if there is
  /// none.
  private static func manifestDirectory(_ directory: String) -> String? {
    var directory = directory
    while !FileManager.default.fileExists(atPath: directory + "/Package.swift") {
      guard directory != "/" else { return nil }
      directory = directory.parentPath
    }
    return directory
  }

  /// Chooses the package of `--package DIR` for the rest of the run.
  package static func choose(_ directory: String) throws(Failure) {
    let path = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
    guard FileManager.default.fileExists(atPath: path + "/Package.swift") else {
      throw .missingInput(
        "--package is '\(directory)', where there is no Package.swift; 'opcodekit new NAME' makes a"
          + " package.")
    }
    guard around(path) != nil else {
      throw .badInput(
        "--package is '\(directory)', whose Package.swift has no dependency called OpcodeKit.")
    }
    setenv(variable, path, 1)
  }
}
