/// An instrument that an event from outside the score has started.
enum PlayedInstrument: Hashable {
  case number(Int)
  case name(String)

  /// The instrument that an event starts; nil if it starts none.
  init?(_ event: LiveEvent) {
    switch event.kind {
    case .score where event.letter == UInt8(ascii: "i"): self.init(event.fields[0])
    case .line:
      guard let memory = event.memory else { return nil }
      self.init(line: String(cString: memory.assumingMemoryBound(to: CChar.self)))
    default: return nil
    }
  }

  private init?(_ number: Double) {
    guard number >= 1, number < Double(Int32.max) else { return nil }
    self = .number(Int(number))
  }

  private init?(line: String) {
    let text = line.drop { $0.isWhitespace }
    guard text.first == "i" else { return nil }
    let first = text.dropFirst().drop { $0.isWhitespace }
    if first.first == "\"" {
      self = .name(String(first.dropFirst().prefix { $0 != "\"" }))
    } else {
      guard let number = Double(first.prefix { !$0.isWhitespace }) else { return nil }
      self.init(number)
    }
  }
}
