import CommandKit
import HarnessBase

extension Command {
  /// The opcodes that `bench --self-check` uses if none is named: a costly one and a cheap one.
  static let checkedNames = ["MOOGLADDER", "ONEPOLE"]

  /// Judges the benchmark on one pairing for each opcode: the one named after the opcode, or else
  /// its first.
  static func check(
    _ grid: Grid, _ pairings: [Pairing], _ selection: Selection, _ effort: Benchmark.Effort,
    runs: Int, seed: UInt64, export: FileExport?
  ) throws(Failure) -> ExitCode {
    var chosen: [Pairing] = []
    let ordered = pairings.filter { $0.name == $0.subject } + pairings
    for pairing in ordered where !chosen.contains(where: { $0.subject == pairing.subject }) {
      chosen.append(pairing)
    }
    let checks = try grid.selfCheck(chosen, selection, effort: effort, runs: runs, seed: seed) {
      ProgressLine.show("timed \($0) of \($1)")
    }
    ProgressLine.clear()
    print(checks.map(\.text).joined(separator: "\n\n"))
    if checks.count > 1, runs > 1 {
      print(
        """

        All \(checks.count) rows:
          \(checks.keptText)
        """)
    }
    try export?.write(checks.map(SelfCheckExport.init))
    return checks.passed ? .success : .checkFailed
  }
}

extension Collection<SelfCheck> {
  /// How many estimates lie within the intervals of other runs, and whether that passes.
  fileprivate var keptText: String {
    let least = Int((SelfCheck.leastShare * 100).rounded())
    return
      "\((keptShare * 100).formatted(1)) % of the estimates lie within the intervals of other runs;"
      + " \(keptShare >= SelfCheck.leastShare ? "passed" : "FAIL"), at least \(least) % must"
  }
}

extension SelfCheck {
  /// The findings, one or two sentences each.
  var text: String {
    let runs = equal.count
    let noisy = equal.count { $0.verdict == .tooNoisy }
    let bound = Self.fewestHolding(of: runs)
    let found = slowed.count { $0.verdict == .slower }
    let slowdown = "slowed down by \(Int((Self.slowdown * 100).rounded())) %"
    let finding =
      switch findsSlowdown {
      case true: "found"
      case false: "FAIL, not found"
      case nil: "too noisy to tell"
      }
    let ratios = reruns.map(\.ratio.value)
    return """
      \(place.subject) \(place.rates) at ksmps \(place.ksmps), \(reruns.count) times against \
      \(place.rival):
        ratios from \(ratios.min()?.formatted(3) ?? "–") to \(ratios.max()?.formatted(3) ?? "–"); \
      half-width of the interval, median \(reruns.halfWidths.median.formatted(4))
        \(kept.count) of \(kept.total) times an estimate lies within the interval of another run
        \(contradictsItself ? "FAIL, faster in one run and slower in another" : "no two runs contradict each other")
      \(place.subject) \(runs) times against itself:
        \(holding) of \(runs) intervals hold 1; \(holdsOftenEnough ? "passed" : "FAIL"), at least \
      \(bound) must
        mean ratio \(equal.meanRatio.formatted(4)); half-width of the interval, median \
      \(equal.halfWidths.median.formatted(4)), largest \(equal.halfWidths.max()?.formatted(4) ?? "–")
        \(noisy) of \(runs) too noisy to tell, wider than \(Verdict.precision.formatted(2)) either side
      \(place.subject) \(slowdown), \(slowed.count) times against itself:
        \(finding), in \(found) of \(slowed.count) runs; mean ratio \
      \(slowed.meanRatio.formatted(4)), which is \((1 / (1 + Self.slowdown)).formatted(4)) in truth
      """
  }
}

extension [Measurement] {
  fileprivate var meanRatio: Double { reduce(0) { $0 + $1.ratio.value } / Double(count) }
  /// The half-width of each interval as a fraction of its ratio.
  fileprivate var halfWidths: [Double] { map { $0.ratio.halfWidth / $0.ratio.value } }
}

/// A self-check in JSON.
struct SelfCheckExport: Encodable {
  var opcode, rival, rates: String
  var ksmps: Int
  /// How many estimates lie within the intervals of other runs, and out of how many.
  var kept, keptOf: Int
  var holding, fewestHolding: Int
  var passed: Bool
  /// Absent if noise left no verdict.
  var findsSlowdown: Bool?
  /// The interval of each run; nil if noise hid a cost.
  var reruns, equal, slowed: [Estimate?]

  init(_ check: SelfCheck) {
    opcode = check.place.subject
    rival = check.place.rival
    rates = check.place.rates
    ksmps = check.place.ksmps
    (kept, keptOf) = check.kept
    holding = check.holding
    fewestHolding = SelfCheck.fewestHolding(of: check.equal.count)
    passed = check.passed
    findsSlowdown = check.findsSlowdown
    reruns = check.reruns.map { $0.hasRatio ? $0.ratio : nil }
    equal = check.equal.map { $0.hasRatio ? $0.ratio : nil }
    slowed = check.slowed.map { $0.hasRatio ? $0.ratio : nil }
  }
}
