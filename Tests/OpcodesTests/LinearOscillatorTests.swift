import Foundation
import Opcodes
import OpcodeKit
import Testing

@Suite("OSCILI, POSCILI and VCO2 in Csound", .serialized)
struct LinearOscillatorTests {
  @Test("A line in a table is the phase", arguments: [1, 7, 64], ["kfreq", "afreq", "-afreq"])
  func phase(ksmps: Int, frequency: String) throws {
    let channels = try performNote(
      """
      kfreq init 1234.5
      afreq upsamp kfreq
      khalf init 0.5
      a1 OSCILI khalf, \(frequency), 1, 0.25
      a2 POSCILI upsamp(khalf), \(frequency), 1, 0.25
      """, heard: "a1, a2", note: "0.05", header: "gisaw ftgen 1, 0, 17, -7, 0, 16, 1", ksmps: ksmps
    )
    let sign = frequency == "-afreq" ? -1.0 : 1
    let exact = sign * 1234.5 / 48_000
    let coarse = (exact * 0x1p28).rounded() / 0x1p28
    for (channel, step) in [(0, coarse), (1, exact)] {
      let errors = channels[channel].enumerated().map { frame, value in
        let phase = 0.25 + Double(frame) * step
        return abs(value - 0.5 * (phase - floor(phase)))
      }
      // At the jump a phase may be on either side.
      #expect(errors.filter { $0 > 1e-9 }.count < 3 && errors.count > 1_000)
    }
  }

  @Test(
    "At k-rate they are Csound's oscili and poscil", arguments: [1, 10, 64],
    ["12.345", "-3.3", "k1", "k1 * 9", "0"])
  func control(ksmps: Int, frequency: String) throws {
    let note = """
        k1 line -200, p3, 900
        if p4 == 1 then
          k2 OSCILI 0.5, \(frequency), p5, p6
          k3 oscili 0.5, \(frequency), p5, p6
        else
          k2 POSCILI k1, \(frequency), p5, p6
          k3 poscil k1, \(frequency), p5, p6
        endif
        outch 1, a(k2), 2, a(k3)
      """
    for opcode in [1, 2] {
      for (table, phase) in [(1, "0.3"), (-1, "0.1"), (2, "0.9")] {
        // The second note goes on where the first in its memory ended.
        let channels = try perform(
          "gi1 ftgen 1, 0, 64, -7, 0, 63, 1\ngi2 ftgen 2, 0, 4, -2, 1, 5, 2, 7\ninstr 1\n\(note)\nendin",
          score: "i1 0 0.05 \(opcode) \(table) \(phase)\ni1 0.1 0.05 \(opcode) \(table) -1",
          ksmps: ksmps, channels: 2)
        let errors = zip(channels[0], channels[1]).map { abs($0 - $1) }
        #expect(channels[1].contains { $0 != 0 })
        #expect(try #require(errors.max()) < (opcode == 1 ? 1e-12 : 1e-6), "\(opcode), \(table)")
      }
    }
  }

  @Test(
    "A negative iphs keeps the phase, and takes the table of the new note",
    arguments: [("OSCILI", "oscili"), ("POSCIL", "poscil3"), ("POSCILI", "poscil")])
  func resumed(opcode: String, rival: String) throws {
    let channels = try perform(
      """
      gi1 ftgen 1, 0, 64, -7, 0, 63, 1
      gi2 ftgen 2, 0, 64, -7, 9, 63, -1
      instr 1
        a1 \(opcode) 0.5, 123.4, p4, p5
        a2 \(rival) 0.5, 123.4, p4, p5
        k3 \(opcode) 0.5, 123.4, p4, p5
        k4 \(rival) 0.5, 123.4, p4, p5
        outch 1, a1, 2, a2, 3, a(k3), 4, a(k4)
      endin
      """, score: "i1 0 0.05 1 0.3\ni1 0.1 0.05 2 -1", channels: 4)
    for (mine, csounds) in [(0, 1), (2, 3)] {
      #expect(channels[csounds].contains { $0 > 4 })
      let errors = zip(channels[mine], channels[csounds]).map { abs($0 - $1) }
      #expect(errors.count { $0 > 1e-4 } < 3, "\(errors.max()!)")
    }
  }

  /// Amplitudes of the harmonics of 480 Hz, by the sine.
  private func harmonics(_ samples: some Collection<Double>) -> [Double] {
    let samples = Array(samples)
    return (1...49).map { harmonic in
      let step = 2 * Double.pi * Double(harmonic) / 100
      let sums = samples.indices.reduce((0.0, 0.0)) { sums, frame in
        (
          sums.0 + samples[frame] * sin(step * Double(frame)),
          sums.1 + samples[frame] * cos(step * Double(frame))
        )
      }
      return 2 * (sums.0 * sums.0 + sums.1 * sums.1).squareRoot() / Double(samples.count)
    }
  }

  @Test("VCO2's square has odd harmonics up to its bandwidth and no others")
  func square() throws {
    let samples = try perform(
      "instr 1\n a1 VCO2 1, 480, 10, 0, 0, 0.25\n outch 1, a1\nendin", score: "i1 0 0.05"
    )[0]
    let levels = harmonics(samples.prefix(2_000))
    for (index, level) in levels.enumerated() {
      let harmonic = index + 1
      // The table with at most 25 harmonics has 24.
      let expected = harmonic % 2 == 1 && harmonic <= 24 ? 4 / (Double.pi * Double(harmonic)) : 0
      #expect(abs(level - expected) < 0.002, "harmonic \(harmonic)")
    }
  }

  @Test("Notes share VCO2's tables, and the second sounds as the first", arguments: [1, 64])
  func shared(ksmps: Int) throws {
    let samples = try perform(
      "instr 1\n a1 VCO2 1, 481, 2, 0.3\n outch 1, a1\nendin",
      score: "i1 0 [448/48000]\ni1 [448/48000] [448/48000]", ksmps: ksmps)[0]
    let isSame = samples[..<448] == samples[448..<896]
    #expect(isSame && samples.contains { $0 > 0.5 } && samples.contains { $0 < -0.5 })
  }
}
