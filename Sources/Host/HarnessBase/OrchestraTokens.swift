/// Splits orchestra code into words and what is between them. It works on bytes, so that any encoding
/// will do.
package struct OrchestraTokens {
  package enum Kind: Equatable {
    /// A name that may be an opcode's.
    case word
    /// The name of a macro, where it is defined, tested or used.
    case macroName
    /// The name of a file behind `#include` or `#includestr`, without its quotes.
    case include
    case lineEnd
    /// Blanks and comments.
    case space
    /// Numbers, strings, operators.
    case other
  }

  package struct Token {
    package var kind: Kind
    package var range: Range<Int>
  }

  private let bytes: [UInt8]
  private var place: Int
  private let end: Int
  package private(set) var tokens: [Token] = []

  package init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    (place, end) = (range.lowerBound, range.upperBound)
    while place < end { scan() }
  }

  private mutating func scan() {
    let start = place
    switch at(place) {
    case "\n", "\r":
      add(.lineEnd, to: start + 1)
    case " ", "\t":
      add(.space, to: start + 1)
    case ";":
      add(.space, to: line(from: start))
    case "/" where next("//"):
      add(.space, to: line(from: start))
    case "/" where next("/*"):
      add(.space, to: after("*/", from: start + 2))
    case "{" where next("{{"):
      add(.other, to: after("}}", from: start + 2))
    case "\"":
      add(.other, to: string(from: start))
    case "$":
      add(.macroName, to: word(from: start + 1))
    case "#":
      directive(from: start)
    case let first where first.isDigit || (first == "." && at(start + 1).isDigit):
      // Including an exponent, and numbers such as 0x1F, so that no word begins inside a number.
      add(.other, to: number(from: start))
    case let first where first.isWord:
      add(.word, to: word(from: start))
    default:
      add(.other, to: start + 1)
    }
  }

  /// `#define NAME #`, `#ifdef NAME`, `#include "file"`; or the `#` that ends a macro.
  private mutating func directive(from start: Int) {
    var behind = start + 1
    while at(behind).isBlank { behind += 1 }
    let name = bytes[behind..<word(from: behind)]
    let words = ["define", "undef", "ifdef", "ifndef", "include", "includestr", "line"]
    guard let known = words.first(where: { name.elementsEqual($0.utf8) }),
      // `#line 0, 1, 1#` is also a macro's body.
      known != "line" || tokens.last(where: { $0.kind != .space })?.kind ?? .lineEnd == .lineEnd
    else { return add(.other, to: start + 1) }
    add(.other, to: name.endIndex)
    while at(place).isBlank { add(.space, to: place + 1) }
    guard place < end else { return }
    guard known.hasPrefix("include") else { return add(.macroName, to: word(from: place)) }
    guard !at(place).isWord,
      let close = bytes[(place + 1)..<end].firstIndex(of: bytes[place]),
      close < line(from: place)
    else { return }
    add(.other, to: place + 1)
    add(.include, to: close)
    add(.other, to: close + 1)
  }

  private mutating func add(_ kind: Kind, to end: Int) {
    if end > place { tokens.append(Token(kind: kind, range: place..<end)) }
    place = max(place, end)
  }

  private func at(_ index: Int) -> Unicode.Scalar { index < end ? .init(bytes[index]) : "\0" }

  private func next(_ text: String) -> Bool {
    bytes[place..<end].starts(with: text.utf8)
  }

  private func line(from start: Int) -> Int {
    (start..<end).first { at($0) == "\n" || at($0) == "\r" } ?? end
  }

  private func after(_ text: String, from start: Int) -> Int {
    guard start <= end else { return end }
    return bytes[start..<end].firstRange(of: Array(text.utf8))?.upperBound ?? end
  }

  private func word(from start: Int) -> Int {
    start < end ? (start..<end).first { !at($0).isWord } ?? end : end
  }

  private func number(from start: Int) -> Int {
    (start..<end).first { !at($0).isWord && at($0) != "." } ?? end
  }

  /// A string ends at its quote, or with its line.
  private func string(from start: Int) -> Int {
    var index = start + 1
    while index < end, at(index) != "\n" {
      if at(index) == "\"" { return index + 1 }
      index += at(index) == "\\" ? 2 : 1
    }
    return min(index, end)
  }
}

extension OrchestraTokens {
  /// The range of the orchestra in the bytes of a CSD; nil if there is none.
  package static func orchestra(in csd: [UInt8]) -> Range<Int>? {
    guard let head = csd.firstRange(of: Array("<CsInstruments>".utf8)) else { return nil }
    let end = csd[head.upperBound...].firstRange(of: Array("</CsInstruments>".utf8))
    return head.upperBound..<(end?.lowerBound ?? csd.count)
  }

  /// The text without comments but with all line ends; `emptyingStrings` leaves nothing of strings but their quotes.
  package static func code(of text: String, emptyingStrings: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    for token in OrchestraTokens(bytes, in: bytes.indices).tokens {
      let part = bytes[token.range]
      let isString = part.first == UInt8(ascii: "\"") || part.starts(with: "{{".utf8)
      switch token.kind {
      case .space where part.first == UInt8(ascii: ";") || part.first == UInt8(ascii: "/"):
        if part.starts(with: "/*".utf8) { kept.append(UInt8(ascii: " ")) }
        kept += part.filter { $0 == UInt8(ascii: "\n") }
      case .other where emptyingStrings && isString:
        kept += "\"\"".utf8 + part.filter { $0 == UInt8(ascii: "\n") }
      default: kept += part
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { "0"..."9" ~= self }
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
  fileprivate var isWord: Bool {
    isDigit || self == "_" || "a"..."z" ~= self || "A"..."Z" ~= self
  }
}
