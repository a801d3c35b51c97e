import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("MOOGLADDER's quality without Csound")
struct MoogLadderQualityTests {
  private func tuning(_ cutoff: Double, _ resonance: Double, _ steps: Double) -> LadderTuning {
    LadderTuning(
      cutoff: cutoff / 48_000, resonance: resonance, ExactLadderLaw(stepsPerSample: steps))
  }

  @Test(
    "From a resonance of 1 on it oscillates within 3 cents of the cutoff",
    arguments: [55.0, 110, 440, 1760, 3520, 7040, 10_000], [1.01, 1.05, 1.2, 2])
  func tuned(cutoff: Double, resonance: Double) {
    for steps in [2.0, 4] {
      var ladder = Ladder(fullScale: 1)
      let tuning = tuning(cutoff, resonance, steps)
      let error = oscillation(at: cutoff, growth: resonance - 1, steps: steps) {
        ladder.halfStep($0, tuning)
      }
      #expect(abs(error) < 3, "\(steps) half steps: \(error)")
    }
  }

  @Test("Without correction it is flat by 20 cents and more at a resonance of 1.05")
  func original() {
    var ladder = Ladder(fullScale: 1)
    let tuning = LadderTuning(cutoff: 1000 / 48_000, resonance: 1.05)
    let signal = (0..<96_000).map { ladder.next($0 < 24 ? 0.3 : 0, tuning) }
    #expect(cents(of: signal.suffix(48_000), above: 1000) < -15)
  }

  @Test(
    "Below a resonance of 1 it rings down, above it rings on", arguments: [200.0, 3000, 12_000])
  func threshold(cutoff: Double) {
    for (resonance, expected) in [(0.995, false), (1.005, true)] {
      var ladder = Ladder(fullScale: 1)
      let tuning = tuning(cutoff, resonance, 2)
      #expect(grows(at: cutoff, steps: 2) { ladder.halfStep($0, tuning) } == expected)
    }
  }

  @Test(
    "The peak of a resonance of 0.995 is within 3 cents of the cutoff",
    arguments: [55.0, 880, 3520, 10_000])
  func resonancePeak(cutoff: Double) {
    var ladder = Ladder(fullScale: 1)
    let tuning = LadderTuning(
      cutoff: cutoff / 48_000, resonance: 0.995, ExactLadderLaw(stepsPerSample: 2))
    let count = max(12_000, min(192_000, Int(60e6 / cutoff)))
    let signal = (0..<count).map { ladder.next($0 == 0 ? 1e-4 : 0, tuning) }
    let found = peak(of: signal, near: cutoff / 48_000)
    #expect(abs(1200 * log2(found * 48_000 / cutoff)) < 3)
  }

  @Test("Noise in cutoff and resonance leaves it bounded at any level", arguments: [1.0, 2, 4])
  func bounded(level: Double) {
    var noise = TestNoise()
    for drive in [0.1, 1, 1000] {
      for steps in [2.0, 4] {
        var (ladder, largest) = (Ladder(fullScale: 1), 0.0)
        for _ in 0..<48_000 {
          let tuning = tuning(28_800 * noise.next(), level * noise.next(), steps)
          let x = drive * (2 * noise.next() - 1)
          for _ in 0..<Int(steps) { largest = max(largest, abs(ladder.halfStep(x, tuning))) }
        }
        #expect(largest < 10, "\(drive) \(steps)")
      }
    }
  }

  @Test("g and r are in range for every cutoff and resonance")
  func coefficients() {
    for steps in [2.0, 4] {
      for resonance in [0, 0.5, 1, 1.2, 3, 1e9] {
        for cutoff in stride(from: 0.0, through: 0.7, by: 0.01) {
          let tuning = LadderTuning(
            cutoff: cutoff, resonance: resonance, ExactLadderLaw(stepsPerSample: steps))
          #expect(tuning.gain >= 0 && tuning.gain < 0.98)
          #expect(tuning.feedback >= 0 && tuning.feedback <= 5 * resonance)
        }
      }
    }
    let wild = LadderTuning(
      cutoff: .nan, resonance: .infinity, ExactLadderLaw(stepsPerSample: 2))
    #expect(wild.gain == 0)
  }
}
