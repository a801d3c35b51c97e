/// Makes expressions of the parser's temporaries, and leaves out what nothing reads.
struct Simplification {
  /// How often each variable is read in either pass and by the outputs.
  private let readElsewhere: Set<String>

  /// `readElsewhere` are the variables that something else than these steps reads.
  init(readElsewhere: Set<String>) { self.readElsewhere = readElsewhere }

  func simplified(_ steps: [Step]) -> [Step] {
    var steps = steps
    while true {
      let before = steps
      steps = merged(steps)
      steps = inlined(steps, of: steps)
      let read = readElsewhere.union(steps.reads)
      steps = withoutUnread(steps, read)
      if "\(before)" == "\(steps)" { return steps }
    }
  }

  /// Choices of values become expressions.
  private func merged(_ steps: [Step]) -> [Step] {
    steps.compactMap { step in
      switch step {
      case .assign(let name, .variable(let value)) where name == value: return nil
      case .assign, .part: return step
      case .frames(let inner): return .frames(merged(inner))
      case .loop(let head, let condition, let body):
        return .loop(head: merged(head), condition, body: merged(body))
      case .choose(let condition, let yes, let no):
        let (yes, no) = (merged(yes), merged(no))
        if yes.count == 1, no.count == 1, case .assign(let name, let first) = yes[0],
          case .assign(let other, let second) = no[0], other == name,
          Translation.isTemporary(name)
        {
          return .assign(name, .choice(condition, first, second))
        }
        if yes.isEmpty, no.isEmpty { return nil }
        return yes.isEmpty ? .choose(condition.opposite, no, []) : .choose(condition, yes, no)
      }
    }
  }

  /// Temporaries that are read once stand where they are read, and a copy is its original. `all` is the whole pass.
  private func inlined(_ steps: [Step], of all: [Step]) -> [Step] {
    var steps = steps.map { step -> Step in
      switch step {
      case .assign, .part: step
      case .frames(let inner): .frames(inlined(inner, of: all))
      case .choose(let condition, let yes, let no):
        .choose(condition, inlined(yes, of: all), inlined(no, of: all))
      case .loop(let head, let condition, let body):
        loop(inlined(head, of: all), condition, inlined(body, of: all))
      }
    }
    var index = 0
    while index < steps.count {
      guard case .assign(let name, let value) = steps[index], !readElsewhere.contains(name) else {
        index += 1
        continue
      }
      if isCopy(name, of: value, at: index, in: steps, of: all) {
        steps = steps.map { $0.replacing(name, with: value) }
        steps.remove(at: index)
      } else if Translation.isTemporary(name)
        || name.contains("'") && isOnly(name, in: steps) && isOnly(name, in: all)
          && count(of: name, in: steps) == count(of: name, in: all),
        let place = reader(of: name, value, after: index, in: steps)
      {
        steps[place] = steps[place].replacing(name, with: value)
        steps.remove(at: index)
      } else {
        index += 1
      }
    }
    return steps
  }

  private func count(of name: String, in steps: [Step]) -> Int {
    steps.reduce(0) { $0 + $1.count(of: name) }
  }

  /// Whether a variable is another one by this statement alone, wherever it is read.
  private func isCopy(
    _ name: String, of value: Expression, at index: Int, in steps: [Step], of all: [Step]
  ) -> Bool {
    guard case .variable(let other) = value, !name.contains(">") else { return false }
    let (rate, source) = (Translation.rate(name), Translation.rate(other))
    let rest = Array(steps[(index + 1)...])
    return (rate == source || "ak".contains(rate) && "ki".contains(source))
      && isOnly(name, in: steps) && isOnly(name, in: all)
      && count(of: name, in: rest) == count(of: name, in: all)
      && !rest.contains { $0.writes.contains(other) }
  }

  /// Whether a variable is written by one statement, at this level.
  private func isOnly(_ name: String, in steps: [Step]) -> Bool {
    steps.count { $0.writes.contains(name) } == 1
  }

  /// The one step after a definition that reads it, if the value is the same there.
  private func reader(
    of name: String, _ value: Expression, after index: Int, in steps: [Step]
  ) -> Int? {
    var count = 0
    for step in steps {
      count += step.count(of: name)
      if case .loop = step, step.count(of: name) > 0 { return nil }
    }
    let isCondition = "bB".contains(Translation.rate(name))
    guard count == 1 || isCondition && count > 0 && value.functions.isEmpty else { return nil }
    let (sources, memories) = (value.variables, value.memories)
    for place in steps.indices.dropFirst(index + 1) {
      let step = steps[place]
      let reads = step.count(of: name)
      if reads == count {
        if !step.inner.isEmpty, step.expressions.allSatisfy({ $0.count(of: name) == 0 }),
          !step.writes.isDisjoint(with: sources) || !step.writtenMemory.isDisjoint(with: memories)
        {
          return nil
        }
        // A function of control signals is not to be computed for each frame.
        if Translation.rate(name) == "k", step.isAudio, !value.functions.isEmpty { return nil }
        return place
      }
      if reads > 0 || !step.writes.isDisjoint(with: sources.union([name]))
        || !step.writtenMemory.isDisjoint(with: memories)
      {
        return nil
      }
    }
    return nil
  }

  private func loop(_ head: [Step], _ condition: Expression, _ body: [Step]) -> Step {
    var (head, condition) = (head, condition)
    while case .assign(let name, let value)? = head.last, Translation.isTemporary(name),
      condition.count(of: name) > 0, !body.contains(where: { $0.count(of: name) > 0 }),
      !head.dropLast().contains(where: { $0.count(of: name) > 0 })
    {
      condition = condition.replacing(name, with: value)
      head.removeLast()
    }
    return .loop(head: head, condition, body: body)
  }

  private func withoutUnread(_ steps: [Step], _ read: Set<String>) -> [Step] {
    steps.compactMap { step in
      switch step {
      case .assign(let name, _): return read.contains(name) ? step : nil
      case .part: return step
      case .frames(let inner): return .frames(withoutUnread(inner, read))
      case .choose(let condition, let yes, let no):
        return .choose(condition, withoutUnread(yes, read), withoutUnread(no, read))
      case .loop(let head, let condition, let body):
        return .loop(
          head: withoutUnread(head, read), condition, body: withoutUnread(body, read))
      }
    }
  }
}

extension Step {
  /// Whether it writes audio signals only.
  var isAudio: Bool {
    switch self {
    case .assign(let name, _): Translation.rate(name) == "a"
    case .part(_, _, _, _, let isAudio): isAudio
    case .choose(_, let yes, let no): (yes + no).allSatisfy(\.isAudio)
    case .loop: false
    case .frames: true
    }
  }
}
