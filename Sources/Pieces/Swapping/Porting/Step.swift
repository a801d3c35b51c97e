extension [PortedOpcode.Segment] {
  /// Calls with the steps of each part that runs for each frame.
  func visit(_ body: ([Step]) -> Void) {
    for segment in self {
      switch segment {
      case .control: break
      case .frames(let steps): body(steps)
      case .choose(_, let yes, let no):
        yes.visit(body)
        no.visit(body)
      case .loop(let head, _, let inner):
        head.visit(body)
        inner.visit(body)
      }
    }
  }
}

extension Step {
  var writesNothing: Bool { writes.isEmpty && properties.isEmpty }
  /// Whether any statement in it is audio.
  var hasAudio: Bool {
    if case .frames = self { return true }
    return inner.isEmpty ? isAudio : inner.joined().contains(where: \.hasAudio)
  }

  /// The same with a variable beside the input of its name, which keeps the input's first value.
  func renaming(_ input: String) -> Step {
    func name(_ other: String) -> String { other == input ? input + "'" : other }
    func all(_ steps: [Step]) -> [Step] { steps.map { $0.renaming(input) } }
    let step = replacing(input, with: .variable(input + "'"))
    return switch step {
    case .assign(let target, let value): .assign(name(target), value)
    case .part(let outputs, let property, let method, let values, let isAudio):
      .part(
        outputs: outputs.map(name), property: property, method: method, values, isAudio: isAudio)
    case .choose(let condition, let yes, let no): .choose(condition, all(yes), all(no))
    case .loop(let head, let condition, let body):
      .loop(head: all(head), condition, body: all(body))
    case .frames(let steps): .frames(all(steps))
    }
  }

  /// The parts that it calls.
  var properties: Set<String> {
    var all = expressions.reduce(into: Set()) { $0.formUnion($1.memories) }
    if case .part(_, let property, _, _, _) = self { all.insert(property) }
    return inner.joined().reduce(into: all) { $0.formUnion($1.properties) }
  }

  /// The memory outside of variables that it writes, with that of inner statements.
  var writtenMemory: Set<String> {
    let own = memory.flatMap { $0.isWritten ? [$0.name] : nil } ?? []
    return inner.joined().reduce(into: Set(own)) { $0.formUnion($1.writtenMemory) }
  }

  /// The memory outside of variables that it uses: an array, a delay, or any table.
  var memory: (name: String, isWritten: Bool)? {
    guard case .part(_, let property, let method, _, _) = self, method != "init" else { return nil }
    if ["setElement", "take", "give", "giveFirst"].contains(method) {
      return (property, method == "setElement" || method == "take")
    }
    if property.hasPrefix("random") { return ("random", true) }
    let isTable = ["table", "poscil", "oscil"].contains { property.hasPrefix($0) }
    guard isTable || property.hasPrefix("delayRing") else { return nil }
    return (isTable ? "table" : property, method.hasPrefix("write"))
  }

  func calls(_ others: Set<String>) -> Bool { !properties.isDisjoint(with: others) }
}
