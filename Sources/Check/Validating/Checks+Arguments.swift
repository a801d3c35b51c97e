import Probing
import Linting

extension Check {
  /// Arguments that are left out, or that the opcode does not expect.
  static let arguments = [
    Check(
      "arguments-default", "An optional argument left out is the same as its default."
    ) { examination throws(Outcome) in
      guard examination.plan.inputs.last?.fallback != nil else {
        throw .skipped("it has no optional argument")
      }
      try examination.requireSame(
        Scene().with { $0.optionals = .atDefaults }, as: Scene().with { $0.optionals = .leftOut },
        "with its defaults given", "with them left out")
    },
    Check(
      "arguments-i-extremes", "An i-rate argument far off gives an error or finite output."
    ) { examination throws(Outcome) in
      let indices = examination.plan.numbers.filter { examination.plan.inputs[$0].rate == .i }
      guard !indices.isEmpty else { throw .skipped("it has no number at i-rate") }
      try tolerates(examination, indices, "-1", "0", "0.001", "1", "1000", "-1000000")
    },
    Check(
      "arguments-k-extremes",
      "A control far off from the start of the note gives an error or finite output."
    ) { examination throws(Outcome) in
      guard !examination.plan.controls.isEmpty else { throw .skipped("it has no controls") }
      try tolerates(examination, examination.plan.controls, "-1", "0", "1000000", "-1000000")
    },
    Check("arguments-wrong-table", "The number of a table that is not there gives a clear error.") {
      examination throws(Outcome) in
      try tolerates(examination, tables(examination), "9999", "0", "-5", "0.5", "1e9")
    },
    Check(
      "arguments-fractional-table",
      "A table number with a fraction is refused at init, or stands for the table in every pass."
    ) { examination throws(Outcome) in
      for index in try tables(examination) {
        let whole = try examination.play(Scene())
        let take = try examination.play(
          Scene().with { $0.expressions[index] = "gitable\(index + 1) + 0.3" })
        let what = "\(examination.plan.name(index)) at the table's number and 0.3"
        try examination.requireOrderly(take, what)
        guard whole.errors.isEmpty, take.first.failedInits == 0 else { continue }
        if let error = take.errors.first {
          guard examination.plan.inputs[index].rate != .i else {
            throw .failed(
              "with \(what) its init pass goes well and the performance fails: \(error)")
          }
          continue
        }
        try examination.requireSame(
          take.first, whole.first, "with \(what)", "with the number alone")
      }
    },
    Check("arguments-negative-table", "A negative table number gives a clear error or is accepted.")
    {
      examination throws(Outcome) in
      for index in try tables(examination) {
        let table = "gitable\(index + 1)"
        try tolerates(examination, [index], "-\(table)", "-\(table) - 0.7", "-1", "-0.4")
      }
    },
    Check("arguments-deleted-table", "A table deleted while it plays is not used any more.") {
      examination throws(Outcome) in
      let tables = try tables(examination)
      try examination.requirePerformance()
      Heap.guardFreed()
      for index in tables {
        let scene = Scene().with { scene in
          // ftfree works in the init pass, here of a second note.
          scene.notes = [
            Scene.Note(tag: 1), Scene.Note(start: 0.03, duration: 0.01, variant: 2, tag: 2),
          ]
          scene.beforeCall = ["if p4 == 2 then", "  ftfree gitable\(index + 1), 0", "endif"]
        }
        let take = try examination.play(scene)
        try examination.requireOrderly(
          take, "the table of \(examination.plan.name(index)) deleted")
      }
    },
    Check(
      "arguments-odd-table", "A table of any length is used within its bounds, or refused."
    ) { examination throws(Outcome) in
      for index in try tables(examination) {
        for size in ["1000", "3", "2", "1"] {
          var plan = examination.plan
          let rest = plan.inputs[index].data.table!.drop { $0 != "," }
          plan.inputs[index].data.table = size + rest
          let take = try examination.play(
            Scene(), Probe.Settings(vectors: .marked), plan: plan)
          try examination.requireOrderly(
            take, "a table of \(size) points for \(examination.plan.name(index))")
        }
      }
    },
    Check("arguments-empty-array", "An empty array gives a clear error or is accepted.") {
      examination throws(Outcome) in
      // Csound refuses to create an empty array, but trim_i can shorten one to length 0.
      try tolerates(examination, arrays(examination), "init 1\ntrim_i $ARRAY, 0")
    },
    Check("arguments-long-array", "An array of 1000 elements gives a clear error or is accepted.") {
      examination throws(Outcome) in
      for index in try arrays(examination) where examination.plan.inputs[index].rate != .S {
        try Heap.requireNoOverrun { () throws(Outcome) in
          try tolerates(examination, [index], "init 1000")
        }
      }
    },
    Check(
      "arguments-array-changes", "An array that changes its length while it plays does no harm."
    ) { examination throws(Outcome) in
      try examination.requirePerformance()
      for index in try arrays(examination)
      where [.a, .k].contains(examination.plan.inputs[index].rate) {
        let name = "\(examination.plan.inputs[index].rate.rawValue)in\(index + 1)"
        try Heap.requireNoOverrun { () throws(Outcome) in
          let scene = Scene().with { scene in
            scene.expressions[index] = "init 200\ntrim_i $ARRAY, 2"
            scene.beforeCall = [
              "if kcycle == 10 then", "  trim \(name), 150", "elseif kcycle == 20 then",
              "  trim \(name), 1", "endif",
            ]
          }
          let take = try examination.play(scene, Probe.Settings(vectors: .marked))
          try examination.requireOrderly(take, "an array that changes its length")
        }
      }
    },
    Check("arguments-empty-string", "An empty string gives a clear error or is accepted.") {
      examination throws(Outcome) in
      try tolerates(examination, strings(examination), "")
    },
    Check("arguments-strange-string", "Any text gives a clear error or is accepted.") {
      examination throws(Outcome) in
      let long = String(repeating: "x", count: 900)
      for index in try strings(examination) {
        for text in ["%s%s%s%n%d", long, "no such thing", "/nonexistent/file", "Grüße, ♪"] {
          try Heap.requireNoOverrun { () throws(Outcome) in
            try tolerates(examination, [index], text)
          }
        }
      }
    },
    Check(
      "arguments-string-changes", "A string that changes to any text in performance does no harm."
    ) { examination throws(Outcome) in
      try examination.requirePerformance()
      for index in try strings(examination) {
        for text in ["no such thing", "", "%s%n"] {
          let scene = Scene().with { $0.laterStrings[index] = text }
          let take = try examination.play(scene, Probe.Settings(vectors: .marked))
          try examination.requireOrderly(
            take, "\(examination.plan.name(index)) changing to '\(text)'")
        }
      }
    },
  ]

  private static func tables(_ examination: Examination) throws(Outcome) -> [Int] {
    try inputs(examination, "no argument is known to be a table") { $0.isTable }
  }

  private static func arrays(_ examination: Examination) throws(Outcome) -> [Int] {
    try inputs(examination, "no array goes into it") { $0.isArray }
  }

  private static func strings(_ examination: Examination) throws(Outcome) -> [Int] {
    try inputs(examination, "no string goes into it") { $0.rate == .S && !$0.isArray }
  }

  /// The indices of the inputs of a kind. Without any, the check is skipped for this reason.
  private static func inputs(
    _ examination: Examination, _ reason: String, where isMeant: (CallPlan.Input) -> Bool
  ) throws(Outcome) -> [Int] {
    let found = examination.plan.inputs.indices.filter { isMeant(examination.plan.inputs[$0]) }
    guard !found.isEmpty else { throw .skipped(reason) }
    return found
  }

  private static func tolerates(
    _ examination: Examination, _ indices: [Int], _ values: String...
  ) throws(Outcome) {
    for index in indices {
      for value in values {
        let take = try examination.play(
          Scene().with { $0.expressions[index] = value }, Probe.Settings(vectors: .marked))
        try examination.requireOrderly(
          take, "\(examination.plan.name(index)) at '\(value.prefix(40))'")
      }
    }
  }
}
