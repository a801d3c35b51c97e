import CCsound
import CsoundHost
import Foundation
import HarnessBase
import Rendering
import Statistics

/// The cost of a subject beside its rival's.
public struct Measurement: Codable, Equatable, Sendable {
  /// Nanoseconds per unit for the opcode alone: with it minus without it.
  public var subject: Double
  public var rival: Double
  /// Rival cost over subject cost: above 1 the subject is faster.
  public var ratio: Estimate
  /// How many times each orchestra was timed.
  public var rounds: Int
  /// Heap bytes that one more note takes; absent where the orchestra has no macro NOTES.
  public var subjectBytes: Double?
  public var rivalBytes: Double?

  public init(subject: Double, rival: Double, ratio: Estimate, rounds: Int) {
    self.subject = subject
    self.rival = rival
    self.ratio = ratio
    self.rounds = rounds
  }
}

/// What one process found: the costs of subject and rival, round by round, for each of its sets of engines.
public struct ProcessTiming: Codable, Sendable {
  public var sets: [[CostPair]]
  /// Heap bytes that one more note takes; absent where the orchestra has no macro NOTES.
  public var subjectBytes: Double?
  public var rivalBytes: Double?

  public init(sets: [[CostPair]]) { self.sets = sets }
}

/// Times three orchestras against one another: with the subject, with the rival, with neither.
///
/// All three run in this process on the same thread and floating-point mode, in turns of a third of a
/// millisecond and in random order, so that whatever the machine does meanwhile affects all three.
/// A row is timed in several processes, each with several sets of fresh engines made in random order,
/// because a cost also depends on where code and data lie in memory.
public struct Benchmark: Sendable {
  /// How often engines are made.
  public var engineSets = 5
  public var roundsPerSet = 48
  /// Aim for the length of a turn, seconds of the slowest orchestra.
  public var turn = 0.0003
  public var seed: UInt64 = 1
  /// For a benchmark of the benchmark: the subject performs this fraction of k-cycles more than are
  /// counted, which makes it slower by as much.
  public var extraWork = 0.0
  /// Whether the memory of a note is measured, too.
  public var countsBytes = false

  public init() {}

  /// How long one measurement may take.
  public enum Effort: String, Codable, Sendable {
    /// As long as a verdict needs, some seconds.
    case full
    /// About a second, for a first look.
    case brief

    /// How many processes time a row.
    public var processes: Int {
      switch self {
      case .full: 16
      case .brief: 8
      }
    }

    /// How often each of them makes engines.
    var engineSets: Int {
      switch self {
      case .full: 5
      case .brief: 1
      }
    }

    /// About what a row takes, engines included.
    var seconds: Double {
      switch self {
      case .full: 4.5
      case .brief: 0.8
      }
    }
  }

  /// Nanoseconds per unit; `unitsPerCycle` is how many units one k-cycle holds. A turn is a multiple
  /// of `cyclesPerPeriod`.
  public func measure(
    subject: Orchestra, rival: Orchestra, empty: Orchestra, unitsPerCycle: Double,
    cyclesPerPeriod: Int = 1, with renderer: Renderer
  ) throws(Failure) -> ProcessTiming {
    var generator = SeededGenerator(seed: seed)
    var heartbeat = renderer.heartbeat()
    var timing = ProcessTiming(sets: [])
    for _ in 0..<engineSets {
      heartbeat.beat(seconds: 0)
      timing.sets.append(
        try measureOnce(
          [subject, rival, empty], unitsPerCycle, cyclesPerPeriod, with: renderer, &generator))
    }
    if countsBytes, empty.takesNotes {
      let base = try bytesPerNote(empty, with: renderer)
      timing.subjectBytes = try bytesPerNote(subject, with: renderer) - base
      timing.rivalBytes = try bytesPerNote(rival, with: renderer) - base
    }
    return timing
  }

  /// The rounds of one set of engines.
  private func measureOnce(
    _ orchestras: [Orchestra], _ unitsPerCycle: Double, _ cyclesPerPeriod: Int,
    with renderer: Renderer, _ generator: inout SeededGenerator
  ) throws(Failure) -> [CostPair] {
    var engines: [Csound?] = [nil, nil, nil]
    for index in engines.indices.shuffled(using: &generator) {
      let engine = try renderer.start(orchestras[index])
      // The first k-cycle makes the notes: their memory is part of the luck too.
      _ = try time(engine, cycles: 2)
      engines[index] = engine
    }
    let running = engines.map { $0! }
    // A turn with extra work must hold whole periods too.
    let step = cyclesPerPeriod * (extraWork > 0 ? Int((1 / extraWork).rounded()) : 1)
    let cycles = (try turnLength(running) + step - 1) / step * step
    let work = [1 + extraWork, 1, 1].map { Int(($0 * Double(cycles)).rounded()) }
    let scale = 1e9 / (Double(cycles) * unitsPerCycle)
    var rounds: [CostPair] = []
    // The first round is warm-up.
    for round in 0...roundsPerSet {
      var costs = try Self.allGoOn(running.takeTurns(of: work, using: &generator)).map {
        $0 * scale
      }
      if round == 0 { continue }
      // The empty orchestra does no extra work; what it would have cost is no cost of the opcode.
      costs[0] -= extraWork * costs[2]
      rounds.append(CostPair(subject: costs[0] - costs[2], rival: costs[1] - costs[2]))
    }
    return rounds
  }

  /// Heap bytes of one more note: what 5 take more than 1, or, as little memory does not stand out from
  /// the rest of the heap, 192 more than 64.
  private func bytesPerNote(
    _ orchestra: Orchestra, with renderer: Renderer
  ) throws(Failure) -> Double {
    func bytes(notes: Int) throws(Failure) -> Double {
      let before = ccs_heap_bytes()
      let engine = try renderer.start(orchestra.with(["NOTES": "\(notes)"]))
      for _ in 0..<2 { _ = engine.performKsmps() }
      let after = ccs_heap_bytes()
      return withExtendedLifetime(engine) { Double(after) - Double(before) }
    }
    let estimate = (try bytes(notes: 5) - bytes(notes: 1)) / 4
    return estimate > 0x10_0000 ? estimate : (try bytes(notes: 192) - bytes(notes: 64)) / 128
  }

  /// How many k-cycles make a turn. Warms the engines up on the way.
  private func turnLength(_ engines: [Csound]) throws(Failure) -> Int {
    var cycles = 1
    while cycles < 1 << 24 {
      var slowest = 0.0
      for engine in engines {
        // The faster of two: the other may have been interrupted.
        slowest = max(
          slowest, min(try time(engine, cycles: cycles), try time(engine, cycles: cycles)))
      }
      if slowest >= turn { return cycles }
      cycles = slowest < turn / 8 ? cycles * 4 : Int(Double(cycles) * turn / slowest) + 1
      if slowest >= turn / 2 { return cycles }
    }
    return cycles
  }

  /// Seconds of processor time of this thread for a number of k-cycles.
  private func time(_ csound: Csound, cycles: Int) throws(Failure) -> Double {
    try Self.allGoOn([csound.takeTurn(of: cycles)])[0]
  }

  /// The seconds of turns after which no engine has ended.
  private static func allGoOn(_ turns: [Turn]) throws(Failure) -> [Double] {
    guard turns.allSatisfy(\.goesOn) else {
      throw Failure(.badInput, "The benchmark's orchestra ended before its measurement did.")
    }
    return turns.map(\.seconds)
  }
}
