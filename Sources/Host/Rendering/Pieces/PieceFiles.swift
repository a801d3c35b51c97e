import Foundation
public import HarnessBase

/// Finds the files of pieces.
public enum PieceFiles {
  /// The CSDs of these paths: the paths that are files, and all regular files named `*.csd`, or with another of these
  /// extensions, below those that are directories; each once, sorted. Throws if there is none.
  public static func all(
    _ paths: [String], named extensions: [String] = ["csd"]
  ) throws(Failure) -> [String] {
    var found: Set<String> = []
    for path in paths {
      let path = URL(fileURLWithPath: path).path
      guard FileManager.default.fileExists(atPath: path) else {
        throw .missingInput("'\(path)' does not exist.")
      }
      guard isDirectory(path) else {
        try requireReadableFile(path)
        found.insert(path)
        continue
      }
      guard let names = FileManager.default.enumerator(atPath: path) else {
        throw .missingInput("The directory '\(path)' cannot be read.")
      }
      for case let name as String in names
      where extensions.contains((name as NSString).pathExtension.lowercased()) {
        if mayBeFile(path + "/" + name) { found.insert(path + "/" + name) }
      }
    }
    guard !found.isEmpty else {
      throw .missingInput("There is no CSD below '\(paths.joined(separator: "', '"))'.")
    }
    return found.sorted()
  }

  /// The paths that are directories.
  public static func folders(_ paths: [String]) -> [String] {
    paths.map { URL(fileURLWithPath: $0).path }.filter(isDirectory)
  }

  /// Whether a path is a regular file, or a broken link, which is reported when it is read.
  private static func mayBeFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}
