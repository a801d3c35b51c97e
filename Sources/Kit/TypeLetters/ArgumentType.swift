/// The type of a field of an opcode's `Arguments`, such as `ArrayInput<ControlInput>`, and the type
/// letters it stands for.
package struct ArgumentType: Equatable {
  /// The kit's argument types other than arrays and variadic lists.
  package enum Element: String, CaseIterable, Sendable {
    case audioInput = "AudioInput"
    case audioOutput = "AudioOutput"
    case controlInput = "ControlInput"
    case controlOutput = "ControlOutput"
    case initInput = "InitInput"
    case initOutput = "InitOutput"
    case stringInput = "StringInput"
    case stringOutput = "StringOutput"
    case spectrumInput = "SpectrumInput"
    case spectrumOutput = "SpectrumOutput"
    case anyRateInput = "AnyRateInput"
    case anyInput = "AnyInput"
    case structInput = "StructInput"
    case structOutput = "StructOutput"

    package var isOutput: Bool { rawValue.hasSuffix("Output") }
    package var isStruct: Bool { self == .structInput || self == .structOutput }

    /// The letters that the type can stand for, the usual one first.
    package var letters: String {
      switch self {
      case .audioInput, .audioOutput: "a"
      case .controlInput: "k" + TypeLetter.optional("k")
      case .controlOutput: "k"
      case .initInput: "i" + TypeLetter.optional("i")
      case .initOutput: "i"
      case .stringInput, .stringOutput: "S"
      case .spectrumInput, .spectrumOutput: "f"
      case .anyRateInput: "x"
      case .anyInput: ".?xTU"
      case .structInput, .structOutput: ":"
      }
    }

    /// The letters for any number of such arguments, the usual one first; empty when Csound has
    /// none.
    package var listLetters: String {
      switch self {
      case .audioInput: "y"
      case .audioOutput: "m"
      case .controlInput, .controlOutput: "z"
      case .initInput: "mn"
      case .initOutput: "I"
      case .stringInput: "W"
      case .spectrumOutput: "F"
      case .anyInput: "MN*Z"
      case .stringOutput, .spectrumInput, .anyRateInput, .structInput, .structOutput: ""
      }
    }
  }

  package enum Shape: Sendable { case one, array, list }

  package let element: Element
  package let shape: Shape
  /// The struct of a `StructInput` or `StructOutput` as written, such as `Shapes.Point`; nil for any other type.
  package let structurePath: String?

  /// Nil when the text is not one of the kit's argument types.
  package init?(_ text: String) {
    let holder = Self.parts(of: text.filter { !$0.isWhitespace })
    shape = holder.name == "Variadic" ? .list : holder.name.hasPrefix("Array") ? .array : .one
    let (name, parameter) = shape == .one ? holder : Self.parts(of: holder.parameter ?? "")
    guard let element = Element(rawValue: name), element.isStruct == (parameter != nil) else {
      return nil
    }
    switch holder.name {
    case "Variadic": guard !element.listLetters.isEmpty else { return nil }
    case "ArrayInput":
      // An array of outputs that is an input is one of the caller's that the opcode changes in place.
      guard ![.anyRateInput, .anyInput, .spectrumOutput, .structOutput].contains(element) else {
        return nil
      }
    case "ArrayOutput": guard element.isOutput else { return nil }
    default: guard shape == .one else { return nil }
    }
    self.element = element
    isOutput = element.isOutput && holder.name != "ArrayInput"
    structurePath = parameter
    let isWord = structure?.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ?? true
    guard isWord, structure != "" else { return nil }
  }

  /// The struct's name in Csound, the last part of its path.
  package var structure: String? {
    structurePath.map { String($0.split(separator: ".").last ?? "") }
  }

  /// `ArrayInput` and `AudioInput` of `ArrayInput<AudioInput>`, without the prefix of the kit's module.
  private static func parts(of text: String) -> (name: String, parameter: String?) {
    let prefix = "OpcodeKit."
    let bare = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
    guard bare.hasSuffix(">"), let start = bare.firstIndex(of: "<") else {
      return (String(bare), nil)
    }
    return (String(bare[..<start]), String(bare[bare.index(after: start)...].dropLast()))
  }

  package let isOutput: Bool

  /// The letters that the type can stand for, without the brackets of an array.
  package var letters: String { shape == .list ? element.listLetters : element.letters }

  /// The entry in a type string of an argument that must be given.
  package var text: String {
    (structure.map { ":\($0);" } ?? "\(letters.first!)") + (shape == .array ? "[]" : "")
  }

  /// The letter of an optional argument with this default; nil when Csound has none.
  package func optionalLetter(for value: Double) -> Character? {
    guard shape == .one, !isOutput else { return nil }
    return letters.first { TypeString.Item(letter: $0, isArray: false).fallback == value }
  }

  /// The defaults that Csound allows for an optional argument of this type.
  package var fallbacks: [Double] {
    guard shape == .one, !isOutput else { return [] }
    return letters.compactMap { TypeString.Item(letter: $0, isArray: false).fallback }
  }
}
