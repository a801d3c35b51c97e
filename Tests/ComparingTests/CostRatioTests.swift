@testable import Comparing
import Foundation
import HarnessBase
import Testing

@Suite("The ratio of two costs")
struct CostRatioTests {
  /// A machine whose luck is known, in multiples of the subject's cost.
  struct Machine: CustomTestStringConvertible {
    var ratio: Double
    /// Standard deviations: of a set of engines, of a round in it, of the speed all share.
    var groups = 0.0
    var rounds = 0.0
    var speed = 0.0
    /// How many of 100 rounds take three times as long.
    var interrupted = 0

    var testDescription: String { "\(self)" }

    func measure(
      _ groupCount: Int, rounds roundCount: Int, _ generator: inout SeededGenerator
    ) -> [[CostPair]] {
      (0..<groupCount).map { _ in
        let luck = (normal(&generator) * groups, normal(&generator) * groups)
        return (0..<roundCount).map { _ in
          let speed = exp(normal(&generator) * speed)
          func cost(_ truth: Double) -> Double {
            let isInterrupted = Int.random(in: 0..<100, using: &generator) < interrupted
            return truth * (1 + normal(&generator) * rounds) * speed * (isInterrupted ? 3 : 1)
          }
          return CostPair(subject: cost(1 + luck.0), rival: cost(ratio * (1 + luck.1)))
        }
      }
    }

    /// Box and Muller's.
    private func normal(_ generator: inout SeededGenerator) -> Double {
      let radius = (-2 * log(Double.random(in: 1e-300...1, using: &generator))).squareRoot()
      return radius * cos(Double.random(in: 0..<2 * Double.pi, using: &generator))
    }
  }

  @Test(
    "The 99 % interval holds the true ratio 96 to 100 times in 100, but not always",
    arguments: [
      Machine(ratio: 1, groups: 0.05, rounds: 0.1),
      Machine(ratio: 3.2, groups: 0.02, rounds: 0.05, speed: 0.2),
      Machine(ratio: 0.5, groups: 0.01, rounds: 0.2, interrupted: 5),
      Machine(ratio: 1, groups: 0.3, rounds: 0.3),
    ])
  func coverage(machine: Machine) {
    var generator = SeededGenerator(seed: 7)
    var (held, sum) = (0, 0.0)
    for _ in 0..<500 {
      let estimate = CostRatio(machine.measure(20, rounds: 7, &generator)).estimate
      #expect(estimate.low < estimate.value && estimate.value < estimate.high)
      if estimate.contains(machine.ratio) { held += 1 }
      sum += estimate.value
    }
    #expect((480...499).contains(held))
    #expect(abs(sum / 500 - machine.ratio) < 0.02 * machine.ratio)
  }

  @Test(
    "The estimate of another run lies within the interval 98 to 100 times in 100; without the widening 91 to 98 times",
    arguments: [
      Machine(ratio: 1, groups: 0.05, rounds: 0.1),
      Machine(ratio: 0.5, groups: 0.01, rounds: 0.2, interrupted: 5),
    ])
  func reruns(machine: Machine) {
    var generator = SeededGenerator(seed: 11)
    var (kept, keptByTruth) = (0, 0)
    for _ in 0..<500 {
      let first = CostRatio(machine.measure(16, rounds: 7, &generator))
      let second = CostRatio(machine.measure(16, rounds: 7, &generator)).estimate.value
      if first.rerunEstimate.contains(second) { kept += 1 }
      if first.estimate.contains(second) { keptByTruth += 1 }
    }
    #expect((488...499).contains(kept))
    #expect((455...488).contains(keptByTruth))
  }

  @Test("A slowdown of 5 % lies outside the interval as soon as that is precise")
  func slowdown() {
    var generator = SeededGenerator(seed: 3)
    let machine = Machine(ratio: 1 / 1.05, groups: 0.03, rounds: 0.1)
    for _ in 0..<100 {
      let estimate = CostRatio(machine.measure(28, rounds: 15, &generator)).estimate
      if estimate.isPrecise { #expect(!estimate.contains(1)) }
    }
  }

  @Test("What slows both down alike does not widen the interval")
  func sharedSpeed() {
    var generator = SeededGenerator(seed: 1)
    let machine = Machine(ratio: 2, speed: 0.5)
    let estimate = CostRatio(machine.measure(20, rounds: 7, &generator)).estimate
    #expect(abs(estimate.value - 2) < 1e-5 && estimate.halfWidth < 1e-5)
  }

  @Test("Costs that noise hides give an unbounded interval, and no verdict")
  func hidden() {
    var generator = SeededGenerator(seed: 1)
    let machine = Machine(ratio: 1, groups: 20)
    let estimate = CostRatio(machine.measure(20, rounds: 7, &generator)).estimate
    #expect(!(estimate.low > 0 && estimate.high.isFinite))
    let measurement = Measurement(subject: 1, rival: 1, ratio: estimate, rounds: 140)
    #expect(measurement.verdict == .tooNoisy)
    #expect(CostRatio([]).estimate.value.isNaN)
  }

  @Test("The trimmed mean leaves the extremes out; its error is the winsorised one")
  func trimmedMean() {
    let values = [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 1000]
    let mean = Estimate(trimmedMeanOf: values, trimming: 0.1)
    #expect(mean.value == 5.5)
    // Winsorised 2, 2, 3, …, 8, 9, 9: squares 66.5; error sqrt(66.5 / 9) / (0.8 sqrt 10); 7 degrees.
    #expect(abs(mean.halfWidth - 3.4995 * 1.0745) < 0.008)
    #expect(Estimate(trimmedMeanOf: [1], trimming: 0.1).value.isNaN)
  }

  @Test(
    "Student's quantiles are those of the tables",
    arguments: [(5, 4.0321), (10, 3.1693), (19, 2.8609), (30, 2.7500), (100, 2.6259)])
  func quantiles(freedom: Int, table: Double) {
    #expect(abs(studentQuantile(freedom: freedom) - table) < 0.006 * table)
  }
}
