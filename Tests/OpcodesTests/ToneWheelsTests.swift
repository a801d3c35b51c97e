import Foundation
import Opcodes
import Testing

@Suite("TONEWHEELS in Csound", .serialized)
struct ToneWheelsTests {
  /// Tables 1, the keys, and 2, the drawbars, with some of them held and drawn, and an instrument that
  /// plays them into four channels.
  static func orchestra(
    keys: [Int], drawbars: [Int: Double], arguments: String = "0, 0, 1, 1, 0", more: String = ""
  ) -> String {
    """
    gikeys ftgen 1, 0, -384, -2, 0
    gidrawbars ftgen 2, 0, -20, -2, 0
    \(keys.map { "tablew 1, \($0), 1" }.joined(separator: "\n"))
    \(drawbars.map { "tablew \($0.value), \($0.key), 2" }.joined(separator: "\n"))
    instr 1
      \(more)
      a1, a2, a3, a4 TONEWHEELS 1, 2, \(arguments)
      outch 1, a1, 2, a2, 3, a3, 4, a4
    endin
    instr 2
      tableiw p4, p5, p6
    endin
    """
  }

  @Test("Every wheel keeps its gears' frequency to 0.05 cents while all turn")
  func frequencies() throws {
    let rate = 16_000
    let performance = try perform(
      Self.orchestra(
        keys: Array(36...96) + Array((36 + 128)...(96 + 128)) + Array((36 + 256)...(60 + 256)),
        drawbars: [2: 8, 17: 8, 18: 8]),
      score: "i1 0 5", sampleRate: rate, channels: 4)
    for number in 1...91 {
      let samples = performance[number < 13 ? 2 : number < 73 ? 0 : 1]
      let frequency = ToneGeneratorTests.frequency(number)
      func phase(_ second: Double) -> Double {
        let first = Int(second * Double(rate))
        return Partial(
          of: frequency, in: samples[first..<(first + 2 * rate)], sampleRate: Double(rate)
        ).phase - frequency * Double(first) / Double(rate)
      }
      var drift = phase(2.5) - phase(0.1)
      drift -= drift.rounded()
      let cents = 1200 / log(2) * drift / (2.4 * frequency)
      #expect(abs(cents) < 0.05, "wheel \(number) is \(cents) cents off")
      #expect(abs(drift) < 0.001)
    }
  }

  @Test("The click of a release is 15 dB below that of the onset", arguments: [[2], [0, 1, 2, 3]])
  func releaseClick(drawbars: [Int]) throws {
    let least = try pageFigures(
      "Organ/ToneWheels.swift", "at least 15 dB below that of the onset")[0]
    for key in [36, 43, 48, 60] {
      // Three times, so that a contact that closes or opens where its wheel is near zero does not decide.
      let score = (0..<3).map { turn in
        let start = 0.1 + 0.3 * Double(turn)
        return "i2 \(start) 0.001 1 \(key) 1\ni2 \(start + 0.153) 0.001 0 \(key) 1"
      }
      let samples = try perform(
        Self.orchestra(
          keys: [], drawbars: Dictionary(uniqueKeysWithValues: drawbars.map { ($0, 8) })),
        score: "i1 0 1\n" + score.joined(separator: "\n"), channels: 4)[0]
      let high = highPassed(samples, above: 2_000)
      func click(_ second: Double) -> Double {
        (0..<3).reduce(0) { sum, turn in
          let start = second + 0.3 * Double(turn)
          return sum + loudest(high, from: start - 0.005, to: start + 0.02, window: 0.01)
        }
      }
      let tone = 3 * loudest(high, from: 0.18, to: 0.22, window: 0.01)
      let (onset, release) = (click(0.1) - tone, max(click(0.253) - tone, 1e-30))
      let difference = 10 * log10(onset / release)
      #expect(onset > 1e-9 && difference > least, "key \(key): \(difference) dB")
    }
  }

  @Test("Neighbours leak at -40 dB: the wheel in the compartment and those beside the terminal")
  func leakage() throws {
    // Keys beyond the manuals are not heard.
    let performance = try perform(
      Self.orchestra(
        keys: [69, 35, 97, 127, 317], drawbars: [2: 8], arguments: "0, 0, 1, 1, 1"),
      score: "i1 0 0.5", channels: 4)
    let samples = performance[0].suffix(19_200)
    let own = Partial(of: 440, in: samples).decibels
    for number in 1...91 where number != 46 {
      let partial = Partial(of: ToneWheel.frequency(of: number), in: samples)
      // 58 and 39 lie beside 46 on the strip, 89 is its companion.
      if [39, 58, 89].contains(number) {
        #expect(abs(partial.decibels - own + 40) < 0.05)
      } else if abs(number - 46) > 2 && number > 12 {
        #expect(partial.decibels - own < -60, "wheel \(number)")
      }
    }
  }

  @Test(
    "The percussion sounds once for keys that overlap, takes the 1' drawbar, and falls by 60 dB")
  func percussion() throws {
    for (harmonic, wheel) in [(2, 58), (3, 65)] {
      let performance = try perform(
        Self.orchestra(
          keys: [69], drawbars: [2: 8, 8: 8], arguments: "\(harmonic), 0, 1, 1, 0"),
        score: """
          i1 0 2
          i2 0.6 0.01 1 76 1
          i2 0.9 0.01 0 76 1
          i2 1.2 0.01 0 69 1
          i2 1.5 0.01 1 69 1
          """, channels: 4)
      let frequency = ToneWheel.frequency(of: wheel)
      func level(_ channel: Int, _ frequency: Double, _ second: Double) -> Double {
        let first = Int(second * 48_000)
        return Partial(of: frequency, in: performance[channel][first..<(first + 4_800)]).decibels
      }
      // 60 dB a second, over the middle of the windows; 9.5 dB above the drawbar.
      let early = level(3, frequency, 0.05)
      #expect(abs(early - level(3, frequency, 0.45) - 24) < 0.1)
      let unit = 20 * log10(OrganWiring.taper(key: 33, drawbar: harmonic + 1) / 16)
      #expect(abs(early + 6 - unit - 20 * log10(3 * 0.60512)) < 0.2)
      // The second key joins what is left of it; the envelope does not begin again.
      #expect(abs(level(3, frequency, 0.65) - early + 36) < 0.2)
      #expect(level(3, frequency, 1.3) < -80)
      #expect(abs(level(3, frequency, 1.55) - early) < 0.1)
      // No 1', and the 8' is 4.4 dB softer.
      #expect(level(0, ToneWheel.frequency(of: 82), 0.2) < -80)
      let drawbar = 20 * log10(OrganWiring.taper(key: 33, drawbar: 2) * 0.60512 / 16)
      #expect(abs(level(0, 440, 0.2) - drawbar) < 0.05)
    }
  }

  @Test(
    "A soft percussion leaves the drawbars and is 6 dB less beside them; a slow one falls in 4 s")
  func softPercussion() throws {
    func play(_ arguments: String) throws -> (drawbar: Double, early: Double, late: Double) {
      let samples = try perform(
        Self.orchestra(keys: [69], drawbars: [2: 8], arguments: arguments),
        score: "i1 0 0.6", channels: 4)
      let frequency = ToneWheel.frequency(of: 65)
      return (
        Partial(of: 440, in: samples[0][9_600..<14_400]).decibels,
        Partial(of: frequency, in: samples[3][2_400..<7_200]).decibels,
        Partial(of: frequency, in: samples[3][21_600..<26_400]).decibels
      )
    }
    let (normal, soft) = (try play("3, 0, 0, 1, 0"), try play("3, 1, 0, 1, 0"))
    #expect(abs(normal.early - normal.late - 6) < 0.05 && abs(soft.early - soft.late - 6) < 0.05)
    #expect(abs(soft.drawbar - normal.drawbar - 4.364) < 0.01)
    #expect(abs((soft.early - soft.drawbar) - (normal.early - normal.drawbar) + 6) < 0.01)
    let off = try perform(
      Self.orchestra(keys: [69], drawbars: [2: 8], arguments: "4, 0, 0, 1, 0"),
      score: "i1 0 0.1", channels: 4)
    #expect(off[3].allSatisfy { $0 == 0 } && off[0].contains { $0 != 0 })
  }

  @Test("Drawbars follow within 5 ms without a step")
  func drawbarsMove() throws {
    let performance = try perform(
      Self.orchestra(keys: [69], drawbars: [2: 8, 3: 0]),
      score: "i1 0 0.4\ni2 0.1 0.01 0 2 2\ni2 0.2 0.01 8 2 2\ni2 0.202 0.01 2 2 2",
      channels: 4)
    let samples = performance[0]
    #expect(samples[5_100..<9_600].allSatisfy { abs($0) < 1e-12 })
    #expect(samples[2_000..<4_800].contains { abs($0) > 0.06 })
    // The steepest of a sine at 440 Hz, and of a ramp in 240 samples.
    let steepest = (1 / 16.0) * (2 * Double.pi * 440 / 48_000 + 1.01 / 240)
    #expect(
      zip(samples.dropFirst(2_001), samples.dropFirst(2_000)).allSatisfy {
        abs($0 - $1) < steepest
      })
    let expected = 20 * log10(1 / 16.0) - 18
    #expect(abs(Partial(of: 440, in: samples.suffix(4_800)).decibels - expected) < 0.05)
  }

  @Test(
    "Tables that are missing, too short or deleted are errors with a sentence; other notes play")
  func badTables() throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, -384, -2, 0
      gi2 ftgen 2, 0, -20, -2, 8
      gi3 ftgen 3, 0, -19, -2, 8
      gi4 ftgen 4, 0, -384, -2, 0
      tablew 1, 72, 1
      instr 1
        a1, a2, a3, a4 TONEWHEELS p4, p5
        outch p6, a1
      endin
      """,
      score: """
        i1 0 0.1 1 2 1
        i1 0 0.1 9 2 2
        i1 0 0.1 2 2 2
        i1 0 0.1 1 3 2
        i1 0 0.1 4 2 3
        f-4 0.05
        """, channels: 3)
    #expect(
      performance.said("TONEWHEELS: 'ikeys' is 9; it must be the number of an existing table."))
    #expect(
      performance.said(
        "TONEWHEELS: 'ikeys' is 2; it must be the number of a table of at least 384 keys."))
    #expect(
      performance.said(
        "TONEWHEELS: 'idrawbars' is 3; it must be the number of a table of at least 20 drawbars."))
    #expect(performance.said("TONEWHEELS: its table of keys was deleted or made shorter."))
    #expect(performance[0].suffix(100).contains { abs($0) > 0.01 })
    #expect(performance[1].allSatisfy { $0 == 0 })
  }
}
