import Probing
import CsoundHost
import Foundation
import Linting

extension Check {
  /// Conditions that must not change the result.
  static let invariance = [
    Check("invariance-repeat", "Two renders in fresh engines are identical.") {
      examination throws(Outcome) in
      try examination.requireSame(Scene(), "the second time", "the first time")
    },
    Check(
      "invariance-engine-history", "A render does not depend on earlier renders in the process."
    ) {
      examination throws(Outcome) in
      _ = try examination.play(Scene(.fullScale).with { $0.sampleRate = 44_100 })
      let take = try examination.playCleanly(Scene())
      // A copy of the library is loaded as a library of its own, which has rendered nothing yet.
      guard let plugin = examination.plugin else {
        throw .skipped("only a plugin can be loaded a second time")
      }
      let copy = examination.path + ".so"
      defer { try? FileManager.default.removeItem(atPath: copy) }
      // A worker that was killed has left that of an older plugin.
      try? FileManager.default.removeItem(atPath: copy)
      guard (try? FileManager.default.copyItem(atPath: plugin, toPath: copy)) != nil else {
        throw .skipped("the plugin cannot be copied to '\(copy)'")
      }
      let reference = try examination.reference(Scene(), source: .file(copy))
      try examination.requireSame(
        take.first, reference.first, "after a render at another sample rate", "in a fresh library")
    },
    Check("invariance-time", "A note sounds the same whenever it starts.") {
      examination throws(Outcome) in
      // 100 k-cycles of 64 frames: a multiple of every usual ksmps.
      try examination.requireSame(
        Scene().with { $0.notes[0].start = 64 * 100 / 48_000.0 }, atMost: -120, "as a later note",
        "as the first")
    },
    Check(
      "invariance-ksmps", "With constant controls, every ksmps gives the same samples."
    ) { examination throws(Outcome) in
      try examination.requireAudio()
      let reference = try examination.reference(Scene())
      for ksmps in [1, 10, 37, 128] {
        let take = try examination.playCleanly(Scene().with { $0.ksmps = ksmps })
        try examination.requireSame(
          take.first, reference.first, atMost: -90, count: 4700, audioOnly: true,
          "at ksmps \(ksmps)", "at ksmps 64")
      }
    },
    Check(
      "invariance-ksmps-moving",
      "With moving audio-rate controls, every ksmps gives the same samples."
    ) { examination throws(Outcome) in
      try examination.requireAudio()
      // Controls at k-rate stay constant.
      let plan = examination.plan.atAudioRate ?? examination.plan
      let controls = plan.controls.filter { plan.inputs[$0].rate == .a }
      guard !controls.isEmpty else { throw .skipped("none of its controls is at audio rate") }
      let moving = Scene().with { scene in
        scene.beforeCall = controls.indices.flatMap {
          plan.moving(controls[$0], $0, controls.count)
        }
      }
      let reference = try examination.reference(moving, plan: plan)
      for ksmps in [1, 37] {
        let take = try examination.playCleanly(
          moving.with { $0.ksmps = ksmps }, plan: plan)
        try examination.requireSame(
          take.first, reference.first, atMost: -90, count: 4700, audioOnly: true,
          "at ksmps \(ksmps)", "at ksmps 64")
      }
    },
    Check(
      "invariance-local-ksmps",
      "In a user-defined opcode with a local ksmps of N it sounds as in an orchestra with ksmps N."
    ) { examination throws(Outcome) in
      try requireUserOpcode(examination)
      guard examination.plan.signals.count > 0 || examination.plan.controls.isEmpty == false else {
        throw .skipped("it has no signal or control input")
      }
      for local in [1, 8] {
        let scene = Scene().with { $0.hasStep = true }
        try examination.requireSame(
          scene.with { $0.localKsmps = .userOpcode(local) }, as: scene.with { $0.ksmps = local },
          atMost: -90, count: 4700 / (examination.plan.hasAudioOutput ? 1 : local),
          "with ksmps \(local) of its own", "at ksmps \(local)")
      }
    },
    Check(
      "invariance-instrument-ksmps",
      "In an instrument with a local ksmps of N it sounds as in an orchestra with ksmps N."
    ) { examination throws(Outcome) in
      try examination.requirePerformance()
      let scene = Scene().with { $0.hasStep = true }
      try examination.requireSame(
        scene.with { $0.localKsmps = .instrument(8) }, as: scene.with { $0.ksmps = 8 },
        atMost: -90, count: 4700 / (examination.plan.hasAudioOutput ? 1 : 8), "with setksmps 8",
        "at ksmps 8")
    },
    Check(
      "invariance-own-rate",
      "In a user-defined opcode with a sample rate of its own it sounds as in an orchestra at that rate."
    ) { examination throws(Outcome) in
      guard Csound.major >= 7 else {
        throw .skipped("in Csound 6 user-defined opcodes have the orchestra's sample rate")
      }
      try examination.requirePerformance()
      // In each k-cycle there are two passes with `oversample 2`, and one of half the length with `undersample 2`.
      for (own, rate, ksmps) in [(Scene.OwnRate.double, 96_000.0, 64), (.half, 24_000, 32)] {
        try examination.requireSame(
          Scene().with { $0.ownRate = own },
          as: Scene().with { ($0.sampleRate, $0.ksmps) = (rate, ksmps) }, atMost: -90,
          count: Int(0.098 * rate) / (examination.plan.hasAudioOutput ? 1 : ksmps),
          "with '\(own.rawValue)'", "at \(Scene.number(rate)) Hz")
      }
    },
    Check(
      "invariance-sample-accurate", "The option --sample-accurate changes nothing for whole blocks."
    ) { examination throws(Outcome) in
      try examination.requireSame(
        Scene().with { $0.isSampleAccurate = true }, count: 4700, "with it", "without it")
    },
    Check(
      "invariance-rates",
      "Overloads that differ in rate only agree where all controls are constant."
    ) { examination throws(Outcome) in
      guard !examination.counterparts.isEmpty else {
        throw .skipped("no other overload takes the same arguments at other rates")
      }
      let reference = try examination.reference(Scene())
      for plan in examination.counterparts {
        let take = try examination.playCleanly(Scene(), plan: plan)
        let rates = plan.inputs.map(\.rate.rawValue).joined()
        let own = examination.plan.inputs.map(\.rate.rawValue).joined()
        try examination.requireSame(
          take.first, reference.first, atMost: -90, "called with \(rates)", "called with \(own)")
      }
    },
    Check("invariance-function", "Called in functional syntax it gives the same.") {
      examination throws(Outcome) in
      guard examination.plan.outputs.count == 1, !examination.plan.outputs[0].isArray else {
        throw .skipped("only an opcode with one output can be called as a function")
      }
      let reference = try examination.reference(Scene())
      let take: Take
      do throws(Outcome) {
        take = try examination.playCleanly(Scene().with { $0.isFunction = true })
      } catch .skipped {
        throw .skipped("called as a function, Csound chooses another overload")
      } catch {
        guard error.message.contains("cannot compile") else { throw error }
        throw .skipped("Csound's grammar has no such function call: it picks by inputs alone")
      }
      try examination.requireSame(take.first, reference.first, "as a function", "as a statement")
    },
    Check(
      "invariance-registration",
      "However Csound loads the opcode, it gives the same."
    ) {
      examination throws(Outcome) in
      guard examination.plugin != nil else {
        throw .skipped("there is no second way: it is of no plugin")
      }
      let reference = try examination.reference(Scene())
      let take = try playFromDirectory(examination)
      try examination.requireSame(
        take.first, reference.first, "from Csound's plugin directory", "from --opcode-lib")
    },
    Check(
      "invariance-float-mode", "Flushing subnormal numbers to zero makes no audible difference."
    ) { examination throws(Outcome) in
      try examination.requireSame(
        Scene().with { $0.floatMode = .precise }, atMost: -100, "with subnormal numbers",
        "without them")
    },
  ]

  /// Plays with the plugin in Csound's own plugin directory.
  private static func playFromDirectory(_ examination: Examination) throws(Outcome) -> Take {
    let plugin = URL(fileURLWithPath: examination.plugin!)
    let directory = examination.path + ".plugins"
    let link = directory + "/" + plugin.lastPathComponent
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    try? FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: plugin.path)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let old = ProcessInfo.processInfo.environment[Csound.pluginsVariable] ?? ""
    let all = [directory, Csound.neededPlugins].compactMap(\.self).joined(separator: ":")
    setenv(Csound.pluginsVariable, all, 1)
    defer { setenv(Csound.pluginsVariable, old, 1) }
    return try examination.playCleanly(Scene(), source: .pluginDirectory)
  }
}

extension CallPlan {
  /// The lines that move a control at audio rate, the `ordinal`-th of `count`. A note of 0.1 s has a part
  /// for each control, in which it alone jumps between two values every 12 frames while the others hold
  /// theirs, and a last part in which all controls rise and fall.
  fileprivate func moving(_ index: Int, _ ordinal: Int, _ count: Int) -> [String] {
    let length = 0.1 / Double(count + 1)
    // The phases keep the zero crossings between samples, so that the squares have no other values.
    func square(_ name: String, _ hertz: Int, from phase: Double) -> [String] {
      let phase = Scene.number(phase - phase.rounded(.down))
      return [
        "\(name)\(index) poscil 1e9, \(hertz), -1, \(phase)",
        "\(name)\(index) limit \(name)\(index), 0, 1",
      ]
    }
    func start(_ part: Int) -> Double { 0.00001 - 5 * length * Double(part) }
    let value = inputs[index].value
    let jump = "aopen\(index) * aclose\(index) * ajump\(index)"
    return square("aopen", 5, from: start(ordinal))
      + square("aclose", 5, from: start(ordinal + 1) + 0.5)
      + square("alast", 5, from: start(count)) + square("ajump", 2000, from: 0.01) + [
        "aswing\(index) poscil 0.5, 30, -1, 0.75",
        "ain\(index + 1) = \(Scene.number(value)) + \(Scene.number(otherValue(index) - value))"
          + " * (\(jump) + alast\(index) * (aswing\(index) + 0.5))",
      ]
  }
}
