import Foundation
import Opcodes
import OpcodeKit
import Testing

@Suite("OSCILI, POSCILI and VCO2 in Csound", .serialized)
struct LinearOscillatorTests {
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

  @Test("VCO2's pulse width may pass whole numbers")
  func width() throws {
    let sound = try performNote(
      "kwidth line 0.9, 0.1, 1.1\na1 VCO2 0.3, 200, 4, kwidth", heard: "a1", note: "0.1")[0]
    #expect(sound.allSatisfy { $0.magnitude < 2 })
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
