import Benchmarking
import CommandKit
import Comparing
import HarnessBase
import Statistics

extension Command {
  /// What `bench --self-check` takes without names: a costly opcode and a cheap one.
  static let checkedNames = ["MOOGLADDER", "ONEPOLE"]

  /// Judges the benchmark on one pairing for each opcode: that of its name, or else the first.
  static func check(
    _ grid: Grid, _ pairings: [Pairing], _ selection: Selection, runs: Int, seed: UInt64,
    export: FileExport?
  ) throws(Failure) -> ExitCode {
    var checks: [SelfCheck] = []
    let ordered = pairings.filter { $0.name == $0.subject } + pairings
    for pairing in ordered where !checks.contains(where: { $0.opcode == pairing.subject }) {
      let line = ProgressLine(pairing.subject)
      checks.append(
        try grid.selfCheck(pairing, selection, runs: runs, seed: seed) { line.count($1) })
    }
    ProgressLine.clear()
    print(checks.map(\.text).joined(separator: "\n\n"))
    try export?.write(checks.map(SelfCheckExport.init))
    return checks.allSatisfy(\.passed) ? .success : .checkFailed
  }
}

extension SelfCheck {
  /// The findings, two sentences and a figure each.
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
    return """
      \(opcode) \(rates) at ksmps \(ksmps), \(runs) times against itself:
        \(holding) of \(runs) intervals hold 1; \(holdsOftenEnough ? "passed" : "FAIL"), at least \
      \(bound) must
        mean ratio \(equal.meanRatio.formatted(4)); half-width of the interval, median \
      \(equal.halfWidths.median.formatted(4)), largest \(equal.halfWidths.max()?.formatted(4) ?? "–")
        \(noisy) of \(runs) too noisy to tell, wider than \(Verdict.precision.formatted(2)) either side
      \(opcode) \(slowdown), \(slowed.count) times against itself:
        \(finding), in \(found) of \(slowed.count) runs; mean ratio \
      \(slowed.meanRatio.formatted(4)), which is \((1 / (1 + Self.slowdown)).formatted(4)) in truth
      """
  }
}

extension [Measurement] {
  fileprivate var meanRatio: Double { reduce(0) { $0 + $1.ratio.value } / Double(count) }
  /// As a fraction of each ratio.
  fileprivate var halfWidths: [Double] { map { $0.ratio.halfWidth / $0.ratio.value } }
}

/// A self-check in JSON.
struct SelfCheckExport: Encodable {
  var opcode, rates: String
  var ksmps: Int
  var holding, fewestHolding: Int
  var passed: Bool
  /// Absent where noise left no verdict.
  var findsSlowdown: Bool?
  /// The interval of each run; absent where a cost could not be told from nothing.
  var equal, slowed: [Estimate?]

  init(_ check: SelfCheck) {
    opcode = check.opcode
    rates = check.rates
    ksmps = check.ksmps
    holding = check.holding
    fewestHolding = SelfCheck.fewestHolding(of: check.equal.count)
    passed = check.passed
    findsSlowdown = check.findsSlowdown
    equal = check.equal.map { $0.hasRatio ? $0.ratio : nil }
    slowed = check.slowed.map { $0.hasRatio ? $0.ratio : nil }
  }
}
