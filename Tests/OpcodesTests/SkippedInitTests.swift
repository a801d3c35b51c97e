import Foundation
import Testing

/// An opcode beside Csound's own, both in a note that jumps over their init pass.
struct SkippedPair: CustomTestStringConvertible, Sendable {
  var subject: String
  var rival: String
  var arguments: String
  /// Type letters of the outputs.
  var outputs = "a"

  var testDescription: String { "\(subject) \(arguments)" }
}

@Suite("Notes that jump over an opcode's init pass", .serialized)
struct SkippedInitTests {
  /// The opcode's first output in channel 1, behind an `igoto` over its line.
  func play(_ line: String, output: String) throws -> Performance {
    try performNote(
      """
      asound rand 0.5, 0.3, 1
      acutoff linseg 400, 1, 3000
      kcutoff linseg 400, 1, 3000
      ksmooth lfo 1, 30
      asounds[] init 2
      igoto behind
      \(line)
      behind:
      """, heard: "\(output)", note: "0.1")
  }

  static let playing = [
    SkippedPair(subject: "ONEPOLE", rival: "tone", arguments: "asound, 500"),
    SkippedPair(subject: "ONEPOLE", rival: "tone", arguments: "asound, kcutoff"),
    SkippedPair(subject: "BUTTERLP", rival: "butterlp", arguments: "asound, 500"),
    SkippedPair(subject: "BUTTERLP", rival: "butterlp", arguments: "asound, acutoff"),
    SkippedPair(subject: "MOOGLADDER", rival: "moogladder", arguments: "asound, 500, 0.5"),
    SkippedPair(subject: "LPF18", rival: "lpf18", arguments: "asound, 500, 0.5, 0.5"),
    SkippedPair(subject: "SATURATE", rival: "tanh", arguments: "asound"),
    SkippedPair(subject: "SATURATE", rival: "distort1", arguments: "asound, 1, 1, 0, 0, 1"),
    SkippedPair(subject: "SATURATE", rival: "distort1", arguments: "asound, 1, 1, 0, 0, 2"),
    SkippedPair(subject: "PORTK", rival: "portk", arguments: "ksmooth, 0.01", outputs: "k"),
    SkippedPair(subject: "PHASER", rival: "phaser1", arguments: "asound, 500, 4, 0.5"),
  ]

  @Test("It plays what Csound's own opcode plays then", arguments: playing)
  func plays(_ pair: SkippedPair) throws {
    let name = pair.outputs + "own"
    let output = pair.outputs == "k" ? "upsamp(\(name))" : name
    let subject = try play("\(name) \(pair.subject) \(pair.arguments)", output: output)
    let rival = try play("\(name) \(pair.rival) \(pair.arguments)", output: output)
    #expect(!subject.said("not initialised"))
    let peak = rival[0].map(abs).max() ?? 0
    // phaser1 has no allpasses then.
    #expect(pair.subject == "PHASER" ? peak == 0 : peak > 0.01)
    #expect(largestDifference(subject[0], rival[0]) <= 1e-6 * peak)
  }

  static let others = [
    "aown, a2, a3, a4 STATEVAR asound, 500, 2", "aown DIODELADDER asound, 500, 2, 1, 2",
    "aown VCS3FILTER asound, 500, 0.5", "aown, ktrap VCS3ENV 1, 0.01, 0.01, 0.01, 0.01",
    "aown MIXCLIP asound, asound, asound", "aown MIXCLIP asounds", "kown FTOM kcutoff",
    "kown NOTENUM \"A4\"", "aown EXCITER asound, 2000, 9000, 8, 2", "kown SATURATE ksmooth",
    "aown MOOGVCF2 asound, 500, 0.5", "aown BALANCE asound, asound",
  ]

  @Test("Others play as if it had run", arguments: others)
  func playsOtherwise(_ line: String) throws {
    let output = line.hasPrefix("kown") ? "upsamp(kown)" : "aown"
    let skipped = try play(line, output: output)
    let whole = try performNote(
      """
      asound rand 0.5, 0.3, 1
      kcutoff linseg 400, 1, 3000
      ksmooth lfo 1, 30
      asounds[] init 2
      \(line)
      """, heard: "\(output)", note: "0.1")
    #expect(skipped.messages.allSatisfy { !$0.contains("not initialised") })
    #expect(line.contains("asounds") || (whole[0].map(abs).max() ?? 0) > 0.01)
    // Bool first: a failed comparison of arrays would print every sample.
    let isSame = skipped[0] == whole[0]
    #expect(isSame)
  }
}
