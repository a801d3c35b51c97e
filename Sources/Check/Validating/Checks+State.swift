import CWatch
import CsoundHost
import Scenes

extension Check {
  /// Init passes that are skipped, fail or come again with other arguments: is there a state, and
  /// whose memory is it in?
  static let state = [
    Check(
      "life-skipped-init",
      "A note that jumps over the init pass (igoto) plays, the same each time, or ends with words."
    ) { examination throws(Outcome) in
      try requireInitAndPerformance(examination)
      let what = "its init pass skipped"
      func play(padding: Int) throws(Outcome) -> Take {
        let take = try examination.play(
          // Nobody else works on outputs that are not set up.
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
      // What a note before it has left in its memory is a state, too.
      let recycled = try examination.play(
        Scene().with { scene in
          scene.notes = [Scene.Note(), Scene.Note(start: 0.12, variant: 2)]
          (scene.skipsInit, scene.skippingVariant) = (true, 2)
        }, Probe.Settings(vectors: .marked))
      try examination.requireOrderly(recycled, what)
    },
    Check(
      "life-failed-reinit",
      "After a reinit that fails, the note ends with words or performs on memory of its own."
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
        // What comes before it may need other memory then.
        for other in reinitialized(examination) where other != index {
          changes[other] = others(examination.plan.inputs[other]).first
        }
        try examination.requireOrderly(
          try examination.play(Scene().reinitialized(with: changes, examination.plan)), what)
      }
      guard found else { throw .skipped("no number was found that it refuses") }
    },
    Check(
      "life-changed-reinit",
      "A reinit with other arguments leaves nobody with memory that was given back."
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
    let signature = examination.signature
    guard signature.thread & 1 != 0 || signature.slots.contains(.initialize) else {
      throw .skipped("it has no init pass")
    }
  }

  /// The inputs a reinit can give another value: numbers its init pass may read.
  private static func reinitialized(_ examination: Examination) -> [Int] {
    examination.plan.inputs.indices.filter { index in
      let input = examination.plan.inputs[index]
      return input.isNumber && (input.rate == .i || input.rate == .k)
    }
  }

  /// Other values of a number that it may take: a quarter and four times its own, which need other
  /// memory but not all there is, or the ends of its range when it is 0.
  private static func others(_ input: CallPlan.Input) -> [String] {
    guard !input.isTable else { return ["-1"] }
    let (low, high) = (input.data.low ?? -.infinity, input.data.high ?? .infinity)
    let values =
      input.value == 0
      ? [input.data.low ?? 0, input.data.high ?? 1]
      : [0.25, 4].map { min(max($0 * input.value, low), high) }
    return values.filter { $0 != input.value }.map(Scene.number)
  }

  /// A value with which the init pass fails.
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
  /// The scene with a reinit in its 21st k-cycle that gives numbers other values.
  fileprivate func reinitialized(with values: [Int: String], _ plan: CallPlan) -> Scene {
    with { scene in
      scene.reinitWhen = "kcycle == 21"
      for (index, value) in values.sorted(by: { $0.key < $1.key }) {
        let input = plan.inputs[index]
        let own = input.isTable ? "gitable\(index + 1)" : Scene.number(input.value)
        // i() of a control is its value at that time: 0 when the note begins.
        let chosen = "(i(kcycle) < 10 ? \(own) : \(value))"
        switch input.rate {
        case .i: scene.expressions[index] = chosen
        default:
          // One that is left out otherwise is given.
          scene.expressions[index] = "kin\(index + 1)"
          scene.beforeCall.append("kin\(index + 1) init \(chosen)")
        }
      }
    }
  }
}
