import Foundation

/// Reads a text from its beginning, a piece at a time.
struct TextScanner {
  private let characters: [Character]
  var position = 0

  init(_ text: some StringProtocol) { characters = Array(text) }

  /// The next character; nil at the end.
  var next: Character? { position < characters.count ? characters[position] : nil }

  /// Whether only blanks lie between this position and the beginning of the line or a brace.
  var beginsLine: Bool {
    var place = position
    while place > 0, characters[place - 1] == " " || characters[place - 1] == "\t" { place -= 1 }
    guard place > 0 else { return true }
    let before = characters[place - 1]
    return before.isNewline || before == "{" || before == "}"
  }

  mutating func skip() { position += 1 }

  mutating func skipWhile(_ holds: (Character) -> Bool) {
    while let character = next, holds(character) { position += 1 }
  }

  mutating func take(while holds: (Character) -> Bool) -> String {
    let start = position
    skipWhile(holds)
    return String(characters[start..<position])
  }

  /// Takes a quoted text with its quotes. Without a closing quote it goes to the line's end.
  mutating func takeQuoted() -> String {
    let start = position
    position += 1
    while let character = next, character != "\"", !character.isNewline { position += 1 }
    if next == "\"" { position += 1 }
    return String(characters[start..<position])
  }

  /// Takes `(a, b, …)` and returns its parts without the blanks around them. Commas in quotes and in inner brackets do
  /// not separate parts. Without a closing parenthesis it goes to the line's end.
  mutating func takeParenthesized() -> [String] {
    position += 1
    var (parts, depth) = ([""], 0)
    while let character = next, !character.isNewline {
      if character == "\"" {
        parts[parts.count - 1] += takeQuoted()
        continue
      }
      position += 1
      if character == ")" && depth == 0 { break }
      if character == "," && depth == 0 {
        parts.append("")
        continue
      }
      if character == "(" || character == "[" { depth += 1 }
      if character == ")" || character == "]" { depth = max(0, depth - 1) }
      parts[parts.count - 1].append(character)
    }
    parts = parts.map { $0.trimmingCharacters(in: .whitespaces) }
    return parts == [""] ? [] : parts
  }
}
