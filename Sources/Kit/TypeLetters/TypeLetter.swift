/// One of Csound's type letters on one side of an opcode, as the compiler of Csound 6.18 reads it. Some builds have `K`.
package struct TypeLetter: Sendable {
  package let letter: Character
  /// The types of the arguments that the letter stands for, as plain letters, audio first: `ak`. `b`, `B`, `c`, `l`,
  /// `p` and `r` are types of their own.
  package let types: String
  /// The default that Csound's compiler supplies for an optional argument; nil when the argument must be given.
  package let fallback: Double?
  /// The least number of arguments that a variadic letter stands for; nil for a letter that stands for one argument.
  package let least: Int?

  package var isVariadic: Bool { least != nil }

  private init(
    _ letter: Character, _ types: String, fallback: Double? = nil, least: Int? = nil
  ) {
    (self.letter, self.types, self.fallback, self.least) = (letter, types, fallback, least)
  }

  /// Whether the letter stands for an argument of any type.
  package var isAnything: Bool { types == Self.anything }

  private static let anything = "akiSfw"

  package static let inputs: [TypeLetter] = [
    .init("a", "a"), .init("k", "k"), .init("i", "i"), .init("S", "S"), .init("f", "f"),
    .init("w", "w"), .init("b", "b"), .init("B", "B"), .init("l", "l"), .init("r", "r"),
    .init("K", "k"),
    .init("c", "c"), .init("x", "ak"), .init("T", "iS"), .init("U", "kiS"), .init(".", anything),
    .init("?", anything),
    .init("o", "i", fallback: 0), .init("p", "i", fallback: 1), .init("q", "i", fallback: 10),
    .init("v", "i", fallback: 0.5), .init("j", "i", fallback: -1), .init("h", "i", fallback: 127),
    .init("O", "k", fallback: 0), .init("P", "k", fallback: 1), .init("V", "k", fallback: 0.5),
    .init("J", "k", fallback: -1),
    .init("m", "i", least: 0), .init("M", "aki", least: 0), .init("N", "akiS", least: 0),
    .init("W", "S", least: 0), .init("n", "i", least: 1), .init("y", "a", least: 1),
    .init("z", "k", least: 1), .init("Z", "ak", least: 1), .init("*", anything, least: 1),
  ]

  package static let outputs: [TypeLetter] = [
    .init("a", "a"), .init("k", "k"), .init("i", "i"), .init("S", "S"), .init("f", "f"),
    .init("w", "w"), .init("b", "b"), .init("B", "B"), .init("p", "p"), .init("s", "ak"),
    .init("K", "k"),
    .init(".", anything), .init("?", anything),
    .init("m", "a", least: 1), .init("z", "k", least: 1), .init("I", "iS", least: 1),
    .init("X", "aki", least: 1), .init("N", "akiS", least: 1), .init("F", "f", least: 1),
    .init("*", anything, least: 1),
  ]

  /// The letters of optional arguments of a type.
  static func optional(_ type: String) -> String {
    String(inputs.filter { $0.fallback != nil && $0.types == type }.map(\.letter))
  }

  /// The letters that `[]` may follow.
  package static let ofArrays = "akiSfw.?*"
}
