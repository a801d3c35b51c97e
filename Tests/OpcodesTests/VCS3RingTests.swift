import Foundation
import Testing

@Suite("VCS3RING in Csound", .serialized)
struct VCS3RingTests {
  /// What two lines make together, the last half second.
  static func play(_ one: String, _ two: String, _ more: String = "") throws -> ArraySlice<Double> {
    try performNote(
      """
      aone = \(one)
      atwo = \(two)
      aout VCS3RING aone, atwo\(more)
      """, heard: "aout", note: "0.7", ksmps: 64)[0].suffix(26_400).prefix(24_000)
  }

  @Test(
    "Soft sines make their sum and difference, half as loud as their product, and leak at -60 dB")
  func product() throws {
    let samples = try Self.play("poscil:a(0.02, 1000)", "poscil:a(0.03, 300)")
    for frequency in [700, 1_300.0] {
      #expect(abs(Partial(of: frequency, in: samples).amplitude - 0.0003) < 2e-7)
    }
    #expect(abs(Partial(of: 1_000, in: samples).decibels - 20 * log10(0.02) + 60) < 0.01)
    #expect(abs(Partial(of: 300, in: samples).decibels - 20 * log10(0.03) + 60) < 0.01)
  }

  @Test("Two at full scale lose 1.4 dB; nothing gets beyond 4")
  func saturation() throws {
    let steady = try Self.play("a(1)", "a(1)", ", 0")
    #expect(abs(20 * log10(steady.last!) + 1.37) < 0.01)
    let hot = try Self.play("a(900)", "a(-5000)", ", 0")
    #expect(hot.last! < -3.99 && hot.allSatisfy { $0 > -4.001 })
  }

  @Test("What lies beyond half the rate does not come back")
  func aliases() throws {
    let samples = try Self.play("poscil:a(0.1, 15000)", "poscil:a(0.1, 14000)", ", 0")
    let image = Partial(of: 48_000 - 29_000, in: samples).decibels
    let difference = Partial(of: 1_000, in: samples).decibels
    #expect(abs(difference - 20 * log10(0.005)) < 0.1 && image - difference < -75)
  }

  @Test("Leak is as asked")
  func leak() throws {
    let samples = try Self.play("a(0.5)", "a(0)", ", 0.1")
    #expect(abs(samples.last! - 0.05) < 1e-9)
  }
}

@Suite("VCS3NOISE in Csound", .serialized)
struct VCS3NoiseTests {
  /// The mean power of bands an octave wide round frequencies, by many short windows.
  static func powers(_ samples: [Double], _ frequencies: [Double]) -> [Double] {
    frequencies.map { frequency in
      var power = 0.0
      for start in stride(from: 0, to: samples.count - 1_024, by: 512) {
        let amplitude = Partial(of: frequency, in: samples[start..<(start + 1_024)]).amplitude
        power += amplitude * amplitude
      }
      return 10 * log10(power)
    }
  }

  static func play(_ arguments: String, _ seconds: Double = 2) throws -> [Double] {
    Array(
      try perform(
        "instr 1\naout VCS3NOISE \(arguments)\nout aout\nendin", score: "i1 0 \(seconds)",
        ksmps: 64)[0].prefix(Int(seconds * 48_000)))
  }

  @Test("White in the middle, evenly from -1 to 1; the ends fall by 6 dB an octave on their sides")
  func colour() throws {
    let frequencies = [200, 800, 3_200, 6_400, 12_800.0]
    let white = try Self.play("0.5")
    let power = white.reduce(0) { $0 + $1 * $1 } / Double(white.count)
    let told = try pageFigures("VCS3/VCS3Noise.swift", "an RMS level of -4.8 dB")
    #expect(abs(10 * log10(power) - told[0]) < 0.1)
    #expect(white.allSatisfy { -1...1 ~= $0 } && white.contains { abs($0) > 0.999 })
    let level = Self.powers(white, frequencies)
    let dark = zip(Self.powers(try Self.play("0"), frequencies), level).map { $0 - $1 }
    let bright = zip(Self.powers(try Self.play("1"), frequencies), level).map { $0 - $1 }
    for index in level.indices { #expect(abs(level[index] - level[1]) < 1.5) }
    // Of the same numbers, so that only the filter differs: 6 dB more at best, 3 less at 800 Hz.
    let pole = 800.0
    for (index, frequency) in frequencies.enumerated() where frequency < 4_000 {
      let ratio = frequency / pole
      #expect(abs(dark[index] - 6.02 + 10 * log10(1 + ratio * ratio)) < 0.7)
      #expect(abs(bright[index] - 6.02 + 10 * log10(1 + 1 / (ratio * ratio))) < 0.7)
    }
  }

  @Test("Equal seeds make equal noises, others others, which have nothing in common")
  func seeds() throws {
    let (one, same, other) = (
      try Self.play("0.5, 0.3", 0.5), try Self.play("0.5, 0.3", 0.5),
      try Self.play("0.5, 0.3001", 0.5)
    )
    #expect(one == same && one != other)
    let product = zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } / Double(one.count)
    #expect(abs(product) < 0.01)
    let usual = try Self.play("0.5", 0.1)
    #expect(usual == (try Self.play("0.5, 0.5", 0.1)))
    for seed in ["0", "1", "-0.2"] {
      let performance = try perform(
        "instr 1\naout VCS3NOISE 0.5, \(seed)\nout aout\nendin", score: "i1 0 0.1")
      #expect(performance.said("it must be above 0 and below 1"))
    }
  }
}
