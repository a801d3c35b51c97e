import OpcodeKit
import Opcodes
import Testing

/// The number of a name given as a string; where the short way knows it, too, both must agree.
func number(_ name: String) -> Double? {
  var bytes = Array(name.utf8)
  let number = bytes.withUnsafeMutableBufferPointer { noteNumber(TextBytes($0)) }
  if bytes.count < 8, !bytes.contains(0) {
    let text = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    if let common = commonNoteNumber(text) { #expect(common == number, "\(name)") }
  }
  return number
}

/// The name of a number as a string; where the short way knows it, too, both must agree.
func name(_ number: Double) -> String {
  if let common = NoteName(common: number) { #expect(common == NoteName(number), "\(number)") }
  let bytes = withUnsafeBytes(of: NoteName(number).text.littleEndian) { Array($0) }
  return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

@Suite("NOTENUM and NOTENAME without Csound")
struct NoteNameTests {
  @Test("Every hundredth from -10 to 135 survives the way to its name and back")
  func roundTrip() {
    for hundredths in -1000...13_500 {
      let expected = Double(hundredths) / 100
      let found = number(name(expected))
      #expect(found != nil && abs(found! - expected) < 1e-12, "\(expected): \(name(expected))")
    }
  }

  @Test("The short way knows names in Csound's form, and leaves the others")
  func common() {
    for (text, number) in [(0x4334, 60.0), (0x234334, 61), (0x624234, 70), (0x30_322B_4134, 69.2)] {
      #expect(commonNoteNumber(UInt64(text)) == number)
    }
    // C4, 4C##, -1C, 4, nothing
    for text in [0x3443, 0x2323_4334, 0x43_312D, 0x34, 0] {
      #expect(commonNoteNumber(UInt64(text)) == nil)
    }
    for number in 12..<132 { #expect(NoteName(common: Double(number)) != nil) }
    for number in [11, 132, -60, 60.01, 1e300, .infinity, .nan] {
      #expect(NoteName(common: number) == nil)
    }
  }

  @Test(
    "Names are Csound's",
    arguments: [
      (60, "4C"), (61, "4C#"), (69, "4A"), (70, "4Bb"), (71, "4B"), (72, "5C"), (60.5, "4C+"),
      (60.51, "4C#-49"), (60.25, "4C+25"), (59.93, "4C-7"), (0, "-1C"), (-0.3, "-1C-30"),
      (11, "-1B"),
      (12, "0C"), (127, "9G"), (132, "10C"), (135.49, "10D#+49"), (-1000, "-85G#"), (59.996, "4C"),
      (1000, "82E"),
    ])
  func names(number: Double, expected: String) {
    #expect(name(number) == expected)
  }

  @Test("Beyond -1000 and 1000 is the nearer end, NaN is the lower")
  func limits() {
    for far in [1e9, .infinity, 1e300] { #expect(name(far) == "82E") }
    for far in [-1e9, -.infinity, .nan] { #expect(name(far) == "-85G#") }
    for number in stride(from: -1001.0, through: 1001, by: 0.37) {
      #expect(name(number).count <= 8)
    }
  }

  @Test(
    "Both forms, with every accidental and cents",
    arguments: [
      ("4C", 60), ("C4", 60), ("c4", 60), ("4c", 60), ("4C#", 61), ("C#4", 61), ("4Db", 61),
      ("Db4", 61), ("4C##", 62), ("C##4", 62), ("4Dbb", 60), ("bb4", 70), ("4bb", 70), ("4bbb", 69),
      ("b4", 71), ("B4", 71), ("4Cb", 59), ("4B#", 72), ("-1C", 0), ("C-1", 0), ("C-1-20", -0.2),
      ("-1C-20", -0.2), ("4A+20", 69.2), ("A4+20", 69.2), ("A4-20", 68.8), ("4A+", 69.5),
      ("A4-", 68.5), ("4A+5", 69.05), ("4A+05", 69.05), ("10C", 132), ("C10", 132), ("4A+0", 69),
      ("99G", 1207), ("-99C", -1176),
    ])
  func forms(name: String, expected: Double) throws {
    let found = try #require(number(name))
    #expect(abs(found - expected) < 1e-12)
    let bare = try pageFigures("Notes/NoteNames.swift", "a bare + or - means 50 cents")
    if "+-".contains(name.last!) { #expect(abs(found - 69) == bare[0] / 100) }
  }

  @Test(
    "What is no name has no number",
    arguments: [
      "", " ", "4", "-", "-1", "C", "#", "b", "H", "4H", "H4", "4C###", "4Cbbb4", "4C#b", "C44",
      "C44444444444444", "44444444444444C", "444C", "C4 ", " C4", "4C+100", "4C+-5", "4C++", "4C20",
      "4C4", "C4C", "C--1", "C+4", "+4C", "4\u{266F}C", "4C\u{266F}", "\u{1F3B5}", "\u{0}", "4C+2x",
      "4@", "4`", "4{", "4\u{7F}", "4Ä", String(repeating: "C", count: 100_000),
      String(repeating: "-", count: 100_000), String(repeating: "4", count: 100_000),
    ])
  func garbage(name: String) {
    // C44 is an octave nobody hears, but a name.
    if name == "C44" {
      #expect(number(name) == 540)
    } else {
      #expect(number(name) == nil)
    }
  }

  @Test("No two bytes before or after a name make a crash")
  func anyBytes() {
    var count = 0
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        for text in [[first, second], [first, second, 0x34], [0x34, 0x43, first, second]] {
          var bytes = text
          let found = bytes.withUnsafeMutableBufferPointer { noteNumber(TextBytes($0)) }
          if found != nil { count += 1 }
        }
      }
    }
    #expect(count > 100)
  }
}

@Suite("NOTENUM and NOTENAME in Csound", .serialized)
struct RenderedNoteNamesTests {
  @Test("At i-time, at k-rate, as functions and as arguments", arguments: [1, 7, 64])
  func forms(ksmps: Int) throws {
    let performance = try performNote(
      """
      i1 NOTENUM "C#4"
      k2 NOTENUM "4C#"
      i3 = NOTENUM("4A+20")
      Sname = "Bb3"
      k4 = NOTENUM:k(Sname)
      S5 NOTENAME 60.25
      i5 ntom S5
      k6 init 61
      S6 NOTENAME k6
      k6n ntom S6
      i7 ntom NOTENAME(70)
      k8 NOTENUM NOTENAME(k(63))
      """,
      heard:
        "upsamp(k(i1)), upsamp(k2), upsamp(k(i3)), upsamp(k4), upsamp(k(i5)), upsamp(k6n), upsamp(k(i7)), upsamp(k8)",
      note: "0.01", ksmps: ksmps)
    let expected = [61, 61, 69.2, 58, 60.25, 61, 70, 63]
    for (found, expected) in zip(performance.channels.compactMap(\.last), expected) {
      #expect(abs(found - expected) < 1e-9)
    }
  }

  @Test(
    "At k-rate a name can change; what is no name keeps the last number", arguments: [1, 7, 64])
  func changing(ksmps: Int) throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      if kcycle < 3 then
        Sname strcpyk "4C"
      elseif kcycle == 3 then
        Sname strcpyk "A4-14"
      elseif kcycle == 5 then
        Sname strcpyk "no note, and a long text at that"
      elseif kcycle == 7 then
        Sname sprintfk "%d%s", kcycle, "Eb"
      elseif kcycle == 9 then
        Sname strcpyk ""
      endif
      knumber NOTENUM Sname
      """, heard: "upsamp(knumber)", note: "0.1", ksmps: ksmps)
    let heard = (0..<10).map { performance.channels[0][$0 * ksmps] }
    let expected = [60, 60, 68.86, 68.86, 68.86, 68.86, 99, 99, 99, 99]
    for (found, expected) in zip(heard, expected) { #expect(abs(found - expected) < 1e-9) }
  }

  @Test("Elements of string arrays are arguments and outputs")
  func arrays() throws {
    let performance = try perform(
      """
      instr 1
        Snames[] fillarray "4C", "Eb4", "4G+50"
        inumber NOTENUM Snames[1]
        knumber NOTENUM Snames[2]
        Sfound[] init 3
        Sfound[1] NOTENAME 66
        Sfound[0] = NOTENAME(67)
        iback ntom Sfound[1]
        iother NOTENUM Sfound[0]
        outch 1, upsamp(k(inumber)), 2, upsamp(knumber), 3, upsamp(k(iback)), 4, upsamp(k(iother))
      endin
      """, score: "i1 0 0.01\ni1 0.02 0.01", channels: 4)
    #expect(performance.channels.compactMap(\.last) == [63, 67.5, 66, 67])
  }

  @Test("Names can be printed")
  func printing() throws {
    let performance = try perform(
      """
      instr 1
        Sname NOTENAME 61.2
        prints "prints: %s.\\n", Sname
        Sone = NOTENAME(58)
        puts Sone, 1
        printf "printf: %s.\\n", 1, NOTENAME(k(-2))
      endin
      """, score: "i1 0 0.01")
    #expect(performance.said("prints: 4C#+20."))
    #expect(performance.said("3Bb"))
    #expect(performance.said("printf: -2Bb."))
  }

  @Test("At i-time what is no name is an init error, at k-rate it is 0 before the first name")
  func garbage() throws {
    for text in ["", "4", "H4", "4C###", "no note at all, but a long text", "4C\u{266F}"] {
      let performance = try perform(
        """
        instr 1
          knumber NOTENUM "\(text)"
          gknumber = knumber
          inumber NOTENUM "\(text)"
        endin
        instr 2
          knumber NOTENUM "\(text)"
          out upsamp(knumber + 1)
        endin
        """, score: "i1 0 0.01\ni2 0 0.01")
      #expect(
        performance.said("NOTENUM: the text is no note; write one like 4C#, C#4, 4A+20 or A4-20."))
      #expect(performance.channels[0].last == 1)
    }
  }

  @Test("A longer or shorter text in the output from before is replaced, in a recycled note too")
  func replacing() throws {
    let performance = try perform(
      """
      instr 1
        Sname = p4 == 1 ? "x" : "a text that is much longer than any name of a note"
        Sname NOTENAME p5
        inumber NOTENUM Sname
        Sother init "x"
        Sother NOTENAME k(p5)
        knumber NOTENUM Sother
        outch 1, upsamp(k(inumber)), 2, upsamp(knumber)
      endin
      """, score: "i1 0 0.01 1 -84.49\ni1 0.02 0.01 2 61.25\ni1 0.04 0.01 1 -999.6", channels: 2)
    for (time, expected) in [(100, -84.49), (1100, 61.25), (2000, -999.6)] {
      for channel in performance.channels { #expect(abs(channel[time] - expected) < 1e-9) }
    }
  }

  @Test("An output another opcode has shortened is cut, not overrun")
  func shortened() throws {
    let performance = try performNote(
      """
      Sname NOTENAME k(61)
      knumber NOTENUM Sname
      Sname strcpyk "xy"
      """, heard: "upsamp(knumber)", note: "0.01")
    // The init pass of strcpyk has left room for two bytes: 4C, of 4C#.
    #expect(performance.channels[0].allSatisfy { $0 == 60 })
  }
}
