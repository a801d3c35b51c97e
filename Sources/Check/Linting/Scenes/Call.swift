/// The statement that calls the opcode.
package struct Call {
  let plan: CallPlan
  let scene: Scene

  package init(_ plan: CallPlan, _ scene: Scene) {
    self.plan = plan
    self.scene = scene
  }

  package static func name(_ rate: CallPlan.Rate, _ kind: String, _ index: Int) -> String {
    "\(rate.rawValue)\(kind)\(index + 1)"
  }

  func isLeftOut(_ index: Int) -> Bool {
    // An input that an expression sets is given, and so are all inputs before it.
    guard !scene.expressions.keys.contains(where: { $0 >= index }) else { return false }
    return switch scene.optionals {
    case .asPlanned: plan.inputs[index].isLeftOut
    case .leftOut: plan.inputs[index...].allSatisfy { $0.fallback != nil }
    case .atDefaults: false
    }
  }

  /// Whether an input is a global variable that another instrument sets.
  func isGlobal(_ index: Int) -> Bool {
    let input = plan.inputs[index]
    return scene.sounding != nil && input.rate == .a && !input.isArray && !isLeftOut(index)
      && scene.expressions[index] == nil
  }

  func inputName(_ index: Int) -> String {
    (isGlobal(index) ? "g" : "") + Self.name(plan.inputs[index].rate, "in", index)
  }

  private var inputNames: [String] {
    plan.inputs.indices.filter { !isLeftOut($0) }.map(inputName)
  }

  private var outputNames: [String] {
    var names = plan.outputs.indices.map { Self.name(plan.outputs[$0].rate, "out", $0) }
    if let pair = scene.inPlace {
      names[pair.output] = Self.name(plan.inputs[pair.input].rate, "in", pair.input)
    }
    return names
  }

  private var declaredOutputs: [String] {
    outputNames.enumerated().map { index, name in
      // A variable shared with an input is declared already.
      let isOwn = name == Self.name(plan.outputs[index].rate, "out", index)
      return plan.outputs[index].isArray && isOwn ? name + "[]" : name
    }
  }

  var text: String {
    let outputs = declaredOutputs.joined(separator: ", ")
    let inputs = inputNames.joined(separator: ", ")
    if isInUserOpcode {
      // Inputs at i-rate are set inside the user-defined opcode.
      let passed = inputNames.filter { !$0.hasPrefix("i") }.joined(separator: ", ")
      return "\(outputs) LocalBlock \(passed)"
    }
    if scene.isFunction {
      // In a product, its output is not the variable itself.
      let isNumber = plan.outputs.first.map { "aki".contains($0.rate.rawValue) } ?? false
      return "\(outputs) = \(plan.opcode)(\(inputs))" + (isNumber ? " * p4" : "")
    }
    return [outputs, plan.opcode, inputs].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The lines that the call needs, unless they are in the user-defined opcode around it.
  var linesBefore: [String] { isInUserOpcode ? [] : plan.before }
  var linesAfter: [String] { isInUserOpcode ? [] : plan.after }

  private var isInUserOpcode: Bool {
    if case .userOpcode = scene.localKsmps { true } else { false }
  }

  /// A user-defined opcode around the call.
  func userOpcode(_ ksmps: Int) -> [String] {
    let passed = plan.inputs.indices.filter { !isLeftOut($0) && plan.inputs[$0].rate != .i }
    let types = passed.map { plan.inputs[$0].rate.rawValue }.joined()
    let outputs = plan.outputs.map { $0.rate.rawValue }.joined()
    let names = passed.map { Self.name(plan.inputs[$0].rate, "in", $0) }.joined(separator: ", ")
    var lines = [
      "", "opcode LocalBlock, \(outputs.isEmpty ? "0" : outputs), \(types.isEmpty ? "0" : types)",
      "  setksmps \(ksmps)",
    ]
    if !passed.isEmpty { lines.append("  \(names) xin") }
    for index in plan.inputs.indices where !isLeftOut(index) {
      let input = plan.inputs[index]
      guard input.rate == .i || input.rate == .k && input.isNumber else { continue }
      // In Csound 7, k-rate inputs of a user-defined opcode have no value at init time.
      let assignment = input.rate == .i ? "=" : "init"
      let value = scene.initialValue(plan, index)
      lines.append("  \(Self.name(input.rate, "in", index)) \(assignment) \(value)")
    }
    let statement = [
      outputNames.joined(separator: ", "), plan.opcode, inputNames.joined(separator: ", "),
    ]
    lines += plan.before.map { "  " + $0 }
    lines.append("  " + statement.filter { !$0.isEmpty }.joined(separator: " "))
    lines += plan.after.map { "  " + $0 } + ["  idone = 0"]
    if !plan.outputs.isEmpty { lines.append("  xout \(outputNames.joined(separator: ", "))") }
    return lines + ["endop"]
  }

  /// The variables that are played, and the lines that make them from the outputs.
  package var heard: [(line: String?, name: String)] {
    guard plan.reads.isEmpty else { return [(plan.reads.joined(separator: "\n"), "aread")] }
    // An opcode without outputs changes its tables.
    let changed = plan.outputs.isEmpty ? plan.inputs.indices.filter { plan.inputs[$0].isTable } : []
    return changed.map { ("aread\($0) poscil 1, 7, gitable\($0 + 1)", "aread\($0)") }
      + outputsHeard
  }

  private var outputsHeard: [(line: String?, name: String)] {
    zip(outputNames, plan.outputs).flatMap { name, output -> [(line: String?, name: String)] in
      switch (output.rate, output.isArray) {
      case (.a, false): [(nil, name)]
      case (.a, true): [("a\(name) = \(name)[0]", "a\(name)")]
      case (.f, _): [("a\(name) pvsynth \(name)", "a\(name)")]
      case (.k, false): [("a\(name) upsamp \(name)", "a\(name)")]
      case (.i, false): [("a\(name) = \(name)", "a\(name)")]
      case (.k, true):
        [
          ("k\(name)s sumarray \(name)\na\(name)s upsamp k\(name)s", "a\(name)s"),
          ("k\(name)l lenarray \(name)\na\(name)l upsamp k\(name)l", "a\(name)l"),
        ]
      case (.i, true):
        [
          ("i\(name)l lenarray \(name)\na\(name)l = i\(name)l", "a\(name)l"),
          ("a\(name)f = \(name)[0]", "a\(name)f"),
          ("a\(name)e = \(name)[i\(name)l - 1]", "a\(name)e"),
        ]
      case (.S, _): []
      }
    }
  }

  /// Lines that play or print the outputs.
  var consumers: [String] {
    var lines: [String] = []
    var heard: [String] = []
    if scene.isRecorded {
      lines += self.heard.flatMap { ($0.line ?? "").split(separator: "\n").map(String.init) }
      for (name, output) in zip(outputNames, plan.outputs) where output.rate == .S {
        if !output.isArray { lines.append("printf_i \"text: %s\\n\", 1, \(name)") }
      }
      if !self.heard.isEmpty {
        lines.append("outc \(self.heard.map(\.name).joined(separator: ", "))")
      }
      return lines
    }
    for (name, output) in zip(outputNames, plan.outputs) where !output.isArray {
      switch output.rate {
      case .a: heard.append(name)
      case .f:
        lines.append("a\(name) pvsynth \(name)")
        heard.append("a\(name)")
      case .k:
        lines.append("a\(name) upsamp \(name)")
        heard.append("a\(name)")
      case .i: lines.append("print \(name)")
      case .S: lines.append("printf_i \"%s\\n\", 1, \(name)")
      }
    }
    if !heard.isEmpty { lines.append("outc \(heard.joined(separator: ", "))") }
    return lines
  }
}
