/// A manual page in Markdown, with the headings under which risset looks for syntax and abstract.
struct ManualMarkdown {
  private(set) var text: String

  init(_ manual: Manual, examples: [Example], builtins: [String]) {
    text = "# \(manual.name)\n"
    head("Abstract")
    add(manual.summary)
    head("Description")
    let blocks = manual.descriptions.flatMap(\.comment.blocks)
    if blocks.isEmpty { add("Not described.") }
    for block in blocks { add(block.markdown) }
    head("Syntax")
    let syntax = manual.forms.map(\.syntax.text) + manual.descriptions.flatMap(\.otherSyntax)
    add(syntax.joined(separator: "\n").fenced("csound"))
    add(manual.forms, "Arguments") { !$0.isOutput }
    add(manual.forms, "Output", where: \.isOutput)
    if !examples.isEmpty { head("Examples") }
    for example in examples { add(PlainOrchestra(example.text).text.fenced("csound")) }
    if !builtins.isEmpty {
      head("See also")
      add(
        builtins.map { "* [\($0)](https://csound.com/docs/manual/\($0).html)" }
          .joined(separator: "\n"))
    }
  }

  private mutating func head(_ title: String) { add("## " + title) }

  private mutating func add(_ paragraph: String) { text += "\n" + paragraph + "\n" }

  /// The arguments of one side.
  private mutating func add(
    _ forms: [Manual.Form], _ title: String, where isMeant: (Manual.Argument) -> Bool
  ) {
    guard forms.contains(where: { $0.arguments.contains(where: isMeant) }) else { return }
    head(title)
    for form in forms {
      let rows = form.arguments.filter(isMeant)
      guard !rows.isEmpty else { continue }
      if forms.count > 1 { add("Of `\(form.syntax.text)`:") }
      add(
        rows.map { "* **\($0.names)** (\($0.rates)\($0.leftOut)): \($0.markdown)" }
          .joined(separator: "\n"))
    }
  }
}

extension Comment.Block {
  /// The block in Markdown; its last line does not end.
  var markdown: String {
    switch self {
    case .prose(let words): words.markdownProse
    case .verbatim(let lines): lines.joined(separator: "\n").fenced()
    case .list(let items): items.map { "* " + $0.markdownProse }.joined(separator: "\n")
    }
  }
}

extension Manual.Argument {
  /// What the argument means, in Markdown.
  var markdown: String { text?.markdownProse ?? "Not described." }
}

extension String {
  /// The text as a block of code in Markdown; `language` is what follows the first fence.
  func fenced(_ language: String = "") -> String {
    "```\(language)\n\(trimmingPrefix("\n"))\(hasSuffix("\n") ? "" : "\n")```"
  }

  /// The prose with what Markdown would take for markup escaped, apart from code between grave accents.
  package var markdownProse: String {
    // The regex matches whole words, so an underscore in a word is not escaped.
    let regex = /`[^`]*`|[\p{L}\p{N}]\w*|[\\*_$]|<(?=[A-Za-z\/!?])|\[(?=[^\]]*\]\()/
    return replacing(regex) { match -> String in
      switch match.output.first {
      case "<": "&lt;"
      case "\\", "*", "_", "$", "[": "\\" + match.output
      default: String(match.output)
      }
    }
  }
}
