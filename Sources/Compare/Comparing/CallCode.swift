/// Lines of orchestra code that call an opcode, and the variables in them.
package struct CallCode: Equatable, Sendable {
  /// The code. It has the empty brackets (`[]`) that mark an array only where it makes one of its own: the orchestra
  /// makes signals and outputs.
  package let text: String
  /// The variables that the code reads, in order of appearance.
  package private(set) var reads: [String] = []
  /// The variables that the code assigns, in order of appearance.
  package private(set) var writes: [String] = []
  /// The variables marked as arrays, with empty brackets.
  package private(set) var arrays: Set<String> = []

  package init(_ lines: [String]) {
    let code = lines.joined(separator: "\n")
    var kept = ""
    var end = code.startIndex
    for line in Self.tokens(of: code).split(whereSeparator: { $0.text == "\n" }).map(Array.init) {
      let targets = Self.targets(of: line)
      for (index, token) in line.enumerated()
      where token.isWord && line.has("[", at: index + 1) && line.has("]", at: index + 2) {
        arrays.insert(String(token.text))
        guard index >= targets.end || token.text.wholeMatch(of: /[aki](?:in|out)\d*/) != nil
        else { continue }
        kept += code[end..<token.text.endIndex]
        end = line[index + 2].text.endIndex
      }
    }
    text = kept + code[end...]
    for line in Self.tokens(of: text).split(whereSeparator: { $0.text == "\n" }) {
      read(Array(line))
    }
  }

  package var lines: [String] {
    text.split(separator: "\n").map { line in
      String(line.drop { $0 == " " || $0 == "\t" })
    }
  }

  /// Whether the code contains a word outside strings and comments.
  package func has(_ word: String) -> Bool {
    Self.tokens(of: text).contains { $0.isWord && $0.text == word }
  }

  /// The code with each occurrence of `word` replaced, outside strings and comments.
  package func replacing(_ word: String, with other: String) -> CallCode {
    var changed = ""
    var end = text.startIndex
    for token in Self.tokens(of: text) where token.isWord && token.text == word {
      changed += text[end..<token.text.startIndex] + other
      end = token.text.endIndex
    }
    return CallCode([changed + text[end...]])
  }

  /// The names that other code has in place of this one's, if it is the same but for words; nil if it is not.
  package func renamed(in other: CallCode) -> [String: String]? {
    let (mine, others) = (Self.tokens(of: text), Self.tokens(of: other.text))
    guard mine.count == others.count else { return nil }
    var names: [String: String] = [:]
    for (one, two) in zip(mine, others) where one.text != two.text {
      guard one.isWord, two.isWord, names[String(one.text)] ?? String(two.text) == two.text else {
        return nil
      }
      names[String(one.text)] = String(two.text)
    }
    return names
  }

  // MARK: Words

  fileprivate struct Token {
    var text: Substring
    var isWord: Bool
  }

  private static func tokens(of code: String) -> [Token] {
    let pattern =
      /;[^\n]*|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|\$\w+\.?|[A-Za-z_]\w*|[0-9.][\w.]*|\n|[^\s]/
    return code.matches(of: pattern).map(\.output).compactMap { text in
      guard text.first != ";", !text.hasPrefix("//") else { return nil }
      return Token(text: text, isWord: text.first!.isLetter || text.first == "_")
    }
  }

  /// Words in expressions that are not variables.
  private static let keywords: Set<Substring> = [
    "if", "then", "ithen", "kthen", "else", "elseif", "endif", "while", "until", "do", "od", "goto",
    "igoto", "kgoto", "sr", "kr", "ksmps", "nchnls", "nchnls_i", "A4",
  ]

  private mutating func read(_ line: [Token]) {
    let targets = Self.targets(of: line)
    for name in targets.names where !writes.contains(name) { writes.append(name) }
    for index in line.indices.dropFirst(targets.end) where line[index].isWord {
      let name = line[index].text
      let isFunction =
        line.has("(", at: index + 1)
        || (line.has(":", at: index + 1) && line.has("(", at: index + 3))
      let isRate = index >= 2 && line.has(":", at: index - 1) && line.has("(", at: index + 1)
      let isOpcode = index == targets.opcode
      guard !isFunction, !isRate, !isOpcode, !Self.keywords.contains(name),
        name.wholeMatch(of: /p\d+/) == nil, !reads.contains(String(name))
      else { continue }
      reads.append(String(name))
    }
  }

  /// The variables that a line assigns, the index of the first token after them, and the index of the
  /// line's opcode, if it has one.
  private static func targets(of line: [Token]) -> (names: [String], end: Int, opcode: Int?) {
    var names: [String] = []
    var index = 0
    while index < line.count, line[index].isWord, !keywords.contains(line[index].text),
      line[index].text.contains(/^g?[akiSfx]/)
    {
      names.append(String(line[index].text))
      index += 1
      if line.has("[", at: index) {
        while index < line.count, line[index].text != "]" { index += 1 }
        index += 1
      }
      guard line.has(",", at: index) else { break }
      index += 1
    }
    if !names.isEmpty {
      if index < line.count, line[index].isWord || line[index].text == "$OPCODE" {
        return (names, index, index)
      }
      let operation = ["+", "-", "*", "/"].contains(where: { line.has($0, at: index) }) ? 1 : 0
      if line.has("=", at: index + operation), !line.has("=", at: index + operation + 1) {
        return (names, index, nil)
      }
    }
    return ([], 0, line.first?.isWord == true ? 0 : nil)
  }
}

extension [CallCode.Token] {
  fileprivate func has(_ text: String, at index: Int) -> Bool {
    index < count && self[index].text == text
  }
}
