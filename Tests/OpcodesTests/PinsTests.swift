import Foundation
import Testing

@Suite("PINS in Csound", .serialized)
struct PinsTests {
  /// Rows of 1, 2 and 3 through pins into columns that go to the channels; `more` stands before the line.
  static func play(
    pins: [Int: Double], columns: Int = 4, _ arguments: String = "", more: String = "",
    seconds: Double = 0.05, ksmps: Int = 64
  ) throws -> Performance {
    try perform(
      """
      gipins ftgen 1, 0, -12, -2, 0
      \(pins.map { "tablew \($0.value), \($0.key), 1" }.joined(separator: "\n"))
      instr 1
        afirst init 1
        asecond init 2
        athird init 3
        arows[] init 3
        arows[0] = afirst
        arows[1] = asecond
        arows[2] = athird
        kcycle timeinstk
        \(more)
        acolumns[] PINS arows, 1, \(columns)\(arguments)
        out acolumns
      endin
      """, score: "i1 0 \(seconds)", ksmps: ksmps, channels: columns)
  }

  @Test(
    "A pin that is set or taken out is heard within 64 samples or a k-cycle",
    arguments: [1, 8, 100])
  func changes(ksmps: Int) throws {
    for place in [0, 5, 11] {
      let row = Double(place / 4 + 1)
      let performance = try Self.play(
        pins: [1: 1],
        more: """
          if kcycle == int(500 / ksmps) + 1 then
            tablew k(1), \(place), gipins
          elseif kcycle == int(1500 / ksmps) + 1 then
            tablew k(0), \(place), gipins
          endif
          """, ksmps: ksmps)
      let heard = performance[place % 4]
      let begun = 500 / ksmps * ksmps
      let before = place % 4 == 1 ? 1.0 : 0
      #expect(heard[..<begun].allSatisfy { $0 == before })
      #expect(
        heard[(begun + max(64, ksmps))..<(1_500 / ksmps * ksmps)].allSatisfy { $0 == before + row })
      let ended = 1_500 / ksmps * ksmps + max(64, ksmps)
      #expect(heard[ended...].prefix(300).allSatisfy { $0 == before })
    }
  }

  @Test("Resistors are off by as much as the tolerance, each place by its own")
  func tolerance() throws {
    let pins = Dictionary(uniqueKeysWithValues: (0..<12).map { ($0, $0 < 4 ? 1.0 : 0) })
    let exact = try Self.play(pins: pins)
    let loose = try Self.play(pins: pins, ", 0.05")
    let looser = try Self.play(pins: pins, ", 7")
    var errors: Set<Int> = []
    for channel in 0..<4 {
      let error = loose[channel][1_000] - exact[channel][1_000]
      let place = 0.618_033_988_749_894_9 * Double(channel + 1)
      #expect(abs(error - 0.05 * (2 * (place - place.rounded(.down)) - 1)) < 1e-12)
      #expect(abs(looser[channel][1_000] - 1 - 20 * error) < 1e-12)
      errors.insert(Int((error * 1e6).rounded()))
    }
    #expect(errors.count == 4)
  }

  @Test("A limit clamps each column and ends a NaN")
  func limit() throws {
    let performance = try Self.play(pins: [0: 1, 4: 1, 5: -1, 10: 0.1], ", 0, 1.5")
    for (channel, value) in [1.5, -1.5, 0.3, 0].enumerated() {
      #expect(performance[channel].prefix(2_300).allSatisfy { abs($0 - value) < 1e-15 })
    }
    let bad = try Self.play(
      pins: [0: 1, 5: 1], ", 0, 4", more: "kminus init -1\narows[0] = upsamp(log(kminus))")
    #expect(bad[0].prefix(2_300).allSatisfy { abs($0) <= 4 } && bad[1][100] == 2)
  }

  @Test("A loop takes the k-cycle between its lines", arguments: [1, 8])
  func loop(ksmps: Int) throws {
    let samples = try performNote(
      """
      arows[] init 2
      acolumns[] PINS arows, 1, 2
      arows[0] = mpulse:a(1, 0)
      arows[1] = acolumns[0]
      """, heard: "acolumns[0]", note: "0.01", header: "gipins ftgen 1, 0, -4, -2, 1, 0, 0.5, 0",
      ksmps: ksmps)[0]
    // The click after a k-cycle, and half of what was, every k-cycle from then.
    for (frame, sample) in samples.prefix(100).enumerated() {
      let rounds = frame / ksmps - 1
      let expected = frame % ksmps == 0 && rounds >= 0 ? pow(0.5, Double(rounds)) : 0
      #expect(abs(sample - expected) < 1e-15)
    }
  }

  @Test("An array may be rows and columns both")
  func inPlace() throws {
    let performance = try performNote(
      """
      asignals[] init 3
      asignals[0] rand 0.5, 0.3, 1
      asignals[1] rand 0.5, 0.4, 1
      asignals[2] = a(3)
      acolumns[] PINS asignals, 1, 3
      asignals PINS asignals, 1, 3
      """,
      heard:
        "acolumns[0] - asignals[0], acolumns[1] - asignals[1], acolumns[2] - asignals[2], asignals[1]",
      note: "0.05", header: "gipins ftgen 1, 0, -9, -2, 0, 1, 0, 0, 0, 1, 1, 0, 0", ksmps: 37)
    for channel in 0..<3 { #expect(performance[channel].allSatisfy { $0 == 0 }) }
    #expect(performance[3].contains { abs($0) > 0.1 })
  }
}
