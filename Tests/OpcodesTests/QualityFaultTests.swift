import Foundation
import Testing

/// What the better qualities once got wrong.
@Suite("Qualities at the edges of k-cycles and cycles", .serialized)
struct QualityFaultTests {
  @Test(
    "CLIP is the same at every ksmps and does not click at the start",
    arguments: [0, 1, 2], [1, 2])
  func clip(method: Int, quality: Int) throws {
    // A cosine, so that the first sample is far from 0.
    func play(_ ksmps: Int, scale: Double = 1) throws -> [Double] {
      try performNote(
        """
        acosine poscil \(1.5 * scale), 1001, -1, 0.25
        """, heard: "CLIP:a(acosine, \(method), \(scale), 0.5, \(quality)) / \(scale)",
        note: "0.05", ksmps: ksmps)[0]
    }
    let expected = try play(64)
    #expect(expected.allSatisfy { abs($0) < 1.3 })
    for ksmps in [1, 7, 10, 50] {
      #expect(largestDifference(try play(ksmps).prefix(2000), expected.prefix(2000)) < 1e-9)
    }
    // What is called near does not depend on the unit.
    #expect(largestDifference(try play(64, scale: 32_768), expected) < 1e-9)
  }

  @Test("CLIP keeps a quiet tone clean whatever the unit", arguments: [0, 1, 2])
  func clipQuietly(method: Int) throws {
    let sound = try performNote(
      """

      """, heard: "CLIP:a(poscil:a(0.32768, 20), \(method), 32768, 0.9, 1)", note: "0.1")[0]
    let steps: [Double] = zip(sound[101...], sound[100..<4700]).map { $0 - $1 }
    let bends: [Double] = zip(steps.dropFirst(), steps).map { $0 - $1 }
    // The second difference of a sine of 20 Hz.
    let angle: Double = 2 * Double.pi * 20 / 48_000
    let most = 0.32768 * angle * angle * 1.6
    #expect(bends.allSatisfy { abs($0) < most })
    let none = try performNote("a1 CLIP rand:a(1), \(method), 0", heard: "a1", note: "0.01")
    #expect(none[0].allSatisfy { $0 == 0 })
  }

  @Test(
    "VCS3OSC misses no end of a cycle",
    arguments: ["3000 + poscil:a(300, 750)", "800", "48000/106"],
    [1, 2])
  func oscillator(frequency: String, oscillator: Int) throws {
    let performance = try performNote(
      """
      acps = \(frequency)
      a1, a2 VCS3OSC acps, 0.25, \(oscillator), 1
      """, heard: "a1, a2", note: "1")
    // Its second signal: ramp or triangle, of which the lowpass makes a little more than 1.
    #expect(performance[1].allSatisfy { abs($0) < 1.6 })
    let mean = performance[1][480...].reduce(0, +) / 47_520
    #expect(abs(mean) < 0.02)
  }

  @Test("COMPRESSOR: NaN and infinity in one channel or near a peak do no harm")
  func compressor() throws {
    let performance = try perform(
      """
      instr 1
        aloud oscili 3, 997
        anumber oscili 1, 440
        anan = log(anumber * 0 - 1)
        a1, a2 COMPRESSOR anan, aloud, -1, 0, 0, 0.05, 0, 0.005, p4
        a3, a4 COMPRESSOR aloud, anan, -1, 0, 0, 0.05, 0, 0.005, p4
        apeak mpulse 5, 0, 0.005
        anear mpulse 1, 0, 0.005 + 3 / sr
        a5 COMPRESSOR apeak + 1 / (1 - anear) - 1, -1, 0, 0, 0.05, 0, 0.005, p4
        outch 1, a1, 2, a2, 3, a3, 4, a4, 5, a5
      endin
      """, score: "i1 0 0.1 0\ni1 0.2 0.1 1", channels: 5)
    let limit = pow(10, -1.0 / 20)
    for channel in [1, 2, 4] {
      #expect(performance[channel].allSatisfy { abs($0) <= limit + 1e-9 }, "\(channel)")
      #expect(performance[channel].contains { abs($0) > 0.8 }, "\(channel)")
    }
    for channel in [0, 3] { #expect(performance[channel].allSatisfy { $0 == 0 }) }
  }

  @Test("DIODELADDER: a saturation that comes back begins with silence", arguments: [1, 2])
  func diodeLadder(quality: Int) throws {
    let sound = try performNote(
      """
      ktime timeinsts
      kon = (ktime < 0.05 || ktime > 0.15 ? 1 : 0)
      klevel = (ktime < 0.05 ? 1 : 0)
      asound poscil 1, 3000
      """, heard: "DIODELADDER:a(asound * klevel, 20000, 0, kon, 1, 0, \(quality))", note: "0.2")[0]
    #expect(sound[..<2300].contains { abs($0) > 0.1 })
    #expect(sound[4800...].allSatisfy { abs($0) < 1e-9 })
  }
}
