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
    /// Whether only the init pass uses it.
    var isLocal = false
  }

  let opcode: UserOpcode
  /// The variables of `xin`, and what `xout` gives.
  var inputs: [String] = []
  var outputs: [Expression] = []
  var parts: [Part] = []
  /// Whether the body runs for each sample: `setksmps 1`.
  private(set) var isOneSample = false
  private(set) var obstacles: [Obstacle] = []
  /// The comments before each statement that sets a variable, in order; those of `init` apart.
  private(set) var comments: [String: [[String]]] = [:]
  private(set) var firstComments: [String: [String]] = [:]
  var initSteps: [Step] = []
  var performSteps: [Step] = []

  /// The user-defined opcodes of the piece, and the numbers of the calls that are being read.
  private let others: [UserOpcode]
  var calls: [(opcode: UserOpcode, suffix: String, node: OrchestraNode)] = []
  /// Properties of delays that have been opened by `delayr`, and not closed by `delayw`.
  var openDelays: [String] = []
  /// Properties of arrays by their names.
  var arrays: [String: String] = [:]
  /// Whether what is read runs for each sample.
  var isSample: Bool { isOneSample || suffix.hasSuffix("s") }
  var callCount = 0
  /// The opcodes that it calls, each after those that it calls itself.
  private(set) var callees: [UserOpcode] = []
  var initItems: [ControlFlow.Item] = []
  var performItems: [ControlFlow.Item] = []
  var line = 0

  init(_ opcode: UserOpcode, among others: [UserOpcode]) {
    (self.opcode, self.others) = (opcode, others)
    for letter in opcode.outputs + opcode.inputs where !"aikopqvjhOPVJκι".contains(letter) {
      note("an argument of type '\(letter)'")
    }
    var (last, waiting) = (0, [String]())
    for statement in opcode.statements {
      if statement.line > 0 {
        let name = String(statement.text.prefix { $0 != "." })
        line = opcode.line(upTo: statement.line) { $0.contains(name) }
        // The parser's lines are not always lines of the orchestra.
        if last..<opcode.definitionLine + opcode.definition.count ~= statement.line {
          waiting += opcode.comments(after: last, through: statement.line)
          last = statement.line
        }
      }
      for name in statement.left.map(\.text)
      where !Self.isTemporary(name) && statement.text != "xin" {
        if statement.text == "init" {
          firstComments[name, default: []] += waiting
        } else {
          comments[name, default: []].append(waiting)
        }
        waiting = []
      }
      do throws(Obstacle) { try read(statement) } catch { obstacles.append(error) }
    }
    if obstacles.isEmpty { finish() }
    var seen: [Obstacle] = []
    for obstacle in obstacles where !seen.contains(where: { $0.what == obstacle.what }) {
      seen.append(obstacle)
    }
    obstacles = seen
  }

  /// What stands in the way of a port of an opcode; empty if it can be ported.
  static func obstacles(to opcode: UserOpcode, among all: [UserOpcode]) -> [Obstacle] {
    let translation = Translation(opcode, among: all)
    guard translation.obstacles.isEmpty else { return translation.obstacles }
    do throws(Obstacle) {
      _ = try PortedOpcode(translation, name: opcode.name)
      return []
    } catch { return [error] }
  }

  private mutating func note(_ what: String) { obstacles.append(Obstacle(what: what, line: line)) }

  private func tangle(_ jump: ControlFlow.Tangle) -> Obstacle {
    let place = opcode.line(upTo: line) { words in
      words.contains(jump.label) && words.contains { $0.hasSuffix("goto") }
    }
    return Obstacle(
      what: "a jump to '\(jump.label)' that is neither a condition nor a loop", line: place)
  }

  private mutating func finish() {
    if outputs.count != opcode.outputs.count || inputs.count != opcode.inputs.count {
      note("an xin or xout that does not fit the arguments")
    }
    do throws(ControlFlow.Tangle) {
      initSteps = try ControlFlow(initItems).steps()
      performSteps = try ControlFlow(performItems).steps()
    } catch { obstacles.append(tangle(error)) }
    let set = initSteps.writes.union(inputs)
    for name in initSteps.reads.subtracting(set).sorted()
    where Self.rate(name) == "k" {
      note("the value of '\(name.prefix { $0 != "'" })' in the init pass, which does not set it")
    }
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

  func operand(_ node: OrchestraNode) throws(Obstacle) -> Expression {
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
  var suffix: String { calls.last?.suffix ?? "" }

  private func userOpcode(_ name: String, _ entry: OrchestraNode.Entry) -> UserOpcode? {
    let same = others.filter { $0.name == name }
    // The entry's inputs end with one of Csound's own, for the local ksmps.
    let (outputs, inputs) = (UserOpcode.letters(entry.outputs), UserOpcode.letters(entry.inputs))
    return same.first { $0.outputs == outputs && $0.inputs + "o" == inputs }
      ?? same.first
  }

  /// Reads the statements of another user-defined opcode where it is called, with variables of their own.
  private mutating func inline(_ inner: UserOpcode, _ node: OrchestraNode) throws(Obstacle) {
    guard ([opcode] + calls.map(\.opcode)).allSatisfy({ !$0.isSame(as: inner) }) else {
      throw Obstacle(what: "\(inner.name), which calls itself", line: line)
    }
    for letter in inner.outputs + inner.inputs where !"aikopqvjhOPVJ".contains(letter) {
      throw Obstacle(
        what: "\(inner.name), with an argument of type '\(UserOpcode.types(String(letter)))'",
        line: line)
    }
    // Csound takes the results at the end of the body.
    if let end = inner.statements.lastIndex(where: { $0.text == "xout" }) {
      let results = Set(inner.statements[end].right.map(\.text))
      let later = inner.statements[(end + 1)...].flatMap(\.left).map(\.text)
      guard results.isDisjoint(with: later) else {
        throw Obstacle(what: "\(inner.name), which changes a result after xout", line: line)
      }
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

  mutating func add(_ step: Step, toInit: Bool, toPerformance: Bool) {
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
    if calls.isEmpty, node.text == "xin" { return try readArguments(node) }
    if calls.isEmpty, node.text == "xout" { return try readResults(node) }
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
      try requireIndependence(node)
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
      try requireIndependence(node)
      for (target, value) in zip(node.left, values) {
        add(
          .assign(try variable(target), value), toInit: !entry.hasPerformance,
          toPerformance: entry.hasPerformance)
      }
    default: try readCall(node, entry)
    }
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

  func operands(_ nodes: [OrchestraNode]) throws(Obstacle) -> [Expression] {
    var all: [Expression] = []
    for node in nodes { all.append(try operand(node)) }
    return all
  }

  func variable(_ node: OrchestraNode) throws(Obstacle) -> String {
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
}
