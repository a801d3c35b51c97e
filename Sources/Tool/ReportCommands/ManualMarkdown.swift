import Manuals

/// A manual page in Markdown, with the headings under which risset looks for syntax and abstract.
struct ManualMarkdown {
  private(set) var text: String

  init(_ manual: Manual, examples: [Example], builtins: [String]) {
    text = "# \(manual.name)\n"
    head("Abstract")
    add(manual.summary)
    head("Description")
    for block in manual.descriptions.flatMap(\.comment.blocks) {
      switch block {
      case .prose(let words): add(words)
      case .verbatim(let lines): add(code: lines.joined(separator: "\n"))
      case .list(let items): add(items.map { "* " + $0 }.joined(separator: "\n"))
      }
    }
    head("Syntax")
    let syntax = manual.forms.map(\.syntax.text) + manual.descriptions.flatMap(\.otherSyntax)
    add(code: syntax.joined(separator: "\n"), "csound")
    add(manual.forms, "Arguments") { !$0.isOutput }
    add(manual.forms, "Output", where: \.isOutput)
    if !examples.isEmpty { head("Examples") }
    for example in examples { add(code: example.text, "csound") }
    if !builtins.isEmpty {
      head("See also")
      add(
        builtins.map { "* [\($0)](https://csound.com/docs/manual/\($0).html)" }
          .joined(separator: "\n"))
    }
  }

  private mutating func head(_ title: String) { add("## " + title) }

  private mutating func add(_ paragraph: String) { text += "\n" + paragraph + "\n" }

  private mutating func add(code: String, _ language: String = "") {
    add("```\(language)\n\(code.trimmingPrefix("\n"))\(code.hasSuffix("\n") ? "" : "\n")```")
  }

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
        rows.map { "* **\($0.names)** (\($0.rates)\($0.leftOut)): \($0.text ?? "Not described.")" }
          .joined(separator: "\n"))
    }
  }
}
