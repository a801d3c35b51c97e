import CommandKit

/// A page for the terminal.
struct TerminalPage {
  private(set) var text = ""
  /// In columns, between 40 and 100: longer lines are hard to read, shorter ones break syntax and equations.
  private let width = min(max(Terminal.columns ?? 80, 40), 100)

  init() {}

  /// The manual page of an opcode.
  init(_ manual: Manual, examples: [Example], builtins: [String]) {
    head("NAME")
    prose("\(manual.name) - \(manual.summary)", indent: 4)
    head("SYNTAX")
    for form in manual.forms { prose(form.syntax.text, indent: 4, hanging: 8) }
    for line in manual.descriptions.flatMap(\.otherSyntax) { verbatim([line], indent: 4) }
    head("DESCRIPTION")
    let blocks = manual.descriptions.flatMap(\.comment.blocks)
    if blocks.isEmpty { prose("Not described.", indent: 4) }
    add(blocks, indent: 4)
    head("ARGUMENTS")
    for (index, form) in manual.forms.enumerated() {
      if index > 0 { text += "\n" }
      if manual.forms.count > 1 { prose(form.syntax.text, indent: 4, hanging: 8) }
      let indent = manual.forms.count > 1 ? 6 : 4
      for argument in form.arguments {
        prose("\(bold(argument.names)) (\(argument.kind))", indent: indent, hanging: indent + 4)
        prose(argument.text ?? "Not described.", indent: indent + 4)
      }
    }
    if !examples.isEmpty { head("EXAMPLE") }
    for (index, example) in examples.enumerated() {
      guard index == 0 else {
        prose("Another is \(example.path).", indent: 4)
        continue
      }
      prose("\(example.path), as it plays unless its macros are set:", indent: 4)
      text += "\n"
      verbatim(
        PlainOrchestra(example.text).text.split(separator: "\n", omittingEmptySubsequences: false)
          .dropLast().map(String.init), indent: 8)
    }
    if !builtins.isEmpty {
      head("SEE ALSO")
      prose("Csound's \(builtins.joined(separator: ", ")).", indent: 4)
    }
    head("SOURCE")
    for path in manual.descriptions.map(\.path) {
      verbatim([path.replacing(Project.root + "/", with: "")], indent: 4)
    }
  }

  /// A comment, with an empty line between its blocks.
  mutating func add(_ blocks: [Comment.Block], indent: Int) {
    for (index, block) in blocks.enumerated() {
      if index > 0 { text += "\n" }
      switch block {
      case .prose(let words): prose(words, indent: indent)
      case .verbatim(let lines): verbatim(lines, indent: indent + 4)
      case .list(let items):
        for item in items { prose("- " + item, indent: indent, hanging: indent + 2) }
      }
    }
  }

  mutating func head(_ title: String) {
    text += (text.isEmpty ? "" : "\n") + bold(title) + "\n"
  }

  func bold(_ words: String) -> String { Terminal.isBold ? "\u{1B}[1m\(words)\u{1B}[0m" : words }

  mutating func verbatim(_ lines: [String], indent: Int) {
    for line in lines {
      text += line.isEmpty ? "\n" : String(repeating: " ", count: indent) + line + "\n"
    }
  }

  /// Breaks words into lines; those after the first begin at `hanging`.
  mutating func prose(_ words: String, indent: Int, hanging: Int? = nil) {
    var line = ""
    var room = width - indent
    var margin = indent
    func length(_ word: Substring) -> Int {
      word.replacing(/\u{1B}\[\d+m/, with: "").count
    }
    var used = 0
    for word in words.split(separator: " ") {
      if used > 0, used + 1 + length(word) > room {
        text += String(repeating: " ", count: margin) + line + "\n"
        margin = hanging ?? indent
        room = width - margin
        (line, used) = ("", 0)
      }
      line += (used > 0 ? " " : "") + word
      used += (used > 0 ? 1 : 0) + length(word)
    }
    text += String(repeating: " ", count: margin) + line + "\n"
  }
}

extension Manual.Argument {
  /// The rates, the side and the default, in words.
  var kind: String { rates + (isOutput ? ", output" : "") + leftOut }

  /// What Csound takes when it is left out; nil where it must be given.
  var standard: String? {
    fallback.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
  }

  /// The same behind other words.
  var leftOut: String { standard.map { ", \($0) when left out" } ?? "" }
}
