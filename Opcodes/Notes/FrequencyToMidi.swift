// inote FTOM ifreq [, iround]
// knote FTOM kfreq [, iround]
// inote[] FTOM ifreq[] [, iround]
// knote[] FTOM kfreq[] [, iround]
//
// Converts a frequency in Hz, or each element of an array, to a MIDI note number:
//
//     note = 69 + 12 log2(freq / A4)
//
// Differs from Csound's `ftom`:
//
// - A frequency without a note number (0, negative or NaN) is an init error at i-time and leaves the output unchanged
//   at k-rate; `ftom` returns -inf or NaN.
// - A k-rate array is converted from the first k-cycle on; `ftom` begins with the second.
// - A k-rate array that has no length at init is an init error; `ftom` crashes.
// - An infinite frequency counts as 2^1024 Hz.
// - Rounding: a note number has an error of at most 4e-14.
//
// Category: Pitch Converters:Functions

import OpcodeKit

/// The MIDI note number of a frequency, in semitones; `a4Hz` is the frequency of note 69.
package func midiNoteNumber(frequencyHz: Double, a4Hz: Double, rounded: Bool) -> Double {
  midiNoteNumbers(frequenciesHz: Pair(frequencyHz), a4Hz: a4Hz, rounded: rounded)[0]
}

/// The MIDI note numbers of two frequencies.
@inline(__always)
private func midiNoteNumbers(frequenciesHz: Pair, a4Hz: Double, rounded: Bool) -> Pair {
  let notes = Pair(69) + Pair(12) * .log2(frequenciesHz, over: Pair(a4Hz))
  let magic = Pair(0x1.8p52)
  return rounded ? (notes + magic) - magic : notes
}

/// Converts an array's frequencies, two at a time; the output can be the same array. For frequencies that have no note
/// number, the output is left unchanged.
@inline(__always)
private func convertAll(
  _ count: Int, a4Hz: Double, rounded: Bool, from frequency: (Int) -> Double,
  to write: (Int, Double) -> Void
) {
  var index = 0
  while index < count {
    let other = index &+ 1 < count ? index &+ 1 : index
    let (first, second) = (frequency(index), frequency(other))
    let notes = midiNoteNumbers(frequenciesHz: Pair(first, second), a4Hz: a4Hz, rounded: rounded)
    if first > 0 { write(index, notes[0]) }
    if second > 0 { write(other, notes[1]) }
    index &+= 2
  }
}

@Opcode("FTOM.i", "MIDI note number of a frequency")
struct FrequencyToMidi: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, with a fraction between notes; A4 is 69.
    let note: InitOutput
    /// Frequency in Hz. Must be above 0; anything else is an init error.
    let frequency: InitInput
    /// 1 rounds to the nearest whole note number. Default 0.
    @Default(0) let round: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let frequency = arguments.frequency.value
    guard frequency > 0 else {
      throw OpcodeError(argument: "ifreq", is: frequency, mustBe: "above 0 Hz")
    }
    arguments.note.value = midiNoteNumber(
      frequencyHz: frequency, a4Hz: context.a4Hz, rounded: arguments.round.value.magnitude >= 1)
  }
}

@Opcode("FTOM.k", "MIDI note number of a frequency")
struct FrequencyToMidiControl: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, with a fraction between notes; A4 is 69.
    let note: ControlOutput
    /// Frequency in Hz, above 0. For any other value the output keeps its last note number.
    let frequency: ControlInput
    /// 1 rounds to the nearest whole note number. Default 0.
    @Default(0) let round: InitInput
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
    arguments.note.value = midiNoteNumber(frequencyHz: frequency, a4Hz: a4Hz, rounded: rounds)
  }
}

@Opcode("FTOM.i_array", "MIDI note number of a frequency")
struct FrequenciesToMidi: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note numbers. The array gets the length of ifreq[].
    let notes: ArrayOutput<InitOutput>
    /// Frequencies in Hz. Each must be above 0; anything else is an init error.
    let frequencies: ArrayInput<InitInput>
    /// 1 rounds to the nearest whole note number. Default 0.
    @Default(0) let round: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let frequencies = arguments.frequencies.elements
    let count = frequencies.count
    for index in 0..<count {
      let frequency = frequencies[index].value
      guard frequency > 0 else {
        throw OpcodeError(argument: "ifreq[]", is: frequency, mustBe: "above 0 Hz")
      }
    }
    try arguments.notes.resize(to: count, context)
    let notes = arguments.notes.elements
    convertAll(
      count, a4Hz: context.a4Hz, rounded: arguments.round.value.magnitude >= 1,
      from: { frequencies[$0].value }, to: { notes[$0].value = $1 })
  }
}

@Opcode("FTOM.k_array", "MIDI note number of a frequency")
struct FrequenciesToMidiControl: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note numbers. The array gets the length that kfreq[] has at init.
    let notes: ArrayOutput<ControlOutput>
    /// Frequencies in Hz, above 0. For any other value the output keeps its last note number. If the array becomes
    /// shorter during a note, only the elements left are converted; if it becomes longer, the elements beyond its
    /// length at init are ignored.
    let frequencies: ArrayInput<ControlInput>
    /// 1 rounds to the nearest whole note number. Default 0.
    @Default(0) let round: InitInput
  }

  private let a4Hz: Double
  private let rounds: Bool

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    a4Hz = context.a4Hz
    rounds = arguments.round.value.magnitude >= 1
    guard arguments.frequencies.count > 0 else {
      throw OpcodeError(
        "the array kfreq[] is empty at init; give it its length there, as in: kfreq[] init 8.")
    }
    try arguments.notes.resize(to: arguments.frequencies.count, context)
    convert(arguments)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    convert(arguments)
  }

  private func convert(_ arguments: Arguments) {
    let (frequencies, notes) = (arguments.frequencies.elements, arguments.notes.elements)
    convertAll(
      min(frequencies.count, notes.count), a4Hz: a4Hz, rounded: rounds,
      from: { frequencies[$0].value }, to: { notes[$0].value = $1 })
  }
}
