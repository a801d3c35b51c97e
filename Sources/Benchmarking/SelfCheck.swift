import Comparing
import HarnessBase
import Workers

/// A benchmark judged on what is known: an opcode against itself, and against itself with 5 % more to
/// do.
public struct SelfCheck: Sendable {
  /// The fraction of work the slowed-down subject does beyond what is counted.
  public static let slowdown = 0.05
  /// How often the slowdown is measured.
  public static let slowRuns = 5

  public let opcode: String
  public let rates: String
  public let ksmps: Int
  /// Measurements of an opcode against itself: the ratio is 1.
  public let equal: [Measurement]
  /// Measurements of the slowed-down opcode against the opcode: the ratio is 1/1.05.
  public let slowed: [Measurement]

  public init(
    opcode: String, rates: String, ksmps: Int, equal: [Measurement], slowed: [Measurement]
  ) {
    self.opcode = opcode
    self.rates = rates
    self.ksmps = ksmps
    self.equal = equal
    self.slowed = slowed
  }

  /// How many intervals hold the ratio that is the case.
  public var holding: Int { equal.count { $0.ratio.contains(1) } }

  /// The fewest of `runs` intervals that may hold it: fewer would, if each did with 99 %, have a
  /// probability below 1 %.
  public static func fewestHolding(of runs: Int) -> Int {
    var probability = 1.0
    for _ in 0..<runs { probability *= 0.01 }
    var sum = 0.0
    for count in 0...runs {
      sum += probability
      if sum >= 0.01 { return count }
      probability *= Double(runs - count) / Double(count + 1) * (0.99 / 0.01)
    }
    return runs
  }

  public var holdsOftenEnough: Bool { holding >= Self.fewestHolding(of: equal.count) }

  /// Whether the slowdown was found each time that noise left a verdict; nil when it never did.
  public var findsSlowdown: Bool? {
    let verdicts = slowed.map(\.verdict).filter { $0 != .tooNoisy }
    return verdicts.isEmpty ? nil : verdicts.allSatisfy { $0 == .slower }
  }

  public var passed: Bool { holdsOftenEnough && findsSlowdown != false }
}

extension Grid {
  /// Checks the benchmark on a pairing's subject, in `runs` runs with seeds of their own.
  ///
  /// It takes one row: the first of the selected rates, sample rates and ksmps, or else the pairing's
  /// first rates and ksmps 64. Each run has a process to itself.
  public func selfCheck(
    _ pairing: Pairing, _ selection: Selection, runs: Int, seed: UInt64,
    progress: @escaping @Sendable (Int, JobProgress) -> Void = { _, _ in }
  ) throws(Failure) -> SelfCheck {
    var pairing = pairing
    pairing.rival = pairing.subject
    pairing.rivalSource = nil
    try check(pairing, selection)
    try checkUsesEmptyMacro(pairing)
    guard let rates = rates(pairing, selection).first else {
      throw Failure(.usage, "\(pairing.name) has none of the selected rates.")
    }
    let every = selection.ksmps ?? pairing.benchmark.ksmps
    let ksmps = selection.ksmps == nil && every.contains(64) ? 64 : every[0]
    let sampleRate = selection.sampleRates?.first ?? pairing.benchmark.sampleRate
    let instances = selection.instances?.first ?? 1
    var measurements: [Measurement] = []
    for run in 0..<runs + SelfCheck.slowRuns {
      var job = try job(
        pairing, rates, sampleRate, ksmps, instances, seed: seed &+ UInt64(run))
      if run >= runs { job.extraWork = SelfCheck.slowdown }
      let report = try pool(pairing).run([job])[0]
      progress(run, report.stage)
      measurements.append(
        try report.reply(of: "Timing \(pairing.subject) \(rates.name) at ksmps \(ksmps)"))
    }
    return SelfCheck(
      opcode: pairing.subject, rates: rates.name, ksmps: ksmps, equal: Array(measurements[..<runs]),
      slowed: Array(measurements[runs...]))
  }
}
