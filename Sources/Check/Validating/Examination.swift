import CWatch
import CsoundHost
import Foundation
import HarnessBase
import Linting
import Rendering
import Scenes
import Statistics

/// One check of one overload under way: plays scenes and remembers the one it is at.
final class Examination {
  let plan: CallPlan
  let signature: Signature
  /// Calls of other overloads of the opcode whose arguments differ only in rate.
  let counterparts: [CallPlan]
  let plugin: String?
  /// The same opcodes by another way into Csound: a plugin for those registered in-process.
  let otherPlugin: String?
  let level: Int
  var generator: SeededGenerator
  private let renderer: Renderer
  /// Where the current orchestra is.
  let path: String
  /// Blocks the opcode has computed.
  private(set) var blocks = 0
  private var heartbeat: Renderer.Heartbeat

  init(_ job: ValidateJob, _ plan: CallPlan, with renderer: Renderer) {
    self.plan = plan
    signature = job.signature
    counterparts = job.counterparts
    plugin = job.plugin
    otherPlugin = job.otherPlugin
    level = job.level
    generator = SeededGenerator(seed: job.seed)
    self.renderer = renderer
    path = job.path
    heartbeat = renderer.heartbeat()
  }

  /// Where an engine gets the opcode from.
  enum Source {
    case asValidated
    /// From where Csound looks by itself.
    case pluginDirectory
    case file(String)
  }

  /// An engine that is playing a scene.
  final class Performance {
    let csound: Csound
    let probe: Probe
    fileprivate let text: String
    fileprivate let tables: MarkedTables?
    /// How many threads there were before it.
    fileprivate let threadCount: Int

    fileprivate init(
      _ csound: Csound, _ probe: Probe, _ text: String, _ tables: MarkedTables?, threadCount: Int
    ) {
      self.threadCount = threadCount
      self.csound = csound
      self.probe = probe
      self.text = text
      self.tables = tables
    }
  }

  /// Writes a scene's orchestra and opens an engine for it, before its first k-cycle.
  func open(
    _ scene: Scene, _ settings: Probe.Settings = Probe.Settings(), plan: CallPlan? = nil,
    source: Source = .asValidated, suffix: String = ""
  ) throws(Outcome) -> Performance {
    let plan = plan ?? self.plan
    let plugin: String? =
      switch source {
      case .asValidated: self.plugin
      case .pluginDirectory: nil
      case .file(let path): path
      }
    let path =
      suffix.isEmpty
      ? self.path : (self.path as NSString).deletingPathExtension + suffix + ".csd"
    let library = (plugin ?? otherPlugin).map { "--opcode-lib=\($0) " } ?? ""
    let text = scene.text(
      plan, command: "csound \(library)\((path as NSString).lastPathComponent)")
    try? text.write(toFile: path, atomically: false, encoding: .utf8)
    let csound: Csound
    let threadCount = Self.threadCount
    do throws(Failure) {
      csound = try renderer.start(Orchestra(path: path, plugin: plugin))
    } catch {
      throw .failed(error.message)
    }
    FloatMode.current = scene.floatMode
    let probe = Probe(plan, settings, in: csound)
    if scene.callsOpcode, let resolved = probe.resolved, plan == self.plan,
      resolved != (signature.outputs, signature.inputs)
    {
      throw .skipped(
        "Csound calls the overload (outputs '\(resolved.outputs)', inputs '\(resolved.inputs)')"
          + " instead of it")
    }
    // Last, because only `finish` gives the tables back.
    let tables =
      settings.vectors == .marked
      ? MarkedTables(csound.engine, between: settings.surroundings) : nil
    return Performance(csound, probe, text, tables, threadCount: threadCount)
  }

  /// Performs until the score ends, or for a number of k-cycles.
  func perform(_ performance: Performance, cycles: Int = .max) throws(Outcome) {
    var cycle = 0
    while cycle < cycles, performance.csound.performKsmps() {
      cycle += 1
      // On a busy machine a k-cycle of two threads can take tenths of a second.
      if cycle % 8 == 0 { heartbeat.beat(seconds: 0) }
    }
  }

  /// Ends an engine; deinit passes that are left run now.
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

  private static var threadCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 1
  }

  /// Waits for the threads of `-j` to end: csoundReset does not, and a thread that finds its barrier
  /// gone crashes. At most a second.
  private func awaitThreads(_ count: Int) {
    for _ in 0..<1000 where Self.threadCount > count { usleep(1000) }
  }

  func play(
    _ scene: Scene, _ settings: Probe.Settings = Probe.Settings(), plan: CallPlan? = nil,
    source: Source = .asValidated
  ) throws(Outcome) -> Take {
    let performance = try open(scene, settings, plan: plan, source: source)
    if scene.threads > 1 {
      performance.csound.perform { heartbeat.beat(seconds: 0) }
      awaitThreads(performance.threadCount)
    } else {
      try perform(performance)
    }
    return finish(performance)
  }

  // MARK: What a scene must bring

  /// Plays a scene in which nothing may go wrong.
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
      "its performance does not come back: it calls InitError or Die, which are for the init pass")
  }

  func requireFinite(_ note: NoteTake) throws(Outcome) {
    if let text = note.notFinite { throw .failed(text) }
  }

  /// Requires errors with words, or finite output, and nothing written where it must not be.
  func requireOrderly(_ take: Take, _ what: String) throws(Outcome) {
    try requireReturn(take)
    try requireNoViolation(.wroteBehind, .wroteBefore, .overranBlock, in: take)
    if take.notes.contains(where: { $0.failedInits > 0 || $0.failedPasses > 0 }),
      take.errors.isEmpty
    {
      throw .failed("with \(what) it fails without a message")
    }
    if let error = take.errors.first, error.hasSuffix(":") {
      throw .failed("with \(what) its error has no words")
    }
    for note in take.notes where take.errors.isEmpty {
      if let text = note.notFinite { throw .failed("with \(what), \(text)") }
    }
  }

  /// A take that shows something when others are compared with it.
  func reference(
    _ scene: Scene, plan: CallPlan? = nil, source: Source = .asValidated
  ) throws(Outcome) -> Take {
    guard !(plan ?? self.plan).outputs.isEmpty else { throw .skipped("it has no outputs") }
    let take = try playCleanly(scene, plan: plan, source: source)
    try requireSound(take.first)
    return take
  }

  func requireSound(_ note: NoteTake) throws(Outcome) {
    guard note.streams.contains(where: { !$0.values.isEmpty }) else {
      throw .skipped("its outputs are of types that are not compared")
    }
    guard note.peak > 0 else { throw .skipped("its output is zero, so comparing it shows nothing") }
  }

  /// A null depth up to which two notes are the same, dB: memory elsewhere can round otherwise where
  /// a library's vectors begin.
  private static let rounding = -200.0

  /// Requires two notes to be the same, up to a null depth in dB.
  func requireSame(
    _ note: NoteTake, _ reference: NoteTake, atMost depth: Double? = nil, count: Int? = nil,
    audioOnly: Bool = false, _ what: String, _ other: String
  ) throws(Outcome) {
    func show() { try? note.orchestra.write(toFile: path, atomically: false, encoding: .utf8) }
    if count == nil {
      for (a, b) in zip(note.streams, reference.streams) where a.values.count != b.values.count {
        show()
        throw .failed(
          "\(a.name) has \(a.values.count.counted("value")) \(what), \(b.values.count) \(other)")
      }
    }
    guard
      let difference = Difference.between(
        note, reference, count: count, audioOnly: audioOnly),
      !(difference.depth <= depth ?? Self.rounding)
    else { return }
    show()
    let how =
      depth == nil
      ? "" : ", a null depth of \(Self.decibels(difference.depth)) dB"
    throw .failed(difference.account(what, other) + how)
  }

  private static func decibels(_ value: Double) -> String {
    value.isFinite ? String(format: "%.1f", value) : "\(value)"
  }

  func requireAudio() throws(Outcome) {
    guard plan.hasAudioOutput else { throw .skipped("it has no audio output") }
  }

  func requirePerformance() throws(Outcome) {
    guard signature.thread & 2 != 0 || signature.slots.contains(.perform) else {
      throw .skipped("it has no performance pass")
    }
  }

  func requireNoViolation(_ kinds: NoteTake.Violation..., in take: Take) throws(Outcome) {
    for note in take.notes {
      for kind in kinds { if let text = note.violations[kind] { throw .failed(text) } }
    }
  }
}
