import PluginBuilding

extension PortedOpcode {
  /// The struct's name: the original's, as Swift names types.
  var structName: String {
    let words = opcode.name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return (try? NewOpcode(words.joined(separator: "_"), outputs: "", inputs: ""))
      .map(\.structName) ?? name
  }

  /// The call, such as `aout LAD ain, kcutoff [, iskip]`.
  var syntax: String {
    let results = opcode.outputs.enumerated().map { place, letter in
      let word = names[Self.output(place, letter)]!
      if "κι".contains(letter) {
        let rate = letter == "κ" ? "k" : "i"
        return (word.hasPrefix(rate) ? word : rate + word) + "[]"
      }
      return names.first {
        $0.value == word && !$0.key.contains(/[>#]/) && !inputs.contains($0.key)
      }?
      .key
        ?? String(letter == "a" || letter == "i" ? letter : "k")
        + word.replacing("output", with: "out")
    }
    let first = opcode.inputs.firstIndex { !"akiκι".contains($0) }
    var text = ""
    for (index, input) in inputs.enumerated() {
      let isOptional =
        first.map { opcode.inputs.distance(from: opcode.inputs.startIndex, to: $0) <= index }
        ?? false
      text +=
        (isOptional ? (index == 0 ? "[" : " [, ") : index == 0 ? "" : ", ") + input
        + (isOptional ? "]" : "")
    }
    return [results.joined(separator: ", "), name, text].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// What the opcode does, in a sentence without its full stop.
  var title: String {
    let words = opcode.comment.filter { $0.contains(/\w/) }.prefix { !$0.isEmpty }
      .joined(separator: " ")
    let sentence = words.prefix { $0 != "." && $0 != ":" && $0 != ";" }
      .trimmingPrefix(/[^\w]+/)
    let text = sentence.trimmingCharacters(in: .whitespaces).replacing("\"", with: "'").replacing(
      "\\", with: "/")
    guard text.count > 3 else { return "The user-defined opcode \(opcode.name) in Swift" }
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The Swift file.
  var source: String {
    var lines = ["// " + syntax, "//"]
    let comment = opcode.comment.filter { $0.contains(/\w/) || $0.isEmpty }
    lines += comment.isEmpty ? [] : comment.map { "// \($0)".trimmingEnd } + ["//"]
    lines += [
      "// The user-defined opcode `\(opcode.name)`, written in Swift by `opcodekit port`.", "//",
      "// Category: Miscellaneous", "", "import OpcodeKit", "",
      "@Opcode(\"\(name)\", \"\(title)\")",
      "struct \(structName): \(isAudio ? "AudioOpcode" : isControl ? "ControlOpcode" : "InitOpcode")"
        + (deleted.isEmpty ? " {" : ", DeinitOpcode {"),
    ]
    lines += argumentLines.map { "  " + $0 } + [""]
    let bufferCount = buffers.count + parts.count(where: \.kind.hasBuffer)
    if bufferCount > 0 { lines += ["  static var bufferCount: Int { \(bufferCount) }", ""] }
    let state = stateLines
    if !state.isEmpty { lines += state.map { "  " + $0 } + [""] }
    let initial = initLines
    lines.append(
      "  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {"
        + (initial.isEmpty ? "}" : ""))
    if !initial.isEmpty { lines += initial.map { "    " + $0 } + ["  }"] }
    if isAudio || isControl {
      lines += ["", "  mutating func perform(_ arguments: Arguments, _ context: Context) {"]
      lines += performLines.map { "    " + $0 } + ["  }"]
      if isOneSample { lines += [""] + nextLines.map { "  " + $0 } }
    }
    if !deleted.isEmpty {
      lines += ["", "  mutating func finish(_ arguments: Arguments, _ context: Context) {"]
      lines +=
        deleted.map {
          "    \($0.property)\(optional.contains($0.property) ? "?" : "").delete(context)"
        } + ["  }"]
    }
    return lines.map(\.trimmingEnd).joined(separator: "\n") + "\n}\n"
  }

  /// The parts that the deinit pass deletes.
  private var deleted: [Translation.Part] { parts.filter(\.kind.isDeleted) }

  var isAudio: Bool { opcode.outputs.contains("a") }
  /// Whether there is a performance pass without audio outputs.
  var isControl: Bool { !isAudio && !performSteps.isEmpty }

  // ---- Arguments and state

  private static let kinds: [Character: (type: String, value: String?)] = [
    "a": ("Audio", nil), "k": ("Control", nil), "i": ("Init", nil), "o": ("Init", "0"),
    "p": ("Init", "1"), "q": ("Init", "10"), "v": ("Init", "0.5"), "j": ("Init", "-1"),
    "h": ("Init", "127"), "O": ("Control", "0"), "P": ("Control", "1"), "V": ("Control", "0.5"),
    "J": ("Control", "-1"), "κ": ("Control", nil), "ι": ("Init", nil),
  ]

  private static func type(_ letter: Character, _ direction: String) -> String {
    let type = kinds[letter]!.type + direction
    return "κι".contains(letter) ? "Array\(direction)<\(type)>" : type
  }

  /// Whether an argument is an array.
  func isArray(_ name: String) -> Bool {
    opcode.outputs.enumerated().contains { place, letter in
      "κι".contains(letter) && Self.output(place, letter) == name
    } || zip(inputs, opcode.inputs).contains { $0 == name && "κι".contains($1) }
  }

  private var argumentLines: [String] {
    var lines = ["struct Arguments: BitwiseCopyable {"]
    for (place, letter) in opcode.outputs.enumerated() {
      lines += [
        "  /// What `\(opcode.name)` gives.",
        "  let \(names[Self.output(place, letter)]!): \(Self.type(letter, "Output"))",
      ]
    }
    for (input, letter) in zip(inputs, opcode.inputs) {
      let kind = Self.kinds[letter]!
      // A comment that begins with the argument's name describes it.
      let said = opcode.comment.lazy.compactMap { line in
        line.firstMatch(of: /^\s*(\w+)\s*[:=-]?\s+(.+)$/).flatMap {
          $0.1 == input ? String($0.2) : nil
        }
      }.first
      let rest = kind.value.map { " Default \($0)." } ?? ""
      lines.append(
        "  /// \(said.map { $0.hasSuffix(".") ? $0 : $0 + "." } ?? "`\(input)` of `\(opcode.name)`.")\(rest)"
      )
      lines.append(
        "  \(kind.value.map { "@Default(\($0)) " } ?? "")let \(names[input]!): \(Self.type(letter, "Input"))"
      )
    }
    return lines + ["}"]
  }

  /// Steps of the performance pass as text read of `sr` and the like.
  private var performRates: Set<String> {
    func rates(_ steps: [Step]) -> Set<String> {
      steps.reduce(into: []) { all, step in
        for value in step.expressions { all.formUnion(value.rates) }
        for inner in step.inner { all.formUnion(rates(inner)) }
      }
    }
    return rates(performSteps)
  }

  /// The properties for `sr`, `kr`, `ksmps` and `0dbfs` that the performance pass needs, and their values.
  private var rateProperties: [(name: String, value: String)] {
    let rates = performRates
    var all: [(String, String)] = []
    if rates.contains("sr") || isOneSample && rates.contains("kr") {
      all.append(("sampleRate", "context.sampleRate"))
    }
    if !isOneSample, rates.contains("kr") { all.append(("controlRate", "context.controlRate")) }
    if !isOneSample, rates.contains("ksmps") { all.append(("ksmps", "Double(context.ksmps)")) }
    for (place, name) in ["instrument", "start", "duration"].enumerated()
    where rates.contains("p\(place + 1)") {
      all.append((name, "context.pField(\(place + 1)) ?? 0"))
    }
    if rates.contains("0dbfs") { all.append(("fullScale", "context.fullScale")) }
    return all
  }

  /// A value that the first statement of the init pass about a variable gives it, if it is a number.
  private func firstNumber(_ name: String) -> String? {
    let about = initSteps.filter { $0.writes.contains(name) || $0.reads.contains(name) }
    guard about.count == 1, case .assign(name, .number(let digits)) = about[0] else { return nil }
    return digits.contains(/[.e]/) ? digits : digits + ".0"
  }

  /// Variables that only the init pass writes, once.
  private func isConstant(_ name: String) -> Bool {
    let count = initSteps.count {
      if case .assign(name, _) = $0 { true } else { false }
    }
    return !performSteps.contains { $0.writes.contains(name) }
      && (count == 1 || count == 0 && inputs.contains(name))
      && !initSteps.contains { !$0.inner.isEmpty && $0.writes.contains(name) }
  }

  private var stateLines: [String] {
    var lines: [String] = []
    for part in parts where !part.isLocal {
      lines.append(
        "private var \(part.property): \(part.kind.type)"
          + (optional.contains(part.property) ? "?" : ""))
    }
    for name in buffers.sorted() {
      lines.append("private let \(names[name]!): Buffer<Double>")
    }
    for name in stored.sorted(by: { names[$0]! < names[$1]! }) {
      lines += (firstComments[name] ?? []).map { "/// " + $0 }
      lines.append(
        isConstant(name)
          ? firstNumber(name).map { "private let \(names[name]!) = \($0)" }
            ?? "private let \(names[name]!): Double"
          : "private var \(names[name]!) = \(firstNumber(name) ?? "0.0")")
    }
    for property in rateProperties { lines.append("private let \(property.name): Double") }
    return lines
  }

  // ---- The init pass

  private var initLines: [String] {
    var lines = rateProperties.map { "\($0.name) = \($0.value)" }
    for name in buffers.sorted() {
      lines.append("\(names[name]!) = try context.buffer(count: context.ksmps)")
    }
    let changed = initSteps.writes
    for input in inputs where stored.contains(input) && !changed.contains(input) {
      lines.append("\(names[input]!) = arguments.\(names[input]!).value")
    }
    var steps = initSteps.filter { step in
      if case .assign(let name, .number) = step {
        return firstNumber(name) == nil || !stored.contains(name)
      }
      return true
    }
    // Control variables that are set but not kept.
    let read = steps.reads
    steps.removeAll { step in
      guard case .assign(let name, _) = step else { return false }
      return !stored.contains(name) && !buffers.contains(name) && !read.contains(name)
        && !outputNames.contains(name)
    }
    var writer = StepWriter(self, pass: .initial)
    return lines + writer.lines(of: steps)
  }

  // ---- The performance pass

  private func letter(ofOutput place: Int) -> Character {
    opcode.outputs[opcode.outputs.index(opcode.outputs.startIndex, offsetBy: place)]
  }

  /// The outputs of the performance pass.
  private var performed: [(field: String, isAudio: Bool)] {
    opcode.outputs.enumerated().filter { "ak".contains($0.element) }
      .map { (names[Self.output($0.offset, $0.element)]!, $0.element == "a") }
  }

  private var movingInputs: [String] {
    zip(inputs, opcode.inputs).filter { "akOPVJ".contains($0.1) }.map(\.0)
  }

  private func isRead(_ name: String) -> Bool {
    performSteps.contains { $0.count(of: name) > 0 || $0.usesInput(name) }
  }

  private var performLines: [String] {
    if isOneSample { return sampleLines }
    var lines: [String] = []
    for input in movingInputs where Translation.rate(input) == "k" && isRead(input) {
      guard !performSteps.contains(where: { $0.writes.contains(input) }) else { continue }
      lines.append("let \(names[input]!) = arguments.\(names[input]!).value")
    }
    var used = Set<String>()
    segments.visit { steps in
      used.formUnion(steps.reduce(into: Set()) { $0.formUnion($1.properties) })
    }
    // In the loop they are variables of the pass, which stay in registers.
    for part in parts where used.contains(part.property) && !part.kind.hasOwnMemory {
      lines.append("var \(part.property) = \(part.property)")
    }
    for part in parts where part.kind.finds && !part.isLocal {
      lines.append("\(part.property)\(optional.contains(part.property) ? "?" : "").find(context)")
    }
    var kept: [String] = []
    segments.visit { steps in
      kept += steps.writes.intersection(stored).map { names[$0]! }
    }
    let locals = Set(kept).sorted()
    for name in locals { lines.append("var \(name) = \(name)") }
    var writer = StepWriter(self, pass: .vector)
    lines += writer.lines(of: segments)
    for part in parts where used.contains(part.property) && !part.kind.hasOwnMemory {
      lines.append("self.\(part.property) = \(part.property)")
    }
    for name in locals { lines.append("self.\(name) = \(name)") }
    return lines
  }

  private var sampleLines: [String] {
    let given = movingInputs.filter(isRead).map { input in
      "arguments.\(names[input]!)" + (Translation.rate(input) == "a" ? "[frame]" : ".value")
    }
    let call = "state.next(\(given.joined(separator: ", ")))"
    let results = performed
    let hasFrame = given.contains { $0.contains("[frame]") } || results.contains(where: \.isAudio)
    var lines = ["var state = self"]
    for part in parts where part.kind.finds && !part.isLocal {
      lines.append(
        "state.\(part.property)\(optional.contains(part.property) ? "?" : "").find(context)")
    }
    lines.append("for \(hasFrame ? "frame" : "_") in context.frames {")
    func place(_ result: (field: String, isAudio: Bool)) -> String {
      "arguments.\(result.field)" + (result.isAudio ? "[frame]" : ".value")
    }
    if results.count == 1 {
      lines.append("  \(place(results[0])) = \(call)")
    } else if results.isEmpty {
      lines.append("  \(call)")
    } else {
      lines.append("  let sample = \(call)")
      for (index, result) in results.enumerated() {
        lines.append("  \(place(result)) = sample.\(index)")
      }
    }
    return lines + ["}", "self = state"]
  }

  private var nextLines: [String] {
    let parameters = movingInputs.filter(isRead).map { "_ \(names[$0]!): Double" }
    let results = performed
    let type =
      results.isEmpty
      ? ""
      : results.count == 1
        ? " -> Double" : " -> (" + results.map { _ in "Double" }.joined(separator: ", ") + ")"
    var writer = StepWriter(self, pass: .sample)
    var body = writer.lines(of: performSteps)
    // The result of one output is returned as it is computed.
    let last = opcode.outputs.enumerated().filter { "ak".contains($0.element) }
      .map { Self.output($0.offset, $0.element) }
    let returned = last.map { writer.returned[$0] ?? "0" }
    if !results.isEmpty {
      body.append(
        "return " + (returned.count == 1 ? returned[0] : "(\(returned.joined(separator: ", ")))"))
    }
    return [
      "/// One sample.", "@inline(__always)",
      "private mutating func next(\(parameters.joined(separator: ", ")))\(type) {",
    ] + body.map { "  " + $0 } + ["}"]
  }
}

extension Step {
  /// Whether it reads an input as the caller gives it.
  func usesInput(_ name: String) -> Bool {
    func uses(_ value: Expression) -> Bool {
      value == .input(name) || value.parts.contains(where: uses)
    }
    return expressions.contains(where: uses) || inner.joined().contains { $0.usesInput(name) }
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
