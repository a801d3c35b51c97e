/// A string of Csound's type letters, for example `ak[]:Point;o`, split into items.
package struct TypeString {
  package struct Item: Equatable {
    /// A colon for a struct.
    package var letter: Character
    /// The name of a struct of Csound 7; nil for any other type.
    package var structure: String?
    package var isArray: Bool

    package var isStruct: Bool { structure != nil }

    package var text: String {
      (structure.map { ":\($0);" } ?? "\(letter)") + (isArray ? "[]" : "")
    }

    /// The default of an optional argument; nil when the argument must be given.
    package var fallback: Double? { Side.inputs.letter(of: self)?.fallback }
  }

  package var items: [Item]

  /// Nil when a bracket is unpaired or has no letter before it, or when a struct's name has no end.
  package init?(_ text: String) {
    items = []
    var rest = Substring(text)
    while let letter = rest.popFirst() {
      guard letter != "[", letter != "]" else { return nil }
      var isArray = false
      var structure: String?
      if letter == ":" {
        guard let end = rest.firstIndex(of: ";"), end > rest.startIndex else { return nil }
        structure = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
      }
      while rest.first == "[" {
        guard rest.dropFirst().first == "]" else { return nil }
        rest = rest.dropFirst(2)
        isArray = true
      }
      items.append(Item(letter: letter, structure: structure, isArray: isArray))
    }
  }

  /// The side of an opcode that a type string describes.
  package enum Side {
    case inputs, outputs

    private var letters: [TypeLetter] { self == .inputs ? TypeLetter.inputs : TypeLetter.outputs }

    /// The description of an item's letter; nil when Csound does not have that letter on this side.
    package func letter(of item: Item) -> TypeLetter? {
      letters.first { $0.letter == item.letter }
    }

    /// Whether Csound accepts the item on this side.
    package func allows(_ item: Item) -> Bool {
      item.isArray ? TypeLetter.ofArrays.contains(item.letter) : letter(of: item) != nil
    }

    package func isVariadic(_ item: Item) -> Bool {
      !item.isArray && letter(of: item)?.isVariadic == true
    }

    package func isOptional(_ item: Item) -> Bool {
      self == .inputs && !item.isArray && item.fallback != nil
    }

    /// The least number of arguments that a variadic item stands for.
    package func least(_ item: Item) -> Int { letter(of: item)?.least ?? 1 }
  }
}
