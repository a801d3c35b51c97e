import Foundation
import OpcodeKit
import Opcodes
import Testing

/// A filter with an argument `iquality`.
struct QualityFilter: Sendable, CustomTestStringConvertible {
  let name: String
  /// Arguments after the cutoff, without iskip: the resonance and what follows it.
  let arguments: String
  /// Whether iskip stands before iquality.
  var hasSkip = true
  /// The amplitude at which the argument of the saturation is 5.
  var amplitude = 5.0
  var testDescription: String { "\(name) \(arguments)" }

  func call(_ input: String, cutoff: String, quality: Int) -> String {
    "\(name) \(input), \(cutoff), \(arguments)\(hasSkip ? ", 0" : ""), \(quality)"
  }

  static let all = [
    QualityFilter(name: "MOOGLADDER", arguments: "0.7"),
    QualityFilter(name: "LPF18", arguments: "0.7, 0"),
    QualityFilter(name: "DIODELADDER", arguments: "8, 2, 1"),
    QualityFilter(name: "VCS3FILTER", arguments: "0.7", hasSkip: false, amplitude: 2.5),
  ]
}

@Suite("Quality of filters in Csound", .serialized)
struct FilterQualityTests {
  /// For sines of 1, 2 and 5 kHz by turns, by how many dB their harmonics exceed the aliases with each quality.
  private func ratios(_ filter: QualityFilter, cutoff: String) throws -> [[Double]] {
    try [171, 341, 853].map { cycles in
      try (0...2).map { quality in
        let output = try performNote(
          """
          asine poscil \(filter.amplitude), \(cycles) * 48000 / 8192, -1
          a1 \(filter.call("asine", cutoff: cutoff, quality: quality))
          """, heard: "a1", note: "0.4")[0]
        return harmonicsToAliases(Array(output[10_000..<18_192]), cycles: cycles)
      }
    }
  }

  @Test("Harmonics of a driven sine above the aliases", arguments: QualityFilter.all)
  func aliases(_ filter: QualityFilter) throws {
    for (ratios, least) in zip(try ratios(filter, cutoff: "6000"), [100, 80, 60]) {
      #expect(ratios[2] > Double(least), "\(ratios)")
      #expect(ratios[2] > ratios[0] + 20, "\(ratios)")
    }
  }

  @Test("MOOGLADDER's harmonics are as far above the aliases as its page says")
  func table() throws {
    for (resonance, cutoff, told) in [
      (
        "0.7", "6000",
        try pageFigures(
          "Ladders/MoogLadder.swift", "above their aliases 102 75 22 102 75 22 188 161 99 dB")
      ),
      (
        "0", "20000",
        try pageFigures(
          "Ladders/MoogLadder.swift", "no resonance 51 45 27 52 45 27 152 137 108 dB")
      ),
    ] {
      let filter = QualityFilter(name: "MOOGLADDER", arguments: resonance)
      for (sine, ratios) in try ratios(filter, cutoff: cutoff).enumerated() {
        for quality in 0...2 {
          #expect(abs(ratios[quality] - told[3 * quality + sine]) < 1, "\(ratios)")
        }
      }
    }
  }

  @Test("An iquality of 3 is an error", arguments: QualityFilter.all)
  func three(_ filter: QualityFilter) throws {
    let bad = try perform(
      "instr 1\nain rand 1\naout \(filter.call("ain", cutoff: "1000", quality: 3))\nendin",
      score: "i1 0 0.01")
    #expect(bad.said("\(filter.name): 'iquality' is 3; it must be 0, 1 or 2."))
  }

  @Test(
    "RESON, BUTTERBP and BUTTERBR need no iquality: they are exact",
    arguments: [55.0, 880, 3520, 10_000])
  func exact(center: Double) throws {
    let edge = try pageFigures(
      "Filters/Resonator.swift", "Bandwidth in Hz between the -3 dB points")
    let channels = try performNote(
      """
      aimpulse mpulse 1, 0
      a1 RESON aimpulse, \(center), \(center / 10), 1
      a2 BUTTERBP aimpulse, \(center), \(center / 10)
      a3 BUTTERBR aimpulse, \(center), \(center / 10)
      """, heard: "a1, a2, a3", note: "1")
    for channel in channels.channels.prefix(2) {
      let found = peak(of: channel, near: center / 48_000)
      #expect(abs(1200 * log2(found * 48_000 / center)) < 0.5)
      #expect(abs(gain(of: channel, at: center / 48_000) - 1) < 0.001)
    }
    for side in [0.95, 1.05] {
      let found = 20 * log10(gain(of: channels[0], at: side * center / 48_000))
      #expect(abs(found - edge[0]) < 0.4, "\(found)")
    }
    #expect(gain(of: channels[2], at: center / 48_000) < 1e-6)
  }
}
