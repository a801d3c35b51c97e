import Foundation
import Opcodes
import Testing

@Suite("PORTK and FTOM without Csound")
struct ControlOpcodeTests {
  @Test("A half-time of 0 or less leaves nothing", arguments: [0, -1])
  func noHalfTime(halfTime: Double) {
    #expect(portamentoDecay(halfTime: halfTime, controlRate: 750) == 0)
  }
}

@Suite("PORTK in Csound", .serialized)
struct PortamentoOrchestraTests {
  @Test("It goes on from the note before as portk does, at another control rate too")
  func resumed() throws {
    let channels = try perform(
      """
      instr 1
        setksmps p4
        kown PORTK p6, 0.05, p5
        krival portk p6, 0.05, p5
        outch 1, a(kown), 2, a(krival)
      endin
      """, score: "i1 0    0.03 480  0 0.2\ni1 0.05 0.03 480 -1 1\ni1 0.1  0.03 10  -1 0.5",
      ksmps: 480, channels: 2)
    #expect(channels[0].max()! > 0.3 && largestDifference(channels[0], channels[1]) < 1e-12)
  }
}

@Suite("FTOM in Csound", .serialized)
struct FrequencyToMidiOrchestraTests {
  @Test("Arrays are converted element by element, at i-time and at k-rate", arguments: [0, 1])
  func arrays(round: Int) throws {
    let channels = try performNote(
      """
      ifrequencies[] fillarray 440, 8.1758, 19000.5, 0.001
      inotes[] FTOM ifrequencies, \(round)
      kfrequencies[] init 4
      kindex = 0
      while kindex < 4 do
        kfrequencies[kindex] = ifrequencies[kindex]
        kindex += 1
      od
      knotes[] FTOM kfrequencies, \(round)
      kfrequencies FTOM kfrequencies, \(round)
      kcycle timeinstk
      kat = (kcycle - 1) % 4
      kfirst = inotes[kat]
      """,
      heard:
        "upsamp(kfirst), upsamp(knotes[kat]), upsamp(kfrequencies[kat]), upsamp(k(lenarray(inotes))), upsamp(k(lenarray(knotes)))",
      note: "0.01", ksmps: 48)
    for (index, frequency) in [440, 8.1758, 19000.5, 0.001].enumerated() {
      let note = midiNoteNumber(frequencyHz: frequency, a4Hz: 440, rounded: round == 1)
      for channel in 0..<3 { #expect(abs(channels[channel][index * 48] - note) < 1e-9) }
    }
    #expect(channels[3][0] == 4 && channels[4][0] == 4)
  }

  @Test("A frequency that has no note is an init error, or keeps the last note at k-rate")
  func noNote() throws {
    let performance = try perform(
      """
      instr 1
        ifrequencies[] fillarray 440, -1
        inotes[] FTOM ifrequencies
      endin
      instr 2
        kfrequencies[] init 2
        kcycle timeinstk
        kfrequencies[0] = (kcycle > 3 ? 0 : 440)
        kfrequencies[1] = 220
        knotes[] FTOM kfrequencies
        outch 1, upsamp(knotes[0]), 2, upsamp(knotes[1])
      endin
      instr 3
        kone = 440
        kfrequencies[] fillarray kone, kone
        knotes[] FTOM kfrequencies
      endin
      """, score: "i1 0 0.01\ni2 0 0.01\ni3 0 0.01", ksmps: 48, channels: 2)
    #expect(performance.said("FTOM: 'ifreq[]' is -1; it must be above 0 Hz."))
    #expect(performance.said("FTOM: the array kfreq[] is empty at init; give it its length there"))
    #expect(performance[0].prefix(480).allSatisfy { $0 == 69 })
    #expect(performance[1].prefix(480).allSatisfy { $0 == 57 })
  }
}
