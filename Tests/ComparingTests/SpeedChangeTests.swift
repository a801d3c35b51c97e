@testable import Comparing
import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

@Suite("Speed beside what it was")
struct SpeedChangeTests {
  func estimate(_ value: Double, _ low: Double, _ high: Double) -> Estimate {
    Estimate(value: value, low: low, high: high)
  }

  @Test("A quotient's interval: half-widths in logarithms are added as squares")
  func quotient() {
    // Logarithms: log 4 with log 2 to either side, over log 2 with 3 log 2 below and log 2 above.
    let quotient = Estimate(dividing: estimate(4, 2, 8), by: estimate(2, 0.25, 4))
    #expect(quotient.value == 2)
    #expect(abs(quotient.low - 2 * pow(2, -2.0.squareRoot())) < 1e-12)
    #expect(abs(quotient.high - 2 * pow(2, 10.0.squareRoot())) < 1e-12)
    let exact = Estimate(dividing: estimate(3, 3, 3), by: estimate(2, 2, 2))
    #expect(exact == estimate(1.5, 1.5, 1.5))
    #expect(estimate(2, 1, 4).reciprocal == estimate(0.5, 0.25, 1))
  }

  @Test(
    "The 99 % interval of a change holds the true one 98 to 100 times in 100, but not always",
    arguments: [(1.0, 1.0), (3.2, 3.0), (0.5, 1.0)])
  func coverage(before: Double, now: Double) {
    var generator = SeededGenerator(seed: 11)
    var held = 0
    for _ in 0..<1000 {
      func estimate(_ ratio: Double) -> Estimate {
        let machine = CostRatioTests.Machine(ratio: ratio, groups: 0.05, rounds: 0.1)
        return CostRatio(machine.measure(20, rounds: 7, &generator)).estimate
      }
      let change = Estimate(dividing: estimate(before), by: estimate(now))
      if change.contains(before / now) { held += 1 }
    }
    #expect((975...999).contains(held), "\(held)")
  }

  @Test("Several processes: another run's estimate lies in the interval 97 to 100 times in 100")
  func processes() {
    var generator = SeededGenerator(seed: 3)
    func run(luck: Double) -> Estimate {
      let processes = (0..<6).map { _ in
        // About normal: luck that all rounds of a process share.
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0..<1, using: &generator) }
        let pair = CostPair(subject: 1, rival: 2 * (1 + luck * normal))
        return ProcessTiming(sets: [[pair, pair], [pair]])
      }
      return Measurement(processes).ratio
    }
    var held = 0
    for _ in 0..<1000 where run(luck: 0.04).contains(run(luck: 0.04).value) { held += 1 }
    #expect((970...999).contains(held), "\(held)")
    #expect(run(luck: 0).isPrecise)
  }

  @Test("Costs of nothing have no ratio, also where only one process found them")
  func nothing() {
    func timing(_ subject: Double) -> ProcessTiming {
      ProcessTiming(sets: [[CostPair(subject: subject, rival: 1)]])
    }
    #expect(Measurement([timing(1), timing(1), timing(1)]).hasRatio)
    #expect(!Measurement([timing(0), timing(0), timing(0)]).hasRatio)
    // One of three: the ratio is so uncertain that its interval has no end.
    #expect(!Measurement([timing(1), timing(0), timing(1)]).hasRatio)
  }

  @Test(
    "Slower is what lies beyond the threshold with all of its interval",
    arguments: [
      (1.10, 1.06, 1.14, Verdict.slower), (1.10, 1.049, 1.15, .tooNoisy),
      (1.04, 1.03, 1.049, .same),
      (1, 0.96, 1.04, .same), (1, 0.9, 1.1, .tooNoisy), (0.9, 0.85, 0.95, .faster),
      (0.96, 0.9, 1, .tooNoisy), (1.03, 1.01, 1.06, .tooNoisy), (.nan, .nan, .nan, .tooNoisy),
    ])
  func threshold(value: Double, low: Double, high: Double, verdict: Verdict) {
    #expect(estimate(value, low, high).verdict(beyond: 0.05) == verdict)
  }

  @Test("The threshold decides: 10 % more are beyond 5 %, within 20 %")
  func thresholds() {
    let change = estimate(1.10, 1.08, 1.12)
    #expect(change.verdict(beyond: 0.05) == .slower)
    #expect(change.verdict(beyond: 0.2) == .same)
    #expect(change.verdict(beyond: 0.1) == .tooNoisy)
    #expect(change.reciprocal.verdict(beyond: 0.05) == .faster)
  }

  @Test("An interval without bounds, or of negative costs, tells nothing")
  func unbounded() {
    for change in [estimate(2, 1.5, .infinity), estimate(2, -1, 3), estimate(.nan, 1, 2)] {
      let item = CostChange(before: 1, now: 2, change: change, threshold: 0.05)
      #expect(item.change == nil && item.verdict == .tooNoisy)
    }
  }

  // MARK: Reports

  func place(_ name: String, ksmps: Int = 64, rival: String = "other") -> BenchmarkPlace {
    BenchmarkPlace(
      pairing: name, subject: name, rival: rival, rates: "k", isSilence: false, sampleRate: 48_000,
      ksmps: ksmps, instances: 1, unit: .sample)
  }

  func row(
    _ place: BenchmarkPlace, ratio: Double, halfWidth: Double = 0.01, instructions: Double? = nil
  ) -> BenchmarkRow {
    let interval = estimate(ratio, ratio * (1 - halfWidth), ratio * (1 + halfWidth))
    return BenchmarkRow(
      place: place, group: nil,
      report: .done(Measurement(subject: 1, rival: ratio, ratio: interval, rounds: 100)),
      countReport: instructions.map { .done(InstructionCount(subject: $0, rival: 100)) },
      cases: [])
  }

  let provenance = Provenance(
    date: "2026-01-01T00:00:00Z", processor: "any", cores: 2, csound: "6.18", compiler: "Swift 6.3",
    commit: nil)

  func report(
    _ now: [BenchmarkRow], _ before: [BenchmarkRow], pairings: [String]? = nil,
    _ selection: Selection = Selection(), counting: Bool = false
  ) -> SpeedReport {
    let baseline = Baseline(
      before.map(Baseline.Row.init), provenance: provenance, plugin: nil)
    return SpeedReport(
      now, against: baseline, named: "before", pairings: pairings, selection, counting: counting,
      thresholds: .init())
  }

  @Test("A smaller ratio to the rival is a slower subject, whatever the nanoseconds")
  func ratios() {
    let now = [
      row(place("A"), ratio: 2), row(place("B"), ratio: 2), row(place("C"), ratio: 2),
      row(place("D"), ratio: 2, halfWidth: 0.2),
    ]
    let before = [
      row(place("A"), ratio: 2), row(place("B"), ratio: 2.5), row(place("C"), ratio: 1.5),
      row(place("D"), ratio: 2),
    ]
    let report = report(now, before)
    #expect(report.changes.map(\.timing?.verdict) == [.same, .slower, .faster, .tooNoisy])
    #expect(report.changes[1].timing?.change?.value == 1.25)
    #expect(report.finding == .slower)
    #expect(self.report([now[0], now[2]], [before[0], before[2]]).finding == .good)
    #expect(self.report([now[3]], [before[3]]).finding == .incomplete)
  }

  @Test("More instructions are slower, however noisy the time")
  func instructions() {
    func finding(_ instructions: Double) -> SpeedReport.Finding {
      let now = row(place("A"), ratio: 2, halfWidth: 0.3, instructions: instructions)
      let before = row(place("A"), ratio: 2, instructions: 1000)
      return report([now], [before], counting: true).finding
    }
    #expect(finding(1000) == .good && finding(1009) == .good && finding(900) == .good)
    #expect(finding(1011) == .slower)
  }

  @Test("Rows or counts without a counterpart are told, and are no success")
  func missing() {
    let (a, b) = (row(place("A"), ratio: 2), row(place("B"), ratio: 2))
    let gone = report([a], [a, b])
    #expect(gone.changes.map(\.missing) == [nil, .present] && gone.finding == .incomplete)
    let new = report([a, b], [a])
    #expect(new.changes.map(\.missing) == [nil, .reference] && new.finding == .incomplete)
    let otherRival = report([row(place("A", rival: "third"), ratio: 2)], [a])
    #expect(otherRival.changes.map(\.missing) == [.reference, .present])
    let counted = row(place("A"), ratio: 2, instructions: 10)
    #expect(report([counted], [a], counting: true).changes[0].uncounted == .reference)
    #expect(report([a], [counted], counting: true).changes[0].uncounted == .present)
    #expect(report([counted], [a], counting: true).finding == .incomplete)
    #expect(report([], []).finding == .incomplete)
    // What is slower stays so.
    #expect(report([row(place("A"), ratio: 1), b], [a]).finding == .slower)
  }

  @Test("What was not asked for is not missing")
  func selection() {
    let rows = [row(place("A", ksmps: 1), ratio: 2), row(place("A"), ratio: 2)]
    let other = row(place("B"), ratio: 2)
    #expect(report(rows, rows + [other], pairings: ["A"]).finding == .good)
    #expect(report([rows[0]], rows, Selection(ksmps: [1])).finding == .good)
    #expect(report([rows[0]], rows, Selection(rates: ["k"])).finding == .incomplete)
    // Silence is timed whatever numbers of instances are asked for.
    var silent = place("A")
    silent.isSilence = true
    let instances = Selection(instances: [8])
    #expect(report([rows[0]], [rows[0], row(silent, ratio: 2)], instances).finding == .incomplete)
    #expect(report([rows[0]], rows, instances).finding == .good)
  }

  @Test("Against another build the ratio itself is the change")
  func builds() {
    let missing = SpeedChange(place: place("B"), missing: .present)
    let slow = SpeedReport(
      [row(place("A"), ratio: 0.5, instructions: 200)], againstBuild: "old.so", missing: [],
      counting: true, thresholds: .init())
    #expect(slow.changes[0].timing?.verdict == .slower && slow.finding == .slower)
    #expect(slow.changes[0].timing?.change?.value == 2)
    #expect(slow.changes[0].instructions?.change?.value == 2)
    let partly = SpeedReport(
      [row(place("A"), ratio: 1)], againstBuild: "old.so", missing: [missing], counting: false,
      thresholds: .init())
    #expect(partly.finding == .incomplete)
  }

  @Test("A baseline is read as it was written; other files are refused with a sentence")
  func files() throws {
    let path = try temporaryDirectory() + "/baseline.json"
    let baseline = Baseline(
      [Baseline.Row(place: place("A"), ratio: estimate(2, 1.9, 2.1), instructions: 12.5)],
      provenance: provenance, plugin: "x/libx.so")
    let text = String(decoding: try JSONEncoder().encode(baseline), as: UTF8.self)
    func read(_ text: String) throws -> Baseline {
      try text.save(to: path)
      return try Baseline(readingFrom: path)
    }
    #expect(try read(text) == baseline)
    #expect(baseline.plugin == "libx.so")
    for (wrong, words) in [
      ("{", "not valid JSON"), ("{}", "'format' is missing"),
      (text.replacing(Baseline.format, with: "OpcodeKit baseline 0"), "has the format"),
      (text.replacing("0.99", with: "0.95"), "95.0 %"),
      (text.replacing("\"ksmps\":64", with: "\"ksmps\":\"64\""), "ksmps"),
      (text.replacing(/"rows":\[.*\]/, with: "\"rows\":[]"), "no rows"),
    ] {
      #expect(wrong != text)
      #expect(throws: Failure.self) { try read(wrong) }
      do { _ = try read(wrong) } catch let failure as Failure {
        #expect(failure.kind == .badInput && failure.message.contains(words), "\(failure.message)")
      }
    }
  }

  @Test("What differs between two places is told")
  func provenances() {
    var other = provenance
    #expect(provenance.differences(from: other).isEmpty)
    other.csound = "6.17"
    other.date = "2025-01-01T00:00:00Z"
    #expect(provenance.differences(from: other) == ["Csound 6.18, not 6.17"])
  }
}
