import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("LPF18's quality without Csound")
struct ThreePoleQualityTests {
  private func tuning(
    _ cutoff: Double, _ resonance: Double, distortion: Double = 0, _ steps: Double
  ) -> ThreePoleTuning {
    ThreePoleTuning(
      exactly: cutoff / 48_000, resonance: resonance, distortion: distortion, steps: steps)
  }

  @Test(
    "From a resonance of 1 on it oscillates within 3 cents of the cutoff",
    arguments: [55.0, 110, 440, 1760, 3520, 7040, 10_000], [1.01, 1.05, 1.2])
  func tuned(cutoff: Double, resonance: Double) {
    for steps in [1.0, 4] {
      var filter = ThreePoleFilter()
      let tuning = tuning(cutoff, resonance, steps)
      let error = oscillation(at: cutoff, growth: resonance - 1, steps: steps) {
        filter.next($0, tuning)
      }
      #expect(abs(error) < 3, "\(steps) steps: \(error)")
    }
  }

  @Test("tanh moves LPF18's oscillation by as many cents as its page says")
  func saturated() throws {
    let told = try pageFigures(
      "Ladders/ThreePoleFilter.swift", "by 1.3 cents at a resonance of 1.3, by 7.5 at 2")
    for (resonance, figure) in [(told[1], told[0]), (told[3], told[2])] {
      let errors = [55.0, 440, 3520, 7040, 10_000].map { cutoff in
        var filter = ThreePoleFilter()
        let tuning = tuning(cutoff, resonance, 1)
        return oscillation(at: cutoff, growth: resonance - 1, steps: 1) { filter.next($0, tuning) }
      }
      #expect(abs(errors.map(abs).max()! - figure) < 0.3, "\(errors)")
    }
  }

  @Test(
    "Below a resonance of 1 it rings down, above it rings on", arguments: [200.0, 3000, 12_000])
  func threshold(cutoff: Double) {
    for (resonance, expected) in [(0.995, false), (1.005, true)] {
      var filter = ThreePoleFilter()
      let tuning = tuning(cutoff, resonance, 1)
      #expect(grows(at: cutoff, steps: 1) { filter.next($0, tuning) } == expected)
    }
  }

  @Test("Every cutoff, resonance and distortion gives finite coefficients and a bounded sound")
  func bounded() {
    var noise = TestNoise()
    for (drive, steps) in [(0.1, 1.0), (1, 1), (100, 1), (0.1, 4), (1, 4), (100, 4)] {
      var (filter, largest) = (ThreePoleFilter(), 0.0)
      for _ in 0..<48_000 {
        let tuning = tuning(
          28_800 * noise.next(), 4 * noise.next(), distortion: noise.next(), steps)
        let x = drive * (2 * noise.next() - 1)
        for _ in 0..<Int(steps) { largest = max(largest, abs(filter.next(x, tuning))) }
      }
      #expect(largest < 20 * (1 + drive), "\(drive) \(steps)")
    }
    for cutoff in [Double.nan, -1, 0, 1e9] {
      var filter = ThreePoleFilter()
      let tuning = tuning(cutoff, 1, distortion: 1, 1)
      let signal = (0..<1000).map { _ in filter.next(1, tuning) }
      #expect(signal.allSatisfy { $0.isFinite }, "\(cutoff)")
    }
  }
}
