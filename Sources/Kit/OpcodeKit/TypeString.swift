/// A Csound type string such as `ak[]:Point;o`, read one argument at a time.
///
/// Like the kit's other collections, it does not conform to `Sequence`: the conformance would bring
/// in functions that return arrays, which the standalone plugin cannot contain.
@usableFromInline
struct TypeString: IteratorProtocol {
  /// One argument of a type string.
  @usableFromInline
  struct Item: BitwiseCopyable {
    /// A colon for a struct, `:NAME;`.
    @usableFromInline let letter: UInt8
    /// Whether `[]` follows the letter.
    @usableFromInline let isArray: Bool

    @inlinable init(letter: UInt8, isArray: Bool) {
      self.letter = letter
      self.isArray = isArray
    }
  }

  @usableFromInline var rest: UnsafePointer<CChar>

  @inlinable init(_ text: UnsafePointer<CChar>) { rest = text }

  @inlinable mutating func next() -> Item? {
    let letter = UInt8(bitPattern: rest[0])
    guard letter != 0 else { return nil }
    rest += 1
    if letter == UInt8(ascii: ":") {
      while rest[0] != 0, rest[0] != CChar(UInt8(ascii: ";")) { rest += 1 }
      if rest[0] != 0 { rest += 1 }
    }
    let isArray =
      rest[0] == CChar(UInt8(ascii: "[")) && rest[1] == CChar(UInt8(ascii: "]"))
    if isArray { rest += 2 }
    return Item(letter: letter, isArray: isArray)
  }

  /// Number of arguments, each variadic letter counted once.
  @inlinable var count: Int {
    var (count, items) = (0, self)
    while items.next() != nil { count += 1 }
    return count
  }

  /// Whether an argument of the string meets a condition.
  func contains(where condition: (Item) -> Bool) -> Bool {
    var items = self
    while let item = items.next() { if condition(item) { return true } }
    return false
  }

  /// The letters that stand for any number of outputs.
  @inlinable static func isVariadicOutput(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "m"), UInt8(ascii: "z"), UInt8(ascii: "I"), UInt8(ascii: "X"),
      UInt8(ascii: "N"), UInt8(ascii: "F"), UInt8(ascii: "*"):
      true
    default: false
    }
  }

  /// The letters that stand for any number of inputs.
  @inlinable static func isVariadicInput(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "m"), UInt8(ascii: "M"), UInt8(ascii: "N"), UInt8(ascii: "W"),
      UInt8(ascii: "n"), UInt8(ascii: "y"), UInt8(ascii: "z"), UInt8(ascii: "Z"),
      UInt8(ascii: "*"):
      true
    default: false
    }
  }
}

extension StaticString {
  @usableFromInline func hasLetter(_ letter: UInt8) -> Bool {
    for index in 0..<utf8CodeUnitCount where utf8Start[index] == letter { return true }
    return false
  }
}
