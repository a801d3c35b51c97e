import Probing
import Linting

extension Check {
  /// The boundaries of notes, blocks and memory.
  static let edges = [
    Check(
      "edges-before-start",
      "Where a note starts inside a block, the frames before it are zero."
    ) { examination throws(Outcome) in
      try requireZero(examination, .beforeStart, .lateStart)
    },
    Check("edges-after-end", "Where a note ends inside a block, the frames after it are zero.") {
      examination throws(Outcome) in
      try requireZero(examination, .afterEnd, .earlyEnd)
    },
    Check(
      "edges-start-samples",
      "A note that starts inside a block sounds like one that starts with it."
    ) { examination throws(Outcome) in
      try inEachRate(examination) { plan throws(Outcome) in
        let reference = try examination.reference(long, plan: plan)
        let take = try sampleAccurate(examination, .lateStart, plan)
        try examination.requireSame(
          take.first, reference.first, atMost: -90, count: 3000, audioOnly: true,
          "starting late", "starting on time")
      }
    },
    Check(
      "edges-start-gate",
      "Where an audio-rate control shuts the sound off, it does so in a note that starts inside a block, too."
    ) { examination throws(Outcome) in
      try examination.requireAudio()
      let plan = examination.plan.atAudioRate ?? examination.plan
      guard plan.controls.contains(where: { plan.inputs[$0].rate == .a }) else {
        throw .skipped("none of its controls is at audio rate")
      }
      // Both notes at once: only where they are silent is compared, so that chance may differ.
      let take = try examination.play(
        long.with { scene in
          scene.isSampleAccurate = true
          scene.sounding = .gated
          scene.notes.append(Scene.Note(start: lateStart))
        }, plan: plan)
      guard take.notes.count == 2, take.errors.isEmpty,
        take.notes.allSatisfy({ $0.notFinite == nil })
      else { throw .skipped("it does not play with controls at zero") }
      for (stream, late) in zip(take.notes[0].outputs.joined(), take.notes[1].outputs.joined())
      where stream.isAudio {
        // Silent where the gate is shut, and mostly not where it is open.
        let open = stream.values.indices.filter { !isShut($0) }
        guard zip(stream.values.indices, stream.values).allSatisfy({ !isShut($0) || $1 == 0 }),
          2 * open.count(where: { stream.values[$0] != 0 }) > open.count,
          let frame = late.values.indices.first(where: { isShut($0) && late.values[$0] != 0 })
        else { continue }
        throw .failed(
          "\(stream.name) is \(late.values[frame]) in frame \(frame) of a note that starts inside a block:"
            + " there the gate is shut, and a note that starts with a block is silent")
      }
    },
    Check(
      "edges-end-samples", "A note that ends inside a block has every sample up to its end."
    ) { examination throws(Outcome) in
      try inEachRate(examination) { plan throws(Outcome) in
        // A note within one block is compared with a longer note that starts at the same frame.
        let references = [
          (Edge.earlyEnd, try examination.reference(long, plan: plan)),
          (.inside, try sampleAccurate(examination, .lateStart, plan)),
        ]
        for (edge, reference) in references {
          let take = try sampleAccurate(examination, edge, plan)
          let count = take.first.frames.reduce(0) { $0 + $1.count }
          try examination.requireSame(
            take.first, reference.first, atMost: -90, count: count, audioOnly: true,
            "ending early", "going on")
        }
      }
    },
    Check("edges-every-sample", "Every sample of every output is written in every block.") {
      examination throws(Outcome) in
      try examination.requireAudio()
      for ksmps in [64, 1, 37] {
        let take = try examination.playCleanly(
          Scene().with { $0.ksmps = ksmps }, Probe.Settings(vectors: .marked))
        try examination.requireNoViolation(.notWritten, in: take)
      }
      let take = try sampleAccurate(examination, .lateStart)
      try examination.requireNoViolation(.notWritten, in: take)
    },
    Check("edges-every-control", "Every k-rate output is written in every k-cycle.") {
      examination throws(Outcome) in
      guard examination.plan.outputs.contains(where: { $0.rate == .k && !$0.isArray }) else {
        throw .skipped("it puts out no control")
      }
      try examination.requirePerformance()
      let take = try examination.playCleanly(Scene(), Probe.Settings(vectors: .marked))
      try examination.requireNoViolation(.controlNotWritten, in: take)
    },
    Check("edges-write-behind", "The opcode writes nothing past the end of an audio vector.") {
      examination throws(Outcome) in
      for ksmps in [64, 1, 37] {
        let take = try examination.playCleanly(
          Scene().with { $0.ksmps = ksmps }, Probe.Settings(vectors: .marked))
        try examination.requireNoViolation(.wroteBehind, in: take)
      }
      let take = try sampleAccurate(examination, .earlyEnd)
      try examination.requireNoViolation(.wroteBehind, in: take)
    },
    Check("edges-write-local", "With a local ksmps the opcode writes nothing past the local block.")
    {
      examination throws(Outcome) in
      try requireUserOpcode(examination)
      let take = try examination.playCleanly(
        Scene().with { $0.localKsmps = .userOpcode(8) }, Probe.Settings(vectors: .marked))
      try examination.requireNoViolation(.wroteBehind, in: take)
    },
    Check("edges-write-before", "The opcode writes nothing to the memory before an audio vector.") {
      examination throws(Outcome) in
      let take = try examination.playCleanly(Scene(), Probe.Settings(vectors: .marked))
      try examination.requireNoViolation(.wroteBefore, in: take)
      let other = try sampleAccurate(examination, .lateStart)
      try examination.requireNoViolation(.wroteBefore, in: other)
    },
    Check("edges-read-behind", "What lies past the end of an audio vector is not used.") {
      examination throws(Outcome) in
      for ksmps in [64, 1, 37] {
        _ = try examination.playCleanly(
          Scene().with { $0.ksmps = ksmps }, Probe.Settings(vectors: .atPageEnd))
      }
    },
    Check("edges-read-outside", "What lies outside an array or a table is not used.") {
      examination throws(Outcome) in
      let plan = examination.plan
      guard plan.inputs.contains(where: { $0.isArray || $0.isTable }) else {
        throw .skipped("neither an array nor a table goes into it")
      }
      func requireSame(_ scene: Scene) throws(Outcome) {
        let reference = try examination.play(
          scene, Probe.Settings(vectors: .marked, surroundings: 0.125))
        let take = try examination.play(
          scene, Probe.Settings(vectors: .marked, surroundings: -0.375))
        try examination.requireSame(
          take.first, reference.first, "with -0.375 around its input", "with 0.125 there")
      }
      try requireSame(Scene())
      for index in plan.controls {
        for value in [-1, 0.999, 7, 1000, -100_000] {
          try requireSame(Scene().with { $0.expressions[index] = "\(value)" })
        }
      }
    },
    Check(
      "edges-inputs-unchanged", "No pass changes an input; without outputs, it may change an array."
    ) {
      examination throws(Outcome) in
      let take = try examination.playCleanly(Scene(), Probe.Settings(vectors: .marked))
      try examination.requireNoViolation(.changedInput, in: take)
      // Values that an opcode may clamp.
      for value in [-1.0, 1e6] {
        let extreme = Scene().with { scene in
          for index in examination.plan.controls { scene.expressions[index] = "\(value)" }
        }
        let take = try examination.play(extreme, Probe.Settings(vectors: .marked))
        try examination.requireNoViolation(.changedInput, in: take)
      }
    },
    Check("edges-in-place", "Input and output can be the same variable.") {
      examination throws(Outcome) in
      let plan = examination.plan
      guard !plan.inPlacePairs.isEmpty else {
        throw .skipped("no input is of the type of an output")
      }
      // A multiple of the SIMD width, and a length with a remainder.
      for ksmps in [64, 37] {
        for pair in plan.inPlacePairs {
          let scene = Scene().with { scene in
            scene.ksmps = ksmps
            let input = plan.inputs[pair.input]
            // The input is set again in every k-cycle; otherwise the output would be fed back.
            if input.isNumber {
              scene.expressions[pair.input] = scene.initialValue(plan, pair.input)
            }
            if input.isArray, input.rate == .k {
              scene.beforeCall = (input.data.array ?? [0.5, 0.25, 1]).enumerated().map {
                "kin\(pair.input + 1)[\($0)] = \(Scene.number($1))"
              }
            }
          }
          try examination.requireSame(
            scene.with { $0.inPlace = pair }, as: scene, "with \(plan.name(pair.input)) in place",
            "with variables apart")
        }
      }
    },
    Check("edges-block-overrun", "The opcode writes nothing past the end of its own block.") {
      examination throws(Outcome) in
      let take = try examination.playCleanly(
        Scene(duration: 0.3).with { $0.notes.append(.init(start: 0.1, variant: 2)) })
      try examination.requireNoViolation(.overranBlock, in: take)
    },
    Check("edges-heap-overrun", "The opcode writes nothing past the end of a block of the heap.") {
      examination throws(Outcome) in
      for ksmps in [64, 37] {
        try Heap.requireNoOverrun { () throws(Outcome) in
          _ = try examination.playCleanly(Scene(duration: 0.5).with { $0.ksmps = ksmps })
        }
      }
    },
    Check(
      "edges-alignment", "It works wherever its block lies, at any multiple of 8 bytes."
    ) { examination throws(Outcome) in
      let reference = try examination.playCleanly(Scene())
      for padding in 1...8 {
        let take = try examination.playCleanly(Scene().with { $0.padding = padding })
        try examination.requireSame(
          take.first, reference.first, "moved by \(padding) variables", "where it was")
      }
    },
  ]

  /// Which end of the note lies inside a block; for `inside`, both lie inside the same block.
  enum Edge { case lateStart, earlyEnd, inside }

  /// A note that starts with a block, with inputs that sound before, in and after it.
  private static let long = Scene(duration: 0.1).with { scene in
    scene.sounding = .moving
    scene.notes[0].start = 640.5 / 48_000
    scene.end = 0.2
  }

  /// One period of its inputs later: 21 frames into a block of 64.
  private static let lateStart = (640.5 + 1301) / 48_000

  /// Requires that the frames outside a note that has this edge, or starts and ends in one block, are zero.
  private static func requireZero(
    _ examination: Examination, _ violation: NoteTake.Violation, _ edge: Edge
  ) throws(Outcome) {
    try inEachRate(examination) { plan throws(Outcome) in
      for edge in [edge, .inside] {
        let take = try sampleAccurate(examination, edge, plan)
        try examination.requireNoViolation(violation, in: take)
      }
    }
  }

  /// Runs a check with the planned rates, and again with `x` arguments at audio rate if there are any.
  private static func inEachRate(
    _ examination: Examination, _ check: (CallPlan) throws(Outcome) -> Void
  ) throws(Outcome) {
    try check(examination.plan)
    guard let other = examination.plan.atAudioRate else { return }
    do throws(Outcome) { try check(other) } catch .skipped {
      // What applies to the planned rates has been checked.
    } catch { throw error }
  }

  /// Whether a gated control is zero in a frame of a note: the lower half of 29 sines in
  /// 1301 frames, without the frames beside a zero crossing. The other instrument is a block late.
  private static func isShut(_ frame: Int) -> Bool {
    let place = 29 * (frame + 640 - 64) % 1301
    return place > 651 + 29 && place < 1301 - 29
  }

  /// A scene whose note starts or ends inside a block of 64 frames or, for `inside`, starts there and lasts
  /// 20 frames.
  static func sampleAccurate(_ edge: Edge) -> Scene {
    long.with { scene in
      scene.isSampleAccurate = true
      switch edge {
      case .lateStart: scene.notes[0].start = lateStart
      case .earlyEnd: scene.notes[0].duration = 0.05 + (64 * 5 + 21.5) / 48_000
      case .inside: (scene.notes[0].start, scene.notes[0].duration) = (lateStart, 20 / 48_000)
      }
    }
  }

  private static func sampleAccurate(
    _ examination: Examination, _ edge: Edge, _ plan: CallPlan? = nil
  ) throws(Outcome) -> Take {
    try examination.requireAudio()
    let take = try examination.playCleanly(
      sampleAccurate(edge), Probe.Settings(vectors: .marked), plan: plan)
    guard take.first.frames.contains(where: { $0.count < 64 }) else {
      throw .skipped("Csound gives it whole blocks only")
    }
    return take
  }

  static func requireUserOpcode(_ examination: Examination) throws(Outcome) {
    guard examination.plan.fitsUserOpcode else {
      throw .skipped("a user-defined opcode cannot pass its arguments on")
    }
    try examination.requirePerformance()
  }
}
