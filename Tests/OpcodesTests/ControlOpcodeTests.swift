import Foundation
import Opcodes
import Testing

@Suite("PORTK and FTOM without Csound")
struct ControlOpcodeTests {
  @Test("After its half-time PORTK has half of a step left")
  func halfTime() {
    let decay = portamentoDecay(halfTime: 0.1, controlRate: 750)
    #expect(abs(pow(decay, 75) - 0.5) < 1e-12)
  }

  @Test("A half-time of 0 or less leaves nothing", arguments: [0, -1])
  func noHalfTime(halfTime: Double) {
    #expect(portamentoDecay(halfTime: halfTime, controlRate: 750) == 0)
  }

  @Test("A4 is note 69 in any tuning", arguments: [440, 432, 415.3])
  func tuning(a4Hz: Double) {
    #expect(midiNote(frequencyHz: a4Hz, a4Hz: a4Hz, rounded: false) == 69)
    #expect(midiNote(frequencyHz: a4Hz / 2, a4Hz: a4Hz, rounded: false) == 57)
  }

  @Test("Every MIDI note survives the way there and back")
  func allNotes() {
    for note in 0...127 {
      let frequency = 440 * pow(2, (Double(note) - 69) / 12)
      let found = midiNote(frequencyHz: frequency, a4Hz: 440, rounded: false)
      #expect(abs(found - Double(note)) < 1e-12)
      #expect(midiNote(frequencyHz: frequency, a4Hz: 440, rounded: true) == Double(note))
    }
  }
}
