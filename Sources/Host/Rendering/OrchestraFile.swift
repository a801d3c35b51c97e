import Foundation
import HarnessBase

/// A file with orchestra code: a CSD, or one that its orchestra includes.
package struct OrchestraFile {
  package let path: String
  package let bytes: [UInt8]
  /// The range of the orchestra in the bytes; empty for a CSD without one.
  package let code: Range<Int>
  package let tokens: [OrchestraTokens.Token]
  /// The number of each included file, and its path from the piece's directory, by the index of the token that
  /// names it.
  package private(set) var includes: [Int: (file: Int, place: String)] = [:]

  private init(_ path: String, _ bytes: [UInt8], _ code: Range<Int>) {
    (self.path, self.bytes, self.code) = (path, bytes, code)
    tokens = OrchestraTokens(bytes, in: code).tokens
  }

  package func text(_ token: OrchestraTokens.Token) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// A CSD and the files that it includes, in the order in which Csound reads them; none if it cannot be read.
  package static func all(from csd: String) -> [OrchestraFile] {
    var files: [OrchestraFile] = []
    _ = read(csd, folder: "", into: &files)
    return files
  }

  /// Reads a file and those that it includes. `folder` is that of the last name with a folder among the includes that
  /// lead to it.
  private static func read(
    _ path: String, folder: String, into files: inout [OrchestraFile]
  ) -> Int? {
    if let known = files.firstIndex(where: { $0.path == path }) { return known }
    // Only regular files, as reading a pipe would wait, and some devices have no end.
    guard (try? requireReadableFile(path)) != nil,
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    let bytes = [UInt8](data)
    let index = files.count
    let code = index == 0 ? OrchestraTokens.orchestra(in: bytes) ?? 0..<0 : bytes.indices
    let file = OrchestraFile(path, bytes, code)
    files.append(file)
    for (number, token) in file.tokens.enumerated() where token.kind == .include {
      if let included = IncludedFile(named: file.text(token), from: folder, of: files[0].path),
        let other = read(included.path, folder: included.folder, into: &files)
      {
        files[index].includes[number] = (other, included.name)
      }
    }
    return index
  }
}
