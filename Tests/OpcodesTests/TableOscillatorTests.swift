import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("POSCIL without Csound")
struct TableOscillatorTests {
  @Test(
    "A phase advances for 100000 s without losing its tune", arguments: [20, 440.1, 23_999, -9_000])
  func tune(frequency: Double) {
    let step = CyclePhase.step(cycles: frequency / 48_000)
    let samples: UInt64 = 4_800_000_000
    let exact = (frequency * 100_000).truncatingRemainder(dividingBy: 1)
    let phase = Double(CyclePhase(bits: step &* samples).bits) / 0x1p64
    let error = abs(phase - exact - (phase - exact).rounded())
    #expect(error < 2e-6)
  }

  @Test("A step drops whole cycles; from 4096 on, infinity and NaN stand still")
  func steps() {
    #expect(CyclePhase.step(cycles: 0.25) == 1 << 62)
    #expect(CyclePhase.step(cycles: -0.25) == 3 << 62)
    #expect(CyclePhase.step(cycles: 7.25) == 1 << 62)
    #expect(CyclePhase.step(cycles: 4095.25) == 1 << 62)
    #expect(CyclePhase.step(cycles: -4095.75) == 1 << 62)
    #expect(CyclePhase.step(cycles: 4096.25) == 0 && CyclePhase.step(cycles: -1e30) == 0)
    #expect(CyclePhase.step(cycles: .infinity) == 0)
    #expect(CyclePhase.step(cycles: -.infinity) == 0)
    #expect(CyclePhase.step(cycles: .nan) == 0)
    #expect(CyclePhase(cycles: .infinity).bits == 0 && CyclePhase(cycles: 3.5).bits == 1 << 63)
  }

  @Test(
    "A place is an element and what is left, for any length", arguments: [1, 2, 7, 16_384, 999_983])
  func places(count: Int) {
    for cycles in stride(from: 0, to: 1, by: 0.0371) {
      let phase = CyclePhase(cycles: cycles)
      let place = Double(phase.index(in: count)) + Double(phase.rest(in: count)) / 0x1p64
      #expect(abs(place - cycles * Double(count)) < 1e-9)
    }
    #expect(CyclePhase(bits: .max).index(in: count) == count - 1)
  }
}

@Suite("POSCIL in Csound", .serialized)
struct TableOscillatorOrchestraTests {
  static let tables = """
    gisine ftgen 1, 0, 4096, 10, 1
    giodd ftgen 2, 0, -7, -2, 3, -1, 4, -1, 5, -9, 2
    gitwo ftgen 3, 0, -2, -2, 1, -1
    """

  /// The cubic read round the elements themselves.
  static func wave(_ elements: [Double], at cycles: Double) -> Double {
    let count = elements.count
    let place = (cycles - cycles.rounded(.down)) * Double(count)
    let index = Int(place)
    let f = place - Double(index)
    let y = (-1...2).map { elements[((index + $0) % count + count) % count] }
    return y[0] * -f * (f - 1) * (f - 2) / 6 + y[1] * (f + 1) * (f - 1) * (f - 2) / 2
      - y[2] * (f + 1) * f * (f - 2) / 2 + y[3] * (f + 1) * f * (f - 1) / 6
  }

  @Test(
    "At a table's ends the other end follows", arguments: [1, 7, 64], [313.7, -313.7, 61_000.3])
  func ends(ksmps: Int, frequency: Double) throws {
    let performance = try perform(
      """
      \(Self.tables)
      tableigpw 2
      tableigpw 3
      instr 1
        outch 1, POSCIL:a(1, p4, 2, 0.3), 2, POSCIL:a(1, upsamp(k(p4)), 3)
      endin
      """, score: "i1 0.01 0.05 \(frequency)", ksmps: ksmps, channels: 2)
    let start = try #require(performance[0].firstIndex { $0 != 0 })
    for frame in 0..<2000 {
      let cycles = frequency * Double(frame) / 48_000
      let odd = Self.wave([3, -1, 4, -1, 5, -9, 2], at: 0.3 + cycles)
      #expect(abs(performance[0][start + frame] - odd) < 1e-8)
      #expect(abs(performance[1][start + frame] - Self.wave([1, -1], at: cycles)) < 1e-8)
    }
  }

  @Test("A frequency that is no number holds the phase, and passes", arguments: [1, 7, 64])
  func notANumber(ksmps: Int) throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      kminus init -1
      kbad = (kcycle == 2 ? log(kminus) : (kcycle == 3 ? -log(0 * kminus) : 1000))
      """, heard: "POSCIL:a(1, kbad), POSCIL:a(1, upsamp(kbad))", note: "0.02", ksmps: ksmps)
    for channel in 0..<2 {
      let exact = (0..<950).map { frame in
        let moved = frame < ksmps ? frame : max(ksmps, frame - 2 * ksmps)
        return sin(2 * Double.pi * Double(moved) / 48)
      }
      #expect(largestDifference(performance[channel][..<950], exact) < 1e-9)
    }
  }
}
