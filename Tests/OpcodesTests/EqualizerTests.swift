import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("EQ in Csound", .serialized)
struct EqualizerTests {
  struct Band: CustomStringConvertible {
    let kind: Int
    /// In units of the sample rate.
    let frequency, gain, q: Double
    var description: String { "kind \(kind), \(frequency) sr, \(gain) dB, q \(q)" }

    /// The level of the analog prototype in dB at a frequency in units of the sample rate; written apart from the
    /// opcode, by the formulas of its page.
    func level(at other: Double) -> Double {
      let (w, a) = (other / frequency, pow(10, gain / 40))
      func power(_ square: Double, _ linear: Double, _ constant: Double) -> Double {
        pow(constant - square * w * w, 2) + pow(linear * w, 2)
      }
      let (bell, plain) = (a.squareRoot() / q, power(1, 1 / q, 1))
      let ratio =
        switch kind {
        case 0: power(1, a / q, 1) / power(1, 1 / (a * q), 1)
        case 1: a * a * power(1, bell, a) / power(a, bell, 1)
        case 2: a * a * power(a, bell, 1) / power(1, bell, a)
        case 3: power(1, 0, 0) / plain
        case 4: power(0, 0, 1) / plain
        case 5: power(0, 1 / q, 0) / plain
        default: power(1, 0, 1) / plain
        }
      return 10 * log10(ratio)
    }
  }

  static let bands: [Band] = [(Int, Double, Double, Double)]([
    (0, 0.02, 12, 1), (0, 0.25, -18, 4), (0, 0.42, 18, 2), (0, 0.45, -12, 0.5), (1, 0.1, 12, 0.7),
    (1, 0.4, -15, 1), (2, 0.2, 18, 0.7), (2, 0.36, -9, 1.4), (3, 0.3, 0, 0.7), (4, 0.4, 0, 3),
    (4, 0.1, 0, 0.7), (5, 0.44, 0, 8), (6, 0.35, 0, 1), (0, 0.46, -22, 0.13),
  ]).map { Band(kind: $0.0, frequency: $0.1, gain: $0.2, q: $0.3) }

  /// The largest difference in dB between the opcode's level and the prototype's, up to 0.45 sr where that is above
  /// -60 dB.
  static func error(of band: Band, quality: Int) throws -> Double {
    let response = try performNote(
      """
      aimpulse mpulse 1, 0
      """,
      heard:
        "EQ(aimpulse, \(band.frequency) * sr, \(band.gain), \(band.q), \(band.kind), \(quality))",
      note: "0.1")[0]
    return stride(from: 0.005, through: 0.45, by: 0.005).map { frequency in
      let level = band.level(at: frequency)
      return level > -60 ? abs(20 * log10(gain(of: response, at: frequency)) - level) : 0
    }.max()!
  }

  @Test(
    "With iquality 2 the level is the prototype's up to 0.45 sr, to 0.1 dB, above 0.4 sr to 0.15 dB",
    arguments: bands)
  func shape(_ band: Band) throws {
    let most = band.frequency > 0.4 ? 0.15 : 0.1
    #expect(try Self.error(of: band, quality: 2) < most)
  }

  @Test("With iquality 0 it is the same where the frequency is low, and narrower where it is high")
  func bilinear() throws {
    let (low, high) = (Self.bands[0], Self.bands[3])
    #expect(try Self.error(of: low, quality: 0) < 0.05)
    #expect(try Self.error(of: high, quality: 0) > 3)
  }

  @Test("An array of bands sounds as the bands one after the other, at every ksmps")
  func array() throws {
    func played(_ ksmps: Int, _ body: String) throws -> [Double] {
      try perform(
        """
        instr 1
          asound rand 0.5, 0.3, 1
          \(body)
          out aout
        endin
        """, score: "i1 0.0007 0.02", ksmps: ksmps)[0]
    }
    let arrays = """
      kfrequencies[] fillarray 100, 3000, 18000
      kgains[] fillarray 6, -12, 0
      kqs[] fillarray 0.7, 3, 1
      kkinds[] fillarray 1, 0, 4
      aout EQ asound, kfrequencies, kgains, kqs, kkinds, 2
      """
    let row = "aout = EQ(EQ(EQ(asound, 100, 6, 0.7, 1, 2), 3000, -12, 3, 0, 2), 18000, 0, 1, 4, 2)"
    let expected = try played(64, row)
    #expect(expected.contains { abs($0) > 0.1 })
    for ksmps in [1, 7, 64] {
      #expect(largestDifference(try played(ksmps, arrays), try played(ksmps, row)) < 1e-12)
    }
  }

  @Test(
    "Controls glide: a jump makes no step at any ksmps, a-rate and k-rate, and any value stays bounded"
  )
  func glide() throws {
    for rate in ["k", "a"] {
      let heard = try performNote(
        """
        asound oscili 0.5, 50
        ajump linseg 0, 0.05, 0, 0, 1, 1, 1
        \(rate)gain = \(rate == "a" ? "ajump" : "(timeinsts() < 0.05 ? 0 : 1)") * 24
        aglides EQ asound, 50, \(rate)gain, 0.5
        asteps pareq asound, 50, timeinsts() < 0.05 ? 1 : 15.8, 4
        """, heard: "aglides, asteps", note: "0.1")
      // The loudest sine rises by 0.052 in a frame; the line spans 16 frames or more.
      #expect(steepest(heard[0]) < 0.06, "\(rate): \(steepest(heard[0]))")
    }
    let wild = try performNote(
      """
      asound rand 1, 0.3, 1
      kwild = rand:k(1, 0.7, 1)
      awild EQ asound, 12000 * (1 + kwild), 24 * kwild, 0.1 + abs(kwild), 0, 2
      iinf = exp(800)
      awilder EQ asound, 24000 * a(kwild), iinf, iinf - iinf
      """, heard: "awild, awilder", note: "0.1")
    #expect(wild.allSatisfy { $0.allSatisfy { abs($0) < 100 } })
  }
}
