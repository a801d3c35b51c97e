/// A string of Csound's type letters, such as `ak[]o`, taken apart.
package struct TypeString {
  package struct Item: Equatable {
    package var letter: Character
    package var isArray: Bool

    package var text: String { isArray ? "\(letter)[]" : "\(letter)" }

    /// What Csound takes for an argument that is left out; nil where it must be given.
    package var fallback: Double? {
      switch letter {
      case "o", "O": 0
      case "p", "P": 1
      case "q": 10
      case "v", "V": 0.5
      case "j", "J": -1
      case "h": 127
      default: nil
      }
    }
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

    /// Letters that stand for one argument.
    private var single: String {
      switch self {
      case .inputs: "akiSfwxTU.?crpbBl" + Self.optional
      case .outputs: "akiSfwsp.?bB"
      }
    }

    private var variadic: String { self == .inputs ? "mMNnWyzZ*" : "mzIXNF*" }

    /// Letters the compiler supplies when an orchestra leaves them out.
    package static let optional = "opqvjhOPVJ"

    /// Whether Csound finds any argument for an item.
    package func allows(_ item: Item) -> Bool {
      (item.isArray ? "akiSfw.?*" : single + variadic).contains(item.letter)
    }

    package func isVariadic(_ item: Item) -> Bool {
      !item.isArray && variadic.contains(item.letter)
    }

    package func isOptional(_ item: Item) -> Bool {
      self == .inputs && !item.isArray && Self.optional.contains(item.letter)
    }

    /// How many arguments a variadic item stands for at least.
    package func least(_ item: Item) -> Int {
      self == .inputs && "mMNW".contains(item.letter) ? 0 : 1
    }
  }
}
