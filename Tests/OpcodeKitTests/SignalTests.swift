import Foundation
import OpcodeKit
import Testing

@Suite("Toolbox: noise, phases, windows")
struct SignalTests {
  @Test(
    "Noise of equal seeds is equal, of others not; its mean, power and range are those of white noise"
  )
  func white() {
    var (one, same, other) = (
      Noise(seed: 1 as UInt64), Noise(seed: 1 as UInt64), Noise(seed: 2 as UInt64)
    )
    var (sum, power, following) = (0.0, 0.0, 0.0)
    var (last, different) = (0.0, 0)
    let count = 1_000_000
    for _ in 0..<count {
      let x = one.next()
      #expect(x == same.next() && x >= -1 && x < 1)
      if x != other.next() { different += 1 }
      sum += x
      power += x * x
      following += x * last
      last = x
    }
    // Six standard deviations of each mean.
    let deviation = 6 / Double(count).squareRoot()
    #expect(abs(sum / Double(count)) < deviation * 0.578)
    #expect(abs(power / Double(count) - 1.0 / 3) < deviation * 0.3)
    #expect(abs(following / Double(count)) < deviation / 3)
    #expect(different == count)
    var unseeded = Noise(seed: Double.nan)
    #expect(unseeded.nextUnit() < 1)
  }

  @Test("Normal numbers have a deviation of 1")
  func normal() {
    var (noise, power, fourth) = (Noise(seed: 9 as UInt64), 0.0, 0.0)
    for _ in 0..<400_000 {
      let x = noise.nextNormal()
      power += x * x
      fourth += x * x * x * x
    }
    #expect(abs(power / 400_000 - 1) < 0.015)
    // 3 for a normal distribution; the sum of 12 has 2.9.
    #expect(abs(fourth / 400_000 - 2.9) < 0.1)
  }

  @Test("Pink noise falls by 3 dB per octave, with a root mean square of 0.2")
  func pink() {
    var noise = PinkNoise(seed: 4 as UInt64)
    let size = 4096
    var (power, energy) = ([Double](repeating: 0, count: size / 2), 0.0)
    let blocks = 1200
    for _ in 0..<blocks {
      let samples = (0..<size).map { _ in noise.next() }
      energy += samples.reduce(0) { $0 + $1 * $1 }
      let found = powers(of: samples.enumerated().map { $1 * Window.hann($0, of: size) })
      for bin in power.indices { power[bin] += found[bin] }
    }
    #expect(abs((energy / Double(blocks * size)).squareRoot() - 0.2) < 0.01)
    // Octaves from 94 Hz to 24 kHz have the same power.
    var octaves = [Double]()
    var low = 8
    while low < size / 4 {
      octaves.append(power[low..<(2 * low)].reduce(0, +))
      low *= 2
    }
    for octave in octaves {
      #expect(abs(10 * log10(octave / octaves[3])) < 0.35, "\(octaves.map { 10 * log10($0) })")
    }
  }

  @Test("A phasor neither drifts nor leaves its range")
  func phasor() {
    var phasor = Phasor(phase: 0.25)
    phasor.tune(0.001)
    for frame in 0..<1_000_000 {
      let value = phasor.next()
      #expect(value >= 0 && value < 1)
      if frame == 999_000 { #expect(abs(value - 0.25) < 1e-9) }
    }
    phasor.tune(-0.25)
    #expect(abs(phasor.frequency + 0.25) < 1e-15)
    let before = phasor.next()
    #expect(abs(phasor.next() - Math.fraction(before - 0.25)) < 1e-12)
  }

  @Test(
    "A saw's loudest alias is as far below the fundamental as stated",
    arguments: [(75, 51.0), (213, 43), (855, 30.5)])
  func saw(cycles: Int, least: Double) {
    let count = 8192
    func loudestAlias(_ output: [Double]) -> Double {
      let powers = powers(of: output)
      let loudest = powers.indices.dropFirst().filter { $0 % cycles != 0 }.map { powers[$0] }.max()!
      return 10 * log10(powers[cycles] / loudest)
    }
    var phasor = Phasor(phase: 0.123)
    phasor.tune(Double(cycles) / Double(count))
    let rounded = loudestAlias((0..<count).map { _ in phasor.nextSaw() })
    let plain = loudestAlias((0..<count).map { _ in 1 - 2 * phasor.next() })
    #expect(rounded > least - 0.3 && rounded > plain + 15, "\(rounded) \(plain)")
    let pulse = (0..<count).map { _ in phasor.nextPulse(width: 0.3) }
    #expect(loudestAlias(pulse) > least - 4, "\(loudestAlias(pulse))")
    #expect(abs(pulse.reduce(0, +) / Double(count) + 0.4) < 1e-3)
  }

  @Test("A phasor at rest makes steady waves")
  func rest() {
    var phasor = Phasor(phase: 0.2)
    #expect(abs(phasor.nextSaw() - 0.6) < 1e-12 && phasor.nextPulse() == 1)
  }

  @Test(
    "Windows have their stated side lobes",
    arguments: [
      ("hann", 31.4), ("hamming", 42.6), ("blackman", 58.1), ("harris", 92), ("kaiser", 50),
    ])
  func windows(name: String, least: Double) {
    let count = 64
    let values = (0..<count).map { index in
      switch name {
      case "hann": Window.hann(index, of: count)
      case "hamming": Window.hamming(index, of: count)
      case "blackman": Window.blackman(index, of: count)
      case "harris": Window.blackmanHarris(index, of: count)
      default: Window.kaiser(index, of: count, beta: 7)
      }
    }
    let padded = values + [Double](repeating: 0, count: 1024 - count)
    let spectrum = (0..<512).map { response(padded, at: Double($0) / 1024).magnitude }
    // The main lobe ends at the first minimum.
    let end = (1..<511).first { spectrum[$0] < spectrum[$0 + 1] } ?? 0
    let lobe = spectrum[end...].max() ?? 0
    #expect(decibels(spectrum[0] / lobe) > least - 0.3, "\(decibels(spectrum[0] / lobe))")
  }
}
