import Foundation
public import HarnessBase

/// Pieces as files.
public enum PieceFiles {
  /// The CSDs that paths name: files, and all below directories; each once, in alphabetical order. At
  /// least one.
  public static func all(_ paths: [String]) throws(Failure) -> [String] {
    var found: Set<String> = []
    for path in paths {
      let path = URL(fileURLWithPath: path).path
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
        throw Failure(.missingInput, "'\(path)' does not exist.")
      }
      guard isDirectory.boolValue else {
        found.insert(path)
        continue
      }
      guard let names = FileManager.default.enumerator(atPath: path) else {
        throw Failure(.missingInput, "The directory '\(path)' cannot be read.")
      }
      for case let name as String in names where name.lowercased().hasSuffix(".csd") {
        found.insert(path + "/" + name)
      }
    }
    guard !found.isEmpty else {
      throw Failure(.missingInput, "There is no CSD below '\(paths.joined(separator: "', '"))'.")
    }
    return found.sorted()
  }
}
