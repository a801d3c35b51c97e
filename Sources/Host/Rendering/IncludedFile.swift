import Foundation
import HarnessBase

/// A file that an orchestra includes.
package struct IncludedFile {
  package let path: String
  /// Its path from the folder in which Csound finds it.
  package let name: String
  /// The folder of the last name with a folder among the includes that lead to the file, with a `/` at its end; empty
  /// for the piece's directory.
  package let folder: String

  /// Looks for a file as Csound does: its name in the folder of the file that names it, then the name as it is; both in
  /// the piece's directories, those of `INCDIR`, the current one and those of `SSDIR`. Nil if there is none.
  package init?(named given: String, from folder: String, of piece: String) {
    let roots =
      OrchestraAndScore.folders(of: piece) + Self.folders("INCDIR") + ["."] + Self.folders("SSDIR")
    let places = (given.hasPrefix("/") ? [given] : [folder + given, given]).flatMap { name in
      (name.hasPrefix("/") ? [""] : roots.map { $0 + "/" }).map { (path: $0 + name, name: name) }
    }
    guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0.path) })
    else { return nil }
    (path, name) = found
    self.folder =
      given.contains("/") ? String(name[...name.lastIndex(of: "/")!]) : folder
  }

  /// Of a variable's folders Csound looks in the last one first.
  private static func folders(_ variable: String) -> [String] {
    let list = ProcessInfo.processInfo.environment[variable] ?? ""
    return list.split { $0 == ":" || $0 == ";" }.map(String.init).reversed()
  }
}
