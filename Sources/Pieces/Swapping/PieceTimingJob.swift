import Comparing
import CsoundHost
import HarnessBase
import Rendering

/// Times a piece and variants of it in one process: they play side by side, in turns.
public struct PieceTimingJob: Job {
  /// The piece first, then its variants.
  var orchestras: [Orchestra]
  var stage: PieceStage
  /// Seconds of sound that are timed.
  var duration: Double
  /// How often new engines are made, at least. More are made until all ratios are precise.
  var fewestSets: Int
  /// Seconds of processor time after which no more are made.
  var patience: Double
  var seed: UInt64 = 1

  public func perform(in worker: WorkerContext) throws(Failure) -> PieceTiming {
    try stage.enter(toPlay: orchestras[0])
    var generator = SeededGenerator(seed: seed)
    var timing = PieceTiming()
    // One heartbeat for all sets of engines, as a set often takes less than a second.
    var heartbeat = worker.renderer.heartbeat()
    let start = threadTime()
    repeat {
      try timing.add(play(by: worker.renderer, &generator, &heartbeat))
    } while timing.sets.count < fewestSets
      || (!timing.isPrecise && threadTime() - start < patience)
    return timing
  }

  /// Makes a set of engines and plays all of them. Returns the nanoseconds per frame of each.
  private func play(
    by renderer: Renderer, _ generator: inout SeededGenerator,
    _ heartbeat: inout Renderer.Heartbeat
  ) throws(Failure) -> [Double] {
    // In random order, as the place of their memory affects the speed.
    var made: [StagedPiece?] = orchestras.map { _ in nil }
    for index in made.indices.shuffled(using: &generator) {
      made[index] = try StagedPiece(orchestras[index], by: renderer)
    }
    var pieces = made.map { $0! }
    let engines = pieces.map(\.csound)
    let cyclesPerSecond = engines[0].sampleRate / Double(engines[0].ksmps)
    let most = max(1, Int((duration * cyclesPerSecond).rounded(.up)))
    var costs = engines.map { _ in 0.0 }
    var (played, length) = (0, 1)
    while played < most {
      let cycles = min(length, most - played)
      let turns = engines.takeTurns(of: engines.map { _ in cycles }, using: &generator)
      for (index, turn) in turns.enumerated() { costs[index] += turn.seconds }
      guard turns.allSatisfy(\.goesOn) else { break }
      played += cycles
      for index in pieces.indices { pieces[index].feed() }
      heartbeat.beat(seconds: Double(played) / cyclesPerSecond)
      let slowest = turns.map(\.seconds).max() ?? 0
      // The speed of a piece varies, so the length of turns is adapted slowly.
      if slowest < Benchmark().turn / 2 { length *= 2 }
      if slowest > Benchmark().turn * 2 { length = max(1, length / 2) }
    }
    guard played > 0 else {
      throw .badInput("'\(orchestras[0].path)' ends before it can be timed.")
    }
    return costs.map { $0 * 1e9 / Double(played * engines[0].ksmps) }
  }
}

/// The result of a `PieceTimingJob`: for each set of engines the nanoseconds per frame of each
/// orchestra.
public struct PieceTiming: Codable, Sendable {
  private(set) var sets: [[Double]] = []

  mutating func add(_ costs: [Double]) { sets.append(costs) }

  /// The speed of the orchestra at this index against the first one.
  func measurement(of index: Int) -> Measurement {
    let pairs = sets.map { CostPair(subject: $0[index], rival: $0[0]) }
    return Measurement(
      subject: pairs.map(\.subject).median, rival: pairs.map(\.rival).median,
      ratio: CostRatio(pairs.map { [$0] }).estimate, rounds: sets.count)
  }

  fileprivate var isPrecise: Bool {
    (1..<sets[0].count).allSatisfy { measurement(of: $0).ratio.isPrecise }
  }
}
