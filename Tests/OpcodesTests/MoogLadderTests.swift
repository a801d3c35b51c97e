import Foundation
import HarnessBase
import OpcodeKit
import Opcodes
import Testing

@Suite("MOOGLADDER without Csound")
struct MoogLadderTests {
  @Test("The fast tanh is within 7e-15 of tanh up to 10, and below 1 there")
  func fastTanh() {
    var worst = 0.0
    for x in stride(from: -10.0, through: 10, by: 0.000_37) where x != 0 {
      worst = max(worst, abs(Fraction(3 * x, 3).tanh.value / Foundation.tanh(x) - 1))
    }
    #expect(worst < 7e-15)
    #expect(Fraction(10, 1).tanh.value < 1)
  }

  @Test("The tuning is 1 - exp(-pi fc fcr(fc)) with Huovilainen's correction")
  func tuning() {
    for cutoff in stride(from: 1.0, through: 36_000, by: 37) {
      let fc = cutoff / 48_000
      let correction = 1.8730 * fc * fc * fc + 0.4955 * fc * fc - 0.6490 * fc + 0.9988
      let exact = -expm1(-Double.pi * fc * correction)
      let tuning = LadderTuning(cutoff: cutoff / 48_000, resonance: 0.5)
      #expect(abs(tuning.gain / exact - 1) < 2e-14, "cutoff \(cutoff) Hz")
    }
  }

  /// Huovilainen's recurrence with the tanh of the C library, in the transistors' voltage.
  struct ExactLadder {
    var d = [0.0, 0, 0, 0]
    var mean = 0.0

    mutating func next(_ input: Double, _ tuning: LadderTuning) -> Double {
      for _ in 0..<2 {
        let t = d.map { Foundation.tanh($0) }
        let last = d[3]
        var u = Foundation.tanh(input - tuning.feedback * mean)
        for stage in 0..<4 {
          d[stage] += tuning.gain * (u - t[stage])
          u = Foundation.tanh(d[stage])
        }
        mean = 0.5 * (last + d[3])
      }
      return mean
    }
  }

  @Test(
    "The ladder is its recurrence to -110 dB on either side of the tunings whose steps are short, and across",
    arguments: [
      (5200.0, 5600.0, 0.3), (4000, 4300, 0.95), (300, 22_000, 0.5), (5000, 35_000, 0.8),
      (20, 5200, 0.1),
    ], [0.01, 1, 8])
  func recurrence(tuning: (low: Double, high: Double, resonance: Double), level: Double) {
    let tunings = [tuning.low, tuning.high].map {
      LadderTuning(cutoff: $0 / 48_000, resonance: tuning.resonance)
    }
    var ladder = Ladder(fullScale: 1)
    var exact = ExactLadder()
    var noise = Noise(seed: 7 as UInt64)
    var (energy, error) = (0.0, 0.0)
    for frame in 0..<9600 {
      let input = level * (noise.next() + (frame / 700 % 2 == 0 ? 0.5 : -0.5))
      // By turns, each for a while and then every other sample.
      let isHigh = frame / 1200 % 3 == 2 ? frame % 2 == 0 : frame / 1200 % 3 == 1
      let tuning = tunings[isHigh ? 1 : 0]
      let expected = exact.next(input / Ladder.voltage(fullScale: 1), tuning)
      let difference = ladder.next(input, tuning) / Ladder.voltage(fullScale: 1) - expected
      energy += expected * expected
      error += difference * difference
    }
    #expect(energy > 0 && 10 * log10(error / energy) < -110)
  }

  @Test("Any finite signal, cutoff and resonance keeps the ladder finite")
  func alwaysFinite() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    for _ in 0..<400 {
      var ladder = Ladder(fullScale: 1)
      let level = pow(10, random(-3...9))
      let highest = random(100...40_000)
      let resonance = random(0...3) < 2 ? random(0...1.5) : pow(10, random(0...4))
      var isFinite = true
      for frame in 0..<2000 {
        let tuning = LadderTuning(
          cutoff: (frame / 50 % 2 == 0 ? highest : random(0...highest)) / 48_000,
          resonance: resonance)
        let input = frame / 97 % 2 == 0 ? level : random(-level...level)
        isFinite = isFinite && ladder.next(input, tuning).isFinite
      }
      #expect(isFinite, "seed \(seed), level \(level), cutoff \(highest), resonance \(resonance)")
    }
  }
}
