import Probing
import Scenes

extension Check {
  /// The boundaries of notes, blocks and memory.
  static let edges = [
    Check(
      "edges-before-start",
      "Where a note starts inside a block, the frames before it are zero."
    ) { examination throws(Outcome) in
      for edge in [Edge.lateStart, .inside] {
        let take = try sampleAccurate(examination, edge)
        try examination.requireNoViolation(.beforeStart, in: take)
      }
    },
    Check("edges-after-end", "Where a note ends inside a block, the frames after it are zero.") {
      examination throws(Outcome) in
      for edge in [Edge.earlyEnd, .inside] {
        let take = try sampleAccurate(examination, edge)
        try examination.requireNoViolation(.afterEnd, in: take)
      }
    },
    Check(
      "edges-start-samples",
      "A note that starts inside a block sounds like one that starts with it."
    ) { examination throws(Outcome) in
      let reference = try examination.reference(long)
      let take = try sampleAccurate(examination, .lateStart)
      try examination.requireSame(
        take.first, reference.first, atMost: -90, count: 3000, audioOnly: true,
        "starting late", "starting on time")
    },
    Check(
      "edges-end-samples", "A note that ends inside a block has every sample up to its end."
    ) { examination throws(Outcome) in
      // A note within one block is compared with a longer note that starts at the same frame.
      let references = [
        (Edge.earlyEnd, try examination.reference(long)),
        (.inside, try sampleAccurate(examination, .lateStart)),
      ]
      for (edge, reference) in references {
        let take = try sampleAccurate(examination, edge)
        let count = take.first.frames.reduce(0) { $0 + $1.count }
        try examination.requireSame(
          take.first, reference.first, atMost: -90, count: count, audioOnly: true,
          "ending early", "going on")
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
    Check("edges-inputs-unchanged", "No pass changes an input.") {
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
          let reference = try examination.reference(scene)
          let take = try examination.playCleanly(scene.with { $0.inPlace = pair })
          try examination.requireSame(
            take.first, reference.first, "with \(plan.name(pair.input)) in place",
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
        let take = try Heap.watch { () throws(Outcome) -> Take in
          try examination.playCleanly(Scene(duration: 0.5).with { $0.ksmps = ksmps })
        }
        try take.heap.requireNoOverrun()
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

  private static let long = Scene(duration: 0.1)

  /// A scene whose note starts or ends 21 frames into a block of 64 or, for `inside`, starts there and
  /// lasts 20 frames.
  static func sampleAccurate(_ edge: Edge) -> Scene {
    let offset = (64 * 5 + 21.5) / 48_000
    return long.with { scene in
      scene.isSampleAccurate = true
      switch edge {
      case .lateStart: scene.notes[0].start = offset
      case .earlyEnd: scene.notes[0].duration = 0.05 + offset
      case .inside: (scene.notes[0].start, scene.notes[0].duration) = (offset, 20 / 48_000)
      }
      scene.end = 0.2
    }
  }

  private static func sampleAccurate(
    _ examination: Examination, _ edge: Edge
  ) throws(Outcome) -> Take {
    try examination.requireAudio()
    let take = try examination.playCleanly(
      sampleAccurate(edge), Probe.Settings(vectors: .marked))
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
