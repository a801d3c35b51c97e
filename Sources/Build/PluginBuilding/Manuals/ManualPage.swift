import CommandKit
import HarnessBase

/// The format of a manual page in Markdown.
enum ManualFormat: String {
  /// For risset, Csound's package manager.
  case risset
  /// For Csound's own manual.
  case csoundManual = "csound-manual"
}

/// The manual page of an opcode in Markdown.
package struct ManualPage {
  package let name: String
  /// What the opcode does, in a line.
  package let summary: String
  package let markdown: String
  /// Its category in Csound's manual, such as `Signal Modifiers:Reverberation`; nil if its source names none.
  package let category: String?
  /// The opcodes of Csound's that it is compared with, in alphabetical order.
  package let builtins: [String]
  /// The page and the files that it includes; each path is relative to the directory of the manual.
  let files: [(path: String, text: String)]

  /// The pages, for risset, of all opcodes of the package the tool is used in, or of the kit's, by name. Fails where
  /// a source file or an orchestra cannot be read.
  package static func all() throws(Failure) -> [ManualPage] {
    try all(Manual.all(in: Project.opcodeSources), for: .risset, origin: nil)
  }

  static func all(
    _ manuals: [Manual], for format: ManualFormat, origin: ManualOrigin?
  ) throws(Failure) -> [ManualPage] {
    var pages: [ManualPage] = []
    for manual in manuals { pages.append(try ManualPage(manual, for: format, origin: origin)) }
    return pages
  }

  private init(
    _ manual: Manual, for format: ManualFormat, origin: ManualOrigin?
  ) throws(Failure) {
    (name, summary, category) = (manual.name, manual.summary, manual.category)
    let examples = try manual.examples()
    builtins = try manual.builtinRivals()
    switch format {
    case .risset:
      markdown = ManualMarkdown(manual, examples: examples, builtins: builtins).text
      files = [(name + ".md", markdown)]
    case .csoundManual:
      markdown =
        CsoundManualPage(manual, examples: examples, builtins: builtins, origin: origin).text
      files =
        [("\(CsoundManualPage.directory)/\(name).md", markdown)]
        + examples.map { ("\(CsoundManualPage.exampleDirectory)/\($0.file)", $0.text) }
    }
  }
}

/// An orchestra that plays an opcode.
package struct Example {
  /// From the project's root.
  package var path: String
  /// Its name without the directory.
  package var file: String { String(path.split(separator: "/").last!) }
  package var text: String
}
