import Foundation
import HarnessBase

/// The opcodes that C files of Csound's sources have: those of the tables in the files, and those whose functions the files
/// define and the table of another file, such as `Engine/entry1.c`, names.
struct ChangedOpcodes {
  /// The names, sorted.
  let names: [String]

  /// Fails if a file cannot be read.
  init(_ files: [String]) throws(Failure) {
    var names: Set<String> = []
    for file in files {
      try requireReadableFile(file)
      let path = URL(fileURLWithPath: file).standardizedFileURL.path
      let text = Self.text(path)
      names.formUnion(Self.entries(text).map(\.name))
      let defined = Set(
        text.matches(of: /(?m)^(?:static\s+)?(?:int32_t|int)\s+(\w+)\s*\(\s*CSOUND/).map {
          String($0.1)
        })
      for table in Self.tables(above: path) where table != path {
        for entry in Self.entries(Self.text(table)) where !defined.isDisjoint(with: entry.words) {
          names.insert(entry.name)
        }
      }
    }
    self.names = names.sorted()
  }

  private static func text(_ path: String) -> String {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// The files of the same sources that register opcodes for others.
  private static func tables(above path: String) -> [String] {
    var directory = path.parentPath
    while directory != "/", !directory.isEmpty {
      let table = directory + "/Engine/entry1.c"
      if FileManager.default.fileExists(atPath: table) { return [table] }
      directory = directory.parentPath
    }
    return []
  }

  /// The entries of a table of opcodes, `{ "name", …, function, function }`, and the words in each.
  private static func entries(_ text: String) -> [(name: String, words: Set<String>)] {
    text.matches(of: /\{\s*"([A-Za-z_#]\w*)(?:\.\w+)?"\s*,([^{}]*)\}/).map { match in
      let words = match.2.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      return (String(match.1), Set(words))
    }
  }
}
