import Foundation
import HarnessBase

/// A package of an author's own opcodes, which the commands are about when the tool is used in it.
package struct AuthorPackage: Sendable {
  package let directory: String

  /// The variable that names one from outside; `--package` sets it.
  package static let variable = "OPCODEKIT_PACKAGE"

  /// The one that is named, or the one the tool is used in; nil in any other directory.
  package static let current: AuthorPackage? = {
    let named = ProcessInfo.processInfo.environment[variable]
    let start = URL(fileURLWithPath: named ?? FileManager.default.currentDirectoryPath)
      .resolvingSymlinksInPath().path
    return around(start)
  }()

  /// The package a directory belongs to, by the nearest manifest; nil where that does not depend on
  /// OpcodeKit.
  package static func around(_ directory: String) -> AuthorPackage? {
    var directory = directory
    while true {
      if let manifest = try? String(
        contentsOfFile: directory + "/Package.swift", encoding: .utf8)
      {
        return manifest.contains(/\.package\([^)]*OpcodeKit/)
          ? AuthorPackage(directory: directory) : nil
      }
      guard directory != "/" else { return nil }
      directory = (directory as NSString).deletingLastPathComponent
    }
  }

  /// Chooses the package of `--package DIR` for the rest of the run.
  package static func choose(_ directory: String) throws(Failure) {
    let path = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
    guard FileManager.default.fileExists(atPath: path + "/Package.swift") else {
      throw Failure(
        .missingInput,
        "--package is '\(directory)', where there is no Package.swift; 'opcodekit new NAME' makes a"
          + " package.")
    }
    guard around(path) != nil else {
      throw Failure(
        .badInput,
        "--package is '\(directory)', whose Package.swift has no dependency called OpcodeKit.")
    }
    setenv(variable, path, 1)
  }
}
