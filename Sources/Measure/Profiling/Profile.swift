import Foundation
import Rendering

/// Where an orchestra's rendering time goes. Times are seconds, tracing subtracted.
public struct Profile: Codable, Sendable {
  public var path: String
  public var sampleRate: Double
  public var ksmps: Int
  public var soundSeconds: Double
  /// What the fastest render without a trace took.
  public var load: ProfileTake.Load
  /// Reading and compiling the orchestra, with its global init pass: all that comes before the first
  /// k-cycle. What follows is about k-cycles.
  public var startSeconds: Double
  public var tracing: Tracing
  /// The part of the rendering time that opcodes, tracing subtracted, and the engine's named work
  /// account for, or the inverse where they are more: 0 to 1. The rendering time is told by all
  /// k-cycles, with what tracing took of the timed ones subtracted.
  public var accounted: Double
  public var engine: Engine
  public var instruments: [Row]
  public var opcodes: [Row]
  public var lines: [Row]
  public var calls: [Call]
  /// What each instrument took, by stretch of k-cycles.
  public var instrumentLoads: [InstrumentLoad]
  public var noteErrors: [String]
  /// All instructions of the k-cycles, where they were counted. Then what is called seconds are
  /// instructions too, but for `load` and `startSeconds`.
  public var instructions: Int?

  /// How the trace was made and what it cost.
  public struct Tracing: Codable, Sendable {
    public var renders: Int
    /// The part of the k-cycles in which calls were traced.
    public var timedShare: Double
    /// k-cycles of the traced render that other work on the machine disturbed; they are left out.
    public var disturbedCycles: Int
    /// Performance passes: counted, or estimated where not every k-cycle is traced.
    public var passes: Int
    /// The fastest traced render over the fastest other one, less 1.
    public var slowdown: Double
    /// What tracing took in that traced render, as a part of the rest, by how much longer its timed
    /// k-cycles took than the others.
    public var overhead: Double
    /// What was subtracted, as a part of the time of timed k-cycles.
    public var subtracted: Double
    public var nanosecondsPerTimedPass: Double
    /// Whether all renders gave the same samples to the last bit.
    public var isBitIdentical: Bool
    public var threads: Int
    /// Passes for which there was no memory.
    public var unrecorded: Int
  }

  /// What the engine itself does, in the k-cycles of the whole render.
  public struct Engine: Codable, Sendable {
    /// Score events, starting and ending notes, filling tables.
    public var events: Double
    /// The part of it that is timed in every k-cycle: events and starting notes, without their init
    /// passes.
    public var starting: Double
    /// From one note's opcodes to the next one's.
    public var notes: Double
    /// Clearing, mixing and handing over the output.
    public var output: Double

    public var seconds: Double { events + notes + output }
  }

  /// A line of a table: an instrument, an opcode or a line of the orchestra.
  public struct Row: Codable, Sendable {
    public var name: String
    /// File and line, and its text; for lines of the orchestra.
    public var file: String?
    public var line: Int?
    public var text: String?
    /// Performance passes, their own time, and with what they called.
    public var passes: Int
    public var seconds: Double
    public var total: Double
    /// Samples computed: passes times the block's length.
    public var samples: Int
    /// The longest that one statement of it took in one k-cycle.
    public var worst: Double
    public var inits: Int
    public var initSeconds: Double
    /// Init passes before the first k-cycle, which are in no sum.
    public var startSeconds: Double
    public var worstInit: Double
    /// Notes begun and the most at a time; for instruments.
    public var notes: Int?
    public var mostNotes: Int?
    public var isUserOpcode: Bool?

    /// How far its part of the whole, with what it calls, may be wrong, because not every k-cycle was
    /// timed and because what tracing took of each call is known on average only; nil when too few
    /// k-cycles were timed to tell.
    public var doubt: Double?

    /// Performance and init.
    public var ownSeconds: Double { seconds + initSeconds }
  }

  /// A statement at its place in the tree of calls.
  public struct Call: Codable, Sendable {
    public var caller: Int?
    public var opcode: String
    public var body: String
    public var isUserOpcode: Bool
    public var file: Int
    public var line: Int
    public var passes: Int
    public var seconds: Double
    public var total: Double
    public var inits: Int
    public var initSeconds: Double
    public var initTotal: Double
    public var worst: Double
    /// The names of what it computes, where the orchestra has names for it.
    public var outputs: [String]
    /// The place of its instrument or user-defined opcode among those of the file, nil where it was
    /// compiled in performance; and its own among the statements there.
    public var bodyPlace: Int?
    public var index: Int
  }

  public struct InstrumentLoad: Codable, Sendable {
    public var name: String
    /// Seconds by stretch.
    public var seconds: [Double]
  }

  /// All that lines and the engine took.
  public var wholeSeconds: Double { lines.reduce(engine.seconds) { $0 + $1.ownSeconds } }
  /// Real time over rendering time.
  public var speed: Double { soundSeconds / load.seconds }
  /// What a k-cycle may take to be in time.
  public var deadline: Double { Double(ksmps) / sampleRate }

  /// What leaving lines out saves, where that was tried.
  public var removal: RemovalTrial?

  /// The files that lines are in, the CSD first.
  public var files: [SourceText]

  public struct SourceText: Codable, Sendable {
    public var path: String
    public var lines: [String]
  }
}

extension Profile {
  /// `plain` are renders without a trace, `traced` with one, of the same orchestra; neither is empty.
  init(_ orchestra: Orchestra, plain: [ProfileTake], traced: [ProfileTake]) {
    let fastest = plain.min { $0.load.seconds < $1.load.seconds }!
    let take = traced.min { $0.load.seconds < $1.load.seconds }!
    let trace = take.trace!
    let source = OrchestraSource(readingFrom: orchestra.path)
    let tree = CallTree(trace, take.load, source)

    path = orchestra.path
    (sampleRate, ksmps) = (take.sampleRate, take.ksmps)
    soundSeconds = take.soundSeconds
    load = fastest.load
    load.takeLongest(from: plain.map(\.load), deadline: Double(take.ksmps) / take.sampleRate)
    for (index, stretch) in take.load.stretches.enumerated()
    where load.stretches.indices.contains(index) {
      load.stretches[index].mostNotes = stretch.mostNotes
    }
    startSeconds = plain.map(\.startSeconds).min()!
    noteErrors = take.noteErrors

    let (cycles, scale) = (trace.cycles, tree.scale)
    let factor = tree.tracingFactor
    func own(_ seconds: Double, _ tracing: Double) -> Double { max(0, seconds - tracing) * scale }
    engine = Engine(
      events: own(trace.engine.beforeNotes, trace.engine.tracingBefore) + trace.engine.starting,
      starting: trace.engine.starting,
      notes: own(trace.engine.betweenNotes, trace.engine.tracingBetween),
      output: own(trace.engine.afterNotes, 0))
    // The time of the thread that performs; what others did meanwhile is its waiting.
    let main = tree.calls.indices.filter { trace.calls[$0].thread == 0 }
    let initializing = main.filter { tree.initializesInCycles($0) }
    let inits = initializing.reduce(0) { $0 + tree.calls[$1].initSeconds }
    let known = main.reduce(engine.seconds + inits) { $0 + tree.calls[$1].seconds }
    let whole = own(cycles.seconds, cycles.tracing * factor) + trace.engine.starting + inits
    let passCost = trace.cost.whole * factor
    let timedPasses = main.reduce(0) { $0 + trace.calls[$1].timedPasses }
    // The first of each run is traced and not timed.
    let tracing =
      cycles.timedTracing * factor * Double(main.reduce(0) { $0 + trace.calls[$1].passes })
      / Double(max(1, timedPasses))
      + passCost * Double(initializing.reduce(0) { $0 + trace.calls[$1].inits })
    self.tracing = Tracing(
      renders: plain.count + traced.count,
      timedShare: Double(cycles.drawn) / Double(take.load.cycles),
      disturbedCycles: take.load.disturbedCycles,
      passes: tree.calls.reduce(0) { $0 + $1.passes },
      slowdown: traced.map(\.performSeconds).min()! / plain.map(\.performSeconds).min()! - 1,
      overhead: (tracing + cycles.beside + trace.engine.recording) / whole,
      subtracted: cycles.timedTracing * factor / max(cycles.timedSeconds, .leastNormalMagnitude),
      nanosecondsPerTimedPass: passCost * 1e9,
      isBitIdentical: Set((plain + traced).map(\.digest)).count == 1,
      threads: trace.engine.threads, unrecorded: trace.engine.unrecorded)
    accounted = max(0, min(known / whole, whole / known))

    instruments = tree.instruments(trace.instruments)
    opcodes = tree.opcodes()
    lines = tree.lines(of: known)
    calls = tree.calls
    files = source.files.map { SourceText(path: $0.path, lines: $0.lines) }
    instrumentLoads = instruments.compactMap { row in
      let versions = trace.instruments.filter { $0.body.label == row.name }
      guard let first = versions.first else { return nil }
      let sums = versions.dropFirst().reduce(first.seconds) { zip($0, $1.seconds).map(+) }
      return InstrumentLoad(name: row.name, seconds: sums)
    }
  }
}

extension ProfileTake.Load {
  /// What the longest k-cycles took, from several renders of the same.
  ///
  /// Of the renders that were left in peace for a whole stretch, the one with the shortest longest
  /// k-cycle tells what that takes: the machine can only add to it. Of those that were disturbed, each
  /// may have lost its longest, so that the longest they have counts.
  fileprivate mutating func takeLongest(from renders: [ProfileTake.Load], deadline: Double) {
    for index in stretches.indices {
      let others = renders.filter { $0.stretches.indices.contains(index) }
        .map { $0.stretches[index] }
      let calm = others.filter { $0.calmCycles == $0.cycles }
      let best =
        calm.min { $0.worst < $1.worst } ?? others.max { $0.worst < $1.worst } ?? stretches[index]
      (stretches[index].worst, stretches[index].lateCycles) = (best.worst, best.lateCycles)
      if let seconds = calm.map(\.seconds).min() { stretches[index].seconds = seconds }
    }
    guard let longest = stretches.indices.max(by: { stretches[$0].worst < stretches[$1].worst })
    else { return }
    worstCycle =
      renders.first { $0.worstCycle / cyclesPerStretch == longest }?.worstCycle
      ?? longest * cyclesPerStretch
    worst = stretches[longest].worst
    lateCycles = stretches.reduce(0) { $0 + $1.lateCycles }
    largestBacklog = max(0, worst - deadline, renders.map(\.largestBacklog).min() ?? 0)
  }
}

extension ProfileTake.Body {
  var label: String {
    if isUserOpcode { return "opcode \(name ?? "?")" }
    return number == 0 ? "instr 0" : "instr \(name ?? "\(number)")"
  }
}
