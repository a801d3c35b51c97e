import Foundation
import Testing

@Suite("LINSEG, EXPSEG and TRANSEG in Csound", .serialized)
struct SegmentsTests {
  @Test(
    "A release begins with the note's, from wherever the curve is, and the note goes on for it",
    arguments: [
      "linsegr 0, 0.02, 1, 0.02, 0.5, 0.05, 0", "linsegr 0.1, 0.5, 1, 0.05, 0.2",
      "linsegr 0.3, 0.05, 0.1", "linsegr 1, 0.01, 0.2, 0, 0.5, 0.5, 0.3, 0.08, 0.1",
      "expsegr 0.1, 0.02, 1, 0.02, 0.5, 0.05, 0.01", "expsegr 0.1, 0.5, 1, 0.05, 0.2",
      "expsegr 0.3, 0.05, 0.1", "expsegr 1, 0, 0.2, 0.01, 0.5, 0.5, 0.3, 0.08, 0.1",
    ])
  func release(_ call: String) throws {
    let name = call.prefix { $0 != " " }
    let heard = try [name.uppercased(), String(name)].map { name in
      try perform(
        "instr 1\nacurve \(name)\(call.dropFirst(7))\nout acurve\nendin",
        score: "i1 0 0.1\ni1 0.03 0.1\nf0 0.4", ksmps: 10)[0]
    }
    #expect(heard[1][6300...].contains { $0 != 0 } && heard[1].suffix(4000).allSatisfy { $0 == 0 })
    #expect(largestDifference(heard[0], heard[1]) < 1e-12)
  }

  @Test("A tied note with a first length of 0 goes on with the curve; in new memory it is silent")
  func tie() throws {
    for call in ["LINSEG 0.5, 0.2, 1", "EXPSEG 0.5, 0.2, 1", "TRANSEG 0.5, 0.2, 3, 1"] {
      let orchestra = """
        instr 1
          aheld \(call.replacing("0.2", with: "p4"))
          out aheld
        endin
        """
      let whole = try perform(orchestra, score: "i1 0 0.2 0.2")[0]
      let tied = try perform(orchestra, score: "i1 0 -0.1 0.2\ni1 0.1 0.1 0")[0]
      #expect(largestDifference(whole, tied) < 1e-12, "\(call)")
      let silent = try perform(orchestra, score: "i1 0 0.1 0")[0]
      #expect(silent.allSatisfy { $0 == 0 })
    }
  }

  @Test("A bend too small for an exponential is a straight line")
  func smallBend() throws {
    let curves = try [0, 1e-17, -1e-14].map { bend in
      try performNote("a1 TRANSEG 0, 0.05, \(bend), 1, 0.05, 0, 0", heard: "a1", note: "0.1")[0]
    }
    #expect(curves[0][2400] > 0.99)
    #expect(largestDifference(curves[0], curves[1]) < 1e-9)
    #expect(largestDifference(curves[0], curves[2]) < 1e-9)
  }
}

@Suite("MOOGVCF2 in Csound", .serialized)
struct CubicLadderTests {
  /// How many cents an oscillation at a resonance of 1 is above the cutoff.
  func cents(_ call: String, cutoff: Double) throws -> Double {
    let sound = try performNote(
      "apulse mpulse 0.001, 0\naout \(call.replacing("CUTOFF", with: "\(cutoff)"))", heard: "aout",
      note: "1")[0]
    return OpcodesTests.cents(of: sound.suffix(24_000), above: cutoff)
  }

  @Test("It oscillates as far above the cutoff as moogvcf2 does, and at it with an iquality of 1")
  func tuning() throws {
    let figures = try pageFigures(
      "Ladders/CubicLadder.swift",
      """
      cutoffs of 110, 440, 1760 and 7040 Hz and 48 kHz, the oscillation is 234, 230, 204 and 64 cents above the cutoff \
      with 0, and within 0.01 cents of it
      """)
    for (cutoff, high) in zip(figures[..<4], figures[5...]) {
      let theirs = try cents("moogvcf2 apulse, CUTOFF, 1", cutoff: cutoff)
      let same = try cents("MOOGVCF2 apulse, CUTOFF, 1", cutoff: cutoff)
      let exact = try cents("MOOGVCF2 apulse, CUTOFF, 1, 0, 0, 1", cutoff: cutoff)
      #expect(abs(theirs - high) < 0.5 && abs(same - theirs) < 0.01)
      #expect(abs(exact) < figures.last!)
    }
  }

  @Test("It saturates at 0dbfs, whatever that is")
  func fullScale() throws {
    let lines = """
      anoise rand 0.9 * 0dbfs, 0.3, 1
      aown MOOGVCF2 anoise, 3000, 0.5
      aplain moogvcf2 anoise, 3000, 0.5
      aown /= 0dbfs
      """
    let one = try performNote(lines, heard: "aown, aplain", note: "0.1")
    let loud = try performNote(lines, heard: "aown", note: "0.1", header: "0dbfs = 32768")
    #expect(largestDifference(one[0], one[1]) < 1e-12)
    #expect(largestDifference(one[0], loud[0]) < 1e-12)
  }

  @Test("With an iquality of 1 it stays within its saturation at a resonance of 20")
  func bounded() throws {
    let heard = try performNote(
      "anoise rand 5, 0.3, 1\naout MOOGVCF2 anoise, linseg:a(20, p3, 20000), 20, 0, 0, 1",
      heard: "aout", note: "0.5")
    #expect(heard[0].allSatisfy { abs($0) < 0.95 } && heard[0].contains { abs($0) > 0.9 })
  }
}
