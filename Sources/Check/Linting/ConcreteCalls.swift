import TypeLetters

/// One call that an orchestra can make, as Csound's resolver sees it: the types of the outputs and
/// of the arguments that are given.
struct ConcreteCall: Hashable {
  var outputs: String
  var inputs: String
}

/// The calls of a signature; enough of them to find out whether other signatures accept all calls.
struct ConcreteCalls {
  var calls: [ConcreteCall]
  /// False if there are more than the limit; then `calls` is empty and no conclusion is possible.
  var isComplete: Bool

  /// `everyRate` adds i-time arguments where k-rate ones are allowed. They are not needed to find
  /// out whether a signature can be reached, because a parameter that accepts k-rate accepts
  /// i-time, too.
  init(outputs: TypeString, inputs: TypeString, everyRate: Bool = false, limit: Int = 4096) {
    func rows(_ types: TypeString, _ side: TypeString.Side) -> [String]? {
      var rows: [String] = []
      for shape in Self.shapes(types, side, everyRate: everyRate) {
        guard let more = Self.product(shape, limit: limit - rows.count) else { return nil }
        rows += more
      }
      return rows
    }
    guard let outputRows = rows(outputs, .outputs), let inputRows = rows(inputs, .inputs),
      outputRows.count * inputRows.count <= limit
    else {
      calls = []
      isComplete = false
      return
    }
    calls = outputRows.flatMap { out in
      inputRows.map { ConcreteCall(outputs: out, inputs: $0) }
    }
    isComplete = true
  }

  /// For each possible number of arguments, the possible types of every argument.
  private static func shapes(
    _ types: TypeString, _ side: TypeString.Side, everyRate: Bool
  ) -> [[[String]]] {
    var shapes: [[[String]]] = []
    var written: [[String]] = []
    for item in types.items {
      let choices = choices(item, side, everyRate: everyRate)
      if side.isVariadic(item) {
        let canBeAbsent = side == .inputs ? side.least(item) == 0 : !written.isEmpty
        if canBeAbsent { shapes.append(written) }
        let mixed = (0..<12).map { [choices[$0 % choices.count]] }
        shapes += [written + [choices], written + [choices, choices], written + mixed]
        shapes += choices.map { written + Array(repeating: [$0], count: 12) }
        return shapes
      }
      if side.isOptional(item) { shapes.append(written) }
      written.append(choices)
    }
    return shapes + [written]
  }

  private static func choices(
    _ item: TypeString.Item, _ side: TypeString.Side, everyRate: Bool
  ) -> [String] {
    let anything = ["a", "k", "S", "f", "w", "k[]", "a[]", "i[]", "S[]", "f[]"]
    guard let letter = side.letter(of: item) else { return [item.text] }
    if item.isArray {
      return letter.isAnything ? anything.filter { $0.hasSuffix("[]") } : [item.text]
    }
    if letter.isAnything { return anything }
    let types = letter.types.map { String($0) }
    // A k-rate input also accepts i-rate.
    guard side == .inputs, types.contains("k") else { return types }
    return types.filter { $0 != "i" } + (everyRate ? ["i"] : [])
  }

  private static func product(_ shape: [[String]], limit: Int) -> [String]? {
    var rows = [""]
    for choices in shape {
      guard rows.count * choices.count <= limit else { return nil }
      rows = rows.flatMap { row in choices.map { row + $0 } }
    }
    return rows.count <= limit ? rows : nil
  }
}
