import CommandKit
import Foundation
import HarnessBase

/// The function of a package that registers its opcodes, in the text of its file.
package struct OpcodeList {
  /// Relative to the package's directory.
  package let path: String
  package let text: String
  /// The folder of the file, relative to the package's directory.
  package var folder: String { path.parentPath }

  private static let head = "func registerOpcodes(in registry: inout some OpcodeRegistry) {"

  package init(path: String, text: String) { (self.path, self.text) = (path, text) }

  package init(of package: AuthorPackage) throws(Failure) {
    let sources = package.sources
    let names = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    // Without the sources of other packages in .build.
    for name in names.sorted() where name.hasSuffix(".swift") && !name.hasPrefix(".") {
      guard let text = try? String(contentsOfFile: sources + "/" + name, encoding: .utf8),
        text.contains(Self.head)
      else { continue }
      path = (sources + "/" + name).replacing(package.directory + "/", with: "")
      self.text = text
      return
    }
    throw .badInput(
      "No file in '\(sources)' has '\(Self.head)', which registers opcodes; write it first.")
  }

  /// The file with one more struct registered, after the others.
  package func adding(_ structName: String) throws(Failure) -> (path: String, text: String) {
    var place = text.range(of: Self.head)!.upperBound
    var depth = 1
    while depth > 0, place < text.endIndex {
      if text[place] == "{" { depth += 1 }
      if text[place] == "}" { depth -= 1 }
      if depth > 0 { place = text.index(after: place) }
    }
    guard depth == 0 else {
      throw .badInput("'\(path)' has a '{' without its '}'; correct it first.")
    }
    let body = text[text.range(of: Self.head)!.upperBound..<place]
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let lines = (body.isEmpty ? [] : [body]) + ["register\(structName)(in: &registry)"]
    let start = text.range(of: Self.head)!.upperBound
    return (
      path,
      text[..<start] + "\n    " + lines.joined(separator: "\n    ") + "\n  " + text[place...]
    )
  }
}
