import HarnessBase
import Rendering

/// A check of the benchmark itself: it times an opcode against its rival several times, against itself,
/// and against itself with 5 % more work.
public struct SelfCheck: Sendable {
  /// The fraction of uncounted extra work that slows the subject down.
  public static let slowdown = 0.05
  /// How many times the slowdown is measured.
  public static let slowRuns = 5
  /// The minimum share of estimates that must lie within the intervals of other runs, 0 to 1.
  public static let leastShare = 0.95

  public var place: BenchmarkPlace
  /// Measurements of the opcode against its rival, all of the same row.
  public var reruns: [Measurement] = []
  /// Measurements of the opcode against itself: the true ratio is 1.
  public var equal: [Measurement] = []
  /// Measurements of the slowed-down opcode against the opcode: the true ratio is 1/1.05.
  public var slowed: [Measurement] = []

  /// How often an estimate lies within the interval of another run, and the number of such comparisons.
  /// Each run's estimate is compared with the interval of every other run.
  public var kept: (count: Int, total: Int) {
    let count = reruns.indices.reduce(0) { sum, index in
      sum
        + reruns.indices.count {
          $0 != index && reruns[$0].ratio.contains(reruns[index].ratio.value)
        }
    }
    return (count, reruns.count * (reruns.count - 1))
  }

  /// Whether one run called the opcode faster and another called it slower.
  public var contradictsItself: Bool {
    let verdicts = Set(reruns.map(\.verdict))
    return verdicts.isSuperset(of: [.faster, .slower])
  }

  /// The number of intervals in `equal` that contain the true ratio, 1.
  public var holding: Int { equal.count { $0.ratio.contains(1) } }

  /// The minimum number of `runs` intervals that must contain the true ratio. If each interval contains
  /// it with a probability of 99 %, fewer have a probability below 1 %.
  public static func fewestHolding(of runs: Int) -> Int {
    // From no interval that misses on: the probability that all miss is too small a number for many runs.
    var probability = 1.0
    for _ in 0..<runs { probability *= 0.99 }
    var sum = 0.0
    for misses in 0..<runs {
      sum += probability
      if sum > 0.99 { return runs - misses }
      probability *= Double(runs - misses) / Double(misses + 1) * (0.01 / 0.99)
    }
    return 0
  }

  public var holdsOftenEnough: Bool { holding >= Self.fewestHolding(of: equal.count) }

  /// Whether the slowdown was found in each measurement that was not too noisy; nil if all were.
  public var findsSlowdown: Bool? {
    let verdicts = slowed.map(\.verdict).filter { $0 != .tooNoisy }
    return verdicts.isEmpty ? nil : verdicts.allSatisfy { $0 == .slower }
  }

  public var passed: Bool { holdsOftenEnough && findsSlowdown != false && !contradictsItself }
}

extension Collection<SelfCheck> {
  /// The share of estimates within the intervals of other runs, 0 to 1; 1 if there was only one run.
  public var keptShare: Double {
    let (count, total) = reduce((0, 0)) { ($0.0 + $1.kept.count, $0.1 + $1.kept.total) }
    return total == 0 ? 1 : Double(count) / Double(total)
  }

  /// Whether each check passed, and `keptShare` over all rows is large enough.
  public var passed: Bool {
    allSatisfy(\.passed) && keptShare >= SelfCheck.leastShare
  }
}

extension Grid {
  /// Checks the benchmark on one row of each pairing. The row has the first of the selected rates,
  /// sample rates and ksmps; the defaults are the pairing's first rates, its benchmark's sample rate,
  /// and ksmps 64 or its benchmark's first. Each run has its own seed. The rows take turns, so that the
  /// runs of a row are spread over time.
  public func selfCheck(
    _ pairings: [Pairing], _ selection: Selection, effort: Benchmark.Effort, runs: Int,
    seed: UInt64,
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(Failure) -> [SelfCheck] {
    var checks: [SelfCheck] = []
    var jobs: [BenchmarkJob] = []
    for pairing in pairings {
      try buildRival(pairing)
      try check(pairing, selection)
      try checkUsesEmptyMacro(pairing)
      guard let row = try rows(pairing, selfCheckRow(of: pairing, selection), seed: 0).first else {
        throw .usage("\(pairing.name) has none of the selected rates.")
      }
      checks.append(SelfCheck(place: row.place))
      jobs.append(row.job)
    }
    let all = jobs.count * (2 * runs + SelfCheck.slowRuns)
    var done = 0
    func time(
      _ index: Int, againstItself: Bool = true, extraWork: Double = 0
    ) throws(Failure) -> Measurement {
      var job = jobs[index]
      if againstItself { job.rival = job.subject }
      job.extraWork = extraWork
      job.seed = seed &+ UInt64(done) << 8
      let measurement = try self.time([job], pairings[index], effort)[0]
        .reply(of: "Timing \(checks[index].place.work)")
      done += 1
      progress(done, all)
      return measurement
    }
    for run in 0..<max(runs, SelfCheck.slowRuns) {
      for index in checks.indices {
        if run < runs {
          checks[index].reruns.append(try time(index, againstItself: false))
          checks[index].equal.append(try time(index))
        }
        if run < SelfCheck.slowRuns {
          checks[index].slowed.append(try time(index, extraWork: SelfCheck.slowdown))
        }
      }
    }
    return checks
  }

  /// The selection of the row that a self-check times, which is timed as `benchmark` times it.
  func selfCheckRow(of pairing: Pairing, _ selection: Selection) -> Selection {
    var selection = selection
    let ksmps = selection.ksmps ?? pairing.benchmark.ksmps
    selection.ksmps = [selection.ksmps == nil && ksmps.contains(64) ? 64 : ksmps[0]]
    selection.sampleRates = [selection.sampleRates?.first ?? pairing.benchmark.sampleRate]
    selection.instances = selection.instances.map { [$0[0]] }
    selection.includesSilence = false
    return selection
  }
}
