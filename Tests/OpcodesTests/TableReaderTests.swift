import OpcodeKit
import Opcodes
import Testing

@Suite("TABLE, PAN2 and TAPS in Csound", .serialized)
struct TableReaderTests {
  @Test("Beyond a table TABLEI and TABLE3 stay at its ends, where tablei is a saw")
  func ends() throws {
    let heard = try performNote(
      """
      iline ftgen 0, 0, 9, -7, 1, 8, 9
      aindex line -3, p3, 12
      """,
      heard: """
        aindex, TABLE:a(aindex, iline), TABLEI:a(aindex, iline), TABLE3:a(aindex, iline), \
        tablei:a(aindex, iline), table:a(aindex, iline)
        """, note: "0.1")
    for (frame, index) in heard[0].enumerated() {
      let expected = min(max(index, 0), 8) + 1
      guard abs(heard[2][frame] - expected) < 1e-12, abs(heard[3][frame] - expected) < 1e-12 else {
        Issue.record("\(index): \(heard[2][frame]), \(heard[3][frame])")
        return
      }
    }
    #expect(heard[1] == heard[5])
    #expect(largestDifference(heard[4], heard[2]) > 0.9)
  }

  @Test("PAN2 keeps a signal that is its own right output, and positions beyond 1 in mode 1")
  func panned() throws {
    let heard = try performNote(
      """
      asound oscili 0.5, 1000
      acopy = asound
      aleft, acopy PAN2 acopy, 0.5
      abeyond, anothing PAN2 asound, 1.5, 1
      a3left, a3right PAN2 asound, 0, 3
      """, heard: "asound, aleft, acopy, abeyond, anothing, a3left, a3right", note: "0.1")
    let half = heard[0].map { $0 * 0.5.squareRoot() }
    #expect(largestDifference(heard[1], half) < 1e-13)
    #expect(largestDifference(heard[2], half) < 1e-13)
    #expect(heard[3].allSatisfy { $0 == 0 })
    #expect(heard[4] == heard[0])
    #expect(largestDifference(heard[5], heard[0]) < 1e-13)
    #expect(heard[6].allSatisfy { $0 == 0 })
  }

  @Test("TAPS sounds the same at every ksmps, with feedback of one sample, and stays bounded")
  func taps() throws {
    func played(_ ksmps: Int, _ feedback: String, _ drive: String) throws -> [Double] {
      try performNote(
        """
        asound rand 0.5, 0.3, 1
        ktimes[] fillarray 0.011, 0.004, 1 / sr
        kgains[] fillarray 0.5, -0.4, 0.3
        aout TAPS asound, ktimes, kgains, \(feedback), 0.1, 5000, \(drive)
        """, heard: "aout", note: "0.1", ksmps: ksmps)[0]
    }
    let single = try played(1, "0.9", "1")
    for ksmps in [7, 64] {
      #expect(
        largestDifference(single.prefix(4700), try played(ksmps, "0.9", "1").prefix(4700)) < 1e-12)
    }
    #expect(try played(64, "50", "2").allSatisfy { abs($0) <= 0.6 })
    #expect(try played(64, "50", "0").allSatisfy { abs($0) < 1e4 })
  }

  @Test("A time of TAPS at k-rate glides: a jump makes no step, where deltap3 makes one")
  func glide() throws {
    let heard = try performNote(
      """
      asound oscili 0.5, 100
      ktime = timeinsts() < 0.05 ? 0.002 : 0.0045
      ktimes[] fillarray ktime
      kgains[] fillarray 1
      aglides TAPS asound, ktimes, kgains, 0, 0.1
      aend delayr 0.1
      asteps deltap3 ktime
      delayw asound
      """, heard: "aglides, asteps", note: "0.1")
    // The sine rises by at most 0.0065 in a sample; gliding by 120 samples in 64 plays it backwards, more slowly.
    #expect(steepest(heard[0]) < 0.02)
    #expect(steepest(heard[1]) > 0.1)
  }
}
