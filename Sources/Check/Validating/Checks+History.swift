import Probing
import Linting

extension Check {
  /// What a control or the state has been before must leave no trace: caches that hold a wrong first
  /// value show here. Notes at the same time, with the same signals, are compared with one another.
  static let history = [
    Check(
      "invariance-returned-control",
      "A control that moved and came back in silence sounds like one that never moved."
    ) { examination throws(Outcome) in
      let plan = examination.plan
      // An opcode without a signal has rest where its first control is zero.
      let source = plan.signals.isEmpty ? 0 : nil
      guard source == nil || plan.controls.first == 0 else {
        throw .skipped("neither a signal nor a control is its first argument")
      }
      let moved = plan.controls.filter { $0 != source }
      guard !moved.isEmpty else { throw .skipped("it has no controls") }
      let notes = try trials(examination, 1 + 2 * moved.count, .late) { scene in
        if let source {
          let value = Scene.number(plan.inputs[source].value)
          scene.expressions[source] =
            "(kcycle > \(Scene.lateCycle) ? \(value) * (1 + 0.3 * sin(kcycle)) : 0)"
        }
        for (ordinal, index) in moved.enumerated() {
          let (value, other) = (plan.inputs[index].value, plan.otherValue(index))
          // Two ways to go and come back: what remembers either of them is no fault.
          let short = "(p5 == \(2 * ordinal + 2) && kcycle > 2 && kcycle < 6)"
          let long = "(p5 == \(2 * ordinal + 3) && kcycle > 9 && kcycle < 17)"
          scene.expressions[index] =
            "(\(short) ? \(Scene.number(other)) : (\(long) ? \(Scene.number((value + 2 * other) / 3))"
            + " : \(Scene.number(value))))"
        }
      }
      for (ordinal, index) in moved.enumerated() {
        let (short, long) = (notes[2 * ordinal + 1], notes[2 * ordinal + 2])
        guard let short, let long, gap(short, long, notes[0]!) < same else { continue }
        guard gap(short, notes[0]!, notes[0]!) > other else { continue }
        try fail(
          short, notes[0]!,
          "after \(plan.name(index)) moved and came back", "where it never moved")
      }
    },
    Check(
      "invariance-zero-control",
      "A control that is zero from the start sounds like one that is nearly zero."
    ) { examination throws(Outcome) in
      let plan = examination.plan
      // Not those that are usually at an end of their range: switches and triggers.
      let indices = plan.controls.filter { index in
        let input = plan.inputs[index]
        guard let low = input.data.low, let high = input.data.high else { return false }
        return low <= 0 && high > 0 && input.value != 0 && low < input.value && input.value < high
      }
      guard !indices.isEmpty else {
        throw .skipped("no control is known to be continuous and have zero in its range")
      }
      let notes = try trials(examination, 1 + 3 * indices.count, .noise) { scene in
        // The others move, so that a gate, which keeps what came in the first k-cycle, shows itself.
        for index in plan.controls { scene.expressions[index] = moving(plan, index) }
        for (ordinal, index) in indices.enumerated() {
          let first = 3 * ordinal + 2
          let (value, little) = (
            Scene.number(plan.inputs[index].value),
            Scene.number(1e-9 * plan.inputs[index].data.high!)
          )
          let other =
            "(p5 == \(first) ? 0 : (p5 == \(first + 1) ? \(little) : \(moving(plan, index))))"
          let fallen = "(kcycle > 1 ? 0 : \(little))"
          scene.expressions[index] = "(p5 == \(first + 2) ? \(fallen) : \(other))"
          guard plan.inputs[index].rate == .k else { continue }
          let start = "(p5 > \(first) && p5 < \(first + 3) ? \(little) : \(value))"
          scene.beforeCall.append("kin\(index + 1) init (p5 == \(first) ? 0 : \(start))")
        }
      }
      for (ordinal, index) in indices.enumerated() {
        guard let zero = notes[3 * ordinal + 1], let little = notes[3 * ordinal + 2],
          let fallen = notes[3 * ordinal + 3], gap(little, fallen, notes[0]!) < same,
          isApart(zero, little, notes[0]!)
        else { continue }
        try fail(
          zero, little, "with \(plan.name(index)) zero from the start", "with nearly zero")
      }
    },
    Check(
      "life-first-skip",
      "An argument that keeps the state, such as iskip, changes nothing in a note that has none yet."
    ) { examination throws(Outcome) in
      let plan = examination.plan
      let skips = try skips(examination)
      let others = plan.numbers.filter { plan.inputs[$0].rate == .i }
      for skip in skips {
        let changed = others.filter { $0 != skip }
        guard !changed.isEmpty else { continue }
        // In pairs: with the state kept and without.
        let notes = try trials(examination, 2 * changed.count, .noise, needsFirst: false) { scene in
          let keeps = (0..<changed.count).map { "p5 == \(2 * $0 + 2)" }.joined(separator: " || ")
          scene.expressions[skip] = "(\(keeps) ? 1 : 0)"
          for (ordinal, index) in changed.enumerated() {
            scene.expressions[index] =
              "(p5 == \(2 * ordinal + 1) || p5 == \(2 * ordinal + 2)"
              + " ? \(Scene.number(plan.otherValue(index))) : \(Scene.number(plan.inputs[index].value)))"
          }
        }
        for (ordinal, index) in changed.enumerated() {
          guard let plain = notes[2 * ordinal], let kept = notes[2 * ordinal + 1],
            gap(kept, plain, plain) > other
          else { continue }
          let value = Scene.number(plan.otherValue(index))
          try fail(
            kept, plain, "with \(plan.name(skip)) at 1 and \(plan.name(index)) at \(value)",
            "with \(plan.name(skip)) at 0")
        }
      }
    },
    Check(
      "life-kept-reinit",
      "After a reinit that keeps the state, another init argument is used throughout, or not at all."
    ) { examination throws(Outcome) in
      let plan = examination.plan
      let numbers = plan.numbers.filter { plan.inputs[$0].rate == .i }
      let skips = try optionals(examination)
      // An ordinary note; notes with another argument in the reinit; then for each that may keep the
      // state notes with it at 1 in the reinit, alone and with another argument.
      var kinds: [(skip: Int?, changed: Int?)] = [(nil, nil)] + numbers.map { (nil, $0) }
      for skip in skips {
        kinds += [(skip, nil)] + numbers.filter { $0 != skip }.map { (skip, $0) }
      }
      func isOne(_ isMeant: (Int?, Int?) -> Bool) -> String {
        let chosen = kinds.indices.filter { isMeant(kinds[$0].skip, kinds[$0].changed) }
        return "(" + (["0 == 1"] + chosen.map { "p5 == \($0 + 1)" }).joined(separator: " || ") + ")"
      }
      let notes = try trials(examination, kinds.count, .late) { scene in
        scene.reinitWhen = "kcycle == 5"
        for index in numbers {
          let (own, other) = (plan.inputs[index].value, plan.otherValue(index))
          scene.expressions[index] =
            "(i(kcycle) > 4 && \(isOne { $1 == index }) ? \(Scene.number(other)) :"
            + " (i(kcycle) > 4 && \(isOne { skip, _ in skip == index }) ? 1 :"
            + " \(Scene.number(own))))"
        }
      }
      let plain = notes[0]!
      for skip in skips {
        // At rest, what keeps the state only changes nothing.
        let alone = kinds.firstIndex { $0 == (skip, nil) }!
        guard let idle = notes[alone], gap(idle, plain, plain) < same else { continue }
        for (number, kind) in kinds.enumerated() where kind.skip == skip {
          guard let index = kind.changed, let kept = notes[number],
            let fresh = notes[kinds.firstIndex { $0 == (nil, index) }!],
            gap(kept, plain, plain) > other, gap(kept, fresh, plain) > other
          else { continue }
          let value = Scene.number(plan.otherValue(index))
          try fail(
            kept, fresh,
            "after a reinit with \(plan.name(skip)) at 1 and \(plan.name(index)) at \(value)",
            "with \(plan.name(skip)) at 0")
        }
      }
    },
  ]

  /// A control that moves a little, as an expression.
  private static func moving(_ plan: CallPlan, _ index: Int) -> String {
    let value = plan.inputs[index].value
    let width = 0.1 * (plan.otherValue(index) - value)
    return "(\(Scene.number(value)) + \(Scene.number(width)) * sin(0.3 * kcycle))"
  }

  /// The largest difference, divided by the peak of an ordinary note, up to which two notes are the same,
  /// and above which they are not.
  private static let (same, other) = (1e-6, 1e-3)

  private static func gap(_ note: NoteTake, _ reference: NoteTake, _ plain: NoteTake) -> Double {
    zip(note.streams, reference.streams).reduce(0) { gap, pair in
      zip(pair.0.values, pair.1.values).reduce(gap) { max($0, abs($1.0 - $1.1)) }
    } / plain.peak
  }

  /// Whether notes differ in most values of an output, and not only where one is a k-cycle late.
  private static func isApart(_ note: NoteTake, _ reference: NoteTake, _ plain: NoteTake) -> Bool {
    let least = other * plain.peak
    return zip(note.streams, reference.streams).contains { stream, reference in
      let differing = zip(stream.values, reference.values).count {
        abs($0 - $1) > least
      }
      return 2 * differing > stream.values.count
    }
  }

  private static func fail(
    _ note: NoteTake, _ reference: NoteTake, _ what: String, _ other: String
  ) throws(Outcome) {
    guard let difference = Difference.between(note, reference) else { return }
    throw .failed(difference.account(what, other))
  }

  /// Plays notes at the same time, in memory of their own, whose number is p5.
  private static func trials(
    _ examination: Examination, _ count: Int, _ signal: Scene.Signal, needsFirst: Bool = true,
    _ change: (inout Scene) -> Void
  ) throws(Outcome) -> [NoteTake?] {
    var scene = Scene(signal)
    scene.notes = (1...count).map { Scene.Note(fields: [Double($0)]) }
    change(&scene)
    return try requireTrials(examination, examination.play(scene), count, needsFirst: needsFirst)
  }

  /// The notes of a scene of trials; nil for those that failed or are not finite. Skips the check if
  /// notes are missing, or the first one is of no use.
  private static func requireTrials(
    _ examination: Examination, _ take: Take, _ count: Int, needsFirst: Bool = true
  ) throws(Outcome) -> [NoteTake?] {
    try examination.requireReturn(take)
    guard take.notes.count == count else { throw .skipped("not all of \(count) notes are played") }
    let notes = take.notes.map { note in
      note.failedInits == 0 && note.failedPasses == 0 && note.notFinite == nil ? note : nil
    }
    guard needsFirst else { return notes }
    guard let first = notes[0] else { throw .skipped("its ordinary note fails") }
    try examination.requireSound(first)
    return notes
  }

  /// The optional i-rate arguments of an opcode with a signal whose default is 0, such as iskip.
  private static func optionals(_ examination: Examination) throws(Outcome) -> [Int] {
    let plan = examination.plan
    try examination.requirePerformance()
    let optional = plan.numbers.filter {
      plan.inputs[$0].rate == .i && plan.inputs[$0].fallback == 0
    }
    guard !plan.signals.isEmpty, !optional.isEmpty else {
      throw .skipped("no argument of it can keep the state of a signal")
    }
    return optional
  }

  /// The optional i-rate arguments that keep the state where they are 1: at rest that changes nothing,
  /// and in the memory of an earlier note something. Fails if one changes a note in new memory.
  private static func skips(_ examination: Examination) throws(Outcome) -> [Int] {
    let plan = examination.plan
    let optional = try optionals(examination)
    let count = optional.count
    let take = try examination.play(
      Scene(.late).with { scene in
        scene.reinitWhen = "kcycle == 5"
        let later = (1...count + 1).map { Scene.Note(start: 0.12, fields: [Double($0)]) }
        scene.notes = later.map { _ in Scene.Note(fields: [1]) }
        // With the argument at 1 from the start, and from the reinit on. These notes go on while later
        // ones start, so that those get the memory of ordinary notes.
        scene.notes +=
          (0..<2 * count).map { Scene.Note(duration: 0.25, fields: [Double($0 + 2)]) } + later
        for (ordinal, index) in optional.enumerated() {
          let isIdle = "p5 == \(count + ordinal + 2) && i(kcycle) > 4"
          scene.expressions[index] = "(p5 == \(ordinal + 2) || (\(isIdle)) ? 1 : 0)"
        }
      })
    let notes = try requireTrials(examination, take, 4 * count + 2)
    let plain = notes[0]!
    guard let again = notes[3 * count + 1], gap(again, plain, plain) < same else {
      throw .skipped("its notes in used memory differ anyway")
    }
    var skips: [Int] = []
    for (ordinal, index) in optional.enumerated() {
      guard let fresh = notes[count + 1 + ordinal], let idle = notes[2 * count + 1 + ordinal],
        let used = notes[3 * count + 2 + ordinal], gap(idle, plain, plain) < same,
        gap(used, plain, plain) > other
      else { continue }
      skips.append(index)
      guard gap(fresh, plain, plain) > other else { continue }
      try fail(fresh, plain, "in new memory with \(plan.name(index)) at 1", "with it at 0")
    }
    guard !skips.isEmpty else { throw .skipped("no argument of it keeps the state") }
    return skips
  }
}
