import Foundation
import Opcodes
import Testing

@Suite("MORPH without Csound")
struct MorphTests {
  @Test("At a corner one table is heard, in the middle a quarter of each")
  func corners() {
    func weights(_ x: Double, _ y: Double) -> [Double] {
      let pad = PadWeights(x: x, y: y)
      return [pad.lowerLeft, pad.lowerRight, pad.upperLeft, pad.upperRight]
    }
    #expect(weights(0, 0) == [1, 0, 0, 0])
    #expect(weights(1, 0) == [0, 1, 0, 0])
    #expect(weights(0, 1) == [0, 0, 1, 0])
    #expect(weights(1, 1) == [0, 0, 0, 1])
    #expect(weights(0.5, 0.5) == [0.25, 0.25, 0.25, 0.25])
    for x in stride(from: -0.5, through: 1.5, by: 0.01) {
      for y in stride(from: -0.5, through: 1.5, by: 0.01) {
        let sum: Double = weights(x, y).reduce(0, +)
        #expect(abs(sum - 1) < 1e-15)
        let (nearestX, nearestY) = (min(max(x, 0), 1), min(max(y, 0), 1))
        #expect(weights(x, y) == weights(nearestX, nearestY))
      }
    }
    #expect(weights(.nan, .infinity) == weights(0, 1))
    #expect(weights(-.infinity, .nan) == weights(0, 0))
  }

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
  /// The equation in the opcode's file.
  static func model(
    _ tables: [[Double]], frequency: Double, x: Double, y: Double, frames: Int,
    sampleRate: Double = 48_000
  ) -> [Double] {
    let weights = [(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y]
    return (0..<frames).map { frame in
      let turns = frequency * Double(frame) / sampleRate
      let phase = turns - turns.rounded(.down)
      return zip(weights, tables).reduce(0) { sum, item in
        let position = phase * Double(item.1.count)
        let left = Int(position) % item.1.count
        let (one, two) = (item.1[left], item.1[(left + 1) % item.1.count])
        return sum + item.0 * (one + (two - one) * (position - position.rounded(.down)))
      }
    }
  }

  /// Tables of continuous waves, and the orchestra's lines that make them.
  static func tables(_ lengths: [Int]) -> (values: [[Double]], lines: String) {
    let values = lengths.enumerated().map { index, length in
      (0..<length).map { sin(2 * Double.pi * (Double($0) / Double(length) + 0.1 * Double(index))) }
    }
    let lines = values.enumerated().map { index, values in
      "gi\(index) ftgen \(index + 1), 0, \(-values.count), -2, "
        + values.map { "\($0)" }.joined(separator: ", ")
    }
    return (values, lines.joined(separator: "\n"))
  }

  @Test(
    "It is the equation, at any table length, for two notes at once", arguments: [1, 7, 64],
    [[64, 64, 64, 64], [1, 2, 3, 100], [50, 50, 50, 50], [128, 37, 128, 99], [1, 1, 1, 1]])
  func equation(ksmps: Int, lengths: [Int]) throws {
    let (values, lines) = Self.tables(lengths)
    let performance = try perform(
      """
      \(lines)
      instr 1
        outch p4, MORPH:a(0.7, p5, p6, p7, 1, 2, 3, 4)
      endin
      """, score: "i1 0 0.02 1 333 0.3 0.8\ni1 0 0.02 2 -1234 0.9 0.25", ksmps: ksmps, channels: 2)
    let frames = 896
    for (channel, (frequency, x, y)) in [(333.0, 0.3, 0.8), (-1234, 0.9, 0.25)].enumerated() {
      let expected = Self.model(values, frequency: frequency, x: x, y: y, frames: frames)
      #expect(
        largestDifference(performance[channel].prefix(frames), expected.map { 0.7 * $0 }) < 1e-9)
    }
    #expect(performance[0].contains { abs($0) > 0.01 })
  }

  @Test("A corner with a sine is a sine, at any sample rate", arguments: [44_100, 96_000])
  func sine(sampleRate: Int) throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 16384, 10, 1
      gi2 ftgen 2, 0, 16384, 10, 0, 1
      instr 1
        outch 1, MORPH:a(0.5, 440, 0, 0, 1, 2, 2, 2), 2, MORPH:a(0.5, 220, 1, 1, 2, 2, 2, 2)
      endin
      """, score: "i1 0 0.1", sampleRate: sampleRate, ksmps: 37, channels: 2)
    let exact = performance[0].indices.prefix(4000).map {
      0.5 * sin(2 * Double.pi * 440 * Double($0) / Double(sampleRate))
    }
    #expect(largestDifference(performance[0].prefix(4000), exact) < 1e-7)
    #expect(largestDifference(performance[1].prefix(4000), exact) < 1e-7)
  }

  @Test("With ky 0 it is what an oscillator plays from ftmorf's table", arguments: [1, 7, 64])
  func ftmorf(ksmps: Int) throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 512, 10, 1
      gi2 ftgen 2, 0, 512, 10, 0, 0.5, 0.25
      gilist ftgen 5, 0, 2, -2, 1, 2
      giresult ftgen 6, 0, 512, 10, 0
      instr 1
        kx oscili 0.45, 7
        kx += 0.5
        ftmorf kx, 5, 6
        outch 1, MORPH:a(0.5, 441, kx, 0, 1, 2, 3, 3), 2, poscil:a(0.5, 441, 6)
      endin
      gi3 ftgen 3, 0, 64, 10, 1
      """, score: "i1 0 0.2", ksmps: ksmps, channels: 2)
    #expect(performance[0].contains { abs($0) > 0.3 })
    #expect(largestDifference(performance[0], performance[1]) < 1e-10)
  }

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

  @Test(
    "A table deleted during a note ends it with a sentence; others go on", arguments: [1, 7, 64])
  func deletedTable(ksmps: Int) throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 64, -2, 1
      gi2 ftgen 2, 0, 64, 10, 1
      instr 1
        outch p4, MORPH:a(1, 100, p5, 0, 2, p6, 2, 2)
      endin
      instr 2
        ftfree 1, 0
      endin
      """, score: "i1 0 0.04 1 0.5 1\ni1 0 0.04 2 0 2\ni2 0.02 0.01", ksmps: ksmps, channels: 2)
    #expect(performance.said("MORPH: one of its tables was deleted."))
    #expect(performance.messages.count { $0.contains("PERF ERROR") } == 1)
    #expect(performance[0][..<900].contains { abs($0) > 0.3 })
    #expect(performance[0][1100...].allSatisfy { $0 == 0 })
    #expect(performance[1][1100..<1900].contains { abs($0) > 0.9 })
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

  @Test("Csound's own sine, table -1, can be a corner")
  func ownSine() throws {
    let performance = try performNote(
      """
      """, heard: "MORPH:a(1, 480, 0, 0, -1, -1, -1, -1)", note: "0.04")
    let exact = (0..<1900).map { sin(2 * Double.pi * Double($0) / 100) }
    #expect(largestDifference(performance[0].prefix(1900), exact) < 1e-6)
  }
}
