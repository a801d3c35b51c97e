import Foundation
public import HarnessBase

/// Pieces as files.
public enum PieceFiles {
  /// The CSDs that paths name: files, and all below directories but for directories, pipes and devices
  /// that are called like one; each once, in alphabetical order. At least one.
  public static func all(_ paths: [String]) throws(Failure) -> [String] {
    var found: Set<String> = []
    for path in paths {
      let path = URL(fileURLWithPath: path).path
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
        throw Failure(.missingInput, "'\(path)' does not exist.")
      }
      guard isDirectory.boolValue else {
        try requireReadableFile(path)
        found.insert(path)
        continue
      }
      guard let names = FileManager.default.enumerator(atPath: path) else {
        throw Failure(.missingInput, "The directory '\(path)' cannot be read.")
      }
      for case let name as String in names where name.lowercased().hasSuffix(".csd") {
        if mayBeFile(path + "/" + name) { found.insert(path + "/" + name) }
      }
    }
    guard !found.isEmpty else {
      throw Failure(.missingInput, "There is no CSD below '\(paths.joined(separator: "', '"))'.")
    }
    return found.sorted()
  }

  /// Those of the paths that are directories.
  public static func folders(_ paths: [String]) -> [String] {
    paths.map { URL(fileURLWithPath: $0).path }.filter { path in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        && isDirectory.boolValue
    }
  }

  /// Whether something is a file, or a link to nothing, which is told where it is read.
  private static func mayBeFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}
