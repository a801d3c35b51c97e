import Foundation
import Testing

@Suite("SPRING in Csound", .serialized)
struct SpringTests {
  /// What a click leaves.
  static func click(
    _ arguments: String = "", seconds: Double = 1, rate: Int = 48_000
  ) throws -> [Double] {
    try perform(
      """
      instr 1
        aout SPRING mpulse:a(1, 0)\(arguments)
        outch 1, aout
      endin
      """, score: "i1 0 \(seconds)", sampleRate: rate, ksmps: 50)[0]
  }

  /// When a band of a response's first chirp is loudest, seconds.
  static func arrival(_ samples: [Double], _ frequency: Double, rate: Double = 48_000) -> Double {
    let length = Int(rate / 250)
    let starts = stride(from: 0, to: Int(0.1 * rate), by: 12)
    let levels = starts.map {
      Partial(of: frequency, in: samples[$0..<($0 + length)], sampleRate: rate).amplitude
    }
    let loudest = levels.indices.max { levels[$0] < levels[$1] }!
    return (Double(loudest) * 12 + Double(length) / 2) / rate
  }

  @Test(
    "A spring answers after its delay with a chirp: low frequencies first, by its allpasses' delay")
  func chirp() throws {
    // Both springs alike, one pass.
    let samples = try Self.click(", 0, 0.025, 0.025", seconds: 0.2)
    #expect(samples.prefix(1_100).allSatisfy { abs($0) < 1e-4 })
    func expected(_ frequency: Double) -> Double {
      // 48 allpasses at 9600 Hz: (1 - a^2) / (1 + 2 a cos ω + a^2) samples each.
      func delay(_ omega: Double) -> Double {
        48 * (1 - 0.5625) / (1 + 1.5 * cos(omega) + 0.5625)
      }
      return (delay(2 * Double.pi * frequency / 9_600) - delay(0)) / 9_600
    }
    let first = Self.arrival(samples, 500)
    #expect(abs(first - 0.0256) < 0.0005)
    for frequency in [1_500, 2_500, 3_000, 3_500.0] {
      let late = Self.arrival(samples, frequency) - first
      let asked = expected(frequency) - expected(500)
      #expect(abs(late - asked) < 0.0006, "\(frequency): \(late), \(asked)")
    }
    #expect(expected(3_500) > 0.003)
  }

  @Test("The two springs have their delays")
  func delays() throws {
    let both = try Self.click(", 0", seconds: 0.2)
    let first = try Self.click(", 0, 0.025, 0.025", seconds: 0.2)
    let second = try Self.click(", 0, 0.03, 0.03", seconds: 0.2)
    let half = zip(first, second).map { 0.5 * ($0 + $1) }
    #expect(largestDifference(both[...], half[...]) < 1e-12)
    // 5 ms are 48 samples at 9600 Hz.
    #expect(largestDifference(first.prefix(4_000), second.dropFirst(240).prefix(4_000)) < 1e-12)
  }

  @Test("Low frequencies lose 60 dB in the time asked for", arguments: [0.5, 2])
  func decay(_ seconds: Double) throws {
    let samples = try perform(
      """
      instr 1
        asource poscil linseg:k(0.5, 0.1, 0.5, 0.01, 0, 1, 0), 300
        aout SPRING asource, \(seconds), 0.02, 0.02
        outch 1, aout
      endin
      """, score: "i1 0 1.4", ksmps: 48)[0]
    func level(_ second: Double) -> Double {
      let window = samples[Int(second * 48_000)..<Int((second + 0.3) * 48_000)]
      return 10 * log10(window.reduce(0) { $0 + $1 * $1 })
    }
    let slope = (level(0.3) - level(0.9)) / 0.6
    #expect(abs(slope - 60 / seconds) < 0.1 * 60 / seconds, "\(slope) dB a second")
  }

  @Test("Nothing above its lowpass's edge passes, nor a direct voltage")
  func band() throws {
    for (frequency, loudest) in [(8_000, 0.001), (5_760, 0.003), (0, 0.001)] {
      let samples = try perform(
        """
        instr 1
          aout SPRING poscil:a(1, \(frequency), -1, 0.25), 0
          outch 1, aout
        endin
        """, score: "i1 0 1", ksmps: 50)[0].suffix(4_800)
      #expect(samples.allSatisfy { abs($0) < loudest })
    }
  }

  @Test("It answers alike at other rates", arguments: [44_100, 96_000])
  func rates(_ rate: Int) throws {
    let usual = try Self.click(", 0, 0.025, 0.025", seconds: 0.2)
    let other = try Self.click(", 0, 0.025, 0.025", seconds: 0.2, rate: rate)
    for frequency in [500, 2_000.0] {
      let late = Self.arrival(other, frequency, rate: Double(rate)) - Self.arrival(usual, frequency)
      #expect(abs(late) < 0.001)
    }
  }

  @Test("ksmps makes no difference, and a note begins afresh")
  func ksmps() throws {
    func play(_ ksmps: Int) throws -> Performance {
      try perform(
        """
        instr 1
          asignal rand 0.5, 0.3, 1
          aout SPRING asignal
          asignal SPRING asignal
          outch 1, aout, 2, asignal
        endin
        """, score: "i1 0 0.2", sampleRate: 44_800, ksmps: ksmps, channels: 2)
    }
    let (one, other) = (try play(7), try play(64))
    #expect(largestDifference(one[0].prefix(8_800), other[0].prefix(8_800)) < 1e-12)
    #expect(largestDifference(one[0], one[1]) == 0 && one[0].contains { abs($0) > 0.05 })
    try expectFreshNotes(
      "gasignal SPRING poscil:a(0.5, 440, -1), 2, 0.002, 0.002",
      reinitialized: "aout SPRING aimpulse * 3, 0.2, 0.002, 0.002", output: "aout", above: 0.01)
  }

  @Test("A NaN or infinity is gone, a tail ends in zero, and a delay it cannot have is refused")
  func notANumber() throws {
    for bad in ["log(kminus)", "-log(0 * kminus)"] {
      let samples = try perform(
        """
        instr 1
          kcycle timeinstk
          kminus init -1
          kbad = (kcycle == 2 ? \(bad) : (kcycle < 100 ? 0.5 : 0))
          aout SPRING upsamp(kbad), 0.01
          outch 1, aout
        endin
        """, score: "i1 0 1")[0]
      #expect(samples.allSatisfy(\.isFinite) && samples[2_000...].contains { abs($0) > 1e-3 })
      #expect(samples.suffix(2_400).allSatisfy { $0 == 0 })
    }
    let performance = try perform(
      "instr 1\naout SPRING a(0), 1, 0.001\nout aout\nendin", score: "i1 0 0.1")
    #expect(performance.said("'idelay1' is 0.001; it must be from 0.002 to 0.2 s"))
  }
}
