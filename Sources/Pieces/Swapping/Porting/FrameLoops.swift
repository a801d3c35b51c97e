/// Finds loops over the samples of a k-cycle, `while kindex < ksmps do … kindex += 1 od`, and makes loops over the frames
/// of them, in which `asignal[kindex]` is a sample.
enum FrameLoops {
  /// Nil where a sample is taken at another place than the loop's own.
  static func found(in steps: [Step]) -> [Step]? {
    let all = replaced(steps)
    return all.contains(where: hasElement) ? nil : all
  }

  private static func replaced(_ steps: [Step]) -> [Step] {
    var steps = steps.map { step -> Step in
      switch step {
      case .choose(let condition, let yes, let no):
        .choose(condition, replaced(yes), replaced(no))
      default: step
      }
    }
    var index = 0
    while index < steps.count {
      if let (count, body) = loop(steps[index]),
        let start = steps[..<index].lastIndex(where: { $0.writes.contains(count) }),
        case .assign(_, .number("0")) = steps[start], let inner = samples(of: body, at: count),
        !steps.indices.contains(where: {
          $0 != index && $0 != start && steps[$0].count(of: count) > 0
        })
      {
        steps[index] = .frames(inner)
        steps.remove(at: start)
      } else {
        index += 1
      }
    }
    return steps
  }

  /// The variable that counts from 0 to ksmps, and the statements before it is raised.
  private static func loop(_ step: Step) -> (count: String, body: [Step])? {
    guard case .loop(let head, let condition, let body) = step, head.isEmpty || body.isEmpty,
      let last = (head + body).last, case .assign(let count, let value) = last,
      value == .binary("+", .variable(count), .number("1")),
      [
        .binary("<", .variable(count), .rate("ksmps")),
        .not(.binary(">=", .variable(count), .rate("ksmps"))),
      ].contains(condition)
    else { return nil }
    return (count, (head + body).dropLast())
  }

  private static func samples(of steps: [Step], at count: String) -> [Step]? {
    guard !steps.contains(where: { $0.writes.contains(count) }) else { return nil }
    let inner = steps.map { $0.mapping { sample($0, at: count) } }
    return inner.contains { hasElement($0) || $0.count(of: count) > 0 } ? nil : inner
  }

  private static func sample(_ value: Expression, at count: String) -> Expression {
    switch value {
    case .member("element", let all) where all[1] == .variable(count): all[0]
    case .member("set", let all) where all[1] == .variable(count): sample(all[0], at: count)
    default: value.mapping { sample($0, at: count) }
    }
  }

  private static func hasElement(_ step: Step) -> Bool {
    func has(_ value: Expression) -> Bool {
      if case .member(let text, _) = value, text == "element" || text == "set" { return true }
      return value.parts.contains(where: has)
    }
    return step.expressions.contains(where: has) || step.inner.joined().contains(where: hasElement)
  }
}

extension Expression {
  /// The same with other operands.
  func mapping(_ change: (Expression) -> Expression) -> Expression {
    switch self {
    case .number, .variable, .input, .rate: self
    case .call(let name, let all): .call(name, all.map(change))
    case .member(let text, let all): .member(text, all.map(change))
    case .list(let all): .list(all.map(change))
    case .binary(let sign, let left, let right): .binary(sign, change(left), change(right))
    case .not(let inner): .not(change(inner))
    case .choice(let condition, let yes, let no):
      .choice(change(condition), change(yes), change(no))
    }
  }
}

extension Step {
  /// The same with other expressions, in inner statements too.
  func mapping(_ change: (Expression) -> Expression) -> Step {
    func all(_ steps: [Step]) -> [Step] { steps.map { $0.mapping(change) } }
    return switch self {
    case .assign(let name, let value): .assign(name, change(value))
    case .part(let outputs, let property, let method, let values, let isAudio):
      .part(
        outputs: outputs, property: property, method: method, values.map(change), isAudio: isAudio)
    case .choose(let condition, let yes, let no): .choose(change(condition), all(yes), all(no))
    case .loop(let head, let condition, let body):
      .loop(head: all(head), change(condition), body: all(body))
    case .frames(let steps): .frames(all(steps))
    }
  }
}
