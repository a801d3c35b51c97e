import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("LADDER without Csound")
struct ZeroDelayLadderTests {
  static let hard = HardCurve(limit: 1)
  static let linear = HardCurve(limit: 1000)

  /// What the ladder makes of a signal.
  private func filtered(
    _ signal: some Sequence<Double>, cutoff: Double, resonance: Double, mode: Double = 0,
    _ curve: some LoopCurve
  ) throws -> [Double] {
    var poles = FourPoles()
    let mixture = try #require(LadderMixture(mode: mode))
    let tuning = FourPoleTunings(cutoffs: Pair(cutoff), resonances: Pair(resonance), most: 2)[0]
    return signal.map { poles.next($0, tuning, mixture, curve) }
  }

  private func impulse(_ level: Double, _ count: Int) -> [Double] {
    [level] + Array(repeating: 0, count: count - 1)
  }

  @Test(
    "It oscillates within 3 cents of the cutoff",
    arguments: [55.0, 110, 440, 1760, 3520, 7040, 10_000], [1.05, 1.2, 1.5])
  func oscillation(frequency: Double, resonance: Double) throws {
    #expect(try abs(error(frequency, resonance, SoftCurve())) < 3)
    if resonance < 1.3 { #expect(try abs(error(frequency, resonance, Self.hard)) < 3) }
  }

  /// By how many cents it oscillates above its cutoff.
  private func error(
    _ frequency: Double, _ resonance: Double, _ curve: some LoopCurve
  ) throws -> Double {
    // A step, so that it starts near its level.
    let start = Array(repeating: 0.5, count: 2000) + Array(repeating: 0, count: 94_000)
    let signal = try filtered(start, cutoff: frequency / 48_000, resonance: resonance, curve)
    #expect(signal.suffix(1000).contains { abs($0) > 0.05 })
    return cents(of: signal.suffix(48_000), above: frequency)
  }

  @Test("Near sr/6 it is drawn as far as the page says")
  func drawn() throws {
    let told = try pageFigures(
      "Ladders/ZeroDelayLadder.swift",
      "at a resonance of 1.5 by up to 17 cents, with clipping at 1.2 by up to 37")
    let soft = try stride(from: 7800.0, through: 8200, by: 20).map {
      try abs(error($0, told[0], SoftCurve()))
    }
    let hard = try stride(from: 8150.0, through: 8190, by: 4).map {
      try abs(error($0, told[2], Self.hard))
    }
    #expect(abs(soft.max()! - told[1]) < 1, "\(soft)")
    #expect(abs(hard.max()! - told[3]) < 1, "\(hard)")
  }

  @Test(
    "Below a resonance of 1 it rings down, above it rings on", arguments: [200.0, 3000, 12_000])
  func threshold(frequency: Double) throws {
    for (resonance, grows) in [(0.99, false), (1.01, true)] {
      let signal = try filtered(
        impulse(1e-6, 48_000), cutoff: frequency / 48_000, resonance: resonance, SoftCurve())
      let period = Int(48_000 / frequency)
      func level(_ cycle: Int) -> Double {
        signal[(cycle * period)..<((cycle + 20) * period)].map(abs).max()!
      }
      #expect(level(20) > 0 && (level(100) > level(20)) == grows)
    }
  }

  @Test(
    "The peak of the resonance is within 3 cents of the analog ladder's, and of the cutoff from 0.995 on",
    arguments: [55.0, 880, 3520, 7040, 10_000], [0.95, 0.99, 0.995])
  func resonancePeak(frequency: Double, resonance: Double) throws {
    let signal = try filtered(
      impulse(1, max(12_000, min(192_000, Int(60e6 / frequency)))), cutoff: frequency / 48_000,
      resonance: resonance, Self.linear)
    let found = peak(of: signal, near: frequency / 48_000)
    // |(1 + iw)⁴ + k| is smallest where (1 + w²)³ = k (3 - w²).
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if pow(1 + middle, 3) < 4 * resonance * (3 - middle) { low = middle } else { high = middle }
    }
    let told = try pageFigures(
      "Ladders/ZeroDelayLadder.swift",
      "2 cents below the cutoff at 0.995, 4 at 0.99, 22 at 0.95")
    let below = told[told.firstIndex(of: resonance)! - 1]
    #expect(abs(600 * log2(low) + below) < 0.5)
    // The bilinear transform moves frequencies that are not the cutoff.
    let prewarped = tan(Double.pi * frequency / 48_000) * low.squareRoot()
    let analog = atan(prewarped) / Double.pi
    #expect(abs(1200 * log2(found / analog)) < 3)
    if resonance > 0.992 { #expect(abs(1200 * log2(found * 48_000 / frequency)) < 3) }
  }

  @Test(
    "The slopes are 24, 18, 12 and 6 dB per octave, 12 on both sides, and 24",
    arguments: [
      (0, -24.0, 1), (1, -18, 1), (2, -12, 1), (3, -6, 1), (4, -12, 1), (4, 12, -1), (5, 24, -1),
    ])
  func slopes(mode: Int, slope: Double, side: Double) throws {
    let told = try pageFigures(
      "Ladders/ZeroDelayLadder.swift", "1 with 18 dB, 2 with 12 dB, 3 with 6 dB")
    if 1...3 ~= mode { #expect(told[2 * mode - 1] == -slope) }
    let cutoff = side > 0 ? 60.0 : 2000
    let signal = try filtered(
      impulse(1, 48_000), cutoff: cutoff / 48_000, resonance: 0, mode: Double(mode), Self.linear)
    // Four and five octaves from the cutoff, where the prototype's slope is within 0.2 dB of the number.
    let gains = [4.0, 5].map { gain(of: signal, at: cutoff * pow(2, side * $0) / 48_000) }
    let drop = 20 * log10(gains[1] / gains[0]) * side
    #expect(abs(drop - slope) < 0.5, "\(drop)")
  }

  @Test(
    "The soft curve is near tanh, and the loop is solved within the stated error",
    arguments: [(0.0, 1e-12), (0.142, 0.002), (1.5, 0.073)])
  func softCurve(b: Double, error: Double) {
    func curve(_ v: Double) -> Double {
      abs(v) < 3 ? v * (27 + v * v) / (27 + 9 * v * v) : (v < 0 ? -1 : 1)
    }
    var worst = 0.0
    for v in stride(from: -8.0, through: 8, by: 0.001) {
      #expect(abs(curve(v) - tanh(v)) < 0.024)
      // v is the solution for a = v + b T(v).
      let linear = (v + b * curve(v)) / (1 + b)
      worst = max(worst, abs(SoftCurve().solve(linear, b) - curve(v)))
    }
    #expect(worst < error)
    #expect(abs(SoftCurve().solve(1e-6, b) - 1e-6) < 1e-16)
  }

  @Test("Noise in cutoff and resonance leaves it bounded at any drive", arguments: [0, 1, 2])
  func bounded(saturation: Int) throws {
    let mixture = try #require(LadderMixture(mode: 0))
    let highpass = try #require(LadderMixture(mode: 5))
    let most = saturation == 0 ? 0.9999 : 2
    for drive in [0.1, 1, 100] {
      var (poles, high, largest) = (FourPoles(), FourPoles(), 0.0)
      var (signals, controls) = (noise(96_000, seed: 1), noise(192_000, seed: 2))
      for frame in signals.indices {
        if frame > 48_000 { signals[frame] = frame / 100 % 2 == 0 ? 1 : -1 }
        let fast = frame % 24_000 < 12_000
        let place = fast ? frame : frame / 200
        if !fast { controls[96_000 + place] = controls[96_000 + place] > 0 ? 1 : -1 }
        let tuning = FourPoleTunings(
          cutoffs: Pair(0.25 + 0.25 * controls[place]),
          resonances: Pair(most * (0.5 + 0.5 * controls[96_000 + place])), most: most)[0]
        let x = drive * signals[frame]
        switch saturation {
        case 0: largest = max(largest, abs(poles.next(x, tuning, mixture, Self.linear)) / drive)
        case 1:
          largest = max(largest, abs(poles.next(x, tuning, mixture, SoftCurve())))
          largest = max(largest, abs(high.next(x, tuning, highpass, SoftCurve())) / 16)
        default:
          largest = max(largest, abs(poles.next(x, tuning, mixture, Self.hard)))
          largest = max(largest, abs(high.next(x, tuning, highpass, Self.hard)) / 16)
        }
      }
      #expect(largest < 8)
    }
  }

  /// Noise between -1 and 1.
  private func noise(_ count: Int, seed: UInt64 = 7) -> [Double] {
    var noise = Noise(seed: seed)
    return (0..<count).map { _ in noise.next() }
  }
}
