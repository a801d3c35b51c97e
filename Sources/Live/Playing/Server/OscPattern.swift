/// A pattern of addresses, as OSC 1.0 has them: `?`, `*`, `[a-z]`, `[!a-z]` and `{one,two}`, none of which matches a `/`.
///
/// liblo's own function is not used: its `*` also matches a `/`, and some patterns take it exponential time.
package struct OscPattern {
  private enum Part {
    /// One character of these ranges, or of no range if it is negated.
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    case anything
    case choice([[Unicode.Scalar]])
  }

  private var parts: [Part] = []

  static func isPattern(_ address: String) -> Bool { address.contains { "?*[{".contains($0) } }

  /// Nil if a bracket is not closed, or if the pattern has more than 1024 characters.
  package init?(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    guard rest.count <= 1024 else { return nil }
    func upTo(_ end: Unicode.Scalar) -> ArraySlice<Unicode.Scalar>? {
      guard let place = rest.firstIndex(of: end) else { return nil }
      defer { rest = rest[(place + 1)...] }
      return rest[..<place]
    }
    while let first = rest.popFirst() {
      switch first {
      case "?": parts.append(.set([], isNegated: true))
      case "*": if case .anything = parts.last {} else { parts.append(.anything) }
      case "[":
        guard var inside = upTo("]") else { return nil }
        let isNegated = inside.first == "!"
        if isNegated { inside = inside.dropFirst() }
        parts.append(.set(Self.ranges(inside), isNegated: isNegated))
      case "{":
        guard let inside = upTo("}") else { return nil }
        let words = inside.split(separator: ",", omittingEmptySubsequences: false)
        parts.append(.choice(words.map(Array.init)))
      default: parts.append(.choice([[first]]))
      }
    }
  }

  private static func ranges(_ text: ArraySlice<Unicode.Scalar>) -> [ClosedRange<Unicode.Scalar>] {
    var (ranges, rest) = ([ClosedRange<Unicode.Scalar>](), text)
    while let low = rest.popFirst() {
      if rest.first == "-", rest.count >= 2 {
        rest.removeFirst()
        let high = rest.removeFirst()
        ranges.append(min(low, high)...max(low, high))
      } else {
        ranges.append(low...low)
      }
    }
    return ranges
  }

  /// Whether it matches the whole of an address. Takes a time in proportion to both lengths.
  package func matches(_ address: String) -> Bool {
    let text = Array(address.unicodeScalars)
    // Whether the parts so far match the first characters, by how many these are.
    var reached = [Bool](repeating: false, count: text.count + 1)
    reached[0] = true
    for part in parts {
      var next = [Bool](repeating: false, count: text.count + 1)
      for place in reached.indices where reached[place] {
        switch part {
        case .anything:
          var end = place
          next[end] = true
          while end < text.count, text[end] != "/", !next[end + 1] {
            end += 1
            next[end] = true
          }
        case .choice(let words):
          for word in words where text[place...].starts(with: word) {
            next[place + word.count] = true
          }
        case .set(let ranges, let isNegated):
          guard place < text.count, text[place] != "/" else { continue }
          if ranges.contains(where: { $0.contains(text[place]) }) != isNegated {
            next[place + 1] = true
          }
        }
      }
      reached = next
    }
    return reached[text.count]
  }
}
