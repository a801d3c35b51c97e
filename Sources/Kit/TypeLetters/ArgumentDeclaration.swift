/// A field of an opcode's `Arguments` as written in the source, and its entry in a type string.
package struct ArgumentDeclaration {
  /// The type as written; it can be a generic parameter or contain one.
  package var type: String
  /// The value of `@Default`; nil without the attribute.
  package var fallback: Double?
  /// The letter of `@Letter`; nil without the attribute.
  package var letter: String?

  package init(type: String, fallback: Double? = nil, letter: String? = nil) {
    (self.type, self.fallback, self.letter) = (type, fallback, letter)
  }

  /// An argument's entry in a type string.
  package struct Item {
    package var text: String
    package var type: ArgumentType
    package var isOptional = false
  }

  /// Why a field has no entry in a type string, and which part of the declaration is wrong.
  package struct Problem: Error, Equatable {
    package enum Place { case type, fallback, letter }

    package var place: Place
    package var sentence: String
  }

  /// Whether the type is this generic parameter or contains it.
  package func mentions(_ parameter: String) -> Bool {
    type == parameter || type.contains("<\(parameter)>")
  }

  /// The field's entry, with generic parameters replaced by these types.
  package func item(where parameters: [String: String]) throws(Problem) -> Item {
    guard let type = ArgumentType(substituting(parameters)) else {
      throw Problem(
        place: .type, sentence: "'\(type)' is no argument type; \(Self.wayOut(of: type))")
    }
    if let letter {
      let text = try chosen(letter, type)
      let isOptional =
        type.shape == .one && !type.isOutput && TypeString(text)?.items.first?.fallback != nil
      return Item(text: text, type: type, isOptional: isOptional)
    }
    if let fallback {
      return Item(text: try optional(fallback, type), type: type, isOptional: true)
    }
    guard type != ArgumentType("Variadic<AnyInput>") else {
      throw Problem(
        place: .type,
        sentence: "Csound has several lists of anything; say which with @Letter: \"M\" (numbers and"
          + " signals), \"N\" (these and strings), \"*\" (anything) or \"Z\" (k and a in turn).")
    }
    return Item(text: type.text, type: type)
  }

  /// What to write in place of a type that is none.
  private static func wayOut(of type: String) -> String {
    let holders = [
      "ArrayInput":
        "an ArrayInput has AudioInput, ControlInput, InitInput, StringInput, SpectrumInput or StructInput<…>"
        + " as its elements, or AudioOutput, ControlOutput, InitOutput or StringOutput for elements that the opcode"
        + " changes in place.",
      "ArrayOutput":
        "an ArrayOutput has AudioOutput, ControlOutput, InitOutput, StringOutput, SpectrumOutput or"
        + " StructOutput<…> as its elements.",
      "Variadic":
        "Csound has lists of AudioInput, ControlInput, InitInput, StringInput, AnyInput, AudioOutput,"
        + " ControlOutput, InitOutput and SpectrumOutput.",
    ]
    if let holder = holders.first(where: { type.hasPrefix("\($0.key)<") }) { return holder.value }
    return
      "use AudioInput, ControlInput, InitInput, StringInput, SpectrumInput or the Output of that name,"
      + " AnyRateInput, AnyInput, ArrayInput<…>, ArrayOutput<…>, StructInput<…>, StructOutput<…>, Variadic<…>, or a"
      + " generic parameter that is a Signal."
  }

  private func chosen(_ letter: String, _ type: ArgumentType) throws(Problem) -> String {
    guard type.structure == nil else {
      throw Problem(
        place: .letter, sentence: "\(self.type) has no letter to choose; leave @Letter out.")
    }
    guard letter.count == 1, type.letters.contains(letter) else {
      throw Problem(
        place: .letter,
        sentence: "'\(letter)' is no letter for \(self.type); it can stand for"
          + " \(type.letters.map { "'\($0)'" }.joined(separator: ", ")).")
    }
    return type.shape == .array ? letter + "[]" : letter
  }

  private func optional(_ fallback: Double, _ type: ArgumentType) throws(Problem) -> String {
    if let letter = type.optionalLetter(for: fallback) { return String(letter) }
    let values = type.fallbacks.map(Self.number).joined(separator: ", ")
    throw Problem(
      place: .fallback,
      sentence: values.isEmpty
        ? "Csound has no letter for \(self.type) that may be left out; only an InitInput or a"
          + " ControlInput may."
        : "Csound has no letter for \(Self.number(fallback)) in place of \(self.type) that is left out,"
          + " only for \(values); take one of these and read it as another value in init.")
  }

  private func substituting(_ parameters: [String: String]) -> String {
    if let own = parameters[type] { return own }
    return parameters.reduce(type) { text, parameter in
      text.split(separator: "<\(parameter.key)>", omittingEmptySubsequences: false)
        .joined(separator: "<\(parameter.value)>")
    }
  }

  /// A number as written in an orchestra.
  private static func number(_ value: Double) -> String {
    value.magnitude < 1e15 && value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}

/// One combination of rates for an opcode's generic parameters, each a `Signal`.
package struct SignalRates {
  /// The argument type for each parameter.
  package let types: [String: String]
  /// The argument types in the order of the parameters.
  package let list: [String]
  /// One letter for each parameter, for example `ka`.
  package let letters: String

  /// Every combination, k-rate before a-rate; the first parameter varies fastest.
  package static func all(of parameters: [String]) -> [SignalRates] {
    (0..<(1 << parameters.count)).map { number in
      let isAudio = parameters.indices.map { number >> $0 & 1 == 1 }
      let list = isAudio.map { $0 ? "AudioInput" : "ControlInput" }
      return SignalRates(
        types: Dictionary(zip(parameters, list)) { $1 }, list: list,
        letters: isAudio.map { $0 ? "a" : "k" }.joined())
    }
  }

  /// The name of the overload for this combination.
  package func overload(of name: String) -> String {
    letters.isEmpty ? name : name + (name.contains(".") ? "_" : ".") + letters
  }
}
