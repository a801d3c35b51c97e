import Foundation
import Testing

@Suite("MORPH with an iquality", .serialized)
struct MorphBandsTests {
  /// A table's harmonics, its mean first.
  struct Harmonics {
    private let cosines, sines: [Double]

    init(_ table: [Double], count: Int) {
      let size = Double(table.count)
      func sum(_ k: Int, _ function: (Double) -> Double) -> Double {
        var sum = 0.0
        for (index, value) in table.enumerated() {
          sum += value * function(2 * Double.pi * Double(k * index % table.count) / size)
        }
        return (k == 0 ? 1 : 2) * sum / size
      }
      let known = 0...min(count, table.count / 2 - 1)
      cosines = known.map { sum($0, cos) }
      sines = known.map { sum($0, sin) }
    }

    /// The sum of the first harmonics at a phase in cycles.
    func value(_ phase: Double, upTo count: Int) -> Double {
      (0..<min(count + 1, cosines.count)).reduce(0) { value, k in
        let angle = 2 * Double.pi * Double(k) * phase
        return value + cosines[k] * cos(angle) + sines[k] * sin(angle)
      }
    }
  }

  /// The numbers of harmonics there are.
  static let counts = [0, 1, 2, 3] + (1...8).flatMap { [2 << $0, 3 << $0] } + [1024]

  /// What the opcode's page says, for the frequency in Hz of each frame.
  static func model(_ tables: [(Harmonics, Double)], _ frequencies: [Double]) -> [Double] {
    var phase = 0.0
    return frequencies.map { frequency in
      let most = 7.0 / 12 / abs(frequency / 48_000)
      let place = counts.lastIndex { Double($0) <= most }!
      let share = min(16 * (most / Double(counts[place]) - 1), 1)
      defer { phase += frequency / 48_000 }
      return tables.reduce(0) { sum, item in
        let main = item.0.value(phase, upTo: counts[place])
        let lower = share < 1 ? item.0.value(phase, upTo: counts[max(place - 1, 0)]) : 0
        return sum + item.1 * (share * main + (1 - share) * lower)
      }
    }
  }

  @Test(
    "It is the sum of the harmonics that fit, without aliases, at every ksmps",
    arguments: [1, 7, 64], [1, 2])
  func equation(ksmps: Int, quality: Int) throws {
    let ramp = Harmonics((0..<2048).map { -1 + 2 * Double($0) / 2048 }, count: 200)
    let pulse = Harmonics((0..<64).map { $0 < 16 ? 1 : -0.5 }, count: 200)
    // In the middle of a level's range, where one fades, above all harmonics, and backwards.
    let frequencies = [150, 441.7, 571, 3000.3, 9000, 13_300, 27_500, 29_000, -441.7]
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 2048, -7, -1, 2048, 1
      gi2 ftgen 2, 0, 64, -7, 1, 16, 1, 0, -0.5, 48, -0.5
      instr 1
        outch p4, MORPH:a(0.7, p5, 0.25, 0, 1, 2, 1, 1, \(quality))
      endin
      """,
      score: frequencies.enumerated().map { "i1 0 0.01 \($0 + 1) \($1)" }.joined(separator: "\n"),
      ksmps: ksmps, channels: frequencies.count)
    for (sound, frequency) in zip(performance, frequencies) {
      let expected = Self.model(
        [(ramp, 0.7 * 0.75), (pulse, 0.7 * 0.25)], Array(repeating: frequency, count: 400))
      let difference = largestDifference(sound.prefix(400), expected)
      #expect(difference < 1e-6, "\(frequency) Hz: \(difference)")
    }
    // What is not in the sum is weaker than that beside the fundamental of a ramp of 0.7.
    let told = try pageFigures(
      "Oscillators/Morph.swift", "more than 90 dB weaker than a ramp's fundamental")
    #expect(20 * log10(0.7 * 2 / Double.pi / 1e-6) > told[0])
  }

  @Test("It follows a gliding frequency through the levels", arguments: [1, 16])
  func glide(ksmps: Int) throws {
    let performance = try performNote(
      """
      kfrequency line 3000, p3, 30000
      """, heard: "MORPH:a(1, kfrequency, 0, 0, 1, 1, 1, 1, 1), upsamp(kfrequency)", note: "0.1",
      header: "gi1 ftgen 1, 0, 512, -7, -1, 512, 1", ksmps: ksmps)
    let ramp = Harmonics((0..<512).map { -1 + 2 * Double($0) / 512 }, count: 12)
    let expected = Self.model([(ramp, 1)], Array(performance[1].prefix(4800)))
    #expect(largestDifference(performance[0].prefix(4800), expected) < 1e-6)
  }

  @Test("A table that is replaced is heard from the next note on")
  func replaced() throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 64, 10, 1
      instr 1
        outch p4, MORPH:a(1, 480, 0, 0, 1, 1, 1, 1, 1)
      endin
      instr 2
        gi1 ftgen 1, 0, 1024, -10, 0, 3
      endin
      """, score: "i1 0 0.04 1\ni2 0.01 0.01\ni1 0.02 0.02 2", channels: 2)
    #expect(abs(performance[0][1000..<1900].max()! - 1) < 0.01)
    #expect(abs(performance[1][1000..<1900].max()! - 3) < 0.01)
  }
}
