import TypeLetters

extension NewOpcode {
  enum Rate { case initTime, control, audio }

  private func letters(_ list: [Argument], _ letters: String) -> [Argument] {
    list.filter { letters.contains($0.item.letter) }
  }

  var rate: Rate {
    if !letters(outputs, "am").isEmpty { return .audio }
    let isInit =
      letters(outputs, "kzfF").isEmpty && letters(inputs, "akxfOPVJyz.?MN*Z").isEmpty
      && inputs.allSatisfy { !$0.isVariadic || "mnW".contains($0.item.letter) }
    return isInit ? .initTime : .control
  }

  /// The signals, which are read frame by frame, then the factors: at audio or control rate, at
  /// control rate, at i-time.
  var signals: [Argument] { inputs.filter { $0.isPlain && $0.item.letter == "a" } }
  var moving: [Argument] { inputs.filter { $0.item.letter == "x" } }
  var controls: [Argument] { inputs.filter { $0.isPlain && $0.item.letter == "k" } }
  var amounts: [Argument] { inputs.filter { $0.isPlain && $0.item.letter == "i" } }
  private var list: Argument? { inputs.last.flatMap { $0.item.letter == "y" ? $0 : nil } }
  var isSource: Bool {
    rate == .audio && signals.isEmpty && list == nil && letters(inputs, "af").isEmpty
  }

  /// The call for the manual, such as `aout CHORUS ain, kdepth [, ioption]`.
  var syntax: String {
    func names(_ arguments: [Argument]) -> String {
      arguments.map { argument in
        argument.isVariadic ? "\(argument.name)1 [, \(argument.name)2, …]" : argument.name
      }.joined(separator: ", ")
    }
    let given = inputs.filter { !$0.isOptional && !$0.isVariadic }
    let optional = inputs.filter(\.isOptional)
    let rest = inputs.filter(\.isVariadic)
    var text = names(given)
    if !optional.isEmpty { text += (text.isEmpty ? "[" : " [, ") + names(optional) + "]" }
    if !rest.isEmpty { text += (text.isEmpty ? "" : ", ") + names(rest) }
    let left = names(outputs)
    return [left, name, text].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The opcode's Swift file.
  var source: String {
    let parameters = moving.map { "\($0.type): Signal" }.joined(separator: ", ")
    let kind =
      switch rate {
      case .initTime: "InitOpcode"
      case .control: "ControlOpcode"
      case .audio: "AudioOpcode"
      }
    let isVariadic = (outputs + inputs).contains(where: \.isVariadic)
    let fields = (outputs + inputs).flatMap {
      ["    /// \($0.meaning)", "    \($0.mark)let \($0.field): \($0.type)"]
    }
    var lines = [
      "// \(syntax)", "//", "// \(whatItDoes)", "//", "// Category: \(category)", "",
      (product.map { "import \($0.module)\n" } ?? "") + "import OpcodeKit", "",
      "@Opcode(\"\(name)\", \"\(summary)\")",
      "struct \(structName)\(parameters.isEmpty ? "" : "<\(parameters)>"): \(kind) {",
      "  struct Arguments: \(isVariadic ? "VariadicArguments" : "BitwiseCopyable") {",
    ]
    lines += fields + ["  }", ""]
    let state = stateLines
    if !state.isEmpty { lines += state + [""] }
    if rate == .initTime || !initLines.isEmpty {
      lines += ["  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {"]
      lines += initLines.map { "    " + $0 } + ["  }", ""]
    }
    if rate == .initTime {
      lines.removeLast()
    } else {
      let isThrowing = performLines.contains { $0.contains("throw ") }
      lines += [
        "  mutating func perform(_ arguments: Arguments, _ context: Context)\(isThrowing ? " throws(OpcodeError)" : "") {"
      ]
      lines += performLines.map { $0.isEmpty ? "" : "    " + $0 } + ["  }"]
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private var summary: String {
    isSource
      ? "A \(readsTable ? "table at" : "sine of") 220 Hz times its factors"
      : "What comes in, times its factors"
  }

  private var whatItDoes: String {
    isSource
      ? "A \(readsTable ? "table's cycle at" : "sine of") 220 Hz, multiplied by the factors."
      : "The sum of what comes in, multiplied by the factors."
  }

  /// Where Csound's manual would list it, by a name of the manual's own.
  var category: String {
    if !letters(outputs, "fF").isEmpty { return "Spectral Processing:Streaming" }
    guard rate == .audio else { return "Miscellaneous" }
    return isSource ? "Signal Generators:Basic Oscillators" : "Signal Modifiers:Amplitude Modifiers"
  }

  private var stateLines: [String] {
    var lines: [String] = []
    if keepsScale { lines.append("  private let scale: Double") }
    if readsTable { lines.append("  private let table: TableNumber") }
    if isSource {
      lines += ["  private let step: Double", "  /// Cycles, 0 to 1.", "  private var phase = 0.0"]
    }
    if !letters(outputs, "fF").isEmpty { lines.append("  private var reader = SpectrumReader()") }
    return lines
  }

  /// Whether the performance pass has i-time factors.
  private var keepsScale: Bool { rate != .initTime && !amounts.isEmpty }
  /// What the performance pass calls the product of the factors that are constant for a k-cycle;
  /// nil if there is none.
  private var gain: String? { keepsScale || !controls.isEmpty ? "gain" : nil }

  private var productOfAmounts: String {
    amounts.isEmpty ? "1.0" : amounts.map { "arguments.\($0.field).value" }.joined(separator: " * ")
  }

  private var initLines: [String] {
    var lines = [keepsScale ? "scale = \(productOfAmounts)" : "let scale = \(productOfAmounts)"]
    var usesScale = keepsScale
    if readsTable {
      lines.append("table = try TableNumber(arguments.table.value, context, argument: \"ifn\")")
    }
    if isSource { lines.append("step = 220 / context.sampleRate") }
    for output in outputs {
      let field = "arguments.\(output.field)"
      switch (output.item.letter, output.item.isArray) {
      case ("i", false):
        lines.append("\(field).value = scale")
        usesScale = true
      case ("I", false):
        lines.append("for index in 0..<\(field).count { \(field)[index].value = scale }")
        usesScale = true
      case ("S", false):
        lines += [
          "\(field).reserve(32, context)", "\(field).clear()", "\(field).append(\"\(name)\")",
        ]
      case ("f", _), ("F", _):
        let analysis = "arguments.\(letters(inputs, "f")[0].field)"
        lines +=
          output.isVariadic
          ? [
            "for index in 0..<\(field).count { try \(field)[index].prepare(like: \(analysis), context) }"
          ]
          : ["try \(field).prepare(like: \(analysis), context)"]
      case (let letter, true):
        let other = inputs.first { $0.item == output.item }
        lines.append(
          "try \(field).resize(to: \(other.map { "arguments.\($0.field).count" } ?? "2"), context)")
        if letter == "i" {
          let value = other.map { "scale * arguments.\($0.field)[index].value" } ?? "scale"
          lines.append("for index in 0..<\(field).count { \(field)[index].value = \(value) }")
          usesScale = true
        } else if letter == "S" {
          lines += [
            "for index in 0..<\(field).count {", "  \(field)[index].reserve(32, context)",
            "  \(field)[index].clear()",
            "  \(field)[index].append(\"\(name)\")", "}",
          ]
        }
      default: break
      }
    }
    for array in changed where array.item.letter == "i" {
      let field = "arguments.\(array.field)"
      lines.append("for index in 0..<\(field).count { \(field)[index].value *= scale }")
      usesScale = true
    }
    return usesScale ? lines : Array(lines.dropFirst())
  }

  /// The arrays that are changed in place.
  private var changed: [Argument] {
    inputs.filter { $0.type.hasPrefix("ArrayInput") && $0.type.hasSuffix("Output>") }
  }

  /// Whether `perform` computes one sample in each frame, for all outputs that are not arrays like an input.
  var usesSample: Bool {
    let isLooping = rate == .audio || !signals.isEmpty || !moving.isEmpty || list != nil
    return isLooping
      && outputs.contains { output in
        "amkz".contains(output.item.letter)
          && !inputs.contains { $0.item == output.item && $0.item.isArray }
      }
  }

  private var performLines: [String] {
    let lasting = (keepsScale ? ["scale"] : []) + controls.map { "arguments.\($0.field).value" }
    let factors = [gain].compactMap { $0 } + moving.map { "arguments.\($0.field)[frame]" }
    func times(_ values: [String]) -> String {
      let all = factors + values
      return all.isEmpty ? "1" : all.joined(separator: " * ")
    }
    let isLooping = rate == .audio || !signals.isEmpty || !moving.isEmpty || list != nil
    let gainText = lasting.joined(separator: " * ")
    // The numbers of a spectrum have single precision.
    let isSpectral = !letters(outputs, "fF").isEmpty
    var lines =
      gain == nil
      ? [] : ["let gain = \(isSpectral ? "min(max(\(gainText), -1e6), 1e6)" : gainText)"]
    if readsTable {
      lines.append(
        "guard let table = context.table(table) else { throw OpcodeError(\"its table was deleted.\") }"
      )
    }
    var uses = 0
    if isLooping {
      if rate == .control, !letters(outputs, "kz").isEmpty { lines.append("var last = 0.0") }
      lines.append("for frame in context.frames {")
      var sum = signals.map { "arguments.\($0.field)[frame]" }
      if isSource {
        lines.append(
          readsTable
            ? "  let wave = table.linear(atPhase: phase)"
            : "  let wave = Math.sin(2 * Double.pi * phase)")
        sum = ["wave"]
      }
      if let list {
        lines.append("  var sum = \(sum.isEmpty ? "0.0" : sum.joined(separator: " + "))")
        lines += [
          "  for index in 0..<arguments.\(list.field).count {",
          "    sum += arguments.\(list.field)[index][frame]", "  }",
        ]
        sum = ["sum"]
      }
      let joined = sum.joined(separator: " + ")
      let total =
        product.map { "\($0.function)(\(sum.isEmpty ? "1" : joined), \(times([])))" }
        ?? times(sum.count > 1 ? ["(\(joined))"] : sum)
      if usesSample { lines.append("  let sample = \(total)") }
      for output in letters(outputs, "am") {
        let field = "arguments.\(output.field)"
        if output.isVariadic {
          lines.append("  for index in 0..<\(field).count { \(field)[index][frame] = sample }")
        } else if output.item.isArray {
          let other = inputs.first { $0.item == output.item }.map { "arguments.\($0.field)" }
          lines += [
            "  for index in 0..<\(other.map { "min(\(field).count, \($0).count)" } ?? "\(field).count") {",
            "    \(field)[index][frame] = \(other.map { times(["\($0)[index][frame]"]) } ?? "sample")",
            "  }",
          ]
        } else {
          lines.append("  \(field)[frame] = sample")
        }
      }
      if rate == .control, !letters(outputs, "kz").isEmpty { lines.append("  last = sample") }
      if isSource { lines.append("  phase = Math.fraction(phase + step)") }
      lines.append("}")
      uses += 1
    }
    let value = rate == .control && isLooping ? "last" : gain ?? "1"
    for output in letters(outputs, "kz") {
      let field = "arguments.\(output.field)"
      uses += 1
      if output.isVariadic {
        lines.append("for index in 0..<\(field).count { \(field)[index].value = \(value) }")
      } else if output.item.isArray {
        let other = inputs.first { $0.item == output.item }.map { "arguments.\($0.field)" }
        lines += [
          "for index in 0..<\(other.map { "min(\(field).count, \($0).count)" } ?? "\(field).count") {",
          "  \(field)[index].value = \(other.map { ([gain].compactMap { $0 } + ["\($0)[index].value"]).joined(separator: " * ") } ?? value)",
          "}",
        ]
      } else {
        lines.append("\(field).value = \(value)")
      }
    }
    for array in changed where array.item.letter != "i" {
      let field = "arguments.\(array.field)"
      let isSound = array.item.letter == "a"
      let change = "\(field)[index]\(isSound ? "[frame]" : ".value") *= \(gain ?? "0.5")"
      uses += 1
      lines += [
        "for index in 0..<\(field).count {",
        isSound ? "  for frame in context.frames { \(change) }" : "  \(change)", "}",
      ]
    }
    for output in letters(outputs, "fF") {
      uses += 1
      lines += spectrumLines(output)
    }
    return uses > 0 ? lines : []
  }

  private func spectrumLines(_ output: Argument) -> [String] {
    let input = "arguments.\(letters(inputs, "f")[0].field)"
    let field = "arguments.\(output.field)"
    func lines(_ field: String) -> [String] {
      [
        "guard \(field).holdsSpectra(of: \(input), context) else {",
        "  throw OpcodeError(\"the f-signal was given another size; reinit this opcode with it.\")",
        "}",
        "for spectrum in spectra {", "  \(field).write(spectrum, from: \(input)) { bin in",
        "    Bin(amplitude: \(gain.map { "\($0) * " } ?? "")bin.amplitude, frequency: bin.frequency)",
        "  }",
        "  \(field).publish(asNewAs: \(input))", "}",
      ]
    }
    let reading = ["let spectra = reader.newSpectra(\(input), context)"]
    guard output.isVariadic else { return reading + lines(field) }
    return reading + ["for index in 0..<\(field).count {"]
      + lines("\(field)[index]").map { "  " + $0 } + ["}"]
  }
}
