import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("MOOGLADDER's quality without Csound")
struct MoogLadderQualityTests {
  /// The ladder's half steps after half a cycle of a level, `steps` of them in each sample at 48 kHz; each is one sample
  /// of the result.
  private func free(
    _ count: Int, cutoff: Double, resonance: Double, steps: Double, start: Double
  ) -> [Double] {
    var ladder = Ladder(fullScale: 1)
    let tuning = LadderTuning(
      cutoff: cutoff / 48_000, resonance: resonance, ExactLadderLaw(stepsPerSample: steps))
    let startLength = Int(steps * 48_000 / cutoff / 2)
    return (0..<count).map { ladder.halfStep($0 < startLength ? start : 0, tuning) }
  }

  @Test(
    "From a resonance of 1 on it oscillates within 3 cents of the cutoff",
    arguments: [55.0, 110, 440, 1760, 3520, 7040, 10_000], [1.01, 1.05, 1.2, 2])
  func oscillation(cutoff: Double, resonance: Double) {
    for steps in [2.0, 4] {
      let count = Int(steps * 48_000 * max(1, 5 / (cutoff * (resonance - 1))))
      let signal = free(count, cutoff: cutoff, resonance: resonance, steps: steps, start: 0.3)
      // The half steps are samples at a rate of `steps` times 48 kHz.
      let error = cents(of: signal.suffix(count / 2), above: cutoff / steps)
      #expect(abs(error) < 3, "\(steps) half steps")
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
    for (resonance, grows) in [(0.995, false), (1.005, true)] {
      let signal = free(96_000, cutoff: cutoff, resonance: resonance, steps: 2, start: 1e-6)
      let period = Int(96_000 / cutoff)
      func level(_ cycle: Int) -> Double {
        signal[(cycle * period)..<((cycle + 20) * period)].map(abs).max()!
      }
      #expect(level(60) > 0 && (level(150) > level(60)) == grows)
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
    var state: UInt64 = 3
    func noise() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) * 0x1p-53
    }
    for drive in [0.1, 1, 1000] {
      for steps in [2.0, 4] {
        var (ladder, largest) = (Ladder(fullScale: 1), 0.0)
        for _ in 0..<48_000 {
          let tuning = LadderTuning(
            cutoff: 0.6 * noise(), resonance: level * noise(), ExactLadderLaw(stepsPerSample: steps)
          )
          let x = drive * (2 * noise() - 1)
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

@Suite("MOOGLADDER's quality in Csound", .serialized)
struct MoogLadderQualityInCsoundTests {
  @Test(
    "It does what every filter must", arguments: [1, 64], [1, 2])
  func filter(ksmps: Int, quality: Int) throws {
    try expectFilter("MOOGLADDER", "700, 0.5", skip: ", 1", quality: quality, ksmps: ksmps)
    try expectFilter(
      "MOOGLADDER", "upsamp(k(700)), 0.5", skip: ", 1", quality: quality, ksmps: ksmps)
  }

  @Test("Harmonics of a sine of 5 above the aliases", arguments: [(6000, 0.7), (20_000, 0)])
  func aliases(cutoff: Int, resonance: Double) throws {
    for (cycles, least) in [(683, 100.0), (1367, 80), (3413, 60)] {
      var ratios: [Double] = []
      for quality in 0...2 {
        // `cycles` in 32768 samples are a quarter of that in 8192: four times the frequency there.
        let frequency = "\(cycles / 4 | 1) * 48000 / 8192"
        let output = try perform(
          """
          instr 1
            asine poscil 5, \(frequency), -1
            a1 MOOGLADDER asine, \(cutoff), \(resonance), 0, \(quality)
            outch 1, a1
          endin
          """, score: "i1 0 0.4")[0]
        ratios.append(
          harmonicsToAliases(Array(output[10_000..<18_192]), cycles: cycles / 4 | 1))
      }
      #expect(ratios[2] > least, "\(cycles): \(ratios)")
      #expect(ratios[2] > ratios[0] + 20)
    }
  }

  @Test("An iquality of 0 is no iquality, and 3 is an error")
  func zero() throws {
    let both = try perform(
      """
      instr 1
        asignal rand 3, 0.3, 1
        acutoff linseg 100, 0.1, 20000
        a1 MOOGLADDER asignal, acutoff, 1.1
        a2 MOOGLADDER asignal, acutoff, 1.1, 0, 0
        outch 1, a1, 2, a2
      endin
      """, score: "i1 0 0.1", channels: 2)
    #expect(both[0] == both[1] && both[0].contains { abs($0) > 0.1 })
    let bad = try perform(
      "instr 1\nain rand 1\naout MOOGLADDER ain, 1000, 0.5, 0, 3\nendin", score: "i1 0 0.01")
    #expect(bad.said("MOOGLADDER: 'iquality' is 3; it must be 0, 1 or 2."))
  }

  @Test("An array is its channels", arguments: [1, 2], ["kcutoff", "acutoff"])
  func array(quality: Int, cutoff: String) throws {
    let channels = try perform(
      """
      instr 1
        anoise rand 3, 0.3, 1
        asignals[] init 2
        asignals[0] = anoise
        asignals[1] vco2 1, 100
        kcutoff line 200, 0.2, 12000
        acutoff line 200, 0.2, 12000
        afiltered[] MOOGLADDER asignals, \(cutoff), 0.8, 0, \(quality)
        a1 MOOGLADDER asignals[0], \(cutoff), 0.8, 0, \(quality)
        a2 MOOGLADDER asignals[1], \(cutoff), 0.8, 0, \(quality)
        outch 1, a1, 2, a2, 3, afiltered[0], 4, afiltered[1]
      endin
      """, score: "i1 0 0.2", channels: 4)
    for (one, other) in [(0, 2), (1, 3)] {
      #expect(channels[one].contains { abs($0) > 0.1 })
      #expect(largestDifference(channels[one], channels[other]) < 1e-5)
    }
  }
}
