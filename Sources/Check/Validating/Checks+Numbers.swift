import Probing
import HarnessBase
import Linting

extension Check {
  /// Extreme numbers: NaN, infinity, subnormal and very large numbers, and the ends of ranges.
  static let numbers = [
    Check(
      "numbers-nan-signal", "After NaN in a signal it recovers within the note.", recovers("knan")),
    Check(
      "numbers-infinite-signal", "After infinity in a signal it recovers within the note.",
      recovers("kinf")),
    Check(
      "numbers-nan-control",
      "After NaN in a control it recovers within the note, or refuses it with an error message.",
      recovers("knan", ofControls: true)),
    Check(
      "numbers-infinite-control",
      "After infinity in a control it recovers within the note, or refuses it with an error message.",
      recovers("kinf", "-kinf", ofControls: true)),
    Check("numbers-nan-next-note", "NaN in one note is not heard in the next.") {
      examination throws(Outcome) in
      let plan = examination.plan
      let targets = poisonable(plan.signals + plan.controls, plan)
      guard !targets.isEmpty else { throw .skipped("nothing goes into it") }
      let scene = Scene().with { scene in
        poison(&scene, "knan", when: "p4 == 2", plan, targets)
        scene.notes = [Scene.Note(variant: 2), Scene.Note(start: 0.15)]
      }
      let take = try examination.play(scene)
      guard take.notes.count == 2 else { throw .failed("not all of 2 notes are played") }
      try examination.requireFinite(take.notes[1])
      let alone = try examination.playCleanly(
        Scene().with { $0.notes = [Scene.Note(start: 0.15)] })
      try examination.requireSame(
        take.notes[1], alone.first, "after a note of NaN", "alone")
    },
    Check("numbers-huge-signal", "A signal of 10¹⁰ times full scale stays finite.") {
      examination throws(Outcome) in
      try requireSignal(examination)
      _ = try examination.playCleanly(Scene(.huge))
    },
    Check("numbers-subnormal-signal", "A signal of subnormal numbers stays finite.") {
      examination throws(Outcome) in
      try requireSignal(examination)
      _ = try examination.playCleanly(Scene(.subnormal).with { $0.floatMode = .precise })
    },
    Check("numbers-zero-control", "A control of zero stays finite.", staysFinite(0)),
    Check("numbers-negative-control", "A negative control stays finite.", staysFinite(-1, -1000)),
    Check("numbers-large-control", "A control of a million stays finite.", staysFinite(1e6)),
    Check("numbers-huge-control", "A control of 10³⁰⁰ stays finite.", staysFinite(1e300, -1e300)),
    Check("numbers-range-ends", "At the ends of their documented ranges controls stay finite.") {
      examination throws(Outcome) in
      let inputs = examination.plan.inputs
      let known = examination.plan.controls.filter {
        inputs[$0].data.low != nil || inputs[$0].data.high != nil
      }
      guard !known.isEmpty else { throw .skipped("no argument file gives a range") }
      for index in known {
        for value in [inputs[index].data.low, inputs[index].data.high].compactMap(\.self) {
          _ = try examination.playCleanly(
            Scene().with { $0.expressions[index] = Scene.number(value) })
        }
      }
    },
    Check(
      "numbers-moving-controls", "Controls that jump in every k-cycle stay finite."
    ) { examination throws(Outcome) in
      guard !examination.plan.controls.isEmpty else { throw .skipped("it has no controls") }
      let scene = Scene().with { scene in
        for index in examination.plan.controls {
          let input = examination.plan.inputs[index]
          let (a, b) = (input.data.low ?? 0.5 * input.value, input.data.high ?? 2 * input.value)
          scene.expressions[index] =
            "(kcycle % 2 == 0 ? \(Scene.number(a)) : \(Scene.number(b)))"
        }
      }
      _ = try examination.playCleanly(scene)
    },
    Check(
      "numbers-subnormal-tail",
      "Long after its signal has ended it does not compute with subnormal numbers."
    ) { examination throws(Outcome) in
      let take = try tail(examination, Probe.Settings(seesSubnormals: true, keepsOutputs: false))
      let passes = take.first.frames.count
      let late = take.first.subnormalPasses.filter { $0 > passes * 3 / 4 }
      // More than half of the last quarter.
      guard late.count > passes / 8 else { return }
      throw .warning(
        "\(late.count) of the last \(passes - passes * 3 / 4) blocks of 6 s meet subnormal numbers,"
          + " which are slow on a thread whose processor does not flush them")
    },
    Check(
      "numbers-tail-speed", "Long after its signal has ended a block takes no longer than before."
    ) { examination throws(Outcome) in
      let take = try tail(examination, Probe.Settings(takesTimes: true, keepsOutputs: false))
      let times = take.first.passTimes
      guard times.count > 100 else { throw .skipped("it performs too little to be timed") }
      // The signal ends after 15 blocks.
      let (signal, tail) = (times[5..<15].median, times[(times.count * 3 / 4)...].median)
      guard tail > 3 * signal, tail - signal > 1000 else { return }
      throw .warning(
        "a block takes \(Int(signal)) ns while there is a signal and \(Int(tail)) ns in the silence"
          + " afterwards, where the processor does not flush subnormal numbers")
    },
  ]

  private static func requireSignal(_ examination: Examination) throws(Outcome) {
    guard !examination.plan.signals.isEmpty else { throw .skipped("it takes no signal") }
  }

  private static func tail(
    _ examination: Examination, _ settings: Probe.Settings
  ) throws(Outcome) -> Take {
    try requireSignal(examination)
    try examination.requirePerformance()
    return try examination.playCleanly(
      Scene(.burst, duration: 6).with { $0.floatMode = .precise }, settings)
  }

  /// Sets inputs to `bad` while `condition` is true.
  private static func poison(
    _ scene: inout Scene, _ bad: String, when condition: String, _ plan: CallPlan, _ targets: [Int]
  ) {
    scene.header = []
    var lines = ["kinf = exp(1000 + 0 * kcycle)", "knan = kinf - kinf", "if \(condition) then"]
    for index in targets {
      let name = "\(plan.inputs[index].rate.rawValue)in\(index + 1)"
      switch plan.inputs[index].rate {
      case .a: lines.append("  \(name) upsamp \(bad)")
      case .k: lines.append("  \(name) = \(bad)")
      default: break
      }
    }
    scene.beforeCall = lines + ["endif"]
    // Sets every control to its value again in every k-cycle.
    for index in targets where plan.controls.contains(index) {
      scene.expressions[index] = Scene.number(plan.inputs[index].value)
    }
  }

  /// Those of the inputs that change while a note plays and are numbers.
  private static func poisonable(_ inputs: [Int], _ plan: CallPlan) -> [Int] {
    inputs.filter { !plan.inputs[$0].isArray && [.a, .k].contains(plan.inputs[$0].rate) }
  }

  private static func recovers(
    _ values: String..., ofControls isOfControls: Bool = false
  ) -> @Sendable (Examination) throws(Outcome) -> Void {
    { examination throws(Outcome) in
      for bad in values { try requireRecovery(examination, bad, ofControls: isOfControls) }
    }
  }

  private static func requireRecovery(
    _ examination: Examination, _ bad: String, ofControls isOfControls: Bool
  ) throws(Outcome) {
    let plan = examination.plan
    let targets = poisonable(isOfControls ? plan.controls : plan.signals, plan)
    guard !targets.isEmpty else {
      throw .skipped("it takes no \(isOfControls ? "control" : "signal")")
    }
    try examination.requirePerformance()
    for target in targets {
      let scene = Scene(duration: 0.5).with { scene in
        poison(&scene, bad, when: "kcycle == 10", plan, [target])
      }
      let take = try examination.play(scene)
      let name = bad.hasSuffix("nan") ? "NaN" : "infinity"
      // An opcode may refuse a control. A signal holds whatever another opcode has put into it.
      try examination.requireMessage(take, "\(name) in \(plan.name(target))")
      if let error = take.errors.first {
        guard isOfControls else { throw .failed("the note ends with an error: \(error)") }
        continue
      }
      for stream in take.first.outputs.joined() {
        guard let last = stream.values.last, !last.isFinite else { continue }
        throw .failed(
          "0.48 s after one block of \(name) in \(plan.name(target)), \(stream.name) is still \(last)"
        )
      }
    }
  }

  /// The check that output is finite while a control has one of these values.
  private static func staysFinite(
    _ values: Double...
  ) -> @Sendable (Examination) throws(Outcome) -> Void {
    { examination throws(Outcome) in
      let plan = examination.plan
      guard !plan.controls.isEmpty else { throw .skipped("it has no controls") }
      for index in plan.controls {
        for value in values {
          let own = Scene.number(plan.inputs[index].value)
          let take = try examination.play(
            Scene().with {
              $0.expressions[index] = "(kcycle >= 5 && kcycle < 15 ? \(value) : \(own))"
            })
          guard let text = take.notes.compactMap(\.notFinite).first else { continue }
          throw .failed("with \(plan.name(index)) at \(value), \(text)")
        }
      }
    }
  }
}
