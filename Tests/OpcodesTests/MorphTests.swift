import Foundation
import Opcodes
import Testing

@Suite("MORPH without Csound")
struct MorphTests {
  @Test("A phase from 0 up to 1 is a place inside the table, the first element behind the last")
  func places() {
    for count in [1, 2, 3, 7, 999, 1000, 4096, 48_001, 1 << 24] {
      for phase in [0, 0.1, 1.0 / 3, 0.5, 0.999, 1 - 0x1p-53, 1 - 0x1p-52] {
        let place = TablePlace(phase: phase, count: count)
        #expect((0..<count).contains(place.left))
        #expect(place.right == (place.left + 1) % count)
        #expect((0...1).contains(place.fraction))
        #expect(Double(place.left) + place.fraction == phase * Double(count))
      }
    }
  }
}

@Suite("MORPH in Csound", .serialized)
struct MorphOrchestraTests {
  @Test("The guard point does not matter", arguments: [64, 65, 100])
  func guardPoint(size: Int) throws {
    // Tables of ones: a guard point of 0, as GEN02 leaves behind a table that is no power of two, or
    // one written over, would be heard.
    let performance = try perform(
      """
      gi1 ftgen 1, 0, \(size), -2, \(Array(repeating: "1", count: 64).joined(separator: ", "))
      gi2 ftgen 2, 0, 64, 10, 1
      instr 1
        kindex = 0
        while kindex < ftlen(1) do
          tablew 1, kindex, 1
          kindex += 1
        od
        outch 1, MORPH:a(1, 100, 0.5, 0.5, 1, 1, 1, 1), 2, MORPH:a(1, 100, 0, 0, 1, 2, 2, 2)
      endin
      """, score: "i1 0 0.1", channels: 2)
    for channel in performance { #expect(channel.prefix(4000).allSatisfy { abs($0 - 1) < 1e-15 }) }
  }

  @Test("Above the sample rate and below zero a frequency is the one it is an alias of")
  func aliases() throws {
    let performance = try performNote(
      """
      """,
      heard:
        "MORPH:a(1, 480, 0, 0, 1, 1, 1, 1), MORPH:a(1, 48480, 0, 0, 1, 1, 1, 1), MORPH:a(1, -47520, 0, 0, 1, 1, 1, 1), MORPH:a(1, 480e6 + 480, 0, 0, 1, 1, 1, 1), MORPH:a(1, -480, 0, 0, 1, 1, 1, 1)",
      note: "0.1", header: "gi1 ftgen 1, 0, 1000, 10, 1, 0.5, 0.3")
    #expect(performance[0].max()! > 0.5)
    for channel in 1..<4 { #expect(largestDifference(performance[channel], performance[0]) < 1e-7) }
    // A wave of sines played backwards has the other sign.
    #expect(largestDifference(performance[4], performance[0].map(-)) < 1e-9)
  }

  @Test(
    "Infinite and senseless controls give numbers, and do no harm later", arguments: [1, 7, 64])
  func badControls(ksmps: Int) throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 1000, 10, 1
      gi2 ftgen 2, 0, 64, 10, 1
      instr 1
        kcycle timeinstk
        kminus init -1
        kbad = (kcycle % 3 == 0 ? log(kminus) : (kcycle % 3 == 1 ? log(0 * kminus) : -log(0 * kminus)))
        kbad = (kcycle < 4 ? kbad : 440)
        kplace = (kcycle < 4 ? kbad : 0)
        outch 1, MORPH:a(1, kbad, 0, 0, 1, 1, 1, 1), 2, MORPH:a(1, 440, kplace, kplace, 1, 2, 2, 2)
        outch 3, MORPH:a(1, 1e300 * kbad, 0, 0, 1, 1, 1, 1)
        aloud MORPH kbad, 440, 0, 0, 1, 1, 1, 1
        outch 4, aloud, 5, MORPH:a(1, 440, 0, 0, 1, 1, 1, 1)
      endin
      """, score: "i1 0 0.05", ksmps: ksmps, channels: 5)
    for channel in 0..<3 {
      #expect(performance[channel].allSatisfy { abs($0) <= 1 }, "channel \(channel + 1)")
    }
    // Standing still, then from the beginning.
    let start = 3 * ksmps
    #expect(performance[0][..<start].allSatisfy { $0 == 0 })
    #expect(
      largestDifference(performance[0][start..<2000], performance[4][..<(2000 - start)]) < 1e-10)
    #expect(largestDifference(performance[1], performance[4]) < 2e-3)
    let recovered = performance[3][start..<2000].map { $0 / 440 }
    #expect(largestDifference(recovered, performance[4][start..<2000]) < 1e-10)
  }

  @Test("A table replaced during a note by one of another length is heard from then on")
  func replacedTable() throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 64, 10, 1
      instr 1
        outch 1, MORPH:a(1, 480, 0, 0, 1, 1, 1, 1), 2, MORPH:a(1, 480, 0.5, 0, 1, 1, 2, 1)
      endin
      gi2 ftgen 2, 0, 64, 10, 1
      instr 2
        gi1 ftgen 1, 0, 10000, -10, 0, 3
      endin
      """, score: "i1 0 0.04\ni2 0.02 0.01", channels: 2)
    for channel in performance {
      #expect(abs(channel[..<900].max()! - 1) < 0.01)
      #expect(abs(channel[1100..<1900].max()! - 3) < 0.01)
    }
  }
}
