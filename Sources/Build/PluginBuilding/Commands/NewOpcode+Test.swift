import TypeLetters

extension NewOpcode {
  /// The file with the opcode's unit test, which calls the opcode without Csound.
  func test(ofModule module: String) -> String {
    """
    import OpcodeKit
    import Testing

    @testable import \(module)

    /// Calls the opcode's passes without Csound: `swift test`.
    @Suite("\(name)")
    struct \(structName)Tests {
      \(testBody.joined(separator: "\n  "))
    }

    """
  }

  private var testBody: [String] {
    guard let call else {
      return [
        "// A TestCall has audio and numbers only. Move what \(name) computes into a function of",
        "// numbers, and test that here.",
        "@Test(\"\(name) computes what it should\", .disabled(\"to be written\"))",
        "func result() {}",
      ]
    }
    guard isSource else {
      let outputs = rate == .initTime ? "call.outputs" : "try call.perform()"
      return [
        "@Test(\"What comes in is multiplied by the factors\")", "func product() throws {",
        "  let call = try \(call)", "  let outputs = \(outputs)",
        "  #expect(outputs == \(expected))", "}",
      ]
    }
    // Each frame is a quarter of a period.
    let sine = outputs.firstIndex { $0.item.letter == "a" }!
    return [
      "@Test(\"A sine of 220 Hz is multiplied by the factors\")", "func sine() throws {",
      "  let call = try \(call)", "  let sine = try call.perform()[\(sine)]",
      "  for (sample, expected) in zip(sine, [0, \(text(factor)), 0, \(text(-factor))] as [Double]) {",
      "    #expect(abs(sample - expected) < 1e-9)", "  }", "}",
    ]
  }

  /// The first signal of a test; the next has half of each sample, and so on.
  private static let samples = [1.0, 0.5, -0.25]
  /// The factors of a test, one after the other.
  private static let factors = [2.0, 3, 0.5, 5]

  /// The call with values for all inputs; nil if there are arguments that `TestCall` does not have.
  private var call: String? {
    let isPlain = (outputs + inputs).allSatisfy {
      !$0.item.isArray && !$0.isVariadic && "akixopqvjhOPVJ".contains($0.item.letter)
    }
    guard isPlain, !readsTable else { return nil }
    let parameters = moving.map { _ in "ControlInput" }.joined(separator: ", ")
    var words: [String] = []
    for input in inputs {
      if input.item.letter == "a" {
        let index = signals.firstIndex { $0.field == input.field }!
        words.append(text(signal(index)))
      } else {
        words.append(text(value(of: input)))
      }
    }
    if isSource { words += ["sampleRate: 880", "ksmps: 4"] }
    let type = structName + (parameters.isEmpty ? "" : "<\(parameters)>")
    return "TestCall<\(type)>(\(words.joined(separator: ", ")))"
  }

  private func signal(_ index: Int) -> [Double] {
    Self.samples.map { $0 / Double(1 << min(index, 30)) }
  }

  private func value(of input: Argument) -> Double {
    if input.isOptional { return input.item.fallback! }
    let index = (amounts + controls + moving).firstIndex { $0.field == input.field }!
    return Self.factors[index % Self.factors.count]
  }

  private func product(of inputs: [Argument]) -> Double {
    inputs.reduce(1) { $0 * value(of: $1) }
  }

  /// The product of all factors.
  private var factor: Double { product(of: amounts + controls + moving) }

  /// What the outputs are after a k-cycle.
  private var expected: String {
    let sum = Self.samples.indices.map { frame in
      signals.indices.reduce(0) { $0 + signal($1)[frame] }
    }
    let isLooping = rate == .audio || !signals.isEmpty || !moving.isEmpty
    let values = outputs.map { output -> String in
      switch output.item.letter {
      case "a": text(sum.map { $0 * factor })
      case "k" where rate == .control && isLooping:
        text([(signals.isEmpty ? 1 : sum.last!) * factor])
      case "k": text([product(of: amounts + controls)])
      default: text([product(of: amounts)])
      }
    }
    return "[\(values.joined(separator: ", "))]"
  }

  private func text(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  private func text(_ values: [Double]) -> String {
    "[\(values.map(text).joined(separator: ", "))]"
  }
}
