// inum NOTENUM Sname       knum NOTENUM Sname
// Sname NOTENAME inum      Sname NOTENAME knum
//
// Names of notes and their MIDI note numbers, 60 for middle C.
//
// A name is Csound's own, octave first ("4C#", "4A+20", "-1C"), or the usual one, octave last ("C#4",
// "A4+20", "C-1"); the letter may be small, # and b may be doubled, and the cents at the end go from
// +1 to +99 or -1 to -99, a bare + or - being a quarter tone. NOTENAME writes Csound's form with
// sharps, except B flat, and cents from -49 to +50, a bare + for 50: as `mton` does.
//
// Differs from `ntom` and `mton`: what is no name is an init error at i-time and keeps the last number
// at k-rate, where `ntom` says nothing and fails; a usual name is understood; note numbers below 12
// and from 132 up have names that can be read back.

import OpcodeKit

/// Reads a text from its beginning.
private struct TextReader {
  let text: TextBytes
  var position = 0

  var next: UInt8? { position < text.count ? text[position] : nil }

  /// Takes off a byte when it is the next one.
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Takes off a whole number of one or two digits.
  mutating func takeNumber() -> Int? {
    var (number, digits) = (0, 0)
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      guard digits < 2 else { return nil }
      number = 10 * number + Int(byte - UInt8(ascii: "0"))
      digits += 1
      position += 1
    }
    return digits > 0 ? number : nil
  }

  mutating func takeOctave() -> Int? {
    let isNegative = take("-")
    guard let number = takeNumber() else { return nil }
    return isNegative ? -number : number
  }

  /// Takes off # or ##, b or bb: semitones up.
  mutating func takeAccidentals() -> Int {
    if take("#") { return take("#") ? 2 : 1 }
    if take("b") { return take("b") ? -2 : -1 }
    return 0
  }

  /// Takes off the cents at the end; 0 when there are none.
  mutating func takeCents() -> Int? {
    guard next != nil else { return 0 }
    let isSharp = take("+")
    guard isSharp || take("-") else { return nil }
    var cents = 50
    if next != nil {
      guard let number = takeNumber(), next == nil else { return nil }
      cents = number
    }
    return isSharp ? cents : -cents
  }
}

/// The MIDI note number of a name; nil when it is none.
package func noteNumber(_ name: TextBytes) -> Double? {
  var reader = TextReader(text: name)
  var octave: Int?
  if let first = reader.next, first < UInt8(ascii: "A") {
    octave = reader.takeOctave()
    if octave == nil { return nil }
  }
  guard let letter = reader.next, let semitone = semitone(ofLetter: letter) else { return nil }
  reader.position += 1
  let accidentals = reader.takeAccidentals()
  if octave == nil { octave = reader.takeOctave() }
  guard let octave, let cents = reader.takeCents() else { return nil }
  return Double(12 * (octave + 1) + semitone + accidentals) + Double(cents) / 100
}

/// Semitones above C of a letter from A to G, big or small.
private func semitone(ofLetter letter: UInt8) -> Int? {
  switch letter & ~0x20 {
  case UInt8(ascii: "C"): 0
  case UInt8(ascii: "D"): 2
  case UInt8(ascii: "E"): 4
  case UInt8(ascii: "F"): 5
  case UInt8(ascii: "G"): 7
  case UInt8(ascii: "A"): 9
  case UInt8(ascii: "B"): 11
  default: nil
  }
}

/// A name in its parts.
package struct NoteName: Equatable {
  package let octave: Int
  /// Letter and accidental, such as `C#`.
  package let pitchClass: Int
  /// From −49 to 50.
  package let cents: Int

  /// The name of a note number from −1000 to 1000; beyond is the nearer end.
  package init(_ number: Double) {
    let limited = number > -1000 ? min(number, 1000) : -1000
    let hundredths = Int(Math.floor(limited * 100 + 0.5))
    // The nearest note, downwards from a quarter tone.
    let note = Int(Math.floor((Double(hundredths) + 49) / 100))
    cents = hundredths - 100 * note
    octave = Int(Math.floor(Double(note) / 12)) - 1
    pitchClass = note - 12 * (octave + 1)
  }

  package static func letters(ofPitchClass pitchClass: Int) -> StaticString {
    switch pitchClass {
    case 0: "C"
    case 1: "C#"
    case 2: "D"
    case 3: "D#"
    case 4: "E"
    case 5: "F"
    case 6: "F#"
    case 7: "G"
    case 8: "G#"
    case 9: "A"
    case 10: "Bb"
    default: "B"
    }
  }

  /// Bytes of the longest name, `-84C#+49`.
  static let longest = 8

  func write(to text: StringOutput) {
    text.clear()
    text.append(octave)
    text.append(Self.letters(ofPitchClass: pitchClass))
    guard cents != 0 else { return }
    text.append(cents > 0 ? "+" : "-")
    if cents != 50 { text.append(abs(cents)) }
  }
}

struct NoteNumber: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, 60 for middle C.
    let number: InitOutput
    /// The name; anything else is an init error.
    let name: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let number = noteNumber(arguments.name.bytes) else {
      throw OpcodeError("the text is no note; write one like 4C#, C#4, 4A+20 or A4-20.")
    }
    arguments.number.value = number
  }
}

struct NoteNumberControl: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, 60 for middle C; before the first name, 0.
    let number: ControlOutput
    /// The name; anything else keeps the last number.
    let name: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.number.value = noteNumber(arguments.name.bytes) ?? 0
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if let number = noteNumber(arguments.name.bytes) { arguments.number.value = number }
  }
}

struct NoteNameInit: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The name, such as `4C#`.
    let name: StringOutput
    /// MIDI note number, 60 for middle C, to a hundredth; beyond −1000 and 1000 is the nearer end.
    let number: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.name.reserve(NoteName.longest, context)
    NoteName(arguments.number.value).write(to: arguments.name)
  }
}

struct NoteNameControl: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The name, such as `4C#`.
    let name: StringOutput
    /// MIDI note number, 60 for middle C, to a hundredth; beyond −1000 and 1000 is the nearer end.
    let number: ControlInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.name.reserve(NoteName.longest, context)
    NoteName(arguments.number.value).write(to: arguments.name)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    NoteName(arguments.number.value).write(to: arguments.name)
  }
}

@c @_noLocks @_noAllocation
func notenum_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  NoteNumberControl.perform(csound, block)
}
@c @_noLocks @_noAllocation
func notename_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  NoteNameControl.perform(csound, block)
}

func registerNoteNames(in registry: inout some OpcodeRegistry) {
  let number: StaticString = "MIDI note number of a note's name"
  let name: StaticString = "Name of a MIDI note number"
  registry.add(
    Overload(
      NoteNumber.self, "NOTENUM.i", outputs: "i", inputs: "S", summary: number,
      initialize: { NoteNumber.initialize($0, $1) }))
  registry.add(
    Overload(
      NoteNumberControl.self, "NOTENUM.k", outputs: "k", inputs: "S", summary: number,
      initialize: { NoteNumberControl.initialize($0, $1) }, perform: notenum_k))
  registry.add(
    Overload(
      NoteNameInit.self, "NOTENAME.i", outputs: "S", inputs: "i", summary: name,
      initialize: { NoteNameInit.initialize($0, $1) }))
  registry.add(
    Overload(
      NoteNameControl.self, "NOTENAME.k", outputs: "S", inputs: "k", summary: name,
      initialize: { NoteNameControl.initialize($0, $1) }, perform: notename_k))
}
