// inote FTOM ifreq [, iround]
// knote FTOM kfreq [, iround]
//
// Converts a frequency to a MIDI note number:
//
//     note = 69 + 12 log2(freq / A4)
//
// Differs from Csound's `ftom`: a frequency that has no note number (0, negative) is an init error
// at i-time and leaves the output as it was at k-rate, where `ftom` returns -inf or NaN.

import OpcodeKit

/// The MIDI note number of a frequency, in semitones; `a4Hz` is the frequency of note 69.
package func midiNote(frequencyHz: Double, a4Hz: Double, rounded: Bool) -> Double {
  let note = 69 + 12 * Math.log2(frequencyHz / a4Hz)
  return rounded ? Math.nearestWhole(note) : note
}

struct FrequencyToMidi: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, 69 for A4; a fraction between notes.
    let note: InitOutput
    /// Frequency, Hz, above 0; anything else is an init error.
    let frequency: InitInput
    /// 1 rounds to the nearest whole note. Default 0.
    let round: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let frequency = arguments.frequency.value
    guard frequency > 0 else {
      throw OpcodeError(argument: "ifreq", is: frequency, mustBe: "above 0 Hz")
    }
    arguments.note.value = midiNote(
      frequencyHz: frequency, a4Hz: context.a4Hz, rounded: arguments.round.value.magnitude >= 1)
  }
}

struct FrequencyToMidiControl: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, 69 for A4; a fraction between notes.
    let note: ControlOutput
    /// Frequency, Hz, above 0; anything else keeps the last note number.
    let frequency: ControlInput
    /// 1 rounds to the nearest whole note. Default 0.
    let round: InitInput
  }

  private let a4Hz: Double
  private let rounds: Bool

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    a4Hz = context.a4Hz
    rounds = arguments.round.value.magnitude >= 1
    convert(arguments)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    convert(arguments)
  }

  private func convert(_ arguments: Arguments) {
    let frequency = arguments.frequency.value
    guard frequency > 0 else { return }
    arguments.note.value = midiNote(frequencyHz: frequency, a4Hz: a4Hz, rounded: rounds)
  }
}

@c @_noLocks @_noAllocation
func ftom_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FrequencyToMidiControl.perform(csound, block)
}

func registerFrequencyToMidi(in registry: inout some OpcodeRegistry) {
  let summary: StaticString = "MIDI note number of a frequency"
  registry.add(
    Overload(
      FrequencyToMidi.self, "FTOM.i", outputs: "i", inputs: "io", summary: summary,
      initialize: { FrequencyToMidi.initialize($0, $1) }))
  registry.add(
    Overload(
      FrequencyToMidiControl.self, "FTOM.k", outputs: "k", inputs: "ko", summary: summary,
      initialize: { FrequencyToMidiControl.initialize($0, $1) }, perform: ftom_k))
}
