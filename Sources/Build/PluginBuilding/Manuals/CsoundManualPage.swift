import CommandKit
import Foundation

/// An opcode's page in the format of Csound's own manual, as the README of https://github.com/csound/manual asks
/// for it and the manual's scripts read it.
struct CsoundManualPage {
  /// The category of an opcode whose comment names none.
  static let otherCategory = "Miscellaneous"

  /// Where the manual has its pages, and the orchestras that they include; from the manual's directory.
  static let directory = "docs/opcodes", exampleDirectory = "docs/examples"

  /// The page in Markdown; its last line ends.
  private(set) var text: String

  init(_ manual: Manual, examples: [Example], builtins: [String], origin: ManualOrigin?) {
    text = """
      <!--
      id:\(manual.name)
      category:\(manual.category ?? Self.otherCategory)
      -->
      # \(manual.name)
      \(manual.summary.markdownProse).

      """
    if let package = origin?.package { add("Plugin opcode in \(package.markdownProse).") }
    for block in manual.descriptions.flatMap(\.comment.blocks) { add(block.markdown) }
    addSyntax(manual)
    add(manual.forms, "Initialization") { $1.isRead(atInitOf: $0) }
    add(manual.forms, "Performance") { !$1.isRead(atInitOf: $0) }
    if !examples.isEmpty { add("## Examples") }
    for (index, example) in examples.enumerated() {
      add(example, of: manual.name, article: index == 0 ? "an" : "another")
    }
    if !builtins.isEmpty {
      add("## See also")
      add(builtins.map { "[\($0)](\($0).md)" }.joined(separator: ", "))
    }
    if let author = origin?.author, let years = origin?.years {
      add("## Credits")
      add("Author: \(author.markdownProse)<br>\n\(years)<br>")
    }
  }

  private mutating func add(_ paragraph: String) { text += "\n" + paragraph + "\n" }

  private mutating func addSyntax(_ manual: Manual) {
    func tab(_ title: String, _ lines: [String]) -> String {
      let code = lines.joined(separator: "\n").fenced(" csound-orc")
      return "=== \"\(title)\"\n"
        + code.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    }
    // The manual has no empty line between this heading and the first tab.
    add("## Syntax\n" + tab("Modern", manual.forms.map(\.syntax.functionalText)))
    add(tab("Classic", manual.forms.map(\.syntax.text)))
    let others = manual.descriptions.flatMap(\.otherSyntax)
    if !others.isEmpty { add(others.joined(separator: "\n").fenced(" csound-sco")) }
  }

  private mutating func add(_ example: Example, of name: String, article: String) {
    let file = example.file
    add(
      "Here is \(article) example of the \(name) opcode. It uses the file [\(file)](../examples/\(file))."
    )
    add(
      "--8<-- \"examples/\(file)\"".fenced(
        " csound-csd title=\"Example of the \(name) opcode.\" linenums=\"1\""))
  }

  /// A paragraph for each argument that is meant; arguments with the same text share one.
  private mutating func add(
    _ forms: [Manual.Form], _ title: String,
    where isMeant: (Manual.Form, Manual.Argument) -> Bool
  ) {
    var list = ArgumentList()
    for form in forms { list.add(form.arguments.filter { isMeant(form, $0) }, of: form) }
    guard !list.items.isEmpty else { return }
    add("### " + title)
    for item in list.items { add(item.markdown) }
  }
}

/// The arguments of all forms of an opcode, each described once.
private struct ArgumentList {
  enum Item {
    /// The syntax of the only form that the next arguments belong to.
    case form(String)
    /// The names of arguments with the same meaning, and the first of these arguments.
    case arguments([String], Manual.Argument)

    var markdown: String {
      switch self {
      case .form(let syntax): return "In `\(syntax)`:"
      case .arguments(let names, let argument):
        let shown = names.map { $0 == "…" ? $0 : "_\($0)_" }.joined(separator: ", ")
        let standard = argument.standard.map { " (optional, default=\($0))" } ?? ""
        return "\(shown)\(standard) -- \(argument.markdown)"
      }
    }
  }

  private(set) var items: [Item] = []

  mutating func add(_ arguments: [Manual.Argument], of form: Manual.Form) {
    // The same name can mean something else in another form.
    let isDifferent = arguments.contains { argument in
      items.contains { item in
        guard case .arguments(let names, let other) = item else { return false }
        return argument.text != other.text && argument.nameList.contains(where: names.contains)
      }
    }
    if isDifferent { items.append(.form(form.syntax.text)) }
    for argument in arguments { add(argument) }
  }

  private mutating func add(_ argument: Manual.Argument) {
    for index in items.indices {
      guard case .arguments(let names, let other) = items[index], argument.means(other) else {
        continue
      }
      items[index] = .arguments(
        names + argument.nameList.filter { !names.contains($0) }, other)
      return
    }
    items.append(.arguments(argument.nameList, argument))
  }
}

extension Manual.Argument {
  fileprivate var nameList: [String] { names.split(separator: ", ").map(String.init) }

  fileprivate func means(_ other: Manual.Argument) -> Bool {
    text != nil && text == other.text && isOutput == other.isOutput && fallback == other.fallback
  }

  /// Whether the argument belongs to the init pass alone. These are the init-time numbers, and strings in a form
  /// without a-rate, k-rate and spectral arguments.
  fileprivate func isRead(atInitOf form: Manual.Form) -> Bool {
    let isPerforming = form.arguments.contains { $0.rates.contains(where: "akf".contains) }
    return rates.allSatisfy { !"akf".contains($0) && (!isPerforming || $0 != "S") }
  }
}

/// The package that opcodes come from.
struct ManualOrigin {
  /// The name in its manifest; nil where the manifest has none.
  let package: String?
  /// The author and the years in the copyright line of its license; nil where there is no such line.
  let author: String?, years: String?

  /// Reads the manifest and the license in a directory. A missing file leaves its properties nil.
  init(of directory: String) {
    func text(_ name: String) -> String? {
      try? String(contentsOfFile: directory + "/" + name, encoding: .utf8)
    }
    package = text("Package.swift")?.firstMatch(of: /\bPackage\(\s*name:\s*"([^"]+)"/)
      .map { String($0.1) }
    let lines = AuthorPackage.licenseFiles.lazy.compactMap(text).first?.split(separator: "\n") ?? []
    // The GNU licenses begin with a copyright line about their own text.
    let copyright = lines.filter { !$0.contains("Free Software Foundation") }.lazy.compactMap {
      $0.firstMatch(of: /(?i)\bcopyright +(?:\(c\)|©)? *(\d{4}[\d ,–-]*)[ ,](.+)/)
    }.first
    years = copyright.map { $0.1.trimmingCharacters(in: [" ", ","]) }
    author = copyright.map { $0.2.trimmingCharacters(in: .whitespaces) }
  }
}
