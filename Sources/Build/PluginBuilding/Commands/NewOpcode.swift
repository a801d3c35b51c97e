import HarnessBase
import TypeLetters

/// The template of a new opcode: it multiplies the sum of its signals by its controls, until its author changes that.
package struct NewOpcode {
  /// One argument.
  struct Argument {
    /// The field in `Arguments`.
    var field: String
    /// Its type in Swift.
    var type: String
    /// The attributes before `let`.
    var mark = ""
    /// Its name in the call.
    var name: String
    var meaning: String
    var item: TypeString.Item
    var isVariadic: Bool

    var isOptional: Bool { !mark.isEmpty && item.fallback != nil }
    var isPlain: Bool { !item.isArray && !isVariadic && !isOptional }
  }

  let name: String
  let outputs: [Argument]
  private(set) var inputs: [Argument]
  /// Whether it is a source that reads a function table, whose number is its last input.
  let readsTable: Bool
  /// The C function that multiplies a sample by its factor, and its module; nil if Swift does that.
  var product: (function: String, module: String)?

  /// The struct's name: `WarmDelay` for `WARM_DELAY`.
  package var structName: String {
    let words = name.split(separator: "_").map { word in
      word.contains(where: \.isLowercase)
        ? String(word) : word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
    let joined = words.joined()
    return Self.taken.contains(joined) ? joined + "Opcode" : joined
  }

  /// Names that already have a meaning in an opcode's file, and Swift's keywords.
  private static let taken = keywords.union([
    "Arguments", "Array", "Bin", "Buffer", "Context", "Double", "Float", "Int", "Lanes", "Library",
    "Math", "Optional", "Pair", "Range", "Set", "Shared", "Signal", "String", "Variadic",
  ])

  /// Words that are no names in Swift.
  package static let keywords: Set = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  package init(
    _ name: String, outputs: String, inputs: String, readsTable: Bool = false
  ) throws(Failure) {
    guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
      throw .usage("The opcode's name is '\(name)'; it is a letter, then letters, digits or '_'.")
    }
    self.name = name
    self.readsTable = readsTable
    self.outputs = try Self.arguments(outputs, .outputs, "--out")
    self.inputs = try Self.arguments(inputs, .inputs, "--in").map { input in
      // Without an output, the opcode changes the arrays that it is given.
      guard outputs.isEmpty, input.item.isArray, input.item.letter != "S" else { return input }
      var input = input
      input.type = input.type.replacing("Input>", with: "Output>")
      input.meaning = "The numbers, which are changed in place."
      return input
    }
    if readsTable {
      guard isSource, self.inputs.allSatisfy({ !$0.isVariadic }) else {
        throw .usage(
          "--table is for a source: give --out an 'a', and --in no signal and no list of arguments."
        )
      }
      self.inputs.append(
        Argument(
          field: "table", type: "InitInput", mark: "@Default(-1) ", name: "ifn",
          meaning: "The number of a table with one cycle; -1, Csound's sine, unless given.",
          item: TypeString("j")!.items[0], isVariadic: false))
    }
    let hasSpectrum = self.inputs.contains { $0.type == "SpectrumInput" }
    if self.outputs.contains(where: { $0.item.letter == "f" || $0.item.letter == "F" }),
      !hasSpectrum
    {
      throw .usage("--out has an f-signal, which is made from another: give --in an 'f', too.")
    }
  }

  /// The outputs where none are asked for: a sound, or none if arrays of numbers are all that comes in.
  static func outputs(of inputs: String?) -> String {
    inputs.map { $0.contains("[") && !$0.contains(/[axyf.]/) } == true ? "" : "a"
  }

  private static func arguments(
    _ text: String, _ side: TypeString.Side, _ option: String
  ) throws(Failure) -> [Argument] {
    guard let types = TypeString(text) else {
      throw .usage("\(option) is '\(text)'; brackets come in pairs after a letter, as in 'a[]'.")
    }
    let words = types.items.map { kind($0, side)?.word }
    var arguments: [Argument] = []
    for (index, item) in types.items.enumerated() {
      let isVariadic = side.isVariadic(item)
      guard let kind = kind(item, side), !isVariadic || index == types.items.count - 1 else {
        throw .usage(
          "\(option) is '\(text)', where '\(item.text)' cannot stand; it takes \(allowed(side)).")
      }
      if let last = arguments.last, last.isOptional, !side.isOptional(item), !isVariadic {
        throw .usage(
          "\(option) is '\(text)', where '\(item.text)' must be given but follows one that may be left"
            + " out.")
      }
      // Arguments with the same word are numbered.
      let isAlone = words.count { $0 == kind.word } == 1
      let number = isAlone ? "" : "\(words[...index].count { $0 == kind.word })"
      let word = kind.word + number
      var mark = ""
      if side.isOptional(item), let value = item.fallback {
        mark = "@Default(\(value == value.rounded() ? "\(Int(value))" : "\(value)")) "
      } else if let type = ArgumentType(kind.type), type.shape != .array,
        type.letters.first != item.letter || kind.type == "Variadic<AnyInput>"
      {
        mark = "@Letter(\"\(item.letter)\") "
      }
      arguments.append(
        Argument(
          field: word,
          type: item.letter == "x" ? word.prefix(1).uppercased() + word.dropFirst() : kind.type,
          mark: mark,
          name: kind.prefix + (kind.short ?? kind.word) + number + (item.isArray ? "[]" : ""),
          meaning: kind.meaning, item: item, isVariadic: isVariadic))
    }
    return arguments
  }

  private static func allowed(_ side: TypeString.Side) -> String {
    side == .outputs
      ? "a k i S f, a[] k[] i[] S[], and last of all m z I F"
      : "a k x i S f ., o p q v j h, O P V J,"
        + " a[] k[] i[] S[], and last of all y z m n W M N * Z"
  }

  private struct Kind {
    var type, word, prefix, meaning: String
    /// The word in an orchestra, if it is not `word`.
    var short: String?
  }

  private static func short(_ letter: Character, _ isOutput: Bool) -> String? {
    isOutput ? "out" : letter == "a" ? "in" : nil
  }

  private static func kind(_ item: TypeString.Item, _ side: TypeString.Side) -> Kind? {
    let isOutput = side == .outputs
    let direction = isOutput ? "Output" : "Input"
    let elements = [
      "a": ("Audio", isOutput ? "output" : "input", "a", isOutput ? "The sound." : "A signal."),
      "k": ("Control", isOutput ? "value" : "control", "k", isOutput ? "The value." : "A factor."),
      "i": ("Init", isOutput ? "number" : "amount", "i", isOutput ? "The number." : "A factor."),
      "S": ("String", isOutput ? "text" : "name", "S", "A text."),
    ]
    if item.isArray {
      guard let (type, word, prefix, _) = elements[String(item.letter)] else { return nil }
      return Kind(
        type: "Array\(direction)<\(type)\(direction)>", word: word + "s", prefix: prefix,
        meaning: isOutput ? "An element for each." : "Any number of them.",
        short: short(item.letter, isOutput))
    }
    if let (type, word, prefix, meaning) = elements[String(item.letter)] {
      return Kind(
        type: type + direction, word: word, prefix: prefix, meaning: meaning,
        short: short(item.letter, isOutput))
    }
    switch (item.letter, isOutput) {
    case ("f", _):
      return Kind(
        type: "Spectrum\(direction)", word: isOutput ? "spectrum" : "analysis", prefix: "f",
        meaning: "A spectrum.")
    case ("x", false):
      return Kind(type: "", word: "factor", prefix: "x", meaning: "A factor, k-rate or a-rate.")
    case (".", false), ("?", false):
      return Kind(type: "AnyInput", word: "anything", prefix: "", meaning: "Anything.")
    case ("o", false), ("p", false), ("q", false), ("v", false), ("j", false), ("h", false):
      return Kind(type: "InitInput", word: "option", prefix: "i", meaning: "Not used yet.")
    case ("O", false), ("P", false), ("V", false), ("J", false):
      return Kind(type: "ControlInput", word: "setting", prefix: "k", meaning: "Not used yet.")
    default: break
    }
    let lists: [String: (String, String, String)] =
      isOutput
      ? [
        "m": ("Audio", "outputs", "a"), "z": ("Control", "values", "k"),
        "I": ("Init", "numbers", "i"),
        "F": ("Spectrum", "spectra", "f"),
      ]
      : [
        "y": ("Audio", "more", "a"), "z": ("Control", "more", "k"), "m": ("Init", "more", "i"),
        "n": ("Init", "more", "i"), "W": ("String", "more", "S"), "M": ("Any", "more", ""),
        "N": ("Any", "more", ""), "*": ("Any", "more", ""), "Z": ("Any", "more", ""),
      ]
    guard let (type, word, prefix) = lists[String(item.letter)] else { return nil }
    return Kind(
      type: "Variadic<\(type)\(direction)>", word: word, prefix: prefix,
      meaning: "Any number of them.")
  }
}
