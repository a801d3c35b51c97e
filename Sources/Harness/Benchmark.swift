import CCsound
import CsoundHost
import Foundation

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

  /// Whether the interval is too wide, or the opcodes too cheap, for the ratio to mean anything.
  public var isTooNoisy: Bool {
    !(subject > 0 && rival > 0 && ratio.low > 0 && ratio.halfWidth <= 0.25 * ratio.value)
  }
}

/// Times three orchestras against one another: with the subject, with the rival, with neither.
///
/// All three run in this process on the same thread and floating-point mode, in turns of a few
/// milliseconds and in random order, so that whatever the machine does meanwhile meets all three.
/// Fresh engines are made several times, because where their memory lies is part of the luck.
public struct Benchmark: Sendable {
  public var engineSets = 8
  public var roundsPerSet = 16
  /// Aim for the length of a turn, seconds of the slowest orchestra.
  public var turn = 0.004
  public var seed: UInt64 = 1

  public init() {}

  private struct Round {
    var subject: Double
    var rival: Double
    var empty: Double
  }

  /// Nanoseconds per unit; `unitsPerCycle` is how many units one k-cycle holds. A turn is a multiple
  /// of `cyclesPerPeriod`.
  public func measure(
    subject: Orchestra, rival: Orchestra, empty: Orchestra, unitsPerCycle: Double,
    cyclesPerPeriod: Int = 1, with renderer: Renderer
  ) throws(Failure) -> Measurement {
    var generator = SeededGenerator(seed: seed)
    var groups: [[Round]] = []
    var heartbeat = renderer.heartbeat()
    for _ in 0..<engineSets {
      heartbeat.beat(seconds: 0)
      let engines = [
        try renderer.start(subject), try renderer.start(rival), try renderer.start(empty),
      ]
      let periods = (try turnLength(engines) + cyclesPerPeriod - 1) / cyclesPerPeriod
      let cycles = periods * cyclesPerPeriod
      var group: [Round] = []
      for _ in 0..<roundsPerSet {
        var seconds = [0.0, 0.0, 0.0]
        for index in [0, 1, 2].shuffled(using: &generator) {
          seconds[index] = try time(engines[index], cycles: cycles)
        }
        let scale = 1e9 / (Double(cycles) * unitsPerCycle)
        group.append(
          Round(
            subject: seconds[0] * scale, rival: seconds[1] * scale, empty: seconds[2] * scale))
      }
      groups.append(group)
    }
    var measurement = summarize(groups)
    if empty.takesNotes {
      let base = try bytesPerNote(empty, with: renderer)
      measurement.subjectBytes = try bytesPerNote(subject, with: renderer) - base
      measurement.rivalBytes = try bytesPerNote(rival, with: renderer) - base
    }
    return measurement
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

  private func summarize(_ groups: [[Round]]) -> Measurement {
    func cost(_ rounds: [Round], _ kind: KeyPath<Round, Double>) -> Double {
      rounds.map { $0[keyPath: kind] - $0.empty }.median
    }
    let rounds = groups.flatMap(\.self)
    return Measurement(
      subject: cost(rounds, \.subject), rival: cost(rounds, \.rival),
      ratio: bootstrap(groups, seed: seed) { cost($0, \.rival) / cost($0, \.subject) },
      rounds: rounds.count)
  }

  /// How many k-cycles make a turn. Warms the engines up on the way.
  private func turnLength(_ engines: [Csound]) throws(Failure) -> Int {
    var cycles = 1
    while cycles < 1 << 24 {
      var slowest = 0.0
      for engine in engines { slowest = max(slowest, try time(engine, cycles: cycles)) }
      if slowest >= turn { return cycles }
      cycles = slowest < turn / 8 ? cycles * 4 : Int(Double(cycles) * turn / slowest) + 1
      if slowest >= turn / 2 { return cycles }
    }
    return cycles
  }

  /// Seconds of processor time of this thread for a number of k-cycles.
  private func time(_ csound: Csound, cycles: Int) throws(Failure) -> Double {
    let start = threadTime()
    for _ in 0..<cycles {
      guard csound.performKsmps() else {
        throw Failure(.badInput, "The benchmark's orchestra ended before its measurement did.")
      }
    }
    return threadTime() - start
  }
}

/// Seconds of processor time of this thread.
func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
