// inum NOTENUM Sname       knum NOTENUM Sname
// Sname NOTENAME inum      Sname NOTENAME knum
//
// Convert note names to MIDI note numbers and back; middle C is 60.
//
// NOTENUM reads both Csound's own form, octave first ("4C#", "4A+20", "-1C"), and the common form, octave last ("C#4",
// "A4+20", "C-1"). The letter may be lower case, and # and b may be doubled. Cents at the end go from -99 to +99; a
// bare + or - means 50 cents. NOTENAME writes Csound's form with sharps and B flat, with cents from -49 to +50, a bare
// + for 50 cents, as `mton` does.
//
// Differs from Csound's `ntom` and `mton`:
//
// - Text that is not a note name is an init error at i-time and keeps the last number at k-rate; `ntom` stops the
//   instrument with a message for some texts and returns a number for others.
// - The common form is read too.
// - Note numbers below 12 and from 132 on have names that can be read back.
// - A number a few thousandths below a note gets the name of that note; `mton` adds `-0`.
//
// In function syntax, `NOTENUM("4C")` works at i-time and `NOTENUM:k(Sname)` in every k-cycle. `NOTENAME` has the rate
// of its argument.
//
// Category: Pitch Converters:Functions

import OpcodeKit

/// Reads a text of a few bytes from its beginning.
private struct TextReader<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable> {
  /// The rest of the text, the next byte lowest; zeros follow the end.
  var bytes: Word

  /// The next byte; 0 at the end.
  @inline(__always)
  var next: UInt8 { UInt8(truncatingIfNeeded: bytes) }

  @inline(__always)
  var isAtEnd: Bool { next == 0 }

  /// Skips one byte.
  @inline(__always)
  mutating func drop() { bytes &>>= 8 }

  /// Skips the next byte if it equals `byte`, and returns whether it did.
  @inline(__always)
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    drop()
    return true
  }

  /// Reads a digit.
  @inline(__always)
  mutating func takeDigit() -> Int? {
    let digit = next &- UInt8(ascii: "0")
    guard _fastPath(digit < 10) else { return nil }
    drop()
    return Int(digit)
  }

  /// Reads a whole number of one or two digits.
  @inline(__always)
  mutating func takeNumber() -> Int? {
    guard let first = takeDigit() else { return nil }
    guard let second = takeDigit() else { return first }
    return 10 * first + second
  }

  @inline(__always)
  mutating func takeOctave() -> Int? {
    let isNegative = take("-")
    guard let number = takeNumber() else { return nil }
    return isNegative ? -number : number
  }

  /// Reads #, ##, b or bb; returns semitones, 0 when there is none.
  @inline(__always)
  mutating func takeAccidentals() -> Int {
    if take("#") { return take("#") ? 2 : 1 }
    if take("b") { return take("b") ? -2 : -1 }
    return 0
  }

  /// Reads the cents, which must end the text; 0 when there are none.
  @inline(__always)
  mutating func takeCents() -> Int? {
    if isAtEnd { return 0 }
    let isSharp = take("+")
    guard isSharp || take("-") else { return nil }
    let cents = isAtEnd ? 50 : takeNumber()
    guard let cents, isAtEnd else { return nil }
    return isSharp ? cents : -cents
  }
}

/// The MIDI note number of a name; nil when the text is not a note name.
package func noteNumber(_ name: TextBytes) -> Double? {
  // The longest names, such as -10C##+99, have nine bytes.
  guard name.count < 16 else { return nil }
  var bytes: UInt128 = 0
  for index in 0..<name.count {
    guard name[index] != 0 else { return nil }
    bytes |= UInt128(name[index]) &<< UInt128(8 * index)
  }
  return noteNumber(TextReader(bytes: bytes))
}

/// The same for an opcode's argument.
@inline(__always)
private func noteNumber(_ name: StringInput) -> Double? {
  if let text = name.firstBytes, let number = commonNoteNumber(text) { return number }
  return otherNoteNumber(name)
}

/// The MIDI note number of a name in the most frequent form: octave first and of one digit, at most one accidental, and
/// cents of two digits or none. Nil for any other text. The text's first byte is lowest; bytes after the terminating
/// zero are ignored.
@inline(__always)
package func commonNoteNumber(_ text: UInt64) -> Double? {
  var rest = TextReader(bytes: text)
  guard let octave = rest.takeDigit(), let semitone = semitone(ofLetter: rest.next) else {
    return nil
  }
  rest.drop()
  let accidental = rest.take("#") ? 1 : rest.take("b") ? -1 : 0
  let note = Double(12 &* (octave &+ 1) &+ semitone &+ accidental)
  if rest.isAtEnd { return note }
  // The result is the same as with cents / 100 for all these notes, without the latency of a division.
  let cent = rest.next == UInt8(ascii: "+") ? 0.01 : -0.01
  guard _fastPath(rest.take("+") || rest.take("-")),
    let tens = rest.takeDigit(), let ones = rest.takeDigit(), _fastPath(rest.isAtEnd)
  else { return nil }
  return note + Double(10 &* tens &+ ones) * cent
}

@inline(never)
private func otherNoteNumber(_ name: StringInput) -> Double? {
  guard let text = name.shortText else { return noteNumber(name.bytes) }
  return noteNumber(TextReader(bytes: text))
}

@inline(__always)
private func noteNumber<Word>(_ name: TextReader<Word>) -> Double? {
  var reader = name
  let isOctaveFirst = reader.next < UInt8(ascii: "A")
  var octave = isOctaveFirst ? reader.takeOctave() : 0
  guard let semitone = semitone(ofLetter: reader.next) else { return nil }
  reader.drop()
  let accidentals = reader.takeAccidentals()
  if !isOctaveFirst { octave = reader.takeOctave() }
  guard let octave, let cents = reader.takeCents() else { return nil }
  return Double(12 * (octave + 1) + semitone + accidentals) + Double(cents) / 100
}

/// Semitones above C of a letter from A to G, upper or lower case.
@inline(__always)
private func semitone(ofLetter letter: UInt8) -> Int? {
  let index = (letter & ~0x20) &- UInt8(ascii: "A")
  guard _fastPath(index < 7) else { return nil }
  // Four bits for each letter, A in the lowest.
  return 0x754_20B9 &>> (4 * Int(index)) & 0xF
}

/// The parts of a note name.
package struct NoteName: Equatable {
  package let octave: Int
  /// Semitones above C, 0 to 11.
  package let pitchClass: Int
  /// Cents, -49 to 50.
  package let cents: Int

  /// The name of a note number from -1000 to 1000. Numbers outside are limited to that range; NaN counts as -1000.
  @inline(__always)
  package init(_ number: Double) {
    self = _fastPath(number.magnitude < 1000) ? NoteName(within: number) : .atEnd(of: number)
  }

  /// The name of a whole number with an octave of one digit, the most frequent case; nil for any other number.
  @inline(__always)
  package init?(common number: Double) {
    // After 1.5 · 2^52 is added, the lowest bit counts semitones, so the difference of the bits is the number of
    // semitones above 0C.
    let shifted = number + 0x1.8p52
    let note = shifted.bitPattern &- (0x1.8p52 + 12).bitPattern
    let isWhole = Math.nearestWhole(number).bitPattern == number.bitPattern
    guard _fastPath(note < 120), _fastPath(isWhole) else { return nil }
    octave = Int(note / 12)
    pitchClass = Int(note % 12)
    cents = 0
  }

  @inline(never)
  private static func atEnd(of number: Double) -> NoteName {
    NoteName(within: number >= 1000 ? 1000 : -1000)
  }

  @inline(__always)
  private init(within number: Double) {
    // Counted from 100 octaves lower, so that no number is negative and integer division rounds down.
    let hundredths = UInt32(
      truncatingIfNeeded: Math.truncated(number * 100 + (120_000 + 0.5)))
    // The nearest note; the lower one at exactly 50 cents.
    let note = (hundredths &+ 49) / 100
    let octaves = note / 12
    cents = Int(Int32(truncatingIfNeeded: hundredths &- 100 &* note))
    octave = Int(octaves) &- 101
    pitchClass = Int(note &- 12 &* octaves)
  }

  /// The bytes of the name, the first byte lowest, followed by zeros.
  package var text: UInt64 { spelled() }

  @inline(__always)
  fileprivate func spelled() -> UInt64 {
    guard _fastPath(cents == 0 && UInt(bitPattern: octave) < 10) else { return spelledInFull() }
    return note &<< 8 | UInt64(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: octave))
  }

  /// The letter and the accidental.
  @inline(__always)
  private var note: UInt64 {
    func bytes(_ letter: Unicode.Scalar, _ accidental: Unicode.Scalar? = nil) -> UInt64 {
      UInt64(UInt8(ascii: letter)) | UInt64(accidental.map { UInt8(ascii: $0) } ?? 0) &<< 8
    }
    return switch pitchClass {
    case 0: bytes("C")
    case 1: bytes("C", "#")
    case 2: bytes("D")
    case 3: bytes("D", "#")
    case 4: bytes("E")
    case 5: bytes("F")
    case 6: bytes("F", "#")
    case 7: bytes("G")
    case 8: bytes("G", "#")
    case 9: bytes("A")
    case 10: bytes("B", "b")
    default: bytes("B")
    }
  }

  @inline(never)
  private func spelledInFull() -> UInt64 {
    var bytes = note
    var count = bytes > 0xFF ? 2 : 1
    func append(_ byte: UInt8) {
      bytes |= UInt64(byte) &<< UInt64(8 * count)
      count &+= 1
    }
    if cents != 0 {
      append(UInt8(ascii: cents > 0 ? "+" : "-"))
      let size = UInt8(truncatingIfNeeded: cents.magnitude)
      if size > 9 && size != 50 { append(UInt8(ascii: "0") &+ size / 10) }
      if size != 50 { append(UInt8(ascii: "0") &+ size % 10) }
    }
    func prepend(_ byte: UInt8) { bytes = bytes &<< 8 | UInt64(byte) }
    let size = UInt8(truncatingIfNeeded: octave.magnitude)
    prepend(UInt8(ascii: "0") &+ size % 10)
    if size > 9 { prepend(UInt8(ascii: "0") &+ size / 10) }
    if octave < 0 { prepend(UInt8(ascii: "-")) }
    return bytes
  }

  /// Size in bytes of the longest name, `-84C#+49`.
  static let longest = 8

  @inline(__always)
  func write(to output: StringOutput) {
    output.replace(with: spelled())
  }

  /// Writes the name of a number.
  @inline(__always)
  static func write(_ number: Double, to output: StringOutput) {
    guard let common = NoteName(common: number) else { return writeOther(number, to: output) }
    common.write(to: output)
  }

  @inline(never)
  private static func writeOther(_ number: Double, to output: StringOutput) {
    NoteName(number).write(to: output)
  }
}

@Opcode("NOTENUM.i", "MIDI note number of a note's name")
struct NoteNumber: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, 60 for middle C.
    let number: InitOutput
    /// The note name. Any other text is an init error.
    let name: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let number = noteNumber(arguments.name) else {
      throw OpcodeError("the text is no note; write one like 4C#, C#4, 4A+20 or A4-20.")
    }
    arguments.number.value = number
  }
}

@Opcode("NOTENUM.k", "MIDI note number of a note's name")
struct NoteNumberControl: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// MIDI note number, 60 for middle C. It is 0 until the first valid name.
    let number: ControlOutput
    /// The note name, read in every k-cycle. Any other text keeps the last number.
    let name: StringInput
  }

  /// The last name as one number, and its note number. No short text has all bits set.
  private var name = UInt64.max
  private var number = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.number.value = noteNumber(arguments.name) ?? 0
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let text = arguments.name.shortText
    guard text == name else { return Self.read(&self, arguments, text) }
    arguments.number.value = number
  }

  // A separate function, so that a pass with an unchanged name saves no registers for it.
  @inline(never)
  private static func read(
    _ opcode: inout NoteNumberControl, _ arguments: Arguments, _ text: UInt64?
  ) {
    guard let number = noteNumber(arguments.name) else { return }
    arguments.number.value = number
    (opcode.name, opcode.number) = (text ?? .max, number)
  }
}

@Opcode("NOTENAME.i", "Name of a MIDI note number")
struct NoteNameInit: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The note name, for example `4C#`.
    let name: StringOutput
    /// MIDI note number, -1000 to 1000, rounded to a hundredth; 60 for middle C. Numbers outside are limited to that
    /// range.
    let number: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.name.reserve(NoteName.longest, context)
    NoteName.write(arguments.number.value, to: arguments.name)
  }
}

@Opcode("NOTENAME.k", "Name of a MIDI note number")
struct NoteNameControl: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The note name, for example `4C#`. Use a variable that no other opcode writes: if another opcode has put a
    /// shorter text into it since the init pass, the name is cut to that length.
    let name: StringOutput
    /// MIDI note number, -1000 to 1000, rounded to a hundredth; 60 for middle C. Numbers outside are limited to that
    /// range.
    let number: ControlInput
  }

  /// The last number and its name.
  private var number: Double
  private var text: UInt64

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.name.reserve(NoteName.longest, context)
    number = arguments.number.value
    text = NoteName(number).text
    arguments.name.replace(with: text)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if arguments.number.value != number { Self.rename(&self, arguments.number.value) }
    arguments.name.replace(with: text)
  }

  @inline(never)
  private static func rename(_ opcode: inout NoteNameControl, _ number: Double) {
    opcode.number = number
    opcode.text = NoteName(number).text
  }
}
