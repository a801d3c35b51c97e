import CsoundHost
import Foundation
import Testing

@Suite("Every type of argument", .serialized)
struct TypeTests {
  /// What `prints` and `printks` have said on lines that begin with a mark.
  func said(_ orchestra: String, score: String = "i1 0 0.01", ksmps: Int = 10) throws -> [String] {
    try perform(orchestra, score: score, ksmps: ksmps).messages.compactMap { line in
      line.range(of: ">> ").map { String(line[$0.upperBound...]) }
    }
  }

  @Test("A string is read and written at i-time and in every k-cycle", arguments: [1, 7, 64])
  func strings(ksmps: Int) throws {
    let lines = try said(
      """
      instr 1
        Swords[] fillarray "one", "three and more"
        kcycle timeinstk
        kword = (kcycle > 2 ? 1 : 0)
        Sin = Swords[kword]
        Sout TEST_ECHO Sin
        Sfirst TEST_ECHO "once and"
        prints ">> %s\\n", Sfirst
        Sother TEST_ECHO "x"
        if kcycle <= 3 then
          printf ">> %s %s\\n", kcycle, Sout, Sother
        endif
      endin
      """, ksmps: ksmps)
    #expect(lines == ["once ", "one x", "one x", "three x"])
  }

  @Test("A number is written in decimal")
  func numbers() throws {
    let lines = try said(
      """
      instr 1
        prints ">> %s%s%s%s\\n", TEST_NUMBER(0), TEST_NUMBER(-7), TEST_NUMBER(1000000000), TEST_NUMBER(90)
      endin
      """)
    #expect(lines == ["[0][-7][1000000000][90]"])
  }

  @Test("String arrays are read and written, also over each other, longer and shorter")
  func stringArrays() throws {
    let lines = try said(
      """
      instr 1
        Sin[] fillarray "a", "", "ccccccccccccccccccccccccccccc"
        Sout[] TEST_JOIN Sin
        Ssame[] fillarray "p", "q"
        Ssame TEST_JOIN Ssame
        Slonger[] init 1
        Slonger TEST_JOIN Sin
        Sshorter[] init 9
        Sshorter TEST_JOIN Sin
        prints ">> %s %s %s %d\\n", Sout[0], Sout[1], Sout[2], lenarray(Sout)
        prints ">> %s %s %d\\n", Ssame[0], Ssame[1], lenarray(Ssame)
        prints ">> %s %s %d\\n", Slonger[2], Sshorter[0], lenarray(Slonger) * 10 + lenarray(Sshorter)
      endin
      """)
    let long = String(repeating: "c", count: 29) + "."
    #expect(lines == ["a. . \(long) 3", "p. q. 2", "\(long) a. 33"])
  }

  @Test("Texts of an array that nobody writes are empty")
  func blankStrings() throws {
    let lines = try said(
      """
      instr 1
        Sout[] TEST_BLANKS 3
        Slast strcat Sout[2], "x"
        prints ">> %s%s%s %d\\n", Sout[0], Sout[1], Slast, lenarray(Sout)
      endin
      """)
    #expect(lines == ["x 3"])
  }

  @Test("A new table has as many elements as was asked for", arguments: [1, 5, 64, 65, 1025])
  func newTable(count: Int) throws {
    let lines = try said(
      """
      instr 1
        icount, ilast TEST_NEW_TABLE \(count)
        prints ">> %d %d\\n", icount, ilast
      endin
      """)
    #expect(lines == ["\(count) \(count - 1)"])
  }

  @Test("i, k and a arrays are read and written", arguments: [1, 7, 64])
  func arrays(ksmps: Int) throws {
    let performance = try perform(
      """
      instr 1
        iin[] fillarray 1, 2, 3, 4
        iout[] TEST_REVERSE iin
        kin[] fillarray 10, 20, 30
        kout[] TEST_REVERSE kin
        ain[] init 2
        ain[0] = a(0.25)
        ain[1] = a(0.5)
        aout[] TEST_REVERSE ain
        kout TEST_REVERSE kout
        outch 1, aout[0], 2, aout[1], 3, upsamp(kout[0] + lenarray(kout)), 4, upsamp(iout[0] * 10 + iout[3])
      endin
      """, score: "i1 0 0.01\ni1 0 0.01", ksmps: ksmps, channels: 4)
    let last = performance.channels.compactMap(\.last)
    // Two instances at once; `kout` is reversed onto itself, which makes a palindrome.
    #expect(last == [1, 0.5, 26, 82])
  }

  @Test("An array that shrinks during a note is followed")
  func resized() throws {
    let orchestra = """
      instr 1
        kin[] init 5
        kcycle timeinstk
        if kcycle >= 10 then
          klength = 3
          trim kin, klength
        endif
        kout[] TEST_REVERSE kin
        know lenarray kout
        outc upsamp(know)
      endin
      """
    let performance = try perform(orchestra, score: "i1 0 0.01")
    let lengths = (0..<25).map { performance.channels[0][10 * $0] }
    #expect(lengths == (1...25).map { $0 < 10 ? 5 : 3 })
  }

  @Test("A two-dimensional array shows its shape, and as an output is refused with a sentence")
  func dimensions() throws {
    let performance = try perform(
      """
      instr 1
        ktable[][] init 3, 4
        krows, kcolumns TEST_SHAPE ktable
        kline[] init 5
        klength, knone TEST_SHAPE kline
        outch 1, upsamp(krows), 2, upsamp(kcolumns), 3, upsamp(klength), 4, upsamp(knone)
      endin
      instr 2
        ktable[][] init 3, 4
        kline[] init 5
        ktable TEST_REVERSE kline
      endin
      """, score: "i1 0 0.01\ni2 0 0.01", channels: 4)
    #expect(performance.channels.map { $0.max() } == [3, 4, 5, 0])
    #expect(performance.said("TEST_REVERSE: the output array must have one dimension."))
  }

  @Test("Variadic outputs: as many as the orchestra writes", arguments: [1, 7, 64])
  func variadicOutputs(ksmps: Int) throws {
    let performance = try perform(
      """
      instr 1
        ain = a(0.5)
        aone TEST_SPLIT ain, 2
        atwo, athree, afour TEST_SPLIT ain, 1
        outch 1, aone, 2, atwo, 3, athree, 4, afour
      endin
      """, score: "i1 0 0.01\ni1 0 0.01", ksmps: ksmps, channels: 4)
    #expect(performance.channels.compactMap(\.last) == [2, 1, 2, 3])
  }

  @Test("Variadic outputs are silent outside a sample-accurate note")
  func variadicSilence() throws {
    let performance = try perform(
      """
      instr 1
        ain linseg 1, 1, 1
        a1, a2, a3 TEST_SPLIT ain, 1
        aarray[] init 2
        aarray[0] = ain
        aarray[1] = ain
        aback[] TEST_REVERSE aarray
        k1 TEST_FILLED a1
        k3 TEST_FILLED a3
        kback TEST_FILLED aback[1]
        outc upsamp(k1), upsamp(k3), upsamp(kback), a1
      endin
      """,
      score: "i1 [15/48000] [30/48000]\ni1 [515/48000] [30/48000]\nf0 0.02", channels: 4,
      options: ["--sample-accurate"])
    let frames = performance.channels[3].count { $0 == 1 }
    #expect(frames > 0)
    for channel in 0..<3 {
      #expect(performance.channels[channel].max() == Double(frames / 2))
    }
  }

  @Test("Variadic inputs and outputs with a fixed argument between them")
  func variadicBoth() throws {
    let inputs = (1...300).map { "\($0)" }.joined(separator: ", ")
    let performance = try performNote(
      """
      k1, k2, k3 TEST_SUMS 100, 1, 2
      k4 TEST_SUMS 0, 5, 6, 7, 8
      k5, k6 TEST_SUMS 0, \(inputs)
      """, heard: "upsamp(k1), upsamp(k2), upsamp(k3), upsamp(k4), upsamp(k6)", note: "0.01")
    #expect(performance.channels.compactMap(\.last) == [101, 103, 103, 5, 3])
  }

  @Test("Arguments of any kind say what they are")
  func kinds() throws {
    // Csound 7 takes the shorter way to write it for something else.
    let none = Player.isNamed ? "Snone = TEST_KINDS()" : "Snone TEST_KINDS"
    let lines = try said(
      """
      instr 1
        ivalue = 3
        kvalue = 4
        avalue = a(5)
        Stext = "text"
        Skinds TEST_KINDS ivalue, kvalue, avalue, Stext, "literal", 7, p4, sr
        \(none)
        prints ">> %s.%s\\n", Skinds, Snone
      endin
      """)
    #expect(lines == ["ikaSScpr."])
  }

  @Test("A signal of any rate is heard; a text is refused")
  func anySignal() throws {
    let performance = try perform(
      """
      instr 1
        asteady linseg 0.5, 1, 0.5
        outch 1, TEST_ANY:a(asteady), 2, TEST_ANY:a(k(0.25)), 3, TEST_ANY:a(0.125)
      endin
      instr 2
        a1 TEST_ANY "text"
      endin
      """, score: "i1 0 0.01\ni2 0 0.01", channels: 3)
    #expect(performance.channels.compactMap(\.last) == [0.5, 0.25, 0.125])
    #expect(performance.said("TEST_ANY: the input is no signal."))
  }

  @Test("f-signals are read and written, several at once", arguments: [1, 7, 64])
  func spectra(ksmps: Int) throws {
    let performance = try performNote(
      """
      flow pvsanal oscili(0.5, 1500), 512, 128, 512, 1
      fhigh pvsanal oscili(0.25, 6000), 512, 128, 512, 1
      fpicked TEST_PICK flow, fhigh, 1
      fone, ftwo TEST_COPIES fpicked
      kamp1, kfreq1 pvsbin fone, 64
      kamp2, kfreq2 pvsbin fhigh, 64
      kother, kf pvsbin ftwo, 16
      """, heard: "upsamp(kamp1), upsamp(kamp2), upsamp(kfreq1), upsamp(kfreq2), upsamp(kother)",
      note: "0.1", ksmps: ksmps)
    let channels = performance.channels
    #expect(channels[0].last! > 0.2)
    #expect(abs(channels[2].last! - 6000) < 1)
    let isSame = channels[0] == channels[1] && channels[2] == channels[3]
    #expect(isSame)
    #expect(channels[4].last! < 0.001)
  }

  @Test("A spectrum is new once", arguments: [1, 16, 64, 128])
  func newSpectra(ksmps: Int) throws {
    let performance = try performNote(
      """
      fsig pvsanal oscili(0.5, 1500), 512, 128, 512, 1
      kspectra TEST_SPECTRA fsig
      """, heard: "upsamp(kspectra)", note: "0.1", ksmps: ksmps)
    let hops = (4800.0 / 128).rounded(.down)
    #expect(abs(performance.channels[0].last! - hops) <= 2)
  }

  @Test("An f-signal nobody has set up is refused")
  func missingSpectrum() throws {
    let performance = try perform(
      """
      instr 1
        if p4 == 1 igoto skip
        flow pvsanal oscili(0.5, 1500), 512, 128, 512, 1
        skip:
        fcopy TEST_COPIES flow
      endin
      """, score: "i1 0 0.01 1")
    #expect(
      performance.said("TEST_COPIES: the f-signal is not set up; make it in the lines above."))
  }
}
