import CsoundHost

/// A user-defined opcode in the steps of its two passes.
struct Translation {
  /// What stands in the way of a port: an opcode or a construct, and the line in the orchestra.
  struct Obstacle: Equatable, Error {
    var what: String
    var line: Int
  }

  /// A property with state of its own.
  struct Part {
    var property: String
    var kind: Vocabulary.Part
    /// `sampleRate` or `controlRate`.
    var rate: String
    /// The arguments of its `init` by their labels.
    var settings: [(label: String, value: Expression)]
    var line: Int
    /// Whether only the init pass uses it.
    var isLocal = false
  }

  let opcode: UserOpcode
  /// The variables of `xin`, and what `xout` gives.
  private(set) var inputs: [String] = []
  private(set) var outputs: [Expression] = []
  private(set) var parts: [Part] = []
  /// Whether the body runs for each sample: `setksmps 1`.
  private(set) var isOneSample = false
  private(set) var obstacles: [Obstacle] = []
  var initSteps: [Step] = []
  var performSteps: [Step] = []

  /// The user-defined opcodes of the piece, and the numbers of the calls that are being read.
  private let others: [UserOpcode]
  private var calls: [(opcode: UserOpcode, suffix: String, node: OrchestraNode)] = []
  /// Properties of delays that have been opened by `delayr`, and not closed by `delayw`.
  private var openDelays: [String] = []
  /// Properties of arrays by their names.
  private var arrays: [String: String] = [:]
  /// Whether what is read runs for each sample.
  private var isSample: Bool { isOneSample || suffix.hasSuffix("s") }
  private var callCount = 0
  /// The opcodes that it calls, each after those that it calls itself.
  private(set) var callees: [UserOpcode] = []
  private var initItems: [ControlFlow.Item] = []
  private var performItems: [ControlFlow.Item] = []
  private var line = 0

  init(_ opcode: UserOpcode, among others: [UserOpcode]) {
    (self.opcode, self.others) = (opcode, others)
    for letter in opcode.outputs + opcode.inputs where !"aikopqvjhOPVJ".contains(letter) {
      note("an argument of type '\(letter)'")
    }
    for statement in opcode.statements {
      if statement.line > 0 { line = statement.line + opcode.firstLine - 1 }
      do throws(Obstacle) { try read(statement) } catch { obstacles.append(error) }
    }
    if obstacles.isEmpty { finish() }
    var seen: [Obstacle] = []
    for obstacle in obstacles where !seen.contains(where: { $0.what == obstacle.what }) {
      seen.append(obstacle)
    }
    obstacles = seen
  }

  private mutating func note(_ what: String) { obstacles.append(Obstacle(what: what, line: line)) }

  private func tangle(_ jump: ControlFlow.Tangle) -> Obstacle {
    Obstacle(
      what: "a jump to '\(jump.label)' that is neither a condition nor a loop", line: line)
  }

  private mutating func finish() {
    if outputs.count != opcode.outputs.count || inputs.count != opcode.inputs.count {
      note("an xin or xout that does not fit the arguments")
    }
    do throws(ControlFlow.Tangle) {
      initSteps = try ControlFlow(initItems).steps()
      performSteps = try ControlFlow(performItems).steps()
    } catch { obstacles.append(tangle(error)) }
    // What is changed is a variable that starts as the input in each pass.
    for name in inputs where Self.rate(name) != "i" {
      if performSteps.contains(where: { $0.writes.contains(name) }) {
        performSteps.insert(.assign(name, .input(name)), at: 0)
      }
    }
    for name in inputs where Self.rate(name) == "i" {
      if initSteps.contains(where: { $0.writes.contains(name) }) {
        initSteps.insert(.assign(name, .input(name)), at: 0)
      }
    }
  }

  // ---- Names

  /// The rate of a variable: i, k or a; b and B for conditions. In a call that runs for each sample of a vector, what is
  /// an audio signal there is a number.
  static func rate(_ name: String) -> Character {
    let letter = name.drop { $0 == "#" }.first ?? "i"
    return letter == "p"
      ? "i" : letter == "a" && name.hasSuffix("s") && name.contains("'") ? "k" : letter
  }

  static func isTemporary(_ name: String) -> Bool { name.hasPrefix("#") }

  private func operand(_ node: OrchestraNode) throws(Obstacle) -> Expression {
    let text = node.text
    func refuse(_ what: String) -> Obstacle { Obstacle(what: what, line: line) }
    guard node.left.isEmpty, node.right.isEmpty, let first = text.first else {
      throw refuse("an array")
    }
    if first == "\"" || first == "{" { throw refuse("a text") }
    if isSample, !isOneSample, text == "ksmps" || text == "kr" {
      return text == "kr" ? .rate("sr") : .number("1")
    }
    if text == "0dbfs" || text == "sr" || text == "kr" || text == "ksmps" { return .rate(text) }
    if first.isNumber || first == "-" || first == "." {
      guard let value = Double(text) else { throw refuse("the number '\(text)'") }
      return .number(Self.literal(text, value))
    }
    if first == "g" { throw refuse("the global variable '\(text)'") }
    if ["A4", "nchnls", "nchnls_i"].contains(text) { throw refuse("'\(text)'") }
    if ["p1", "p2", "p3"].contains(text) { return .rate(text) }
    if first == "p", Int(text.dropFirst()) != nil { throw refuse("the p-field '\(text)'") }
    guard "ikabB".contains(Self.rate(text)) else { throw refuse("the variable '\(text)'") }
    return .variable(text + suffix)
  }

  // ---- Calls of user-defined opcodes

  /// What variables and labels have behind their names in the call that is being read.
  private var suffix: String { calls.last?.suffix ?? "" }

  private func userOpcode(_ name: String, _ entry: OrchestraNode.Entry) -> UserOpcode? {
    let same = others.filter { $0.name == name }
    // The entry's inputs end with one of Csound's own, for the local ksmps.
    return same.first { $0.outputs == entry.outputs && $0.inputs + "o" == entry.inputs }
      ?? same.first
  }

  /// Reads the statements of another user-defined opcode where it is called, with variables of their own.
  private mutating func inline(_ inner: UserOpcode, _ node: OrchestraNode) throws(Obstacle) {
    guard ([opcode] + calls.map(\.opcode)).allSatisfy({ !$0.isSame(as: inner) }) else {
      throw Obstacle(what: "\(inner.name), which calls itself", line: line)
    }
    for letter in inner.outputs + inner.inputs where !"aikopqvjhOPVJ".contains(letter) {
      throw Obstacle(what: "\(inner.name), with an argument of type '\(letter)'", line: line)
    }
    callCount += 1
    let before = obstacles.count
    // With a setksmps of its own it is a loop over the samples.
    let isLoop =
      !isSample
      && inner.statements.contains { $0.text == "setksmps" && $0.right.first?.text == "1" }
    let outer = performItems
    if isLoop { performItems = [] }
    calls.append((inner, "'\(callCount)\(isLoop || isSample && !isOneSample ? "s" : "")", node))
    for statement in inner.statements {
      do throws(Obstacle) { try read(statement) } catch { obstacles.append(error) }
    }
    calls.removeLast()
    if isLoop {
      do throws(ControlFlow.Tangle) {
        performItems = outer + [.step(.frames(try ControlFlow(performItems).steps()))]
      } catch { throw tangle(error) }
    }
    if !callees.contains(where: { $0.isSame(as: inner) }) { callees.append(inner) }
    for index in obstacles.indices.dropFirst(before) where !obstacles[index].what.contains(" in ") {
      obstacles[index].what += " in \(inner.name)"
    }
  }

  /// An operand of the call that is being read, as its caller names it.
  private mutating func outside<Result>(
    _ body: (inout Translation) throws(Obstacle) -> Result
  ) throws(Obstacle) -> Result {
    let call = calls.removeLast()
    defer { calls.append(call) }
    return try body(&self)
  }

  private mutating func readInputs(_ node: OrchestraNode) throws(Obstacle) {
    let given = calls.last!.node.right
    for (index, target) in node.left.enumerated() where index < given.count {
      let name = try variable(target)
      let value = try outside { (reader) throws(Obstacle) in try reader.operand(given[index]) }
      let isInit = Self.rate(name) == "i"
      add(.assign(name, value), toInit: isInit, toPerformance: !isInit)
    }
  }

  private mutating func readOutputs(_ node: OrchestraNode) throws(Obstacle) {
    let targets = calls.last!.node.left
    for (index, value) in node.right.enumerated() where index < targets.count {
      let value = try operand(value)
      let name = try outside { (reader) throws(Obstacle) in try reader.variable(targets[index]) }
      let isInit = Self.rate(name) == "i"
      add(.assign(name, value), toInit: isInit, toPerformance: !isInit)
    }
  }

  /// The number in Swift: `.5` is no literal there.
  private static func literal(_ text: String, _ value: Double) -> String {
    if text.count < 17, text.wholeMatch(of: /-?\d+(\.\d+)?(e[-+]?\d+)?/) != nil { return text }
    return value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
  }

  // ---- Statements

  private mutating func add(_ step: Step, toInit: Bool, toPerformance: Bool) {
    if toInit { initItems.append(.step(step)) }
    if toPerformance { performItems.append(.step(step)) }
  }

  private mutating func read(_ node: OrchestraNode) throws(Obstacle) {
    let jumps = ["goto": (true, true), "igoto": (true, false), "kgoto": (false, true)]
    if node.entry == nil, let (isInit, isPerformed) = jumps[node.text] {
      return try readJump(
        node,
        OrchestraNode.Entry(
          name: node.text, outputs: "", inputs: "l", hasInit: isInit, hasPerformance: isPerformed))
    }
    guard let entry = node.entry else {
      guard node.left.isEmpty, node.right.isEmpty else {
        throw Obstacle(what: "'\(node.text)'", line: line)
      }
      initItems.append(.label(node.text + suffix))
      performItems.append(.label(node.text + suffix))
      return
    }
    if let inner = userOpcode(node.text, entry) { return try inline(inner, node) }
    if node.left.contains(where: { !$0.right.isEmpty }) || entry.outputs.contains("[")
      || entry.inputs.contains("[")
    {
      return try readArray(node, entry)
    }
    let name = node.text
    switch name {
    case "xin" where !calls.isEmpty: try readInputs(node)
    case "xout" where !calls.isEmpty: try readOutputs(node)
    case "setksmps" where !calls.isEmpty:
      // A call within a body that runs for each sample does so, too.
      guard isSample, node.right.first?.text == "1" else {
        throw Obstacle(
          what: "\(calls.last!.opcode.name), which has a setksmps of its own", line: line)
      }
    case "setksmps":
      guard node.right.first?.text == "1" else {
        throw Obstacle(what: "setksmps with another number than 1", line: line)
      }
      isOneSample = true
    case "xin": inputs = node.left.map(\.text)
    case "xout":
      guard outputs.isEmpty else { throw Obstacle(what: "a second xout", line: line) }
      for value in node.right { outputs.append(try operand(value)) }
    case "goto", "igoto", "kgoto", "cigoto", "ckgoto", "cggoto", "cngoto", "cnkgoto", "cingoto":
      try readJump(node, entry)
    case "loop_lt", "loop_le", "loop_gt", "loop_ge": try readLoop(node, entry)
    case "##array_get", "vaget":
      let isFirst = node.text == "##array_get"
      let all = try operands(node.right)
      add(
        .assign(
          try variable(node.left[0]),
          try element(of: all[isFirst ? 0 : 1], at: all[isFirst ? 1 : 0])), toInit: false,
        toPerformance: true)
    case "##array_set", "vaset":
      let all = try operands(node.right)
      let (value, index, vector) =
        node.text == "vaset" ? (all[0], all[1], all[2]) : (all[1], all[2], all[0])
      guard case .variable(let name) = vector, isSample || Self.rate(name) == "a" else {
        throw Obstacle(what: "an array", line: line)
      }
      add(
        .assign(name, isSample ? value : .member("set", [value, index, vector])), toInit: false,
        toPerformance: true)
    case "init":
      let values = try operands(node.right)
      for (index, target) in node.left.enumerated() {
        add(
          .assign(try variable(target), values[min(index, values.count - 1)]), toInit: true,
          toPerformance: false)
      }
    case "=" where node.left.count > 1:
      let values = try operands(node.right)
      guard values.count == node.left.count else {
        throw Obstacle(what: "an '=' with unequal sides", line: line)
      }
      for (target, value) in zip(node.left, values) {
        add(
          .assign(try variable(target), value), toInit: !entry.hasPerformance,
          toPerformance: entry.hasPerformance)
      }
    default: try readCall(node, entry)
    }
  }

  /// A sample of a vector. The first one is what `downsamp` takes.
  private func element(
    of vector: Expression, at index: Expression
  ) throws(Obstacle) -> Expression {
    guard case .variable(let name) = vector, isSample || Self.rate(name) == "a" else {
      throw Obstacle(what: "an array", line: line)
    }
    return isSample || index == .number("0") ? vector : .member("element", [vector, index])
  }

  /// `loop_lt` and its like: adds to a count, and jumps.
  private mutating func readLoop(
    _ node: OrchestraNode, _ entry: OrchestraNode.Entry
  ) throws(Obstacle) {
    guard node.right.count == 4 else { throw Obstacle(what: node.text, line: line) }
    let count = try variable(node.right[0])
    let (step, end) = (try operand(node.right[1]), try operand(node.right[2]))
    let isUp = node.text.hasPrefix("loop_l")
    let sign = (isUp ? "<" : ">") + (node.text.hasSuffix("e") ? "=" : "")
    let items: [ControlFlow.Item] = [
      .step(.assign(count, .binary(isUp ? "+" : "-", .variable(count), step))),
      .jump(node.right[3].text + suffix, if: .binary(sign, .variable(count), end), when: true),
    ]
    if entry.hasPerformance { performItems += items } else { initItems += items }
  }

  private func operands(_ nodes: [OrchestraNode]) throws(Obstacle) -> [Expression] {
    var all: [Expression] = []
    for node in nodes { all.append(try operand(node)) }
    return all
  }

  private func variable(_ node: OrchestraNode) throws(Obstacle) -> String {
    guard case .variable(let name) = try operand(node) else {
      throw Obstacle(what: "an assignment to '\(node.text)'", line: line)
    }
    return name
  }

  private mutating func readJump(
    _ node: OrchestraNode, _ entry: OrchestraNode.Entry
  ) throws(Obstacle) {
    let label = (node.right.last?.text ?? "") + suffix
    var condition: Expression?
    if node.right.count == 2 { condition = try operand(node.right[0]) }
    let when = !node.text.contains("n")
    let item = ControlFlow.Item.jump(label, if: condition, when: when)
    // An `if … then` on a k-rate condition takes no part in the init pass.
    var isInit = entry.hasInit
    if case .variable(let name)? = condition, Self.rate(name) == "B" {
      isInit = false
    }
    if isInit { initItems.append(item) }
    if entry.hasPerformance { performItems.append(item) }
  }

  private mutating func readCall(
    _ node: OrchestraNode, _ entry: OrchestraNode.Entry
  ) throws(Obstacle) {
    let name = node.text
    let refusal = Obstacle(what: name, line: line)
    if name == "i", node.right.count == 1, node.left.count == 1 {
      return add(
        .assign(try variable(node.left[0]), try operand(node.right[0])), toInit: true,
        toPerformance: false)
    }
    if name == "a" || name == "interp", isSample || entry.inputs != "k" && name == "a" {
      return add(
        .assign(try variable(node.left[0]), try operand(node.right[0])), toInit: false,
        toPerformance: true)
    }
    if name == "downsamp" || name == "k" && entry.inputs.hasPrefix("a") {
      // The first sample of the vector.
      guard name == "k" || node.right.last?.text == "0" else { throw refusal }
      return add(
        .assign(try variable(node.left[0]), try operand(node.right[0])), toInit: false,
        toPerformance: true)
    }
    if name.hasPrefix("delay") || name.hasPrefix("deltap"), name != "delay", name != "delay1" {
      return try readDelay(node)
    }
    if name == "pan2" { return try readPan(node) }
    let ones = node.right.map { Expression.number($0.text) }
    var isAudio = false
    // A name's own letter, also where an audio signal is a number.
    if let first = node.left.first {
      isAudio = Self.rate(String(try variable(first).prefix { $0 != "'" })) == "a"
    }
    guard
      Vocabulary.part(name, ones, isAudio: isAudio, isSample: isSample) != nil
        || Vocabulary.value(name, ones.map { _ in .number("1") }) != nil
    else { throw refusal }
    let all = try operands(node.right)
    if let value = Vocabulary.value(name, all) {
      guard node.left.count == 1 else { throw refusal }
      return add(
        .assign(try variable(node.left[0]), value), toInit: !entry.hasPerformance,
        toPerformance: entry.hasPerformance)
    }
    guard
      let known = Vocabulary.part(name, all, isAudio: isAudio, isSample: isSample),
      node.left.count < 2
    else { throw refusal }
    for (index, number) in known.fixed
    where index < all.count && all[index] != .number(number) {
      throw Obstacle(
        what: "\(name) with '\(node.right[index].text)' in place \(index + 1)", line: line)
    }
    let needed = known.settings.map(\.input) + known.controls + known.signals
    guard needed.allSatisfy({ $0 < all.count }) else { throw refusal }
    let lists = known.lists.map { ($0.label, Expression.list($0.inputs.map { all[$0] })) }
    let outputs = try node.left.first.map { node throws(Obstacle) in [try variable(node)] } ?? []
    let property = addPart(
      known, rate: isAudio || isSample || isAudioOnly(all) ? "sampleRate" : "controlRate",
      settings: known.settings.map { ($0.label, all[$0.input]) } + lists,
      isLocal: !entry.hasPerformance && known.type != "Builtin.NewTable")
    if !known.controls.isEmpty {
      let controls = known.controls.map { all[$0] }
      add(
        .part(
          outputs: [], property: property, method: "tune", controls, isAudio: isAudioOnly(controls)),
        toInit: false, toPerformance: true)
    }
    let signals = known.signals.map { all[$0] }
    add(
      .part(
        outputs: outputs, property: property, method: known.method,
        known.takesList ? [.list(signals)] : signals, isAudio: isAudio || isAudioOnly(signals)),
      toInit: !entry.hasPerformance, toPerformance: entry.hasPerformance)
  }

  /// Whether one of the values is an audio signal.
  private func isAudioOnly(_ all: [Expression]) -> Bool {
    all.contains { $0.variables.contains { Self.rate($0) == "a" } }
  }

  /// Adds a part, and the statement of the init pass that makes it; returns its property.
  private mutating func addPart(
    _ kind: Vocabulary.Part, rate: String, settings: [(label: String, value: Expression)],
    isLocal: Bool = false, named own: String? = nil
  ) -> String {
    let number = own == nil ? parts.count { $0.kind.type == kind.type } : 0
    let word = String(kind.type.split(separator: ".").last!.prefix { $0 != "<" })
    let used = Set(parts.map(\.property))
    let name =
      own ?? ["DCBlock": "dcBlock", "LFO": "lfo"][word] ?? word.prefix(1).lowercased()
      + word.dropFirst()
    let property = (number...).lazy.map { $0 == 0 ? name : "\(name)\($0 + 1)" }
      .first { !used.contains($0) }!
    parts.append(
      Part(
        property: property, kind: kind, rate: rate, settings: settings, line: line,
        isLocal: isLocal))
    add(
      .part(
        outputs: [], property: property, method: "init", settings.map(\.value), isAudio: false),
      toInit: true, toPerformance: false)
    return property
  }

  /// `delayr`, its taps and `delayw`. A tap is of the delay that was opened last, `delayw` ends the first that is open.
  private mutating func readDelay(_ node: OrchestraNode) throws(Obstacle) {
    let refusal = Obstacle(what: node.text, line: line)
    let methods = [
      "delayr": "next", "deltap": "tap", "deltapn": "whole", "deltapi": "linear",
      "deltap3": "cubic", "delayw": "write",
    ]
    guard let method = methods[node.text] else { throw refusal }
    var given = try operands(node.right)
    if method != "write" {
      guard node.left.count == 1, given.count < 2 || given[1] == .number("0") else { throw refusal }
      given = [given[0]] + (isSample ? [] : [.rate("frame")])
    }
    switch method {
    case "next":
      let kind = Vocabulary.Part(
        type: "Builtin.DelayRing", kind: "shortest: \(isSample ? "1" : "context.ksmps")",
        hasBuffer: true, canFail: true, finds: !isSample)
      openDelays.append(
        addPart(kind, rate: "sampleRate", settings: [("seconds", given.removeFirst())]))
    default: guard !openDelays.isEmpty else { throw refusal }
    }
    let property = method == "write" ? openDelays.removeFirst() : openDelays.last!
    add(
      .part(
        outputs: try node.left.first.map { node throws(Obstacle) in [try variable(node)] } ?? [],
        property: property, method: method, given, isAudio: true),
      toInit: false, toPerformance: true)
  }

  /// Arrays of numbers with one dimension, that the opcode makes for itself.
  private mutating func readArray(
    _ node: OrchestraNode, _ entry: OrchestraNode.Entry
  ) throws(Obstacle) {
    let refusal = Obstacle(what: "an array", line: line)
    let isMade = ["init", "fillarray", "array"].contains(node.text)
    let isSet = node.text == "##array_set"
    guard let name = (isMade ? node.left : node.right).first?.text, "ik".contains(Self.rate(name))
    else { throw refusal }
    let isInit = Self.rate(name) == "i"
    if isMade {
      guard node.left.count == 1, node.left[0].right.count == 1, arrays[name + suffix] == nil,
        node.text != "init" || node.right.count == 1, entry.hasInit || isInit
      else { throw refusal }
      let all = try operands(node.right)
      let kind = Vocabulary.Part(type: "Builtin.Numbers", hasBuffer: true, canFail: true)
      let settings =
        node.text == "init" ? [("count", all[0])] : [("values", Expression.list(all))]
      arrays[name + suffix] = addPart(
        kind, rate: "sampleRate", settings: settings, named: Self.joined(name[...]))
      return
    }
    guard let property = arrays[name + suffix], node.left.allSatisfy(\.right.isEmpty) else {
      throw refusal
    }
    let outputs = try node.left.first.map { node throws(Obstacle) in [try variable(node)] } ?? []
    let isEarly = outputs.first.map { Self.rate($0) == "i" } ?? isInit
    let method = isSet ? "setElement" : node.text == "lenarray" ? "count" : "element"
    guard
      isSet && node.right.count == 3 || method == "count"
        || node.text == "##array_get" && node.right.count == 2
    else { throw refusal }
    add(
      .part(
        outputs: outputs, property: property, method: method,
        method == "count" ? [] : try operands(Array(node.right.dropFirst())), isAudio: false),
      toInit: isEarly, toPerformance: !isEarly)
  }

  /// A variable's name without underscores.
  static func joined(_ name: Substring) -> String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(words.first.map(String.init) ?? String(name)) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }

  /// `pan2`, which is arithmetic.
  private mutating func readPan(_ node: OrchestraNode) throws(Obstacle) {
    let all = try operands(node.right)
    guard node.left.count == 2, all.count == 3, let kind = all[2].whole, 0...2 ~= kind else {
      throw Obstacle(what: "pan2", line: line)
    }
    func gain(_ function: String, _ value: Expression) -> Expression {
      .call("Math.\(function)", [value])
    }
    let (place, rest) = (all[1], Expression.binary("-", .number("1"), all[1]))
    let angle = Expression.binary("*", .number("\(Double.pi / 2)"), place)
    let gains =
      kind == 0
      ? [gain("cos", angle), gain("sin", angle)]
      : kind == 1 ? [gain("sqrt", rest), gain("sqrt", place)] : [place, rest]
    callCount += 1
    let end = "'\(callCount)" + (isSample && !isOneSample ? "s" : "")
    let names = ["left", "right"].map { "#\(isAudioOnly([place]) ? "a" : "k")\($0)\(end)" }
    // The signal may be the variable of an output.
    let sound = "#asound\(end)"
    for (name, value) in zip(names + [sound], gains + [all[0]]) {
      add(.assign(name, value), toInit: false, toPerformance: true)
    }
    for (target, name) in zip(node.left, names) {
      add(
        .assign(try variable(target), .binary("*", .variable(sound), .variable(name))),
        toInit: false, toPerformance: true)
    }
  }
}
