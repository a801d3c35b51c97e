import CommandKit
import Foundation
import HarnessBase
import PluginBuilding
import Reporting

/// The site's pages of the pack's opcodes: one for each opcode, made from its source, with its speed and its pictures,
/// and an index of them.
struct OpcodeArticles {
  private let pages: [ManualPage]
  private let speed: PackSpeed
  private let pictures: [String: [OpcodePictures.Picture]]

  /// Measures the pictures with the opcodes of a plugin. Fails where a source cannot be read, and without gnuplot.
  init(plugin: String) throws(Failure) {
    pages = try ManualPage.all()
    speed = try PackSpeed()
    let line = ProgressLine("docs")
    defer { ProgressLine.clear() }
    pictures = try OpcodePictures.all(plugin: plugin) { line.count($0) }
  }

  /// A catalog of DocC with these pages, too: an article for each opcode, its pictures, and the article `OpcodePages`,
  /// to which the first page leads.
  func adding(to catalog: [String: String]) -> [String: String] {
    var files = catalog
    files["OpcodePages.md"] = index
    files["OpcodeKit.md"] = files["OpcodeKit.md"]?.replacing(
      "### Reference\n\n", with: "### Reference\n\n- <doc:OpcodePages>\n")
    for name in ["Opcodes.md", "UsingThePack.md", "PackSpeed.md"] {
      files[name] = files[name].map(linked)
    }
    for page in pages {
      files[page.name + ".md"] = article(page)
      for (number, picture) in (pictures[page.name] ?? []).enumerated() {
        files[file(page, number)] = picture.svg
      }
    }
    return files
  }

  /// The text with the names of opcodes in its tables as links to their pages.
  private func linked(_ text: String) -> String {
    let names = Set(pages.map(\.name))
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.hasPrefix("|") else { return String(line) }
      return String(line).replacing(/`[^`]*`|\[[^\]]*\]|\b[A-Z][A-Z0-9]+\b/) { match in
        names.contains(String(match.output)) ? "<doc:\(match.output)>" : String(match.output)
      }
    }.joined(separator: "\n")
  }

  private func file(_ page: ManualPage, _ number: Int) -> String {
    "opcode-\(page.name)-\(number + 1).svg"
  }

  private func article(_ page: ManualPage) -> String {
    var text = page.markdown.replacing("\n## Abstract\n", with: "", maxReplacements: 1)
    // First how it is called, then how it works. Orchestras are long: they come last.
    var description = ""
    if let start = text.firstRange(of: "\n## Description\n")?.lowerBound,
      let end = text.firstRange(of: "\n## Syntax\n")?.lowerBound
    {
      description = String(text[start..<end])
      text.removeSubrange(start..<end)
    }
    let end = text.firstRange(of: "\n## Examples\n")?.lowerBound ?? text.endIndex
    return text[..<end] + description + measured(page) + text[end...]
  }

  private func measured(_ page: ManualPage) -> String {
    var text = ""
    if let table = speed.table(of: page.name) {
      text += """

        ## Speed

        How many times as fast as its rival, from the slowest combination of rates to the fastest. <doc:PackSpeed> says
        how it was measured.

        \(table)
        """
    }
    let pictures = pictures[page.name] ?? []
    if !pictures.isEmpty { text += "\n## Pictures\n" }
    for (number, picture) in pictures.enumerated() {
      text += "\n\(picture.caption)\n\n![\(page.name), measured](\(file(page, number)))\n"
    }
    return text
  }

  /// The opcodes by the opcode of Csound's, and by kind.
  private var index: String {
    var table = MarkdownTable(["Csound's", "the pack's"])
    let pairs = pages.flatMap { page in page.builtins.map { (builtin: $0, page: page.name) } }
    for (builtin, page) in pairs.sorted(by: { $0.builtin < $1.builtin }) {
      table.add(["`\(builtin)`", "<doc:\(page)>"])
    }
    let kinds = Dictionary(grouping: pages) { $0.category ?? "Other" }
    let topics = kinds.sorted { $0.key < $1.key }.map { kind, pages in
      "### \(kind.replacing(":", with: ", "))\n\n"
        + pages.map { "- <doc:\($0.name)>\n" }.joined()
    }
    return """
      # The opcodes, page by page

      A page for each opcode of the pack: how it is called, how it sounds, how it differs, how fast it is.

      ## By the opcode of Csound's

      \(table.text)
      ## Topics

      \(topics.joined(separator: "\n"))
      """
  }
}
