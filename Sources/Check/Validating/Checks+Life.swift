import Probing
import CWatch
import CsoundHost
import Linting

extension Check {
  /// The life of notes, instances and engines.
  static let life = [
    Check("life-instances", "Simultaneous notes do not affect one another.") {
      examination throws(Outcome) in
      try examination.requireInit()
      let crowd = try examination.playCleanly(crowd(70))
      for variant in [1, 9, 70] {
        let alone = try examination.reference(
          Scene().with { $0.notes[0].variant = variant })
        guard crowd.notes.count == 70 else { throw .failed("not all of 70 notes are played") }
        try examination.requireSame(
          crowd.notes[variant - 1], alone.first, "as one of 70 notes", "alone")
      }
    },
    Check("life-recycled", "A note in the memory of an earlier one sounds like a fresh one.") {
      examination throws(Outcome) in
      let second = Scene.Note(start: 0.15, duration: 0.1)
      let alone = try examination.reference(Scene().with { $0.notes = [second] })
      // A duration after which an oscillator is not at its initial phase.
      let take = try examination.playCleanly(
        Scene().with { $0.notes = [Scene.Note(duration: 0.087, variant: 5), second] })
      guard take.notes.count == 2 else { throw .failed("not all of 2 notes are played") }
      try examination.requireSame(take.notes[1], alone.first, "after another note", "alone")
    },
    Check("life-reinit", "After a reinit it goes on like a fresh note.") {
      examination throws(Outcome) in
      try examination.requirePerformance()
      let fresh = try examination.reference(Scene())
      let take = try examination.playCleanly(Scene().with { $0.reinitWhen = "kcycle == 21" })
      guard take.first.inits == 2 else { throw .skipped("Csound does not initialise it again") }
      let rest = NoteTake(outputCount: 0)
      rest.orchestra = take.first.orchestra
      rest.initOutputs = take.first.initOutputs
      rest.outputs = take.first.outputs.map { streams in
        streams.map { stream in
          var stream = stream
          stream.values.removeFirst(min(stream.values.count, stream.isAudio ? 20 * 64 : 20))
          return stream
        }
      }
      guard examination.plan.outputs.allSatisfy({ $0.rate != .f && $0.rate != .S }) else {
        throw .skipped("its outputs are of types that are not compared")
      }
      try examination.requireSame(
        rest, fresh.first, count: 3000 / (examination.plan.hasAudioOutput ? 1 : 64),
        "after a reinit", "at the start")
    },
    Check("life-reinit-often", "It survives a reinit in every second k-cycle.") {
      examination throws(Outcome) in
      try examination.requirePerformance()
      let take = try examination.playCleanly(Scene().with { $0.reinitWhen = "kcycle % 2 == 0" })
      try requireDeinit(take)
    },
    Check("life-tied", "It survives a tied note.") { examination throws(Outcome) in
      try requireDeinit(try examination.playCleanly(tied))
    },
    Check("life-cut-off", "It survives being turned off, and the next note plays.") {
      examination throws(Outcome) in
      let take = try examination.playCleanly(
        Scene().with { scene in
          scene.afterCall = ["if kcycle == 20 then", "  turnoff", "endif"]
          scene.notes = [Scene.Note(), Scene.Note(start: 0.12)]
        })
      try requireDeinit(take)
      guard take.notes.count == 2 else { throw .failed("the next note is not played") }
    },
    Check(
      "life-never-performed", "It survives a note that ends before its first performance pass."
    ) { examination throws(Outcome) in
      try examination.requireInit()
      // A different opcode from the one under test.
      let failing = examination.plan.opcode == "table" ? "tablei" : "table"
      let take = try examination.play(
        Scene().with { scene in
          // A later opcode's init error ends the first note.
          scene.afterCall = ["if p4 == 2 then", "  ifailing \(failing) 0, 99999", "endif"]
          scene.notes = [Scene.Note(variant: 2), Scene.Note(start: 0.12)]
        })
      try requireDeinit(take)
      guard let last = take.notes.last, take.notes.count == 2 else {
        throw .failed("the next note is not played")
      }
      try examination.requireFinite(last)
    },
    Check("life-short-notes", "It survives notes shorter than a k-cycle.") {
      examination throws(Outcome) in
      for isSampleAccurate in [false, true] {
        let scene = Scene().with { scene in
          scene.isSampleAccurate = isSampleAccurate
          scene.notes = (0..<20).map {
            Scene.Note(start: 0.005 * Double($0), duration: 0.00003 * Double($0 + 1))
          }
          scene.end = 0.2
        }
        try requireDeinit(try examination.playCleanly(scene))
      }
    },
    Check("life-deinit-once", "Each note's deinit pass runs exactly once.") {
      examination throws(Outcome) in
      let takes = [
        try examination.playCleanly(crowd(3)), try examination.playCleanly(tied),
        try examination.playCleanly(Scene().with { $0.reinitWhen = "kcycle == 21" }),
      ]
      guard takes.contains(where: { $0.notes.contains { $0.deinitRegistrations > 0 } }) else {
        throw .skipped("it has no deinit pass")
      }
      for take in takes { try requireDeinit(take) }
    },
    Check("life-reset", "After csoundReset it gives the same again.") {
      examination throws(Outcome) in
      try examination.requireRepeatable()
      let reference = try examination.reference(Scene())
      let performance = try examination.open(Scene())
      try examination.perform(performance)
      performance.csound.reset()
      FloatMode.current = .csound
      var options: [String] = []
      if let plugin = examination.plugin { options.append("--opcode-lib=\(plugin)") }
      do throws(CsoundError) {
        try performance.csound.compile(examination.path, options: options)
      } catch {
        throw .failed("its orchestra does not compile after csoundReset")
      }
      FloatMode.current = .csound
      performance.probe.attach(performance.csound.engine)
      try examination.perform(performance)
      let take = examination.finish(performance)
      guard take.notes.count == 2 else { throw .failed("after csoundReset it is not played") }
      try examination.requireSame(
        take.notes[1], reference.first, "after csoundReset", "in a fresh engine")
    },
    Check("life-two-engines", "Two engines that take turns give what each gives alone.") {
      examination throws(Outcome) in
      let other = Scene(.fullScale).with { $0.sampleRate = 44_100 }
      let reference = try examination.reference(Scene())
      let second = try examination.open(other, suffix: "-2")
      let performance = try examination.open(Scene())
      for _ in 0..<60 {
        try examination.perform(performance, cycles: 1)
        second.probe.attach(second.csound.engine)
        try examination.perform(second, cycles: 1)
        performance.probe.attach(performance.csound.engine)
      }
      try examination.perform(performance)
      let take = examination.finish(performance)
      second.probe.attach(second.csound.engine)
      _ = examination.finish(second)
      try examination.requireClean(take)
      try examination.requireSame(
        take.first, reference.first, "beside another engine", "alone")
    },
    Check("life-threads", "With two threads (-j2) it gives the same as with one.") {
      examination throws(Outcome) in
      try examination.requireInit()
      // With long blocks, passes overlap for longer; with short ones, they begin and end together more
      // often.
      for ksmps in [64, 1024, 1024, 1024, 1024] {
        let scene = crowd(8).with { scene in
          scene.ksmps = ksmps
          for index in scene.notes.indices { scene.notes[index].duration = 0.5 }
        }
        let reference = try examination.reference(scene)
        let take = try examination.playCleanly(
          scene.with { $0.threads = 2 }, Probe.Settings(meetsThreads: true))
        guard take.notes.count == reference.notes.count else {
          throw .failed("with two threads not all notes are played")
        }
        for (note, other) in zip(take.notes, reference.notes) {
          try examination.requireSame(note, other, "with two threads", "with one")
        }
      }
    },
    Check("life-leak-notes", "Notes leave no memory behind.") { examination throws(Outcome) in
      let scene = Scene().with { scene in
        scene.notes = (0..<60).map { Scene.Note(start: 0.02 * Double($0), duration: 0.01) }
      }
      try requireNoLeak(examination, scene, from: 15 * 15, to: 45 * 15, events: 30, "note")
    },
    Check("life-leak-reinit", "A reinit leaves no memory behind.") {
      examination throws(Outcome) in
      try examination.requirePerformance()
      let scene = Scene(duration: 1).with { $0.reinitWhen = "kcycle % 5 == 0" }
      try requireNoLeak(examination, scene, from: 100, to: 250, events: 30, "reinit")
    },
    Check("life-leak-performance", "Performance leaves no memory behind.") {
      examination throws(Outcome) in
      try examination.requirePerformance()
      try requireNoLeak(
        examination, Scene(duration: 1), from: 100, to: 600, events: 500, "performance pass")
    },
    Check("life-leak-reset", "An engine leaves no memory behind.", level: 3) {
      examination throws(Outcome) in
      // The blocks that an engine usually leaves.
      let leak = try leak(Scene(duration: 0.02), atLeast: 1) { scene throws(Outcome) in
        var counts: [Int64] = []
        for _ in 0..<7 {
          _ = try examination.play(scene)
          counts.append(Heap.now().state.blocks)
        }
        return (zip(counts.dropFirst(2), counts.dropFirst()).map { $0 - $1 }.sorted()[2], 0)
      }
      guard let leak else { return }
      throw .failed(
        "each engine leaves \(leak.blocks) heap blocks more than one without the opcode")
    },
  ]

  /// Notes at the same time, which are told apart by their init passes.
  private static func crowd(_ count: Int) -> Scene {
    Scene().with { scene in
      scene.notes = (1...count).map { Scene.Note(variant: $0, tag: $0) }
    }
  }

  private static var tied: Scene {
    Scene().with { scene in
      scene.notes = [
        Scene.Note(duration: -0.05), Scene.Note(start: 0.05, duration: -0.05),
        Scene.Note(start: 0.1, duration: 0.05),
      ]
    }
  }

  private static func requireDeinit(_ take: Take) throws(Outcome) {
    for note in take.notes where note.deinitRegistrations > 0 {
      guard note.deinitCalls != 1 else { continue }
      throw .failed(
        "in one note its init pass asks \(note.deinitRegistrations) times for a deinit pass, which"
          + " runs \(note.deinitCalls) times; ask only when neither reinitflag nor tieflag is set")
    }
  }

  /// Requires that the number of heap blocks grows no more with the opcode than without it, between
  /// k-cycle `start` and k-cycle `end`.
  private static func requireNoLeak(
    _ examination: Examination, _ scene: Scene, from start: Int, to end: Int, events: Int64,
    _ event: String
  ) throws(Outcome) {
    let leak = try leak(scene, atLeast: events / 20 + 1) { scene throws(Outcome) in
      let performance = try examination.open(scene, Probe.Settings(keepsOutputs: false))
      try examination.perform(performance, cycles: start)
      let before = Heap.now().state
      try examination.perform(performance, cycles: end - start)
      let after = Heap.now().state
      _ = examination.finish(performance)
      return (after.blocks - before.blocks, after.bytes - before.bytes)
    }
    guard let leak else { return }
    throw .failed(
      "\(events) times a \(event) leave \(leak.blocks) heap blocks, \(leak.bytes) bytes, more than"
        + " without the opcode")
  }

  /// How much more the heap grows with the opcode in a scene than without it; nil if that is fewer blocks than the least.
  private static func leak(
    _ scene: Scene, atLeast least: Int64,
    growth: (Scene) throws(Outcome) -> (blocks: Int64, bytes: Int64)
  ) throws(Outcome) -> (blocks: Int64, bytes: Int64)? {
    let scene = scene.with { $0.isHeard = false }
    _ = Heap.now()
    var leak: (blocks: Int64, bytes: Int64) = (0, 0)
    // Other threads of the process may allocate meanwhile. A leak shows up in all three attempts.
    for _ in 0..<3 {
      let with = try growth(scene)
      let without = try growth(scene.with { $0.callsOpcode = false })
      leak = (with.blocks - without.blocks, with.bytes - without.bytes)
      guard leak.blocks >= least else { return nil }
    }
    return leak
  }
}
