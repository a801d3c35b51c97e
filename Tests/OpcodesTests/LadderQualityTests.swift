import Foundation
import OpcodeKit
import Opcodes
import Testing

/// A ladder with exact tuning, at the rates of its better qualities.
struct ExactLadder: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Steps in a sample.
  let steps: [Double]
  /// Resonances from which on it oscillates at the cutoff.
  let resonances: [Double]
  /// What it makes of one step, for a cutoff in Hz at 48 kHz.
  let make: @Sendable (_ cutoff: Double, _ resonance: Double, _ steps: Double) -> (Double) -> Double

  static let all = [
    ExactLadder(
      testDescription: "MOOGLADDER", steps: [2, 4], resonances: [1.01, 1.05, 1.2, 2]
    ) { cutoff, resonance, steps in
      var ladder = Ladder(fullScale: 1)
      let tuning = moogTuning(cutoff, resonance, steps)
      return { ladder.halfStep($0, tuning) }
    },
    ExactLadder(
      testDescription: "LPF18", steps: [1, 4], resonances: [1.01, 1.05, 1.2]
    ) { cutoff, resonance, steps in
      var filter = ThreePoleFilter()
      let tuning = threePoleTuning(cutoff, resonance, steps)
      return { filter.next($0, tuning) }
    },
    ExactLadder(
      testDescription: "VCS3FILTER", steps: [1, 4], resonances: [1.01, 1.05, 1.2, 1.5, 2]
    ) { cutoff, resonance, steps in
      var ladder = DiodeLadder(fullScale: 2)
      let tuning = vcs3Tuning(cutoff, resonance, steps)
      return { ladder.next($0, tuning) }
    },
  ]

  static func moogTuning(_ cutoff: Double, _ resonance: Double, _ steps: Double) -> LadderTuning {
    LadderTuning(
      cutoff: cutoff / 48_000, resonance: resonance, ExactLadderLaw(stepsPerSample: steps))
  }

  static func threePoleTuning(
    _ cutoff: Double, _ resonance: Double, distortion: Double = 0, _ steps: Double
  ) -> ThreePoleTuning {
    ThreePoleTuning(
      exactly: cutoff / 48_000, resonance: resonance, distortion: distortion, steps: steps)
  }

  static func vcs3Tuning(_ cutoff: Double, _ response: Double, _ steps: Double) -> DiodeLadderTuning
  {
    let exact = DiodeLadderTuning.exactCutoffs(
      Lanes(cutoff / 48_000), responses: Lanes(response), steps: steps)
    return DiodeLadderTuning(cutoffHz: exact[0], response: response, samplePeriod: 1)
  }

  /// By how many cents it oscillates above its cutoff.
  func error(_ cutoff: Double, _ resonance: Double, _ steps: Double) -> Double {
    oscillation(
      at: cutoff, growth: resonance - 1, steps: steps, make(cutoff, resonance, steps))
  }
}

@Suite("Qualities of ladders without Csound")
struct LadderQualityTests {
  @Test(
    "From a resonance of 1 on it oscillates within 3 cents of the cutoff",
    arguments: ExactLadder.all, [55.0, 110, 440, 1760, 3520, 5500, 7040, 10_000])
  func tuned(ladder: ExactLadder, cutoff: Double) {
    for (steps, resonance) in ladder.steps.flatMap({ s in ladder.resonances.map { (s, $0) } }) {
      // One step of VCS3FILTER in a sample is too few above sr/8: there the oscillation locks to fractions of the rate.
      if ladder.testDescription == "VCS3FILTER", steps == 1, cutoff > 6000 { continue }
      let error = ladder.error(cutoff, resonance, steps)
      #expect(abs(error) < 3, "\(steps) steps, \(resonance): \(error)")
    }
  }

  @Test(
    "Below a resonance of 1 it rings down, above it rings on", arguments: ExactLadder.all.prefix(2),
    [200.0, 3000, 12_000])
  func threshold(ladder: ExactLadder, cutoff: Double) {
    let steps = ladder.steps[0]
    for (resonance, expected) in [(0.995, false), (1.005, true)] {
      #expect(
        grows(at: cutoff, steps: steps, ladder.make(cutoff, resonance, steps)) == expected)
    }
  }

  @Test("Without correction MOOGLADDER is flat by 20 cents and more at a resonance of 1.05")
  func original() {
    var ladder = Ladder(fullScale: 1)
    let tuning = LadderTuning(cutoff: 1000 / 48_000, resonance: 1.05)
    let signal = (0..<96_000).map { ladder.next($0 < 24 ? 0.3 : 0, tuning) }
    #expect(cents(of: signal.suffix(48_000), above: 1000) < -15)
  }

  @Test(
    "The peak of MOOGLADDER's resonance of 0.995 is within 3 cents of the cutoff",
    arguments: [55.0, 880, 3520, 10_000])
  func resonancePeak(cutoff: Double) {
    var ladder = Ladder(fullScale: 1)
    let tuning = ExactLadder.moogTuning(cutoff, 0.995, 2)
    let count = max(12_000, min(192_000, Int(60e6 / cutoff)))
    let signal = (0..<count).map { ladder.next($0 == 0 ? 1e-4 : 0, tuning) }
    let found = peak(of: signal, near: cutoff / 48_000)
    #expect(abs(1200 * log2(found * 48_000 / cutoff)) < 3)
  }

  @Test("tanh moves LPF18's oscillation by as many cents as its page says")
  func saturated() throws {
    let told = try pageFigures(
      "Ladders/ThreePoleFilter.swift", "by 1.3 cents at a resonance of 1.3, by 7.5 at 2")
    for (resonance, figure) in [(told[1], told[0]), (told[3], told[2])] {
      let errors = [55.0, 440, 3520, 7040, 10_000].map {
        ExactLadder.all[1].error($0, resonance, 1)
      }
      #expect(abs(errors.map(abs).max()! - figure) < 0.3, "\(errors)")
    }
  }

  @Test("VCS3FILTER's fit is as good as its page says")
  func fit() throws {
    let told = try pageFigures("VCS3/VCS3Filter.swift", "within 0.8 cents for f up to 0.12")
    var worst = 0.0
    for response in [1.05, 1.2, 1.5, 2] {
      for place in 1...12 {
        let cutoff = 48_000 * told[1] * Double(place) / 12
        worst = max(worst, abs(ExactLadder.all[2].error(cutoff, response, 1)))
      }
    }
    #expect(abs(worst - told[0]) < 0.05, "\(worst)")
  }

  /// The largest output for noise, with noise for the cutoff and for what `next` makes of it.
  private func largest(
    _ drive: Double, _ steps: Double,
    _ next: (_ noise: inout Noise, _ cutoff: Double) -> (Double) -> Double
  ) -> Double {
    var (noise, largest) = (Noise(seed: 3 as UInt64), 0.0)
    for _ in 0..<48_000 {
      let step = next(&noise, 28_800 * noise.nextUnit())
      let x = drive * (2 * noise.nextUnit() - 1)
      for _ in 0..<Int(steps) { largest = max(largest, abs(step(x))) }
    }
    return largest
  }

  @Test(
    "Noise in cutoff and resonance leaves it bounded at any level", arguments: [0.1, 1, 100],
    [1.0, 4])
  func bounded(drive: Double, steps: Double) {
    let halfSteps: Double = steps == 1 ? 2 : 4
    for level in [1.0, 2, 4] {
      var ladder = Ladder(fullScale: 1)
      let most = largest(drive, halfSteps) { noise, cutoff in
        let tuning = ExactLadder.moogTuning(cutoff, level * noise.nextUnit(), halfSteps)
        return { ladder.halfStep($0, tuning) }
      }
      #expect(most < 10, "MOOGLADDER, \(level)")
    }
    var filter = ThreePoleFilter()
    let three = largest(drive, steps) { noise, cutoff in
      let tuning = ExactLadder.threePoleTuning(
        cutoff, 4 * noise.nextUnit(), distortion: noise.nextUnit(), steps)
      return { filter.next($0, tuning) }
    }
    #expect(three < 20 * (1 + drive), "LPF18")
    var ladder = DiodeLadder(fullScale: 1)
    let diodes = largest(drive, steps) { noise, cutoff in
      let tuning = ExactLadder.vcs3Tuning(cutoff, 3 * noise.nextUnit(), steps)
      return { ladder.next($0, tuning) }
    }
    #expect(diodes < 100 * (1 + drive), "VCS3FILTER")
  }

  @Test("Coefficients are in range for every cutoff and resonance")
  func coefficients() {
    for steps in [2.0, 4] {
      for resonance in [0, 0.5, 1, 1.2, 3, 1e9] {
        for cutoff in stride(from: 0.0, through: 0.7, by: 0.01) {
          let tuning = ExactLadder.moogTuning(48_000 * cutoff, resonance, steps)
          #expect(tuning.gain >= 0 && tuning.gain < 0.98)
          #expect(tuning.feedback >= 0 && tuning.feedback <= 5 * resonance)
        }
      }
    }
    #expect(ExactLadder.moogTuning(.nan, .infinity, 2).gain == 0)
    for cutoff in [Double.nan, -1, 0, 1e9] {
      var filter = ThreePoleFilter()
      let three = ExactLadder.threePoleTuning(cutoff, 1, distortion: 1, 1)
      #expect((0..<1000).allSatisfy { _ in filter.next(1, three).isFinite }, "\(cutoff)")
      for steps in [1.0, 4] {
        let tuning = ExactLadder.vcs3Tuning(cutoff, .nan, steps)
        #expect(tuning.gain.isFinite && tuning.gain >= 0 && tuning.feedback == 0.918)
      }
    }
  }
}
