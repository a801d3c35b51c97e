import HarnessBase
import PluginBuilding

/// A user-defined opcode that can be ported: its passes simplified, and where each variable is kept.
struct PortedOpcode {
  /// The name of the opcode in the plugin.
  let name: String
  let opcode: UserOpcode
  /// What the original is called beside the port: its name, unless Csound has an opcode of that name.
  let rival: String
  /// The user-defined opcodes that it calls.
  let callees: [UserOpcode]
  let isOneSample: Bool
  private(set) var parts: [Translation.Part]
  let inputs: [String]
  private let outputs: [Expression]
  /// The comments before each statement that sets a variable, and those of a variable's `init`.
  let comments: [String: [[String]]]
  let firstComments: [String: [String]]
  private(set) var initSteps: [Step]
  private(set) var performSteps: [Step]
  /// Variables that keep their value from one pass to the next.
  private(set) var stored: Set<String> = []
  /// Audio variables that keep a vector.
  private(set) var buffers: Set<String> = []
  /// Properties that a condition of the init pass may leave out.
  private(set) var optional: Set<String> = []
  /// Csound's variables and the names they have in Swift.
  private(set) var names: [String: String] = [:]

  /// The variable that stands for an output, by its place.
  static func output(_ place: Int, _ letter: Character) -> String {
    "\(letter == "a" || letter == "i" ? letter : "k")>\(place)"
  }

  /// Fails with what cannot be ported.
  init(
    _ translation: Translation, name: String, rival: String? = nil
  ) throws(Translation.Obstacle) {
    if let obstacle = translation.obstacles.first { throw obstacle }
    self.name = name
    opcode = translation.opcode
    self.rival = rival ?? opcode.name
    callees = translation.callees
    (isOneSample, parts) = (translation.isOneSample, translation.parts)
    (inputs, outputs) = (translation.inputs, translation.outputs)
    (comments, firstComments) = (translation.comments, translation.firstComments)
    (initSteps, performSteps) = (translation.initSteps, translation.performSteps)
    for (place, (letter, value)) in zip(opcode.outputs, translation.outputs).enumerated() {
      // An array is given by a step of its own.
      if case .member = value, "κι".contains(letter) { continue }
      let step = Step.assign(Self.output(place, letter), value)
      if letter == "i" { initSteps.append(step) } else { performSteps.append(step) }
    }
    try simplify()
    keep()
    let changed = inputs.filter {
      buffers.contains($0) || stored.contains($0) && Translation.rate($0) != "i"
    }
    if !changed.isEmpty {
      for input in changed { performSteps = performSteps.map { $0.renaming(input) } }
      (stored, buffers) = ([], [])
      keep()
    }
    let inBranch = Set(
      Self.all(initSteps.flatMap { $0.inner.joined() }).flatMap { step -> Set<String> in
        if case .part(_, _, "init", _, _) = step { step.properties } else { [] }
      })
    let performed = performSteps.reduce(into: Set()) { $0.formUnion($1.properties) }
    for index in parts.indices
    where parts[index].kind.type == "Builtin.Numbers" && !inBranch.contains(parts[index].property) {
      parts[index].isLocal = !performed.contains(parts[index].property)
    }
    optional = inBranch.intersection(parts.filter { !$0.isLocal }.map(\.property))
    for property in optional {
      func unwrapped(_ value: Expression) -> Expression {
        let value = value.mapping(unwrapped)
        guard case .member(let text, let all) = value, text.hasPrefix(property + ".") else {
          return value
        }
        return .member("(\(property)?\(text.dropFirst(property.count)) ?? 0)", all)
      }
      initSteps = initSteps.map { $0.mapping(unwrapped) }
      performSteps = performSteps.map { $0.mapping(unwrapped) }
    }
    nameAll()
    // A condition of the init pass is not kept.
    for name in performed where "bB".contains(Translation.rate(name)) && stored.contains(name) {
      throw Translation.Obstacle(what: "a condition that is kept from pass to pass", line: 0)
    }
  }

  var outputNames: Set<String> {
    Set(opcode.outputs.enumerated().map { Self.output($0.offset, $0.element) })
  }

  private mutating func simplify() throws(Translation.Obstacle) {
    let first = outputNames.union(performSteps.reads)
    initSteps = Simplification(readElsewhere: first).simplified(initSteps)
    let kept = outputNames.union(initSteps.reads)
    performSteps = Simplification(readElsewhere: kept).simplified(performSteps)
    // What the init pass computes simply of what does not change is computed where it is used.
    for case .assign(let name, let value) in Self.all(initSteps)
    where Translation.isTemporary(name) && value.functions.isEmpty && value.memories.isEmpty
      && value.variables.allSatisfy(isUnchanging)
    {
      performSteps = performSteps.map { $0.replacing(name, with: value) }
    }
    guard let steps = FrameLoops.found(in: performSteps) else {
      throw Translation.Obstacle(
        what: "a sample of a vector, outside of a loop over all of it", line: 0)
    }
    performSteps = Simplification(readElsewhere: kept).simplified(steps)
    let read = outputNames.union(performSteps.reads)
    initSteps = Simplification(readElsewhere: read).simplified(initSteps)
  }

  /// The statements and those within them.
  static func all(_ steps: [Step]) -> [Step] {
    steps.flatMap { [$0] + $0.inner.flatMap(all) }
  }

  /// Whether a variable has one value throughout a note.
  private func isUnchanging(_ name: String) -> Bool {
    let count = Self.all(initSteps).count { step in
      if case .assign(name, _) = step { true } else { false }
    }
    return Translation.rate(name) == "i" && count <= (inputs.contains(name) ? 0 : 1)
  }

  // ---- Where variables are kept

  /// The variables of the performance pass.
  private var performed: Set<String> { performSteps.variables }

  private mutating func keep() {
    let written = performSteps.writes
    var early = Set<String>()
    var known = Set(inputs.filter { !written.contains($0) && Translation.rate($0) != "i" })
    Self.scan(performSteps, &known, &early)
    stored = early.subtracting(outputNames)
    guard !isOneSample else { return }
    var places: [String: Set<Int>] = [:]
    var number = 0
    var late = Set<String>()
    Self.vectors(performSteps).visit { steps in
      number += 1
      var known = Set(inputs)
      var early = Set<String>()
      Self.scan(steps, &known, &early)
      late.formUnion(early)
      for name in steps.variables { places[name, default: []].insert(number) }
    }
    let audio = written.filter { Translation.rate($0) == "a" }.subtracting(outputNames)
    let once = Self.controlled(segments)
    buffers = audio.filter {
      late.contains($0) || once.contains($0) || places[$0, default: []].count > 1
    }
    stored.subtract(audio)
  }

  /// Finds what is read before it is written.
  private static func scan(
    _ steps: [Step], _ known: inout Set<String>, _ early: inout Set<String>
  ) {
    for step in steps {
      if case .loop(let head, let condition, let body) = step {
        scan(head, &known, &early)
        early.formUnion(condition.variables.subtracting(known))
        var inner = known
        scan(body, &inner, &early)
        continue
      }
      if case .frames(let inner) = step {
        scan(inner, &known, &early)
        continue
      }
      for value in step.expressions { early.formUnion(value.variables.subtracting(known)) }
      if case .choose(_, let yes, let no) = step {
        var (first, second) = (known, known)
        scan(yes, &first, &early)
        scan(no, &second, &early)
        known = first.intersection(second)
      } else {
        known.formUnion(step.writes)
      }
    }
  }

  // ---- Vectors

  /// The performance pass in parts that run once and parts that run for each frame.
  indirect enum Segment {
    case control([Step])
    case frames([Step])
    case choose(Expression, [Segment], [Segment])
    case loop(head: [Segment], Expression, body: [Segment])
  }

  /// What the parts that run once read.
  private static func controlled(_ segments: [Segment]) -> Set<String> {
    segments.reduce(into: []) { all, segment in
      switch segment {
      case .frames: break
      case .control(let steps): all.formUnion(steps.reads)
      case .choose(let condition, let yes, let no):
        all.formUnion(condition.variables.union(controlled(yes + no)))
      case .loop(let head, let condition, let body):
        all.formUnion(condition.variables.union(controlled(head + body)))
      }
    }
  }

  var segments: [Segment] { Self.vectors(performSteps) }

  /// Whether the performance pass has anything to do for each frame.
  var hasFrames: Bool {
    var count = 0
    segments.visit { _ in count += 1 }
    return count > 0
  }

  static func vectors(_ steps: [Step]) -> [Segment] {
    var segments: [Segment] = []
    for step in steps {
      if step.isAudio, !step.writesNothing {
        var own = [step]
        if case .frames(let inner) = step { own = inner }
        if let early = placeBeforeWriting(own, segments) {
          segments[segments.count - 2] = early
        } else if case .frames(let last)? = segments.last, canJoin(last, own) {
          segments[segments.count - 1] = .frames(last + own)
        } else {
          segments.append(.frames(own))
        }
        continue
      }
      if step.hasAudio {
        switch step {
        case .choose(let condition, let yes, let no):
          segments.append(.choose(condition, vectors(yes), vectors(no)))
          continue
        case .loop(let head, let condition, let body):
          segments.append(.loop(head: vectors(head), condition, body: vectors(body)))
          continue
        default: break
        }
      }
      // A control statement goes before the frames that it has nothing to do with.
      var place = segments.count
      while place > 0, case .frames(let last) = segments[place - 1],
        last.allSatisfy({
          $0.writes.isDisjoint(with: step.reads.union(step.writes))
            && $0.reads.isDisjoint(with: step.writes) && !$0.calls(step.properties)
        }), !sharesMemory(last, [step])
      {
        place -= 1
      }
      if place > 0, case .control(let before) = segments[place - 1] {
        segments[place - 1] = .control(before + [step])
      } else {
        segments.insert(.control([step]), at: place)
      }
    }
    return segments
  }

  /// The loop before the last with more steps, where the last one only writes delays, and they do not need it. So a
  /// signal has no buffer that is in use on both sides of a `delayw`.
  private static func placeBeforeWriting(_ own: [Step], _ segments: [Segment]) -> Segment? {
    guard segments.count > 1, case .frames(let last) = segments[segments.count - 1],
      case .frames(let before) = segments[segments.count - 2],
      last.allSatisfy({ $0.memory?.isWritten == true && $0.writes.isEmpty }),
      !sharesMemory(last, own),
      canJoin(before, own)
    else { return nil }
    // An output may be the memory of an input that is still to be read.
    let read = last.reads.filter { Translation.rate($0) == "a" }
    return read.isDisjoint(with: own.writes) && read.isSubset(of: before.writes)
      ? .frames(before + own) : nil
  }

  /// Whether one writes into memory that the other uses.
  private static func sharesMemory(_ first: [Step], _ second: [Step]) -> Bool {
    func memory(_ steps: [Step], _ isWritten: Bool) -> Set<String> {
      let used = all(steps).compactMap(\.memory).filter { $0.isWritten || !isWritten }.map(\.name)
      return all(steps).reduce(into: Set(used)) { names, step in
        if !isWritten { for value in step.expressions { names.formUnion(value.memories) } }
      }
    }
    return !memory(first, true).isDisjoint(with: memory(second, false))
      || !memory(second, true).isDisjoint(with: memory(first, false))
  }

  /// Whether two loops over the frames can be one: neither changes a control variable that the other reads.
  private static func canJoin(_ first: [Step], _ second: [Step]) -> Bool {
    func changed(_ steps: [Step]) -> Set<String> {
      steps.writes.filter { Translation.rate($0) != "a" }
    }
    return !sharesMemory(first, second) && changed(first).isDisjoint(with: second.variables)
      && changed(second).isDisjoint(with: first.reads)
  }

  // ---- Names

  static let taken = NewOpcode.keywords.union([
    "arguments", "context", "frame", "sampleRate", "controlRate", "ksmps", "fullScale", "max",
    "min", "next", "perform", "duration", "start", "instrument",
  ])

  private mutating func nameAll() {
    var used = Self.taken.union(parts.map(\.property))
    let all = (initSteps + performSteps).variables.union(inputs).subtracting(outputNames)
    var order = inputs
    for step in initSteps + performSteps {
      order += step.writes.union(step.reads).sorted()
    }
    for (name, letter) in zip(inputs, opcode.inputs) where "κι".contains(letter) {
      names[name] = array(.input(name))
    }
    for name in order where all.contains(name) && names[name] == nil {
      var choices: [String]
      if Translation.isTemporary(name) {
        choices = (1...).lazy.prefix(9999).map { "value\($0)" }
      } else {
        // Without the number of the call that the variable belongs to.
        let name = name.prefix { $0 != "'" }
        let joined = Translation.joined(name)
        let rest = String(joined.dropFirst())
        let lower = rest.prefix(1).lowercased() + rest.dropFirst()
        let word = ["in": "input", "out": "output", "sig": "signal"][lower] ?? lower
        choices = (word.first?.isLetter == true ? [word] : []) + [joined, joined + "Value"]
        choices += (2...99).map { "\(joined)\($0)" }
      }
      let chosen = choices.first { !used.contains($0) }!
      used.insert(chosen)
      names[name] = chosen
    }
    // An output is called as the variable that it is, if that is no input.
    var fields = Set(inputs.map { names[$0]! })
    for (place, letter) in opcode.outputs.enumerated() {
      var word = letter == "a" ? "output" : letter == "i" ? "number" : "value"
      if case .member(let property, _) = outputs[place] { word = property }
      if case .variable(let name) = outputs[place], !Translation.isTemporary(name),
        let own = names[name]
      {
        word = own
      }
      let free = [word, "\(word)\(place + 1)", "result\(place + 1)"].first { !fields.contains($0) }!
      fields.insert(free)
      names[Self.output(place, letter)] = free
    }
  }

  /// The property that is a copy of an array.
  private func array(_ input: Expression) -> String? {
    parts.first { $0.settings.first?.value == input && $0.kind.type == "Builtin.Numbers" }?.property
  }
}
