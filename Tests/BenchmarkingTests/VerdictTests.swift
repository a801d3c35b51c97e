import Benchmarking
import Statistics
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
      (2, 0.9, 4, .tooNoisy), (2, 1.1, .infinity, .tooNoisy), (1, -1, 3, .tooNoisy),
      (.nan, .nan, .nan, .tooNoisy),
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

  func check(holding: Int, of runs: Int, slowed: [Measurement]) -> SelfCheck {
    SelfCheck(
      opcode: "ANY", rates: "k", ksmps: 64,
      equal: (0..<runs).map {
        $0 < holding ? measurement(1, 0.99, 1.01) : measurement(2, 1.9, 2.1)
      },
      slowed: slowed)
  }

  @Test("Too few intervals that hold 1 fail the self-check", arguments: [(100, 96), (20, 18)])
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
