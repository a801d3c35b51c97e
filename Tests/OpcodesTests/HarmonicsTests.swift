import Foundation
import Opcodes
import Testing

@Suite("HARMONICS in Csound", .serialized)
struct HarmonicsOrchestraTests {
  /// The lines of an instrument that put out a table's elements one by one, round and round.
  static func play(_ table: String, to channel: Int) -> String {
    """
    aplayed\(channel) init 0
    kelement\(channel) init 0
    kplace = 0
    while kplace < ksmps do
      kvalue tablekt kelement\(channel), \(table)
      vaset kvalue, kplace, aplayed\(channel)
      kelement\(channel) = (kelement\(channel) + 1) % ftlen(\(table))
      kplace += 1
    od
    outch \(channel), aplayed\(channel)
    """
  }

  static let weights = "1, -0.5, 0.25, 0, 0.125, -1, 0.3, 0.7, 0, 0, 0.2"

  @Test(
    "It writes what GEN10 writes, at any table length, for two notes at once",
    arguments: [1, 2, 3, 11, 64, 999, 1000, 1024])
  func sameAsGEN10(size: Int) throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, \(-size), -2, 7
      gi2 ftgen 2, 0, \(-size), -2, 7
      gi3 ftgen 3, 0, \(-size), -10, \(Self.weights)
      gi4 ftgen 4, 0, \(-size), -10, 0, 0.3
      instr 1
        ktable init p4
        kmany[] fillarray \(Self.weights)
        kfew[] fillarray 0, 0.3
        if p4 == 1 then
          HARMONICS ktable, kmany
          \(Self.play("1", to: 1))
          \(Self.play("3", to: 2))
        else
          HARMONICS ktable, kfew
          \(Self.play("2", to: 3))
          \(Self.play("4", to: 4))
        endif
      endin
      """, score: "i1 0 0.05 1\ni1 0 0.05 2", channels: 4)
    #expect(largestDifference(performance[0], performance[1]) < 1e-13)
    #expect(largestDifference(performance[2], performance[3]) < 1e-14)
    if size > 2 { #expect(performance[0].contains { abs($0) > 0.5 }) }
  }

  @Test("The guard point is the first element", arguments: [64, 65, 100])
  func guardPoint(size: Int) throws {
    let performance = try performNote(
      """
      kweights[] fillarray 1
      HARMONICS k(1), kweights
      """, heard: "upsamp(tablei:k(ftlen(1) - 0.5, 1) * 2), upsamp(table:k(ftlen(1) - 1, 1))",
      note: "0.01", header: "gi1 ftgen 1, 0, \(size), -7, 5, \(size), 5")
    #expect(abs(performance[1][0]) < 0.11 && performance[1][0] != 0)
    #expect(largestDifference(performance[0], performance[1]) == 0)
  }

  @Test("While nothing changes it leaves the table to others; a change takes it back")
  func leavesTable() throws {
    let performance = try performNote(
      """
      kweights[] fillarray 0, 1
      kcycle timeinstk
      kmark init 9
      if kcycle == 10 then
        tablew kmark, 8, 1
      elseif kcycle == 20 then
        kweights[0] = 0.5
      elseif kcycle == 30 then
        kweights[0] = 0
      endif
      HARMONICS k(1), kweights
      """, heard: "upsamp(table:k(8, 1)), upsamp(kcycle)", note: "0.07",
      header: "gi1 ftgen 1, 0, 64, -2, 0")
    let values = try [5, 15, 25, 35].map {
      performance[0][try #require(performance[1].firstIndex(of: $0))]
    }
    #expect(largestDifference(values, [1, 9, 1 + 0.5 * 0.5.squareRoot(), 1]) < 1e-12)
  }

  @Test("An array that shrinks is followed, of one that grows the first weights count")
  func resized() throws {
    let performance = try performNote(
      """
      kweights[] init 40
      trim_i kweights, 6
      kcycle timeinstk
      if kcycle == 1 then
        kweights[1] = 1
        kweights[5] = 0.5
      elseif kcycle == 10 then
        trim kweights, 3
      elseif kcycle == 20 then
        trim kweights, 0
      elseif kcycle == 30 then
        trim kweights, 40
        kweights[1] = 2
        kweights[39] = 99
      endif
      HARMONICS k(1), kweights
      """, heard: "upsamp(table:k(8, 1)), upsamp(kcycle)", note: "0.07",
      header: "gi1 ftgen 1, 0, 64, -2, 0")
    let values = try [5, 15, 25].map {
      performance[0][try #require(performance[1].firstIndex(of: $0))]
    }
    // Harmonic 6 is at its valley at an eighth of the cycle.
    #expect(largestDifference(values, [0.5, 1, 0]) < 1e-12)
    let last = performance[0][try #require(performance[1].firstIndex(of: 35))]
    #expect(abs(last - 2) < 3)
  }

  @Test("Another table in the middle of a note is written, and another length")
  func otherTable() throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 64, -2, 0
      gi2 ftgen 2, 0, 64, -2, 0
      instr 1
        kweights[] fillarray 0, 1
        kcycle timeinstk
        ktable = (kcycle < 10 ? 1 : 2)
        HARMONICS ktable, kweights
        outch 1, upsamp(tablekt(8, ktable)), 2, upsamp(kcycle), 3, upsamp(tablekt(16, 2))
      endin
      instr 2
        gi3 ftgen 2, 0, 128, -2, 0
      endin
      """, score: "i1 0 0.07\ni2 0.04 0.01", channels: 3)
    let values = try [5, 15].map { performance[0][try #require(performance[1].firstIndex(of: $0))] }
    #expect(largestDifference(values, [1, 1]) < 1e-12)
    let later = performance[2][try #require(performance[1].firstIndex(of: 40))]
    #expect(abs(later - 1) < 1e-12)
  }

  @Test(
    "A table that does not exist, or is Csound's own sine, ends the note with a sentence",
    arguments: ["9", "0", "-1", "-2", "1e+300", "-nan"])
  func missingTable(number: String) throws {
    let performance = try performNote(
      """
      kweights[] fillarray 0, 1
      kminus init -1
      HARMONICS \(number == "-nan" ? "log(kminus)" : "k(\(number.replacing("+", with: "")))"), kweights
      """, heard: "a(1)", note: "0.01")
    #expect(
      performance.said(
        "HARMONICS: 'ktable' is \(number); it must be the number of an existing table."))
    #expect(performance.messages.count { $0.contains("PERF ERROR") } == 1)
  }

  @Test(
    "An array that is empty at init is an init error with a sentence",
    arguments: ["kweights[] init 2\ntrim_i kweights, 0", "kweights[] fillarray k(1), k(0.5)"])
  func emptyArray(lines: String) throws {
    let performance = try performNote(
      """
      \(lines)
      HARMONICS k(1), kweights
      """, heard: "upsamp(k(1))", note: "0.01", header: "gi1 ftgen 1, 0, 64, -2, 0")
    #expect(
      performance.said(
        "HARMONICS: the array kweights[] is empty at init; give it one element for each harmonic."
          + " An array that is filled at k-rate needs an init first, as in: kweights[] init 8."))
    #expect(performance[0].allSatisfy { $0 == 0 })
  }

  @Test("An array that has an init can be filled at k-rate")
  func filledLater() throws {
    let performance = try performNote(
      """
      kweights[] init 2
      kweights fillarray k(0.75), k(0.5)
      HARMONICS k(1), kweights
      """, heard: "upsamp(table:k(1, 1))", note: "0.01", header: "gi1 ftgen 1, 0, 4, -2, 0")
    #expect(performance[0].prefix(448).allSatisfy { abs($0 - 0.75) < 1e-12 })
    #expect(performance.messages.allSatisfy { !$0.contains("ERROR") })
  }

  @Test("Weights that are no numbers are gone from the table when they are numbers again")
  func badWeights() throws {
    let performance = try performNote(
      """
      kweights[] fillarray 0, 1
      kcycle timeinstk
      kminus init -1
      kweights[1] = (kcycle < 5 ? log(kminus) : (kcycle < 10 ? log(0 * kminus) : 1))
      HARMONICS k(1), kweights
      """, heard: "upsamp(table:k(8, 1)), upsamp(kcycle)", note: "0.07",
      header: "gi1 ftgen 1, 0, 64, -2, 0")
    #expect(performance[0].first.map { $0.isNaN } == true)
    let later = performance[0][try #require(performance[1].firstIndex(of: 15))]
    #expect(abs(later - 1) < 1e-12)
  }

  @Test("A note in used memory and a reinit write the table again")
  func startsAfresh() throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 64, -2, 0
      instr 1
        kcycle timeinstk
        kmark init 9
        kweights[] fillarray 0, 1
        if kcycle == 5 then
          tablew kmark, 8, 1
          reinit again
        endif
        again:
        HARMONICS k(1), kweights
        rireturn
        outch 1, upsamp(table:k(8, 1))
      endin
      instr 2
        kcycle timeinstk
        kmark init 9
        if kcycle == 1 then
          tablew kmark, 8, 1
        endif
      endin
      """, score: "i1 0 0.015\ni2 0.02 0.001\ni1 0.03 0.015")
    let notes = performance[0].filter { $0 != 0 }
    #expect(notes.count > 1000)
    #expect(notes.allSatisfy { abs($0 - 1) < 1e-12 })
  }
}
