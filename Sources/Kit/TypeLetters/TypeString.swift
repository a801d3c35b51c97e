/// A string of Csound's type letters, for example `ak[]o`, split into items.
package struct TypeString {
  package struct Item: Equatable {
    package var letter: Character
    package var isArray: Bool

    package var text: String { isArray ? "\(letter)[]" : "\(letter)" }

    /// The default of an optional argument; nil when the argument must be given.
    package var fallback: Double? { Side.inputs.letter(of: self)?.fallback }
  }

  package var items: [Item]

  /// Nil when a bracket is unpaired or has no letter before it.
  package init?(_ text: String) {
    items = []
    var rest = Substring(text)
    while let letter = rest.popFirst() {
      guard letter != "[", letter != "]" else { return nil }
      var isArray = false
      while rest.first == "[" {
        guard rest.dropFirst().first == "]" else { return nil }
        rest = rest.dropFirst(2)
        isArray = true
      }
      items.append(Item(letter: letter, isArray: isArray))
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
