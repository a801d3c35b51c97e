/// Damages texts at random, mostly their numbers, quotes and brackets. The same generator gives the same damage.
public struct TextMutator<Generator: RandomNumberGenerator> {
  public var generator: Generator
  /// The elements of `numbers` that were inserted so far.
  public private(set) var used: Set<String> = []

  public init(_ generator: Generator) { self.generator = generator }

  /// Numbers that no careful program would write.
  public static var numbers: [String] {
    [
      "1e20", "-1e20", "1e30", "1e308", "-1e308", "1e309", "nan", "-nan", "inf", "-inf", "0",
      "-0.0",
      "-1", "-300", "2147483647", "2147483648", "-2147483649", "4294967296",
      "9223372036854775807", "9223372036854775808", "99999999999999999999999", "1e-320", "0x1p1023",
      "1e", ".", "1..2", "", "½",
    ]
  }

  private static var pieces: [String] {
    [
      "\"", "(", ")", "{", "}", "<", ">", "</", "/>", "&", "&amp;", "<!--", "]]>", "\\", "\n", ",",
      ":",
      "#", "$", "#define X #", "$X", ";", "/*", "*/", "\0", "é", "👩‍👩‍👧", "\u{202E}", "\u{FFFE}", "=",
      "-",
    ]
  }

  /// The text with one to four faults.
  public mutating func mutated(_ text: String) -> String {
    var tokens = Self.tokens(of: text)
    for _ in 0..<Int.random(in: 1...4, using: &generator) { spoil(&tokens) }
    return tokens.joined()
  }

  /// This number, or in one third of the calls one of `numbers`.
  public mutating func number(usually number: String) -> String {
    Int.random(in: 0..<3, using: &generator) == 0 ? wrongNumber() : number
  }

  private mutating func wrongNumber() -> String {
    let number = Self.numbers.randomElement(using: &generator)!
    used.insert(number)
    return number
  }

  private mutating func spoil(_ tokens: inout [String]) {
    guard !tokens.isEmpty else { return }
    let place = Int.random(in: tokens.indices, using: &generator)
    let end = min(tokens.count, place + Int.random(in: 1...12, using: &generator))
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<5:
      // Five of twelve faults change a number, if there is one.
      let numbers = tokens.indices.filter { tokens[$0].first?.isNumber == true }
      guard let place = numbers.randomElement(using: &generator) else { return }
      tokens[place] = wrongNumber()
    case 5: tokens.removeSubrange(place..<end)
    case 6:
      let times = [2, 8, 100].randomElement(using: &generator)!
      tokens.insert(
        contentsOf: Array(repeating: tokens[place..<end], count: times).joined(), at: place)
    case 7: tokens.swapAt(place, Int.random(in: tokens.indices, using: &generator))
    case 8: tokens.insert(Self.pieces.randomElement(using: &generator)!, at: place)
    case 9:
      let quotes = tokens.indices.filter { tokens[$0] == "\"" || tokens[$0] == ")" }
      if let quote = quotes.randomElement(using: &generator) { tokens.remove(at: quote) }
    case 10:
      let piece = Self.pieces.randomElement(using: &generator)!
      let times = [10, 200, 3000].randomElement(using: &generator)!
      tokens.insert(String(repeating: piece, count: times), at: place)
    default: tokens.removeSubrange(place...)
    }
  }

  /// Numbers and words as tokens; every other character is a token of its own.
  private static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var isWord = false
    for character in text {
      let belongs = character.isLetter || character.isNumber || character == "."
      if belongs && isWord {
        tokens[tokens.count - 1].append(character)
      } else {
        tokens.append(String(character))
      }
      isWord = belongs
    }
    return tokens
  }
}
