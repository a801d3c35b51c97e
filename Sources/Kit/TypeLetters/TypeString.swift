/// A string of Csound's type letters, such as `ak[]o`, taken apart.
package struct TypeString {
  package struct Item: Equatable {
    package var letter: Character
    package var isArray: Bool

    package var text: String { isArray ? "\(letter)[]" : "\(letter)" }

    /// What Csound takes for an argument that is left out; nil where it must be given.
    package var fallback: Double? { Side.inputs.letter(of: self)?.fallback }
  }

  package var items: [Item]

  /// Nil where a bracket has no partner or no letter before it.
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

  /// Which end of an opcode a type string describes.
  package enum Side {
    case inputs, outputs

    private var letters: [TypeLetter] { self == .inputs ? TypeLetter.inputs : TypeLetter.outputs }

    /// What is known of an item's letter; nil where Csound knows none such.
    package func letter(of item: Item) -> TypeLetter? {
      letters.first { $0.letter == item.letter }
    }

    /// Whether Csound finds any argument for an item.
    package func allows(_ item: Item) -> Bool {
      item.isArray ? TypeLetter.ofArrays.contains(item.letter) : letter(of: item) != nil
    }

    package func isVariadic(_ item: Item) -> Bool {
      !item.isArray && letter(of: item)?.isVariadic == true
    }

    package func isOptional(_ item: Item) -> Bool {
      self == .inputs && !item.isArray && item.fallback != nil
    }

    /// How many arguments a variadic item stands for at least.
    package func least(_ item: Item) -> Int { letter(of: item)?.least ?? 1 }
  }
}
