/// What an opcode's Swift computes. Variables have Csound's names until the text is written.
indirect enum Expression: Equatable {
  case number(String)
  case variable(String)
  /// An input as the caller gives it, where the body changes the variable.
  case input(String)
  /// `sr`, `kr`, `ksmps` or `0dbfs`.
  case rate(String)
  /// A function's name in Swift.
  case call(String, [Expression])
  /// Swift text with `$0`, `$1` … for the operands, which binds like a call.
  case member(String, [Expression])
  case list([Expression])
  case binary(String, Expression, Expression)
  case not(Expression)
  case choice(Expression, Expression, Expression)

  /// The operands.
  var parts: [Expression] {
    switch self {
    case .number, .variable, .input, .rate: []
    case .call(_, let all), .member(_, let all), .list(let all): all
    case .binary(_, let left, let right): [left, right]
    case .not(let value): [value]
    case .choice(let condition, let yes, let no): [condition, yes, no]
    }
  }

  var variables: Set<String> {
    if case .variable(let name) = self { return [name] }
    return parts.reduce(into: []) { $0.formUnion($1.variables) }
  }

  /// The names of its variables, and of inputs as the caller gives them.
  var inputs: Set<String> {
    if case .input(let name) = self { return [name] }
    return parts.reduce(into: variables) { $0.formUnion($1.inputs) }
  }

  func count(of name: String) -> Int {
    if self == .variable(name) { return 1 }
    return parts.reduce(0) { $0 + $1.count(of: name) }
  }

  var rates: Set<String> {
    if case .rate(let name) = self { return [name] }
    return parts.reduce(into: []) { $0.formUnion($1.rates) }
  }

  var functions: Set<String> {
    var all = parts.reduce(into: Set()) { $0.formUnion($1.functions) }
    if case .call(let name, _) = self { all.insert(name) }
    return all
  }

  /// The arrays that it reads, by their properties.
  var memories: Set<String> {
    var all = parts.reduce(into: Set()) { $0.formUnion($1.memories) }
    if case .member(let text, _) = self, !text.hasPrefix("$"), text != "element", text != "set" {
      all.insert(String(text.prefix { $0 != "." }))
    }
    return all
  }

  func replacing(_ name: String, with value: Expression) -> Expression {
    self == .variable(name) ? value : mapping { $0.replacing(name, with: value) }
  }

  /// The opposite condition, without a `!` where there is another sign for it.
  var opposite: Expression {
    switch self {
    case .not(let inner): inner
    case .binary("==", let left, let right): .binary("!=", left, right)
    case .binary("!=", let left, let right): .binary("==", left, right)
    default: .not(self)
    }
  }

  /// Values of which one is no whole number's literal, so that Swift computes with decimals.
  private static func decimal(_ all: [Expression]) -> [Expression] {
    guard all.allSatisfy(\.isNumber), case .number(let digits) = all[0], !digits.contains(/[.e]/)
    else { return all }
    return [.number(digits + ".0")] + all.dropFirst()
  }

  /// Swift's text; `name` gives the text for a variable, an input or a rate.
  func text(_ name: (Expression) -> String) -> String { written(name).text }

  private static let ranks = [
    "*": 6, "/": 6, "+": 5, "-": 5, "<": 4, ">": 4, "<=": 4, ">=": 4, "==": 4, "!=": 4, "&&": 3,
    "||": 2,
  ]

  private func written(_ name: (Expression) -> String) -> (text: String, rank: Int) {
    func within(_ value: Expression, above rank: Int) -> String {
      let inner = value.written(name)
      return inner.rank > rank ? inner.text : "(\(inner.text))"
    }
    switch self {
    case .number(let digits): return (digits, digits.hasPrefix("-") ? 7 : 9)
    case .variable, .input, .rate: return (name(self), 9)
    case .call(let function, let all):
      // Of literals alone Swift would make whole numbers.
      let all = function == "max" || function == "min" ? Self.decimal(all) : all
      return ("\(function)(\(all.map { $0.text(name) }.joined(separator: ", ")))", 9)
    case .list(let all): return ("[\(all.map { $0.text(name) }.joined(separator: ", "))]", 9)
    case .member(let template, let all):
      var text = template
      for (index, value) in all.enumerated() {
        let isFirst = text.hasPrefix("$\(index)")
        text = text.replacing(
          "$\(index)", with: isFirst ? within(value, above: 8) : value.text(name))
      }
      return (text, 9)
    case .binary(let sign, let left, let right):
      let rank = Self.ranks[sign]!
      var (first, second) = (left, right)
      first = Self.decimal([left, right])[0]
      if case .number(let digits) = right, digits.hasPrefix("-") { second = .number("(\(digits))") }
      return ("\(within(first, above: rank - 1)) \(sign) \(within(second, above: rank))", rank)
    case .not(let inner): return ("!" + within(inner, above: 8), 8)
    case .choice(let condition, let yes, let no):
      let (yes, no) = (Self.decimal([yes, no])[0], no)
      return (
        "\(within(condition, above: 1)) ? \(within(yes, above: 1)) : \(within(no, above: 0))", 1
      )
    }
  }
}

/// A statement of an opcode's Swift.
indirect enum Step {
  case assign(String, Expression)
  /// A call of a part with state: its outputs, its property, the method and the arguments.
  case part(outputs: [String], property: String, method: String, [Expression], isAudio: Bool)
  case choose(Expression, [Step], [Step])
  /// The condition is computed after `head`; false ends the loop.
  case loop(head: [Step], Expression, body: [Step])
  /// A loop over the frames, in which audio variables are samples.
  case frames([Step])

  /// Ends the loop that it is in.
  static var leave: Step {
    .part(outputs: [], property: "", method: "break", [], isAudio: false)
  }

  var inner: [[Step]] {
    switch self {
    case .assign, .part: []
    case .choose(_, let yes, let no): [yes, no]
    case .loop(let head, _, let body): [head, body]
    case .frames(let steps): [steps]
    }
  }

  /// The expressions of the statement itself.
  var expressions: [Expression] {
    switch self {
    case .assign(_, let value): [value]
    case .part(_, _, _, let all, _): all
    case .choose(let condition, _, _), .loop(_, let condition, _): [condition]
    case .frames: []
    }
  }

  /// The variables it writes, with those of inner statements.
  var writes: Set<String> {
    switch self {
    case .assign(let name, _): [name]
    case .part(let outputs, _, _, _, _): Set(outputs)
    case .choose, .loop, .frames: inner.joined().writes
    }
  }

  var reads: Set<String> {
    expressions.reduce(into: inner.joined().reads) { $0.formUnion($1.variables) }
  }

  func count(of name: String) -> Int {
    expressions.reduce(0) { $0 + $1.count(of: name) }
      + inner.joined().reduce(0) { $0 + $1.count(of: name) }
  }

  func replacing(_ name: String, with value: Expression) -> Step {
    mapping { $0.replacing(name, with: value) }
  }
}

extension Sequence<Step> {
  var writes: Set<String> { reduce(into: []) { $0.formUnion($1.writes) } }
  var reads: Set<String> { reduce(into: []) { $0.formUnion($1.reads) } }
  /// The variables that they write or read.
  var variables: Set<String> { writes.union(reads) }
}
