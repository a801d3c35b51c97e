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

    package var isOutput: Bool { rawValue.hasSuffix("Output") }

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
      case .stringOutput, .spectrumInput, .anyRateInput: ""
      }
    }
  }

  package enum Shape: Sendable { case one, array, list }

  package let element: Element
  package let shape: Shape

  /// Nil when the text is not one of the kit's argument types.
  package init?(_ text: String) {
    let name = text.filter { !$0.isWhitespace }
    func inner(_ outer: String) -> Element? {
      let bare = Self.unqualified(name)
      guard bare.hasPrefix(outer + "<"), bare.hasSuffix(">") else { return nil }
      return Element(rawValue: Self.unqualified(String(bare.dropFirst(outer.count + 1).dropLast())))
    }
    if let element = Element(rawValue: Self.unqualified(name)) {
      (self.element, shape) = (element, .one)
    } else if let element = inner("Variadic"), !element.listLetters.isEmpty {
      (self.element, shape) = (element, .list)
    } else if let element = inner("ArrayInput"), !element.isOutput, element != .anyRateInput {
      (self.element, shape) = (element, .array)
    } else if let element = inner("ArrayOutput"), element.isOutput {
      (self.element, shape) = (element, .array)
    } else {
      return nil
    }
  }

  /// The name without the prefix of the kit's module.
  private static func unqualified(_ name: String) -> String {
    name.hasPrefix("OpcodeKit.") ? String(name.dropFirst("OpcodeKit.".count)) : name
  }

  package var isOutput: Bool { element.isOutput }

  /// The letters that the type can stand for, without the brackets of an array.
  package var letters: String { shape == .list ? element.listLetters : element.letters }

  /// The entry in a type string of an argument that must be given.
  package var text: String {
    shape == .array ? "\(letters.first!)[]" : "\(letters.first!)"
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
