import Foundation
import Rendering

/// Where an orchestra's rendering time goes. Times are in seconds, without the overhead of tracing.
public struct Profile: Codable, Sendable {
  public var path: String
  public var sampleRate: Double
  public var ksmps: Int
  public var soundSeconds: Double
  /// The load of the fastest render without tracing.
  public var load: ProfileTake.Load
  /// The time before the first k-cycle: reading and compiling the orchestra, and the global init pass.
  /// The other figures are about k-cycles.
  public var startSeconds: Double
  public var tracing: Tracing
  /// The part of the rendering time that the opcodes and the engine's listed work account for, or the
  /// inverse if their sum is larger than the rendering time: 0 to 1. The rendering time is that of all
  /// k-cycles, without the tracing overhead of the timed ones.
  public var accounted: Double
  public var engine: Engine
  public var instruments: [Row]
  public var opcodes: [Row]
  public var lines: [Row]
  public var calls: [Call]
  /// The seconds of each instrument in each stretch of k-cycles.
  public var instrumentLoads: [InstrumentLoad]
  public var noteErrors: [String]
  /// All instructions of the k-cycles, if they were counted. In that case all values called seconds are
  /// instructions, too, except those in `load` and `startSeconds`.
  public var instructions: Int?

  /// What each round, a render with tracing and one without, took; nil if instructions were counted.
  public var rounds: [Round]?

  /// The figures of one round: seconds of all k-cycles without tracing, and the own seconds of each row of the tables,
  /// in the tables' order.
  public struct Round: Codable, Sendable {
    var whole: Double
    var instruments, opcodes, lines: [Double]
  }

  /// How the trace was made and what it cost.
  public struct Tracing: Codable, Sendable {
    public var renders: Int
    /// The part of the k-cycles in which calls were timed, 0 to 1.
    public var timedShare: Double
    /// k-cycles of the traced render that other processes interrupted; they are left out.
    public var disturbedCycles: Int
    /// The number of performance passes: counted, or estimated if not every k-cycle was traced.
    public var passes: Int
    /// The time of the fastest traced render divided by that of the fastest other render, minus 1.
    public var slowdown: Double
    /// The overhead of tracing in the fastest traced render, as a part of the rest of its time. It is
    /// estimated from how much longer timed k-cycles took than the others.
    public var overhead: Double
    /// The overhead that was subtracted, as a part of the time of the timed k-cycles.
    public var subtracted: Double
    public var nanosecondsPerTimedPass: Double
    /// Whether the samples of all renders are bit-identical.
    public var isBitIdentical: Bool
    public var threads: Int
    /// Passes that could not be recorded because memory ran out.
    public var unrecorded: Int
  }

  /// The engine's own work in the k-cycles of the whole render.
  public struct Engine: Codable, Sendable {
    /// Score events, starting and ending notes, filling tables.
    public var events: Double
    /// The part of `events` that is timed in every k-cycle: events and starting notes, without the notes'
    /// init passes.
    public var starting: Double
    /// From the last opcode of a note to the first opcode of the next note.
    public var notes: Double
    /// Clearing, mixing and delivering the output.
    public var output: Double

    public var seconds: Double { events + notes + output }
  }

  /// A line of a table: an instrument, an opcode or a line of the orchestra.
  public struct Row: Codable, Sendable {
    public var name: String
    /// For lines of the orchestra: the file, the line's number and its text.
    public var file: String?
    public var line: Int?
    public var text: String?
    /// Performance passes, their own time, and their time including the calls inside them.
    public var passes: Int
    public var seconds: Double
    public var total: Double
    /// Samples computed: passes times the block's length.
    public var samples: Int
    /// The longest time that one of its statements took in one k-cycle.
    public var worst: Double
    public var inits: Int
    public var initSeconds: Double
    /// The time of init passes before the first k-cycle; it is not part of any sum.
    public var startSeconds: Double
    public var worstInit: Double
    /// For instruments: notes started, and the largest number of notes at the same time.
    public var notes: Int?
    public var mostNotes: Int?
    public var isUserOpcode: Bool?

    /// The uncertainty of its part of the whole, including the calls inside it, 0 to 1. It arises because
    /// not every k-cycle is timed and because the overhead per call is known only on average. Nil if too
    /// few k-cycles were timed.
    public var doubt: Double?

    /// What the row is called in the other rounds of the same piece.
    var identity: [String] { [name, file ?? "", "\(line ?? 0)"] }

    /// The own time of performance and init passes.
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
    /// The names of its outputs, without those that Csound has made up for steps of expressions.
    public var outputs: [String]
    /// The index of its instrument or user-defined opcode among those of the file (nil if it was compiled
    /// during the performance), and its own index among the statements there.
    public var bodyPlace: Int?
    public var index: Int
  }

  public struct InstrumentLoad: Codable, Sendable {
    public var name: String
    /// The seconds in each stretch.
    public var seconds: [Double]
  }

  /// The seconds of all lines and the engine.
  public var wholeSeconds: Double { lines.reduce(engine.seconds) { $0 + $1.ownSeconds } }
  /// The length of the sound divided by the rendering time; above 1, faster than real time.
  public var speed: Double { soundSeconds / load.seconds }
  /// The seconds that a k-cycle may take in real time.
  public var deadline: Double { Double(ksmps) / sampleRate }

  /// The result of leaving lines out; nil if that was not tried.
  public var removal: RemovalTrial?

  /// The files with the orchestra's lines, the CSD first.
  public var files: [SourceText]

  public struct SourceText: Codable, Sendable {
    public var path: String
    public var lines: [String]
  }
}

extension Profile {
  /// `plain` are renders of the orchestra without tracing, `traced` with tracing; neither is empty.
  init(_ orchestra: Orchestra, plain: [ProfileTake], traced: [ProfileTake]) {
    self.init(of: orchestra, plain: plain, traced: traced)
    let one = plain.count == 1
    let profiles =
      one ? [self] : zip(plain, traced).map { Profile(of: orchestra, plain: [$0], traced: [$1]) }
    rounds = profiles.map { round in
      func seconds(_ table: KeyPath<Profile, [Row]>) -> [Double] {
        let known = Dictionary(round[keyPath: table].map { ($0.identity, $0.ownSeconds) }) {
          $0 + $1
        }
        return self[keyPath: table].map { known[$0.identity] ?? 0 }
      }
      return Round(
        whole: round.load.seconds, instruments: seconds(\.instruments), opcodes: seconds(\.opcodes),
        lines: seconds(\.lines))
    }
  }

  private init(of orchestra: Orchestra, plain: [ProfileTake], traced: [ProfileTake]) {
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
    func before(_ seconds: Double, _ tracing: Double) -> Double {
      tree.overlap.seconds(ofEngine: seconds, tracing: tracing) * scale
    }
    engine = Engine(
      events: before(trace.engine.beforeNotes, trace.engine.tracingBefore)
        + trace.engine.starting,
      starting: trace.engine.starting,
      notes: before(trace.engine.betweenNotes, trace.engine.tracingBetween),
      output: own(trace.engine.afterNotes, 0))
    // Only the main thread's time: the work of the other threads is waiting time of the main thread.
    let main = tree.calls.indices.filter { trace.calls[$0].thread == 0 }
    let initializing = main.filter { tree.initializesInCycles($0) }
    let inits = initializing.reduce(0) { $0 + tree.calls[$1].initSeconds }
    let known = main.reduce(engine.seconds + inits) { $0 + tree.calls[$1].seconds }
    let whole = own(cycles.seconds, cycles.tracing * factor) + trace.engine.starting + inits
    let passCost = trace.cost.whole * factor
    let timedPasses = main.reduce(0) { $0 + trace.calls[$1].timedPasses }
    // The first k-cycle of each run is traced but not timed.
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
  /// Sets the times of the longest k-cycles from several renders of the same orchestra.
  ///
  /// Interference can only make a k-cycle longer. So for each stretch, the smallest maximum of the
  /// renders that were undisturbed in the whole stretch is used. If all were disturbed, the largest
  /// maximum is used, because the longest k-cycle may be among those left out.
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
