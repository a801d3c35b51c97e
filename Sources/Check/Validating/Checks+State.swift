import Probing
import CWatch
import CsoundHost
import Linting

extension Check {
  /// Init passes that are skipped, fail or run again with other arguments: they show whether the
  /// opcode uses state it has not set up, or memory that is not its own.
  static let state = [
    Check(
      "life-skipped-init",
      "A note that jumps over the init pass (igoto) plays the same each time, or ends with an error message."
    ) { examination throws(Outcome) in
      try requireInitAndPerformance(examination)
      let what = "its init pass skipped"
      func play(padding: Int) throws(Outcome) -> Take {
        let take = try examination.play(
          // Not heard, so that no other opcode uses outputs that are not set up.
          Scene().with { ($0.skipsInit, $0.padding, $0.isHeard) = (true, padding, false) },
          Probe.Settings(vectors: .marked))
        try examination.requireOrderly(take, what)
        return take
      }
      let take = try play(padding: 0)
      guard take.errors.isEmpty else { return }
      try examination.requireNoViolation(.notWritten, in: take)
      try examination.requireSame(
        try play(padding: 3).first, take.first, "with \(what), elsewhere in memory", "before")
      // The memory of an earlier note also holds a state, that note's.
      let recycled = try examination.play(
        Scene().with { scene in
          scene.notes = [Scene.Note(), Scene.Note(start: 0.12, variant: 2)]
          (scene.skipsInit, scene.skippingVariant) = (true, 2)
        }, Probe.Settings(vectors: .marked))
      try examination.requireOrderly(recycled, what)
    },
    Check(
      "life-failed-reinit",
      "After a reinit that fails, the note ends with an error message or goes on in memory of its own."
    ) { examination throws(Outcome) in
      try requireInitAndPerformance(examination)
      Heap.guardFreed()
      var found = false
      for index in reinitialized(examination) {
        guard let refused = try refusedValue(examination, index) else { continue }
        found = true
        var changes = [index: refused]
        let what = "\(examination.plan.name(index)) at \(refused) in a reinit, which it refuses"
        try examination.requireOrderly(
          try examination.play(Scene().reinitialized(with: changes, examination.plan)), what)
        // With another argument changed too, the init pass may reallocate memory before it fails.
        for other in reinitialized(examination) where other != index {
          changes[other] = others(examination.plan.inputs[other]).first
        }
        try examination.requireOrderly(
          try examination.play(Scene().reinitialized(with: changes, examination.plan)), what)
      }
      guard found else { throw .skipped("no number was found that its init pass refuses") }
    },
    Check(
      "life-changed-reinit",
      "After a reinit with other arguments no pass uses memory that was freed."
    ) { examination throws(Outcome) in
      try requireInitAndPerformance(examination)
      let indices = reinitialized(examination)
      guard !indices.isEmpty else { throw .skipped("no number goes into its init pass") }
      Heap.guardFreed()
      for index in indices {
        for value in others(examination.plan.inputs[index]) {
          let take = try examination.play(
            Scene().reinitialized(with: [index: value], examination.plan))
          try examination.requireOrderly(
            take, "\(examination.plan.name(index)) at \(value) in a reinit")
        }
      }
    },
  ]

  private static func requireInitAndPerformance(_ examination: Examination) throws(Outcome) {
    try examination.requirePerformance()
    try examination.requireInit()
  }

  /// The indices of the inputs whose value a reinit can change: numbers at i-rate or k-rate, which
  /// the init pass may read.
  private static func reinitialized(_ examination: Examination) -> [Int] {
    examination.plan.inputs.indices.filter { index in
      let input = examination.plan.inputs[index]
      return input.isNumber && (input.rate == .i || input.rate == .k)
    }
  }

  /// Other valid values of a number: a quarter and four times its value, which may need less or
  /// more memory, but not all there is; if its value is 0, the ends of its range. For a table, -1.
  private static func others(_ input: CallPlan.Input) -> [String] {
    guard !input.isTable else { return ["-1"] }
    let (low, high) = (input.data.low ?? -.infinity, input.data.high ?? .infinity)
    let values =
      input.value == 0
      ? [input.data.low ?? 0, input.data.high ?? 1]
      : [0.25, 4].map { min(max($0 * input.value, low), high) }
    return values.filter { $0 != input.value }.map(Scene.number)
  }

  /// A value with which the init pass fails; nil if none was found.
  private static func refusedValue(
    _ examination: Examination, _ index: Int
  ) throws(Outcome) -> String? {
    for value in ["-1", "-1000000", "1000001", "0", "0.3"] {
      let take = try examination.play(
        Scene(duration: 0.01).with { $0.expressions[index] = value })
      if take.first.failedInits > 0 { return value }
    }
    return nil
  }
}

extension Scene {
  /// The scene with a reinit in its 21st k-cycle that sets numbers to other values.
  fileprivate func reinitialized(with values: [Int: String], _ plan: CallPlan) -> Scene {
    with { scene in
      scene.reinitWhen = "kcycle == 21"
      for (index, value) in values.sorted(by: { $0.key < $1.key }) {
        let input = plan.inputs[index]
        let own = input.isTable ? "gitable\(index + 1)" : Scene.number(input.value)
        // i() gives a control's current value: 0 in the note's first init pass.
        let chosen = "(i(kcycle) < 10 ? \(own) : \(value))"
        switch input.rate {
        case .i: scene.expressions[index] = chosen
        default:
          // An optional argument that is otherwise left out is given here.
          scene.expressions[index] = "kin\(index + 1)"
          scene.beforeCall.append("kin\(index + 1) init \(chosen)")
        }
      }
    }
  }
}
