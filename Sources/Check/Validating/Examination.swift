import Probing
import CWatch
import CommandKit
import CsoundHost
import Foundation
import HarnessBase
import Linting
import Rendering

/// The run of one check on one overload: plays scenes and keeps the current scene's orchestra in a
/// file.
@dynamicMemberLookup
final class Examination {
  private let job: ValidateJob
  var generator: SeededGenerator
  private let renderer: Renderer
  /// The number of blocks the opcode has computed.
  private(set) var blocks = 0
  private var heartbeat: Renderer.Heartbeat
  private var isRepeatable = false

  init(_ job: ValidateJob, with renderer: Renderer) {
    self.job = job
    generator = SeededGenerator(seed: job.seed)
    self.renderer = renderer
    heartbeat = renderer.heartbeat()
  }

  subscript<Value>(dynamicMember path: KeyPath<ValidateJob, Value>) -> Value { job[keyPath: path] }

  /// Where an engine gets the opcode from.
  enum Source {
    case asValidated
    /// From Csound's plugin directory.
    case pluginDirectory
    case file(String)
  }

  /// An engine that is playing a scene.
  final class Performance {
    let csound: Csound
    let probe: Probe
    fileprivate let text: String
    fileprivate let tables: MarkedTables?
    /// The number of k-cycles after which the performance is broken off.
    fileprivate var cyclesLeft: Int

    fileprivate init(
      _ csound: Csound, _ probe: Probe, _ text: String, _ tables: MarkedTables?, seconds: Double
    ) {
      self.csound = csound
      self.probe = probe
      self.text = text
      self.tables = tables
      cyclesLeft = Int(seconds * csound.sampleRate / Double(csound.ksmps)) + 1
    }
  }

  /// Writes a scene's orchestra and opens an engine for it, before its first k-cycle.
  func open(
    _ scene: Scene, _ settings: Probe.Settings = Probe.Settings(), plan: CallPlan? = nil,
    source: Source = .asValidated, suffix: String = ""
  ) throws(Outcome) -> Performance {
    let plan = plan ?? job.plan
    let plugin: String? =
      switch source {
      case .asValidated: job.plugin
      case .pluginDirectory: nil
      case .file(let path): path
      }
    let path =
      suffix.isEmpty
      ? job.path : (job.path as NSString).deletingPathExtension + suffix + ".csd"
    let library = plugin.map { "--opcode-lib=\($0) " } ?? ""
    let text = scene.text(
      plan, command: "csound \(library)\((path as NSString).lastPathComponent)")
    try? text.write(toFile: path, atomically: false, encoding: .utf8)
    let csound: Csound
    do throws(Failure) {
      csound = try renderer.start(Orchestra(path: path, plugin: plugin))
    } catch {
      throw .failed(error.message)
    }
    FloatMode.current = scene.floatMode
    let probe = Probe(plan, settings, in: csound)
    if scene.callsOpcode, let resolved = probe.resolved, plan == job.plan,
      resolved != (job.signature.outputs, job.signature.inputs)
    {
      throw .skipped(
        "Csound calls the overload (outputs '\(resolved.outputs)', inputs '\(resolved.inputs)')"
          + " instead")
    }
    // Last, because only `finish` moves the tables back.
    let tables =
      settings.vectors == .marked
      ? MarkedTables(csound.engine, between: settings.surroundings) : nil
    return Performance(
      csound, probe, text, tables, seconds: scene.lastEnd + Self.longestRelease)
  }

  /// Seconds after the end of the last note for which its release is played. An opcode that is told to takes days.
  private static let longestRelease = 5.0

  /// Performs until the score ends and the releases are over, or for a number of k-cycles.
  func perform(_ performance: Performance, cycles: Int = .max) throws(Outcome) {
    var cycle = 0
    while cycle < cycles, performance.cyclesLeft > 0, performance.csound.performKsmps() {
      cycle += 1
      performance.cyclesLeft -= 1
      // Often, because on a busy machine a k-cycle with two threads can take tenths of a second.
      if cycle % 8 == 0 { heartbeat.beat(seconds: 0) }
    }
  }

  /// Resets the engine, which runs the remaining deinit passes, and returns what was recorded.
  func finish(_ performance: consuming Performance) -> Take {
    let csound = performance.csound
    var take = Take(
      errors: csound.noteErrors, messages: csound.messages, blocks: performance.probe.blocks)
    take.wasJumpedOutOf = performance.probe.isUnderWay
    performance.tables?.giveBack()
    csound.reset()
    take.notes = performance.probe.notes
    for note in take.notes { note.orchestra = performance.text }
    blocks += take.blocks
    return take
  }

  func play(
    _ scene: Scene, _ settings: Probe.Settings = Probe.Settings(), plan: CallPlan? = nil,
    source: Source = .asValidated
  ) throws(Outcome) -> Take {
    let performance = try open(scene, settings, plan: plan, source: source)
    try perform(performance)
    return finish(performance)
  }

  // MARK: Requirements

  /// Plays a scene and requires that nothing fails and all outputs are finite.
  func playCleanly(
    _ scene: Scene, _ settings: Probe.Settings = Probe.Settings(), plan: CallPlan? = nil,
    source: Source = .asValidated
  ) throws(Outcome) -> Take {
    let take = try play(scene, settings, plan: plan, source: source)
    try requireClean(take)
    return take
  }

  func requireClean(_ take: Take) throws(Outcome) {
    try requireReturn(take)
    if let error = take.errors.first { throw .failed("a note fails: \(error)") }
    guard let note = take.notes.first else { throw .failed("the opcode is never initialised") }
    if take.notes.contains(where: { $0.failedInits > 0 }) {
      throw .failed("its init pass fails without a message")
    }
    if note.failedPasses > 0 {
      throw .failed("\(note.failedPasses) of its performance passes fail without a message")
    }
    for note in take.notes { try requireFinite(note) }
  }

  func requireReturn(_ take: Take) throws(Outcome) {
    guard take.wasJumpedOutOf else { return }
    throw .failed(
      "its performance pass does not return: it calls InitError or Die, which only init passes may")
  }

  func requireFinite(_ note: NoteTake) throws(Outcome) {
    if let text = note.notFinite { throw .failed(text) }
  }

  /// Requires an error with a message, or finite output, and no writes outside the opcode's memory.
  /// `what` describes the scene in messages.
  func requireOrderly(_ take: Take, _ what: String) throws(Outcome) {
    try requireReturn(take)
    try requireNoViolation(.wroteBehind, .wroteBefore, .overranBlock, in: take)
    try requireMessage(take, what)
    for note in take.notes where take.errors.isEmpty {
      if let text = note.notFinite { throw .failed("with \(what), \(text)") }
    }
  }

  /// Fails if a pass fails without an error message.
  func requireMessage(_ take: Take, _ what: String) throws(Outcome) {
    if take.notes.contains(where: { $0.failedInits > 0 || $0.failedPasses > 0 }),
      take.errors.isEmpty
    {
      throw .failed("with \(what) it fails without a message")
    }
    if let error = take.errors.first, error.hasSuffix(":") {
      throw .failed("with \(what) its error has no message")
    }
  }

  /// Plays a scene to compare others with. Skips the check if the output is empty or zero.
  func reference(
    _ scene: Scene, plan: CallPlan? = nil, source: Source = .asValidated
  ) throws(Outcome) -> Take {
    guard !(plan ?? job.plan).outputs.isEmpty else { throw .skipped("it has no outputs") }
    let take = try playCleanly(scene, plan: plan, source: source)
    try requireSound(take.first)
    return take
  }

  func requireSound(_ note: NoteTake) throws(Outcome) {
    guard note.streams.contains(where: { !$0.values.isEmpty }) else {
      throw .skipped("its outputs are of types that are not compared")
    }
    guard note.peak > 0 else { throw .skipped("its output is zero, so a comparison is useless") }
  }

  /// The null depth up to which two notes count as the same, in dB. With other memory addresses, rounding
  /// may differ, because a library's SIMD loops may begin at another sample.
  private static let rounding = -200.0

  /// Requires two notes to be the same, up to a null depth of `depth` dB. `what` and `other` describe
  /// the notes in messages.
  func requireSame(
    _ note: NoteTake, _ reference: NoteTake, atMost depth: Double? = nil, count: Int? = nil,
    audioOnly: Bool = false, _ what: String, _ other: String
  ) throws(Outcome) {
    func show() throws(Outcome) {
      try requireRepeatable()
      try? note.orchestra.write(toFile: job.path, atomically: false, encoding: .utf8)
    }
    if count == nil {
      for (a, b) in zip(note.streams, reference.streams) where a.values.count != b.values.count {
        try show()
        throw .failed(
          "\(a.name) has \(a.values.count.counted("value")) \(what), \(b.values.count) \(other)")
      }
    }
    guard
      let difference = Difference.between(
        note, reference, count: count, audioOnly: audioOnly),
      !(difference.depth <= depth ?? Self.rounding)
    else { return }
    try show()
    let how = depth == nil ? "" : ", a null depth of \(difference.depth.formatted(1)) dB"
    throw .failed(difference.account(what, other) + how)
  }

  /// The same of the first note of a scene and that of another one, which is played before it.
  func requireSame(
    _ scene: Scene, as reference: Scene = Scene(), atMost depth: Double? = nil, count: Int? = nil,
    _ what: String, _ other: String
  ) throws(Outcome) {
    let expected = try self.reference(reference).first
    try requireSame(
      playCleanly(scene).first, expected, atMost: depth, count: count, what, other)
  }

  /// Skips the check if two renders of the same orchestra differ: then no difference between two others
  /// shows anything. `invariance-repeat` alone reports it. Looks once: a check that leaves other state in the process calls
  /// it first.
  func requireRepeatable() throws(Outcome) {
    guard job.check != "invariance-repeat", !isRepeatable else { return }
    var takes: [NoteTake] = []
    for _ in 0..<2 { takes.append(try play(Scene()).first) }
    guard let difference = Difference.between(takes[0], takes[1]),
      !(difference.depth <= Self.rounding)
    else {
      isRepeatable = true
      return
    }
    throw .skipped("not tried, because two renders of the same orchestra differ: invariance-repeat")
  }

  func requireAudio() throws(Outcome) {
    guard job.plan.hasAudioOutput else { throw .skipped("it has no audio output") }
  }

  func requirePerformance() throws(Outcome) {
    guard job.signature.hasPerformance else { throw .skipped("it has no performance pass") }
  }

  func requireInit() throws(Outcome) {
    guard job.signature.hasInit else { throw .skipped("it has no init pass") }
  }

  func requireNoViolation(_ kinds: NoteTake.Violation..., in take: Take) throws(Outcome) {
    for note in take.notes {
      for kind in kinds { if let text = note.violations[kind] { throw .failed(text) } }
    }
  }
}
