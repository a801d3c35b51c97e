import CCsound
import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// The measured costs of a subject and its rival.
public struct Measurement: Codable, Equatable, Sendable {
  /// Nanoseconds per unit for the opcode alone: the orchestra's cost with the timed calls minus its cost
  /// without them.
  public var subject: Double
  public var rival: Double
  /// The rival's cost divided by the subject's: above 1, the subject is faster.
  public var ratio: Estimate
  /// How many timings of each orchestra count.
  public var rounds: Int
  /// Heap bytes that one more note takes; nil if the orchestra does not use the macro NOTES.
  public var subjectBytes: Double?
  public var rivalBytes: Double?

  public init(subject: Double, rival: Double, ratio: Estimate, rounds: Int) {
    self.subject = subject
    self.rival = rival
    self.ratio = ratio
    self.rounds = rounds
  }
}

/// The measurements of one process: the costs of subject and rival in each round of each set of
/// engines.
public struct ProcessTiming: Codable, Sendable {
  public var sets: [[CostPair]]
  /// Heap bytes that one more note takes; nil if the orchestra does not use the macro NOTES.
  public var subjectBytes: Double?
  public var rivalBytes: Double?
}

/// Times an orchestra with the subject, one with the rival, and what is subtracted from them: the orchestra with
/// neither or, for cheap opcodes, one with a first call of each.
///
/// All run in this process, on the same thread and in the same floating-point mode. They take
/// turns of a third of a millisecond in random order, so that interference from other programs affects
/// all alike; the slower half of the rounds is not counted. A row is timed in several processes, each
/// with several sets of new engines created in random order, because a cost also depends on where code
/// and data lie in memory.
public struct Benchmark: Sendable {
  /// The number of sets of engines per process.
  public var engineSets = 5
  public var roundsPerSet = 48
  /// The length of a turn to aim for, in seconds of the slowest orchestra.
  public var turn = 0.0003
  public var seed: UInt64 = 1
  /// To check the benchmark itself: the subject performs this fraction more k-cycles than are counted,
  /// so that it appears slower by this fraction; 0 otherwise.
  public var extraWork = 0.0
  /// Whether the memory per note is measured, too.
  public var countsBytes = false

  public init() {}

  /// How long one measurement may take.
  public enum Effort: String, Codable, Sendable {
    /// Long enough for a verdict: some seconds.
    case full
    /// About a second, for a first estimate.
    case brief

    /// That of a measurement which is to have a verdict: full, but brief in tests of what is done with it, for which
    /// the script sets OPCODEKIT_TESTS.
    public static var verdict: Effort {
      ProcessInfo.processInfo.environment["OPCODEKIT_TESTS"] == "brief" ? .brief : .full
    }

    /// The number of processes that time a row.
    public var processes: Int { self == .full ? 16 : 8 }

    /// The number of sets of engines per process.
    var engineSets: Int { self == .full ? 5 : 1 }

    /// The approximate time for a row, in seconds, including the creation of engines.
    var seconds: Double { self == .full ? 4.5 : 0.8 }
  }

  /// Times the orchestras, in nanoseconds per unit. One k-cycle is `unitsPerCycle` units, and a note has `calls` timed
  /// calls. `bases` is one orchestra for both, or one for each. A turn is a multiple of `cyclesPerPeriod` k-cycles. The
  /// first `cyclesBefore` k-cycles are not timed: until a signal has ended, if what follows is measured. Fails if an
  /// orchestra ends too soon or one of its notes fails.
  public func measure(
    subject: Orchestra, rival: Orchestra, bases: [Orchestra], calls: Int, unitsPerCycle: Double,
    cyclesPerPeriod: Int = 1, cyclesBefore: Int = 2, with renderer: Renderer
  ) throws(Failure) -> ProcessTiming {
    var generator = SeededGenerator(seed: seed)
    var heartbeat = renderer.heartbeat()
    var timing = ProcessTiming(sets: [])
    for _ in 0..<engineSets {
      heartbeat.beat(seconds: 0)
      timing.sets.append(
        try measureOnce(
          [subject, rival] + bases, unitsPerCycle, cyclesPerPeriod, cyclesBefore, with: renderer,
          &generator))
    }
    if countsBytes, subject.takesNotes {
      let base = try bases.map { base throws(Failure) in try bytesPerNote(base, with: renderer) }
      timing.subjectBytes =
        (try bytesPerNote(subject, with: renderer) - base.first!) / Double(calls)
      timing.rivalBytes = (try bytesPerNote(rival, with: renderer) - base.last!) / Double(calls)
    }
    return timing
  }

  /// The costs in each round of one set of engines.
  private func measureOnce(
    _ orchestras: [Orchestra], _ unitsPerCycle: Double, _ cyclesPerPeriod: Int,
    _ cyclesBefore: Int, with renderer: Renderer, _ generator: inout SeededGenerator
  ) throws(Failure) -> [CostPair] {
    var engines = [Csound?](repeating: nil, count: orchestras.count)
    for index in engines.indices.shuffled(using: &generator) {
      let engine = try renderer.start(orchestras[index])
      // The first k-cycle allocates the notes, whose place in memory also affects the cost.
      _ = try time(engine, cycles: cyclesBefore)
      engines[index] = engine
    }
    let running = engines.map { $0! }
    // A turn with extra work must be a whole number of periods too.
    let step = cyclesPerPeriod * (extraWork > 0 ? Int((1 / extraWork).rounded()) : 1)
    let cycles = (try turnLength(running) + step - 1) / step * step
    let work = orchestras.indices.map {
      Int((($0 == 0 ? 1 + extraWork : 1) * Double(cycles)).rounded())
    }
    let scale = 1e9 / (Double(cycles) * unitsPerCycle)
    var rounds: [[Double]] = []
    // A fourth orchestra takes the time of every other round; several calls are timed more exactly. The first round is
    // warm-up.
    for round in 0...(orchestras.count > 3 ? roundsPerSet / 2 : roundsPerSet) {
      var costs = try Self.allGoOn(running.takeTurns(of: work, using: &generator)).map {
        $0 * scale
      }
      if round == 0 { continue }
      // Subtracts the base's cost for the extra k-cycles, which is not the timed calls'.
      costs[0] -= extraWork * costs[2]
      rounds.append(costs)
    }
    // A note that failed costs nothing.
    for (orchestra, engine) in zip(orchestras, running) {
      try renderer.requireNotes(of: orchestra, in: engine)
    }
    return Self.undisturbed(rounds).map {
      CostPair(subject: $0[0] - $0[2], rival: $0[1] - $0.last!)
    }
  }

  /// The faster half of the rounds of the same engines, by the cost of all engines together: what made the others
  /// slower is other work on the machine.
  static func undisturbed(_ rounds: [[Double]]) -> [[Double]] {
    let totals = rounds.map { (round: $0, total: $0.reduce(0, +)) }
    return totals.sorted { $0.total < $1.total }.prefix((rounds.count + 1) / 2).map(\.round)
  }

  /// Heap bytes of one more note, from the difference between 5 notes and 1. Up to 1 MB per note that
  /// difference is too small beside the rest of the heap, and that between 192 notes and 64 is used.
  private func bytesPerNote(
    _ orchestra: Orchestra, with renderer: Renderer
  ) throws(Failure) -> Double {
    func bytes(notes: Int) throws(Failure) -> Double {
      let before = ccs_heap_bytes()
      let orchestra = orchestra.with(["NOTES": "\(notes)"])
      let engine = try renderer.start(orchestra)
      for _ in 0..<2 { _ = engine.performKsmps() }
      let after = ccs_heap_bytes()
      try renderer.requireNotes(of: orchestra, in: engine)
      return withExtendedLifetime(engine) { Double(after) - Double(before) }
    }
    let estimate = (try bytes(notes: 5) - bytes(notes: 1)) / 4
    return estimate > 0x10_0000 ? estimate : (try bytes(notes: 192) - bytes(notes: 64)) / 128
  }

  /// The number of k-cycles in a turn. Finding it also warms up the engines.
  private func turnLength(_ engines: [Csound]) throws(Failure) -> Int {
    var cycles = 1
    while cycles < 1 << 24 {
      var slowest = 0.0
      for engine in engines {
        // The faster of two runs, because the other may have been interrupted.
        slowest = max(
          slowest, min(try time(engine, cycles: cycles), try time(engine, cycles: cycles)))
      }
      if slowest >= turn { return cycles }
      cycles = slowest < turn / 8 ? cycles * 4 : Int(Double(cycles) * turn / slowest) + 1
      if slowest >= turn / 2 { return cycles }
    }
    return cycles
  }

  /// The processor time of `cycles` k-cycles on this thread, in seconds.
  private func time(_ csound: Csound, cycles: Int) throws(Failure) -> Double {
    try Self.allGoOn([csound.takeTurn(of: cycles)])[0]
  }

  /// The processor times of turns, in seconds. Fails if an engine's score has ended.
  private static func allGoOn(_ turns: [Turn]) throws(Failure) -> [Double] {
    guard turns.allSatisfy(\.goesOn) else {
      throw .badInput("The benchmark's orchestra ended before its measurement did.")
    }
    return turns.map(\.seconds)
  }
}
