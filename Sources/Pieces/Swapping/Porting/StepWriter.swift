/// Writes steps as lines of Swift.
struct StepWriter {
  enum Pass { case initial, sample, vector }

  private let opcode: PortedOpcode
  private let pass: Pass
  private var declared: Set<String> = []
  /// How many statements that set a variable have been written.
  private var commented: [String: Int] = [:]
  /// Inputs that are constants of the loop's body.
  private var bound: Set<String> = []
  /// The frame that a statement is about: the first one for those that run once.
  private var frame = "context.frames.lowerBound"
  /// The values of the outputs, where these are returned.
  private(set) var returned: [String: String] = [:]

  init(_ opcode: PortedOpcode, pass: Pass) { (self.opcode, self.pass) = (opcode, pass) }

  // ---- Expressions

  private func text(_ value: Expression) -> String {
    value.text { leaf in
      switch leaf {
      case .rate(let name): rate(name)
      case .input(let name): input(name)
      case .variable(let name): variable(name)
      default: ""
      }
    }
  }

  private func rate(_ name: String) -> String {
    switch (name, pass) {
    case ("frame", _): "frame"
    case ("p1", .initial), ("p2", .initial), ("p3", .initial):
      "(context.pField(\(name.dropFirst())) ?? 0)"
    case ("p1", _): "instrument"
    case ("p2", _): "start"
    case ("p3", _): "duration"
    case ("ksmps", _) where opcode.isOneSample: "1.0"
    case ("sr", .initial): "context.sampleRate"
    case ("kr", .initial): opcode.isOneSample ? "context.sampleRate" : "context.controlRate"
    case ("ksmps", .initial): "Double(context.ksmps)"
    case ("0dbfs", .initial): "context.fullScale"
    case ("kr", _): opcode.isOneSample ? "sampleRate" : "controlRate"
    case ("0dbfs", _): "fullScale"
    case ("ksmps", _): "ksmps"
    default: "sampleRate"
    }
  }

  private func input(_ name: String) -> String {
    let word = opcode.names[name]!
    if opcode.isArray(name) { return "arguments.\(word)" }
    if pass == .sample, Translation.rate(name) != "i" { return word }
    return "arguments.\(word)"
      + (pass != .initial && Translation.rate(name) == "a" ? "[\(frame)]" : ".value")
  }

  private func variable(_ name: String) -> String {
    let word = opcode.names[name]!
    if opcode.buffers.contains(name) { return word + "[\(frame)]" }
    let isOwn = declared.contains(name) || opcode.stored.contains(name)
    if !isOwn, opcode.inputs.contains(name) {
      if pass == .initial { return input(name) }
      if pass == .vector, Translation.rate(name) == "a" {
        return bound.contains(name) ? word : input(name)
      }
    }
    return word
  }

  // ---- Statements

  /// The lines of statements; `following` come after them in the same block, and `after` are the variables of what
  /// comes after that.
  mutating func lines(
    of steps: [Step], following: [Step] = [], after: Set<String> = []
  ) -> [String] {
    var lines: [String] = []
    for (index, step) in steps.enumerated() {
      let rest = steps[(index + 1)...] + following
      lines += self.lines(of: step, before: Array(rest), after)
    }
    return lines
  }

  private func isKept(_ name: String) -> Bool {
    opcode.stored.contains(name) || opcode.buffers.contains(name)
  }

  /// The comments before a statement that sets these variables. Where some of its statements are gone, those of all are
  /// before the first.
  private mutating func comments(before step: Step) -> [String] {
    guard step.inner.isEmpty else { return [] }
    var lines: [String] = []
    for name in step.writes.sorted() {
      guard let all = opcode.comments[name], all.contains(where: { !$0.isEmpty }) else { continue }
      let steps = PortedOpcode.all(
        pass == .initial ? opcode.initSteps : opcode.performSteps)
      let count = steps.count { $0.inner.isEmpty && $0.writes.contains(name) }
      let place = commented[name, default: 0]
      commented[name] = place + 1
      if count == all.count, place < count {
        lines += all[place]
      } else if place == 0 {
        lines += all.joined()
      }
    }
    return lines.map { "// " + $0 }
  }

  private mutating func lines(
    of step: Step, before rest: [Step], _ after: Set<String>
  ) -> [String] {
    let comments = comments(before: step)
    let lines = code(of: step, before: rest, after)
    return lines.isEmpty ? [] : comments + lines
  }

  private mutating func code(
    of step: Step, before rest: [Step], _ after: Set<String>
  ) -> [String] {
    switch step {
    case .assign(let name, let value):
      if opcode.outputNames.contains(name) {
        if pass == .sample {
          returned[name] = text(value)
          return []
        }
        let field = "arguments.\(opcode.names[name]!)"
        return [
          field + (Translation.rate(name) == "a" ? "[frame]" : ".value") + " = " + text(value)
        ]
      }
      // `x += y` for `x = x + y`.
      if case .binary(let sign, .variable(let same), let other) = value, same == name,
        "+-*/".contains(sign), isKept(name) || declared.contains(name)
      {
        return ["\(variable(name)) \(sign)= \(text(other))"]
      }
      // Nothing reads it before it is written again elsewhere.
      if !isKept(name), !declared.contains(name), !rest.contains(where: { $0.reads.contains(name) })
      {
        return []
      }
      return assigning(name, text(value), isNumber: value.isNumber, before: rest)
    case .part(let outputs, let property, let method, let values, _):
      let given = values.map { text($0) }.joined(separator: ", ")
      if method == "break" { return ["break"] }
      if method == "init" { return [creation(property, values)] }
      if method == "giveFirst" { return ["try \(property).give(\(given), context)"] }
      let isValue = method == "count" || method == "number"
      // A condition of the init pass may leave it out.
      let isOptional = opcode.optional.contains(property)
      let call =
        "\(property)\(isOptional ? "?" : "").\(method)" + (isValue ? "" : "(\(given))")
        + (isOptional && !outputs.isEmpty ? " ?? 0" : "")
      guard let output = outputs.first else { return [call] }
      let isRead =
        (opcode.initSteps + opcode.performSteps).contains { $0.reads.contains(output) }
      // Reading changes nothing.
      if !isRead, isValue || step.memory?.isWritten == false {
        return []
      }
      return isRead ? assigning(output, call, isNumber: false, before: rest) : ["_ = \(call)"]
    case .choose(let condition, let yes, let no):
      let outside = after.union(rest.variables)
      var lines = declarations(of: [yes, no], outside: outside, before: rest)
      let test = text(condition)
      lines.append("if \(test) {")
      lines += inner(yes, after: outside)
      if !no.isEmpty {
        if no.count == 1, case .choose = no[0] {
          var more = inner(no, after: outside).map { String($0.dropFirst(2)) }
          if more[0].hasPrefix("if ") {
            more[0] = "} else " + more[0]
            return lines + more
          }
          return lines + ["} else {"] + more.map { "  " + $0 } + ["}"]
        }
        lines.append("} else {")
        lines += inner(no, after: outside)
      }
      return lines + ["}"]
    case .frames(let steps):
      return ["for frame in context.frames {"] + inner(steps, after: after) + ["}"]
    case .loop(let head, let condition, let body):
      let outside = after.union(rest.variables)
      var lines = declarations(of: [head, body], outside: outside, before: rest)
      let all = outside.union(condition.variables).union((head + body).reads)
      if head.isEmpty {
        lines.append("while \(text(condition)) {")
        lines += inner(body, after: outside)
      } else if body.isEmpty {
        lines += declarations(of: [head], outside: condition.variables, before: rest)
        lines.append("repeat {")
        lines += inner(head, after: all)
        return lines + ["} while \(text(condition))"]
      } else {
        lines.append("while true {")
        let saved = declared
        lines += self.lines(of: head, after: all).map { "  " + $0 }
        lines.append("  if \(text(condition.opposite)) { break }")
        lines += self.lines(of: body, after: outside).map { "  " + $0 }
        declared = saved
      }
      return lines + ["}"]
    }
  }

  private mutating func inner(_ steps: [Step], after: Set<String>) -> [String] {
    let saved = declared
    defer { declared = saved }
    return lines(of: steps, after: after).map { "  " + $0 }
  }

  private mutating func assigning(
    _ name: String, _ value: String, isNumber: Bool, before rest: [Step]
  ) -> [String] {
    let word = opcode.names[name]!
    if pass == .initial, opcode.buffers.contains(name) {
      return isNumber && Double(value) == 0
        ? [] : ["for index in 0..<\(word).count { \(word)[index] = \(value) }"]
    }
    if isKept(name) || declared.contains(name) { return ["\(variable(name)) = \(value)"] }
    declared.insert(name)
    let changes = rest.contains { $0.writes.contains(name) }
    let literal = isNumber && !value.contains(/[.e]/) ? value + ".0" : value
    return ["\(changes ? "var" : "let") \(word) = \(literal)"]
  }

  /// Declarations before a condition or loop of what it writes and something outside of it uses.
  private mutating func declarations(
    of blocks: [[Step]], outside: Set<String>, before rest: [Step]
  ) -> [String] {
    let written = blocks.joined().writes
    var lines: [String] = []
    for name in written.sorted()
    where !isKept(name) && !declared.contains(name) && !opcode.outputNames.contains(name)
      && outside.contains(name)
    {
      let once = blocks.allSatisfy { block in
        block.count { step in
          if case .assign(name, _) = step { return true }
          return step.inner.isEmpty && step.writes.contains(name)
        } == 1 && !block.contains { !$0.inner.isEmpty && $0.writes.contains(name) }
      }
      let isChanged = rest.contains { $0.writes.contains(name) }
      let isCondition = "bB".contains(Translation.rate(name))
      declared.insert(name)
      if once, blocks.count == 2, !isChanged {
        lines.append("let \(opcode.names[name]!): \(isCondition ? "Bool" : "Double")")
      } else {
        lines.append("var \(opcode.names[name]!) = \(isCondition ? "false" : "0.0")")
      }
    }
    return lines
  }

  private func creation(_ property: String, _ values: [Expression]) -> String {
    let part = opcode.parts.first { $0.property == property }!
    var given = ["rate: context.\(part.rate)"]
    if let kind = part.kind.kind { given.append(kind) }
    // Zeros that the part assumes are not written.
    given += zip(part.settings, values).filter {
      $1 != .number("0") || !["scale", "offset", "wrapping"].contains($0.label)
    }.map { "\($0.label): \(text($1))" }
    if part.kind.needsContext { given.append("context") }
    let type = part.kind.type.prefix { $0 != "<" }
    let call = "\(type)(\(given.joined(separator: ", ")))"
    return "\(part.isLocal ? "let " : "")\(property) = \(part.kind.canFail ? "try " : "")\(call)"
  }

  // ---- Vectors

  mutating func lines(
    of segments: [PortedOpcode.Segment], after: Set<String> = []
  ) -> [String] {
    var lines: [String] = []
    for (index, segment) in segments.enumerated() {
      let rest = segments[(index + 1)...].flatMap(\.steps)
      let outside = after.union(rest.variables)
      switch segment {
      case .control(let steps):
        for (place, step) in steps.enumerated() {
          lines += self.lines(of: step, before: steps[(place + 1)...] + rest, after)
        }
      case .frames(let steps):
        lines += declarations(
          of: [steps.filter(\.setsControls)], outside: outside, before: rest)
        let saved = declared
        frame = "frame"
        lines.append("for frame in context.frames {")
        for input in opcode.inputs where Translation.rate(input) == "a" {
          let count = steps.reduce(0) { $0 + $1.count(of: input) }
          if count > 1, !steps.contains(where: { $0.writes.contains(input) }) {
            bound.insert(input)
            lines.append("  let \(opcode.names[input]!) = arguments.\(opcode.names[input]!)[frame]")
          }
        }
        lines += frames(steps).map { "  " + $0 }
        lines.append("}")
        (declared, bound, frame) = (saved, [], "context.frames.lowerBound")
      case .choose(let condition, let yes, let no):
        lines += declarations(
          of: [yes.flatMap(\.steps), no.flatMap(\.steps)].map { $0.filter(\.setsControls) },
          outside: outside, before: rest)
        lines.append("if \(text(condition)) {")
        lines += nested(yes, outside)
        if !no.isEmpty { lines += ["} else {"] + nested(no, outside) }
        lines.append("}")
      case .loop(let head, let condition, let body):
        lines += declarations(
          of: [(head + body).flatMap(\.steps).filter(\.setsControls)], outside: outside,
          before: rest)
        lines.append("while true {")
        let saved = declared
        lines += self.lines(of: head, after: outside.union(condition.variables)).map { "  " + $0 }
        lines.append("  if \(text(condition.opposite)) { break }")
        lines += self.lines(of: body, after: outside).map { "  " + $0 }
        declared = saved
        lines.append("}")
      }
    }
    return lines
  }

  private mutating func nested(
    _ segments: [PortedOpcode.Segment], _ after: Set<String>
  ) -> [String] {
    let saved = declared
    defer { declared = saved }
    return lines(of: segments, after: after).map { "  " + $0 }
  }

  /// The statements of a frame. Several outputs are written after all have been computed, because an output may be the
  /// memory of an input.
  private mutating func frames(_ steps: [Step]) -> [String] {
    let places = steps.indices.filter { index in
      if case .assign(let name, _) = steps[index] {
        opcode.outputNames.contains(name)
      } else {
        false
      }
    }
    guard places.count > 1, let first = places.first else { return lines(of: steps) }
    var lines: [String] = self.lines(
      of: Array(steps[..<first]), following: Array(steps[first...]))
    var writes: [String] = []
    for (place, step) in steps.enumerated().dropFirst(first) {
      guard case .assign(let name, let value) = step, opcode.outputNames.contains(name) else {
        lines += self.lines(of: [step], following: Array(steps[(place + 1)...]))
        continue
      }
      let word = opcode.names[name]!
      if case .variable(let other) = value, !opcode.inputs.contains(other) {
        writes.append("arguments.\(word)[frame] = \(variable(other))")
      } else {
        lines.append("let \(word)Sample = \(text(value))")
        writes.append("arguments.\(word)[frame] = \(word)Sample")
      }
    }
    return lines + writes
  }
}

extension Step {
  /// Whether it writes anything but audio signals.
  fileprivate var setsControls: Bool { writes.contains { Translation.rate($0) != "a" } }
}

extension Expression {
  var isNumber: Bool { if case .number = self { true } else { false } }
}

extension PortedOpcode.Segment {
  /// All steps in it.
  var steps: [Step] {
    switch self {
    case .control(let steps), .frames(let steps): steps
    case .choose(let condition, let yes, let no):
      [.choose(condition, yes.flatMap(\.steps), no.flatMap(\.steps))]
    case .loop(let head, let condition, let body):
      [.loop(head: head.flatMap(\.steps), condition, body: body.flatMap(\.steps))]
    }
  }
}
