/// Makes conditions and loops of the jumps in one pass of an opcode.
struct ControlFlow {
  enum Item {
    case step(Step)
    case label(String)
    /// Jumps if the condition is `when`; always without a condition.
    case jump(String, if: Expression?, when: Bool)
  }

  /// A jump that is neither a condition nor a loop.
  struct Tangle: Error { var label: String }

  private let items: [Item]
  private var places: [String: Int] = [:]

  init(_ items: [Item]) {
    self.items = items
    for (index, item) in items.enumerated() {
      if case .label(let name) = item { places[name] = index }
    }
  }

  func steps() throws(Tangle) -> [Step] { try steps(in: 0..<items.count, exit: nil) }

  /// `exit` is the place behind the loop that the items are in; a jump there ends the loop.
  private func steps(in range: Range<Int>, exit: Int?) throws(Tangle) -> [Step] {
    func leaves(_ label: String) -> Bool {
      guard let exit, let place = places[label], place >= exit else { return false }
      return items[exit..<place].allSatisfy(isLabel)
    }
    var steps: [Step] = []
    var index = range.lowerBound
    while index < range.upperBound {
      switch items[index] {
      case .step(let step):
        steps.append(step)
        index += 1
      case .label(let name):
        guard let end = lastJump(to: name, in: index..<range.upperBound) else {
          index += 1
          continue
        }
        steps.append(try loop(index + 1, end))
        index = end + 1
      case .jump(let label, let condition, let when) where leaves(label):
        guard let condition else {
          guard !items[index..<range.upperBound].contains(where: isLabel) else {
            throw Tangle(label: label)
          }
          return steps + [.leave]
        }
        steps.append(.choose(when ? condition : condition.opposite, [.leave], []))
        index += 1
      case .jump(let label, nil, _):
        // What follows is only reached by jumps of its own.
        let place = try self.place(of: label, after: index, upTo: range.upperBound)
        guard !items[index..<place].contains(where: isLabel) else { throw Tangle(label: label) }
        index = place
      case .jump(let label, let condition?, let when):
        let place = try self.place(of: label, after: index, upTo: range.upperBound)
        var (end, other) = (place, [Step]())
        var inner = index + 1..<place
        if place > index + 1, case .jump(let last, nil, _) = items[place - 1],
          let after = places[last], after >= place, after <= range.upperBound
        {
          inner = index + 1..<place - 1
          other = try self.steps(in: place..<after, exit: exit)
          end = after
        }
        let first = try self.steps(in: inner, exit: exit)
        steps.append(
          when && !other.isEmpty
            ? .choose(condition, other, first)
            : .choose(when ? condition.opposite : condition, first, other))
        index = end
      }
    }
    return steps
  }

  private func loop(_ start: Int, _ end: Int) throws(Tangle) -> Step {
    guard case .jump(let label, let condition, let when) = items[end] else {
      throw Tangle(label: "")
    }
    if let condition {
      return .loop(
        head: try steps(in: start..<end, exit: end + 1), when ? condition : condition.opposite,
        body: [])
    }
    for index in start..<end {
      guard case .jump(let exit, let condition?, let when) = items[index],
        let place = places[exit], place == end + 1
      else { continue }
      return .loop(
        head: try steps(in: start..<index, exit: end + 1), when ? condition.opposite : condition,
        body: try steps(in: index + 1..<end, exit: end + 1))
    }
    throw Tangle(label: label)
  }

  private func lastJump(to name: String, in range: Range<Int>) -> Int? {
    range.last { index in
      if case .jump(name, _, _) = items[index] { true } else { false }
    }
  }

  private func place(of label: String, after index: Int, upTo end: Int) throws(Tangle) -> Int {
    guard let place = places[label], place > index, place <= end else { throw Tangle(label: label) }
    return place
  }

  private func isLabel(_ item: Item) -> Bool {
    if case .label = item { true } else { false }
  }
}
