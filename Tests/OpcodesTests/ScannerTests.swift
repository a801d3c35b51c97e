import Foundation
import Opcodes
import Testing

@Suite("SCANNER in Csound", .serialized)
struct ScannerTests {
  /// How far the phase of a sine is moved, in cycles, every millisecond of a second.
  static func phases(mode: Int, frequency: Double, rate: String = "") throws -> [Double] {
    let samples = try performNote(
      """
      aout SCANNER poscil:a(0.5, \(frequency), -1), \(mode)\(rate)
      """, heard: "aout", note: "1.1")[0]
    var phases: [Double] = []
    for start in stride(from: 2_400, to: 50_400, by: 48) {
      let phase =
        Partial(of: frequency, in: samples[start..<(start + 480)]).phase - frequency * Double(start)
        / 48_000
      let last = phases.last ?? 0
      phases.append(phase - (phase - last).rounded())
    }
    return phases
  }

  @Test("The vibrato is 6.87 Hz or what is asked for")
  func rate() throws {
    for (argument, hertz) in [("", 6.87), (", -1", 6.87), (", 4", 4), (", 11.3", 11.3)] {
      let phases = try Self.phases(mode: 3, frequency: 500, rate: argument)
      let mean = phases.reduce(0, +) / Double(phases.count)
      let swings = phases.map { $0 - mean }
      func size(_ hertz: Double) -> Double {
        Partial(of: hertz, in: swings, sampleRate: 1000).amplitude
      }
      let best = stride(from: hertz - 1, to: hertz + 1, by: 0.01).max { size($0) < size($1) }!
      #expect(abs(best - hertz) < 0.03, "\(best) instead of \(hertz)")
    }
  }

  @Test("0 is the signal as it is; other modes are rounded and clamped", arguments: [1, 64])
  func modes(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 0.5, 0.3, 1
      kminus init -1
      a1 SCANNER asignal, 0
      a2 SCANNER asignal, -7
      a3 SCANNER asignal, log(kminus)
      a4 SCANNER asignal, 6
      a5 SCANNER asignal, 99
      a6 SCANNER asignal, 5.7, 6.87
      a7 SCANNER asignal, 6, log(kminus)
      """, heard: "asignal, a1, a2, a3, a4, a5, a6, a7", note: "0.1", ksmps: ksmps)
    for (channel, same) in [(1, 0), (2, 0), (3, 0), (5, 4), (6, 4), (7, 4)] {
      #expect(largestDifference(performance[channel], performance[same]) == 0)
    }
    #expect(performance[4] != performance[0] && performance[4].contains { abs($0) > 0.1 })
  }

  @Test(
    "A change of the mode does not click, and ends where a note of that mode is", arguments: 0...6)
  func switching(from first: Int) throws {
    let others = (0...6).filter { $0 != first }
    let score = others.enumerated().map { place, mode in "i1 \(0.3 * Double(place)) 0.3 \(mode)" }
    let performance = try perform(
      """
      instr 1
        ktime timeinsts
        asignal = poscil:a(0.2, 131, -1) + poscil:a(0.2, 165, -1) + poscil:a(0.2, 196, -1)
        aswitched SCANNER asignal, (ktime < 0.12 ? \(first) : p4)
        asteady SCANNER asignal, p4
        outch 1, aswitched, 2, asteady
      endin
      """, score: score.joined(separator: "\n"), ksmps: 32, channels: 2)
    let high = highPassed(performance[0], above: 2_000)
    for (place, mode) in others.enumerated() {
      let start = 0.3 * Double(place)
      let level = loudest(performance[0], from: start + 0.03, to: start + 0.11, window: 0.07)
      let click = loudest(high, from: start + 0.11, to: start + 0.17, window: 0.02)
      let decibels = 10 * log10(click / level)
      #expect(level > 0.01 && decibels < -70, "\(first) to \(mode): \(decibels) dB")
      let later = Int((start + 0.2) * 48_000)..<Int((start + 0.3) * 48_000)
      #expect(largestDifference(performance[0][later], performance[1][later]) < 1e-6)
    }
  }

  @Test("A change during a fade follows after it")
  func switchingAgain() throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      asignal = poscil:a(0.2, 131, -1)
      aswitched SCANNER asignal, (kcycle < 150 ? 3 : kcycle < 155 ? 4 : 0)
      """, heard: "aswitched, asignal", note: "0.2", ksmps: 32)
    let high = highPassed(performance[0], above: 2_000)
    let click = loudest(high, from: 0.09, to: 0.16, window: 0.02)
    let level = loudest(performance[0], from: 0.02, to: 0.09, window: 0.04)
    #expect(level > 0.01 && 10 * log10(click / level) < -70)
    // Two fades of 20 ms.
    let isBetween = performance[0][4_810] != performance[1][4_810]
    let isSignal = performance[0][6_800...] == performance[1][6_800...]
    #expect(isBetween && isSignal)
  }
}
