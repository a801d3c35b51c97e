import CsoundHost

/// Arguments, results, and the arrays that a translation knows.
extension Translation {
  /// `xin`. An array is copied, as in Csound: one of controls in each pass.
  mutating func readArguments(_ node: OrchestraNode) throws(Obstacle) {
    inputs = node.left.map(\.text)
    for (name, letter) in zip(inputs, opcode.inputs) where "κι".contains(letter) {
      let property = addNumbers(name, [("copying", .input(name))])
      guard letter == "κ" else { continue }
      add(
        .part(
          outputs: [], property: property, method: "take", [.input(name)], isAudio: false),
        toInit: false, toPerformance: true)
    }
  }

  mutating func readResults(_ node: OrchestraNode) throws(Obstacle) {
    guard outputs.isEmpty else { throw Obstacle(what: "a second xout", line: line) }
    for (place, (value, letter)) in zip(node.right, opcode.outputs).enumerated() {
      guard "κι".contains(letter) else {
        outputs.append(try operand(value))
        continue
      }
      guard let property = arrays[value.text] else { throw Obstacle(what: "an array", line: line) }
      outputs.append(.member(property, []))
      let target = Expression.input(PortedOpcode.output(place, letter))
      for (method, isFirst) in [("giveFirst", true), ("give", false)] {
        add(
          .part(outputs: [], property: property, method: method, [target], isAudio: false),
          toInit: isFirst, toPerformance: !isFirst && letter == "κ")
      }
    }
  }

  /// Arrays of numbers with one dimension, that the opcode makes for itself.
  mutating func readArray(
    _ node: OrchestraNode, _ entry: OrchestraNode.Entry
  ) throws(Obstacle) {
    let refusal = Obstacle(what: "an array", line: line)
    let isMade = ["init", "fillarray", "array"].contains(node.text)
    let isSet = node.text == "##array_set"
    if node.text == "=", node.left.count == 1,
      let source = node.right.first.flatMap({ arrays[$0.text + suffix] })
    {
      return copyArray(node.left[0].text, source, isMade: !node.left[0].right.isEmpty)
    }
    for one in node.left + node.right where one.text.hasPrefix("g") {
      throw Obstacle(what: "the global variable '\(one.text)'", line: line)
    }
    guard let name = (isMade ? node.left : node.right).first?.text, "ik".contains(Self.rate(name))
    else { throw refusal }
    let isInit = Self.rate(name) == "i"
    if isMade {
      guard node.left.count == 1, node.left[0].right.count == 1, arrays[name + suffix] == nil,
        node.text != "init" || node.right.count == 1, entry.hasInit || isInit
      else { throw refusal }
      let all = try operands(node.right)
      _ = addNumbers(
        name, node.text == "init" ? [("count", all[0])] : [("values", Expression.list(all))])
      return
    }
    guard let property = arrays[name + suffix], node.left.allSatisfy(\.right.isEmpty) else {
      throw refusal
    }
    let outputs = try node.left.first.map { node throws(Obstacle) in [try variable(node)] } ?? []
    let isEarly = outputs.first.map { Self.rate($0) == "i" } ?? isInit
    let values = [
      "lenarray": "count", "minarray": "least", "maxarray": "greatest", "sumarray": "sum",
    ]
    let method = isSet ? "setElement" : values[node.text] ?? "element"
    guard
      isSet && node.right.count == 3
        || method != "element" && outputs.count == 1 && node.left.count == 1
        || node.text == "##array_get" && node.right.count == 2
    else { throw refusal }
    var step = Step.part(
      outputs: [], property: property, method: method,
      isSet ? try operands(Array(node.right.dropFirst())) : [], isAudio: false)
    if let output = outputs.first {
      step = .assign(
        output,
        method == "element"
          ? .member("\(property).element($0)", [try operand(node.right[1])])
          : .member("\(property).\(method)", []))
    }
    add(step, toInit: isEarly, toPerformance: !isEarly)
  }

  /// Copies an array into another one, that is made for it.
  private mutating func copyArray(
    _ name: String, _ source: String, isMade: Bool
  ) {
    let property =
      arrays[name + suffix] ?? addNumbers(name, [("copying", .member(source, []))])
    let step = Step.part(
      outputs: [], property: property, method: "take", [.member(source, [])], isAudio: false)
    let isInit = Self.rate(name) == "i"
    add(step, toInit: isInit && !isMade, toPerformance: !isInit)
  }

  /// Adds an array; returns its property.
  mutating func addNumbers(
    _ name: String, _ settings: [(label: String, value: Expression)]
  ) -> String {
    let kind = Vocabulary.Part(type: "Builtin.Numbers", hasBuffer: true, canFail: true)
    let property = addPart(
      kind, rate: "sampleRate", settings: settings, named: Self.short(name))
    arrays[name + suffix] = property
    return property
  }

  /// The name of an array in Swift, without the letter of its rate if what is left is a name.
  private static func short(_ name: String) -> String {
    let joined = joined(name[...])
    let rest = String(joined.dropFirst())
    return rest.count > 1 && rest.first!.isLowercase && !PortedOpcode.taken.contains(rest)
      ? rest : joined
  }

  /// A variable's name without underscores.
  static func joined(_ name: Substring) -> String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(words.first.map(String.init) ?? String(name)) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }
}
