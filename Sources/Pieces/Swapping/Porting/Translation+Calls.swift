import CsoundHost

/// The calls of opcodes that a translation knows.
extension Translation {
  /// Fails if a value of an assignment is a variable that is set before it is read: Csound reads all values first.
  func requireIndependence(_ node: OrchestraNode) throws(Obstacle) {
    for (index, value) in node.right.enumerated()
    where node.left.prefix(index).contains(where: { $0.text == value.text }) {
      throw Obstacle(what: "a '\(node.text)' that reads what it sets", line: line)
    }
  }

  /// A sample of a vector. The first one is what `downsamp` takes.
  func element(
    of vector: Expression, at index: Expression
  ) throws(Obstacle) -> Expression {
    guard case .variable(let name) = vector, isSample || Self.rate(name) == "a" else {
      throw Obstacle(what: "an array", line: line)
    }
    return isSample || index == .number("0") ? vector : .member("element", [vector, index])
  }

  mutating func readCall(
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
  mutating func addPart(
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
        property: property, kind: kind, rate: rate, settings: settings,
        isLocal: isLocal))
    add(
      .part(
        outputs: [], property: property, method: "init", settings.map(\.value), isAudio: false),
      toInit: true, toPerformance: false)
    return property
  }

  /// `delayr`, its taps and `delayw`. A tap is of the delay that was opened last, `delayw` ends the first that is open.
  mutating func readDelay(_ node: OrchestraNode) throws(Obstacle) {
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

  /// `pan2`, which is arithmetic.
  mutating func readPan(_ node: OrchestraNode) throws(Obstacle) {
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
