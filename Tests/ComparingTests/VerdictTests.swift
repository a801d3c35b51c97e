@testable import Comparing
import HarnessBase
import Testing

@Suite("What a benchmark says of itself")
struct VerdictTests {
  func measurement(_ value: Double, _ low: Double, _ high: Double) -> Measurement {
    Measurement(
      subject: 1, rival: value, ratio: Estimate(value: value, low: low, high: high), rounds: 1)
  }

  @Test(
    "An interval off 1 is a difference; one that holds 1 is none when narrow, else too noisy",
    arguments: [
      (1.5, 1.2, 1.8, Verdict.faster), (1.01, 1.005, 1.015, .faster), (0.9, 0.85, 0.95, .slower),
      (1, 0.99, 1.01, .same), (1.01, 0.995, 1.025, .same), (1, 0.97, 1.03, .tooNoisy),
      (2, 0.9, 4, .tooNoisy), (2, 1.1, .infinity, .faster), (2, 0.9, .infinity, .tooNoisy),
      (1, -1, 3, .tooNoisy), (.nan, .nan, .nan, .tooNoisy),
    ])
  func verdicts(value: Double, low: Double, high: Double, verdict: Verdict) {
    #expect(measurement(value, low, high).verdict == verdict)
  }

  @Test("A cost below nothing has no ratio")
  func negative() {
    var measurement = measurement(1, 0.99, 1.01)
    measurement.subject = -0.1
    #expect(!measurement.hasRatio && measurement.verdict == .tooNoisy)
  }

  let place = BenchmarkPlace(
    pairing: "ANY", subject: "ANY", rival: "any", rates: "k", isSilence: false, sampleRate: 48_000,
    ksmps: 64, instances: 1, unit: .sample)

  func check(
    reruns: [Measurement] = [], holding: Int = 0, of runs: Int = 0, slowed: [Measurement] = []
  ) -> SelfCheck {
    SelfCheck(
      place: place, reruns: reruns,
      equal: (0..<runs).map {
        $0 < holding ? measurement(1, 0.99, 1.01) : measurement(2, 1.9, 2.1)
      },
      slowed: slowed)
  }

  @Test("Estimates that other runs' intervals leave out fail the self-check")
  func reruns() {
    // Twenty runs: one that nobody's interval holds, and whose interval holds nobody's.
    let good = (0..<19).map { _ in measurement(2, 1.9, 2.1) }
    let one = check(reruns: good + [measurement(1.5, 1.4, 1.6)])
    #expect(one.kept == (19 * 18, 20 * 19))
    #expect(one.passed && ![one].passed)
    #expect(
      [one, check(reruns: good)].keptShare == Double(2 * 19 * 18) / Double(20 * 19 + 19 * 18))
    // 94.7 % and 96.4 %.
    #expect(![one, check(reruns: good)].passed)
    #expect([one, check(reruns: good), check(reruns: good)].passed)
    #expect([check(reruns: [good[0]])].passed)
  }

  @Test("A run that calls slower what another calls faster fails the self-check")
  func contradiction() {
    let (slower, faster) = (measurement(0.9, 0.8, 0.99), measurement(1.1, 1.01, 1.2))
    #expect(!check(reruns: [slower, faster]).passed)
    #expect(check(reruns: [slower, measurement(1, 0.8, 1.2), slower]).passed)
  }

  @Test(
    "Too few intervals that hold 1 fail the self-check",
    arguments: [(100, 96), (20, 18), (200, 194)])
  func coverage(runs: Int, fewest: Int) {
    let slowed = [measurement(0.95, 0.94, 0.96)]
    #expect(SelfCheck.fewestHolding(of: runs) == fewest)
    #expect(check(holding: fewest, of: runs, slowed: slowed).passed)
    #expect(!check(holding: fewest - 1, of: runs, slowed: slowed).passed)
  }

  @Test("A slowdown that was missed fails it; one that noise hid does not")
  func slowdown() {
    let (found, missed) = (measurement(0.95, 0.94, 0.96), measurement(1, 0.99, 1.01))
    let hidden = measurement(0.95, 0.85, 1.05)
    #expect(check(holding: 10, of: 10, slowed: [found, hidden]).findsSlowdown == true)
    #expect(check(holding: 10, of: 10, slowed: [hidden]).findsSlowdown == nil)
    #expect(check(holding: 10, of: 10, slowed: [hidden]).passed)
    #expect(!check(holding: 10, of: 10, slowed: [found, missed]).passed)
  }
}
