import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("VCS3FILTER's quality without Csound")
struct VCS3FilterQualityTests {
  private func tuning(_ cutoff: Double, _ response: Double, steps: Double) -> DiodeLadderTuning {
    let exact = DiodeLadderTuning.exactCutoffs(
      Lanes(cutoff / 48_000), responses: Lanes(response), steps: steps)
    return DiodeLadderTuning(cutoffHz: exact[0], response: response, samplePeriod: 1)
  }

  @Test(
    "From a response of 1 on it oscillates within 3 cents of the cutoff",
    arguments: [55.0, 110, 440, 1760, 3520, 5500, 7040, 10_000], [1.01, 1.05, 1.2, 1.5, 2])
  func tuned(cutoff: Double, response: Double) {
    for steps in [1.0, 4] {
      // One step in a sample is too few above sr/8: there the oscillation locks to fractions of the sample rate.
      if steps == 1 && cutoff > 6000 { continue }
      var ladder = DiodeLadder(fullScale: 2)
      let tuning = tuning(cutoff, response, steps: steps)
      let error = oscillation(at: cutoff, growth: response - 1, steps: steps) {
        ladder.next($0, tuning)
      }
      #expect(abs(error) < 3, "\(steps) steps: \(error)")
    }
  }

  @Test("VCS3FILTER's fit is as good as its page says")
  func fit() throws {
    let told = try pageFigures("VCS3/VCS3Filter.swift", "within 0.8 cents for f up to 0.12")
    var worst = 0.0
    for response in [1.05, 1.2, 1.5, 2] {
      for place in 1...12 {
        var ladder = DiodeLadder(fullScale: 2)
        let cutoff = 48_000 * told[1] * Double(place) / 12
        let tuning = tuning(cutoff, response, steps: 1)
        let error = oscillation(at: cutoff, growth: response - 1, steps: 1) {
          ladder.next($0, tuning)
        }
        worst = max(worst, abs(error))
      }
    }
    #expect(abs(worst - told[0]) < 0.05, "\(worst)")
  }

  @Test("Every cutoff and response gives finite coefficients and a bounded sound")
  func bounded() {
    var noise = TestNoise()
    for (drive, steps) in [(0.1, 1.0), (100, 1), (0.1, 4), (100, 4)] {
      var (ladder, largest) = (DiodeLadder(fullScale: 1), 0.0)
      for _ in 0..<48_000 {
        let tuning = tuning(28_800 * noise.next(), 3 * noise.next(), steps: steps)
        let x = drive * (2 * noise.next() - 1)
        for _ in 0..<Int(steps) {
          largest = max(largest, abs(ladder.next(x, tuning)))
        }
      }
      #expect(largest < 100 * (1 + drive), "\(drive) \(steps): \(largest)")
    }
    for cutoff in [Double.nan, -1, 0, 1e9] {
      for steps in [1.0, 4] {
        let tuning = tuning(cutoff, .nan, steps: steps)
        #expect(tuning.gain.isFinite && tuning.gain >= 0 && tuning.feedback == 0.918)
      }
    }
  }
}

@Suite("DIODELADDER's quality in Csound", .serialized)
struct LinearDiodeLadderQualityTests {
  @Test(
    "At feedback 16.999 it rings within 3 cents of the cutoff",
    arguments: [55.0, 440, 3520, 10_000], [1, 2])
  func tuned(cutoff: Double, quality: Int) throws {
    let output = try performNote(
      """
      aimpulse mpulse 1, 0
      a1 DIODELADDER aimpulse, \(cutoff), 16.999, 0, 1, 0, \(quality)
      a2 DIODELADDER aimpulse, upsamp(k(\(cutoff))), 16.999, 0, 1, 0, \(quality)
      """, heard: "a1, a2", note: "2")
    for channel in output.channels {
      #expect(abs(cents(of: channel.suffix(72_000), above: cutoff)) < 3)
    }
  }

  @Test("Unsaturated, an iquality of 2 is one of 1")
  func unsaturated() throws {
    let both = try performNote(
      """
      asignal rand 3, 0.3, 1
      a1 DIODELADDER asignal, 2000, 12, 0, 1, 0, 1
      a2 DIODELADDER asignal, 2000, 12, 0, 1, 0, 2
      """, heard: "a1, a2", note: "0.1")
    #expect(both[0] == both[1] && both[0].contains { abs($0) > 0.1 })
  }
}
