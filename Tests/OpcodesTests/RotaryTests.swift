import Foundation
import Opcodes
import Testing

@Suite("A rotary speaker's parts")
struct RotaryPartTests {
  @Test("The way changes by the rotor's radius times its angular speed at most, and not beyond it")
  func ways() throws {
    for (shape, radius) in [(RotorShape.horn, 0.192), (.drum, 0.22)] {
      for distance in [0.42, 1.5] {
        let ways = (0...10_000).map {
          shape.path(turns: Double($0) / 10_000, distance: distance).metres
        }
        #expect(abs(ways.max()! - distance - radius) < 1e-9)
        #expect(abs(ways.min()! - distance + radius) < 1e-9)
        // Metres per turn.
        let fastest = zip(ways.dropFirst(), ways).map { abs($0 - $1) * 10_000 }.max()!
        #expect(abs(fastest / (2 * Double.pi * radius) - 1) < 1e-4)
      }
    }
    let told = try pageFigures(
      "Organ/Rotary.swift",
      "every 16 samples; path lengths and gains are interpolated linearly in between. For the fast horn at 48 kHz, 0.3 m away, the error is at most 0.0021 samples"
    )
    let errors = (0...1000).map { place in
      let ways = [-0.5, 0, 0.5].map {
        RotorShape.horn.path(
          turns: Double(place) / 1000 + $0 * 7.056 * told[0] / 48_000, distance: told[2]
        ).metres
      }
      return abs(ways[1] - (ways[0] + ways[2]) / 2) / 340 * 48_000
    }
    #expect(abs(errors.max()! - told[3]) < 5e-5)
    // 8.5 m/s, 2.5 % or 43 cents.
    let speed = 2 * Double.pi * 0.192 * 7.056
    #expect(abs(speed - 8.51) < 0.01 && abs(1200 * log2(340 / (340 - speed)) - 43.9) < 0.2)
  }

  @Test("The crossover's bands are 6 dB down at 800 Hz, fall by 12 dB an octave, and add up")
  func crossover() throws {
    func response(_ frequency: Double) -> (low: Double, high: Double, sum: Double) {
      var filter = Crossover(frequency: 800, sampleRate: 192_000)
      let bands = (0..<96_000).map {
        filter.next(sin(2 * Double.pi * frequency * Double($0) / 192_000))
      }.suffix(48_000)
      func decibels(_ samples: [Double]) -> Double {
        Partial(of: frequency, in: samples, sampleRate: 192_000).decibels
      }
      return (
        decibels(bands.map(\.low)), decibels(bands.map(\.high)),
        decibels(bands.map { $0.low + $0.high })
      )
    }
    let middle = response(800)
    #expect(abs(middle.low + 6.02) < 0.01 && abs(middle.high + 6.02) < 0.01)
    #expect(try pageFigures("Organ/Rotary.swift", "each band is at -6 dB") == [-6])
    for frequency in [100, 400, 800, 3000.0] { #expect(abs(response(frequency).sum) < 0.01) }
    #expect(abs(response(6_400).low - response(12_800).low - 12) < 0.4)
    #expect(abs(response(100).high - response(50).high - 12) < 0.4)
  }
}

@Suite("ROTARY in Csound", .serialized)
struct RotaryTests {
  /// Both channels, and the signal's own in a third.
  static func play(
    _ signal: String, _ arguments: String, seconds: Double, ksmps: Int = 64, rate: Int = 48_000
  ) throws -> Performance {
    try performNote(
      """
      asignal = \(signal)
      aleft, aright ROTARY asignal, \(arguments)
      """, heard: "aleft, aright, asignal", note: "\(seconds)", sampleRate: rate, ksmps: ksmps)
  }

  @Test("The wall behind it turns the other way and can be left out")
  func cabinet() throws {
    let with = try Self.play("poscil:a(0.5, 2000, -1)", "0, 0, 1", seconds: 0.3)
    let more = try Self.play("poscil:a(0.5, 2000, -1)", "0, 0, 2", seconds: 0.3)
    let without = try Self.play("poscil:a(0.5, 2000, -1)", "0, 0, 0", seconds: 0.3)
    for frame in stride(from: 4_800, to: 14_000, by: 100) {
      let wall = with[0][frame] - without[0][frame]
      #expect(abs(more[0][frame] - without[0][frame] - 2 * wall) < 1e-9)
    }
    #expect(largestDifference(with[0], without[0]) > 0.001)
  }

  @Test("The amplifier is nearly clean at 0 and saturates at 1; what it folds back is below -60 dB")
  func amplifier() throws {
    func harmonics(_ drive: Double, _ frequency: Double) throws -> [Double] {
      let samples = try Self.play(
        "poscil:a(1, \(frequency), -1)", "0, \(drive), 0", seconds: 0.5)[0].suffix(19_200)
      return (1...3).map { Partial(of: frequency * Double($0), in: samples).decibels }
    }
    let (clean, hot) = (try harmonics(0, 150), try harmonics(1, 150))
    #expect(clean[2] - clean[0] < -40 && clean[1] - clean[0] < -25)
    #expect(hot[2] - hot[0] > -14 && hot[1] - hot[0] > -40)
    #expect(hot[0] - clean[0] < 10)
    // Odd harmonics of 7 kHz beyond 24 kHz fold to 13, 1 and 15 kHz.
    let samples = try Self.play("poscil:a(0.3, 7000, -1)", "0, 0.6, 0", seconds: 0.5)[0]
      .suffix(19_200)
    let own = Partial(of: 7_000, in: samples).decibels
    for frequency in [13_000, 1_000, 15_000.0] {
      #expect(Partial(of: frequency, in: samples).decibels - own < -60)
    }
  }
}
