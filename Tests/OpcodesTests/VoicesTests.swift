import Foundation
import Opcodes
import Testing

@Suite("VOICES", .serialized)
struct VoicesTests {
  /// Instrument 90 puts out how many notes of the group "g" sound beside itself.
  static let probe = """

    instr 90
      kcount VOICES "g"
      outch 1, upsamp(kcount - 1)
    endin

    """

  static let voice = """
    instr 1
      kcount VOICES "g"
    endin

    """

  @Test("The count is that of the score, at every moment", arguments: [1, 7, 64])
  func score(ksmps: Int) throws {
    let performance = try perform(
      Self.voice + Self.probe,
      score: "i90 0 1\ni1 0.1 0.5\ni1 0.2 0.3\ni1 0.3 0.4\ni1 0.3 0.1", ksmps: ksmps)
    for (time, count) in [
      (0.05, 0), (0.15, 1), (0.25, 2), (0.35, 4), (0.45, 3), (0.55, 2), (0.65, 1), (0.75, 0),
    ] {
      #expect(performance.channels[0][Int(time * 48_000)] == Double(count))
    }
  }

  @Test("Notes know the count from their first k-cycle, in their init pass those before them")
  func firstCycle() throws {
    let performance = try perform(
      """
      instr 1
        kcount VOICES "g"
        outch p4, upsamp(kcount), p4 + 3, upsamp(k(i(kcount)))
      endin
      """, score: "i1 0 0.1 1\ni1 0 0.1 2\ni1 0 0.1 3", channels: 6)
    #expect(performance.channels.map { $0[0] } == [3, 3, 3, 1, 2, 3])
  }

  /// What can happen to a note: an orchestra with instrument 1, and a score.
  struct Situation: CustomTestStringConvertible {
    var testDescription: String
    var orchestra: String
    var score = "i1 0 0.3"
    /// The largest count of others a probe hears that sounds all the time.
    var most = 1.0
    var options: [String] = []
  }

  /// A note that needs a table, which another frees.
  private static func tableFreed(_ lines: String...) -> String {
    """
    gitable ftgen 1, 0, 8, 10, 1
    instr 1
      \(lines.joined(separator: "\n"))
    endin
    instr 2
      ftfree 1, 0
    endin
    """
  }

  /// A note that runs a line's init pass 100 times a second.
  private static func reinitialized(_ line: String) -> String {
    """
    instr 1
      ktick metro 100
      if ktick == 1 then
        reinit again
      endif
      again:
      \(line)
      rireturn
    endin
    """
  }

  /// A user-defined opcode, with a line at its beginning and one after VOICES.
  private static func counted(_ first: String = "", then last: String = "") -> String {
    """
    opcode Counted, k, S
      \(first)
      Sgroup xin
      kcount VOICES Sgroup
      \(last)
      xout kcount
    endop

    """
  }

  static let situations = [
    Situation(
      testDescription: "turnoff",
      orchestra: """
        instr 1
          kcount VOICES "g"
          if timeinstk() == 20 then
            turnoff
          endif
        endin
        """),
    Situation(
      testDescription: "turnoff2",
      orchestra: voice + "instr 2\nturnoff2 1, 0, 0\nendin", score: "i1 0 9\ni1 0 9\ni2 0.1 0.1",
      most: 2),
    Situation(
      testDescription: "turnoff2 of notes that release",
      orchestra: """
        instr 1
          kcount VOICES "g"
          aenv linsegr 0, 0.01, 1, 0.1, 0
        endin
        instr 2
          turnoff2 1, 0, p4
        endin
        """, score: "i1 0 9\ni1 0 9\ni2 0.1 0.01 1\ni2 0.15 0.01 0", most: 2),
    Situation(
      testDescription: "negative p1 ends a held note", orchestra: voice,
      score: "i1 0 -1\ni-1 0.2 0"),
    Situation(
      testDescription: "released", orchestra: "instr 1\nkcount VOICES \"g\"\nxtratim 0.2\nendin"),
    Situation(
      testDescription: "tied", orchestra: voice,
      score: "i1 0 -0.2\ni1 0.2 -0.1\ni1 0.3 0.1"),
    Situation(
      testDescription: "tied with a fraction, two at once", orchestra: voice,
      score: "i1.1 0 -0.2\ni1.2 0 -0.2\ni1.1 0.2 0.1\ni1.2 0.2 0.2", most: 2),
    Situation(
      testDescription: "reinit", orchestra: reinitialized(#"kcount VOICES "g""#)),
    Situation(
      testDescription: "reinit that changes the group",
      orchestra: """
        instr 1
          kcycle timeinstk
          icycle = i(kcycle)
          if kcycle == 50 then
            reinit again
          endif
          again:
          Sgroup = i(kcycle) < 10 ? "g" : "other"
          kcount VOICES Sgroup
          rireturn
        endin
        """),
    Situation(
      testDescription: "reinit that fails",
      orchestra: """
        instr 1
          kcycle timeinstk
          if kcycle == 50 then
            reinit again
          endif
          again:
          Sgroup strcpy ""
          ilength = i(kcycle) < 10 ? 1 : 400
          while strlen(Sgroup) < ilength do
            Sgroup strcat Sgroup, "g"
          od
          kcount VOICES Sgroup
          rireturn
        endin
        """),
    Situation(
      testDescription: "a later opcode fails in its init pass",
      orchestra: "instr 1\nkcount VOICES \"g\"\naloop LOOPTIME 99, 1, 120\nendin", most: 0),
    Situation(
      testDescription: "an earlier opcode fails in its init pass",
      orchestra: "instr 1\naloop LOOPTIME 99, 1, 120\nkcount VOICES \"g\"\nendin", most: 0),
    Situation(
      testDescription: "performance error after it",
      orchestra: tableFreed(#"kcount VOICES "g""#, "aloop LOOPTIME 1, 1, 120"),
      score: "i1 0 0.5\ni2 0.1 0.1"),
    Situation(
      testDescription: "performance error with two threads",
      orchestra: tableFreed("aloop LOOPTIME 1, 1, 120", #"kcount VOICES "g""#),
      score: "i1 0 0.5\ni1 0 0.5\ni2 0.1 0.1", most: 2, options: ["-j2"]),
    Situation(
      testDescription: "in a user-defined opcode with its own ksmps, reinitialized",
      orchestra: counted("setksmps 1") + reinitialized(#"kcount Counted "g""#)),
    Situation(
      testDescription: "in a user-defined opcode that fails later",
      orchestra: counted(then: "aloop LOOPTIME 99, 1, 120")
        + "instr 1\nkcount Counted \"g\"\nendin", most: 0),
    Situation(
      testDescription: "in a subinstrument",
      orchestra: """
        instr 3
          kcount VOICES "g"
          out a(0)
        endin
        instr 1
          asub subinstr 3
        endin
        """),
    Situation(
      testDescription: "skipped in the performance pass",
      orchestra: """
        instr 1
          if timeinstk() == 3 then
            kcount VOICES "g"
          endif
        endin
        """),
    Situation(
      testDescription: "skipped in the init pass",
      orchestra: """
        instr 1
          if p4 == 1 goto done
          kcount VOICES "g"
          done:
        endin
        """, score: "i1 0 0.1 1\ni1 0 0.1 1\ni1 0.2 0.1 0\ni1 0.3 0.1 1"),
    Situation(
      testDescription: "many short notes from schedkwhen",
      orchestra: voice + """
        instr 2
          schedkwhen 1, 0, 0, 1, 0, 0.0123
        endin
        """, score: "i2 0 0.5", most: 10),
    Situation(
      testDescription: "across sections", orchestra: voice,
      score: "i90 0 1\ni1 0 0.3\ns\ni90 0 1\ni1 0 0.3\ni1 0.1 0.1\ns", most: 2),
    Situation(
      testDescription: "two threads, many notes",
      orchestra: """
        instr 1
          kcount VOICES "g"
          asound vco2 0.01, 100
        endin
        """, score: (0..<200).map { "i1 [\($0)*0.002] 0.03" }.joined(separator: "\n"), most: 16,
      options: ["-j2"]),
    Situation(
      testDescription: "inside blocks", orchestra: voice,
      score: (0..<50).map { "i1 [\($0)*501/48000] [733/48000]" }.joined(separator: "\n"), most: 2,
      options: ["--sample-accurate"]),
  ]

  @Test("Whatever happens to a note, in the end nobody is left", arguments: situations)
  func nobodyLeft(situation: Situation) throws {
    let performance = try perform(
      situation.orchestra + Self.probe, score: situation.score + "\ni90 0 3\ni90.5 3.5 0.1",
      options: situation.options)
    let samples = performance.channels[0]
    // The last probe is alone again.
    #expect(samples[Int(2.9 * 48_000)] == 0)
    #expect(samples.suffix(4000).allSatisfy { $0 == 0 })
    let most = samples.max()!
    if situation.testDescription.contains("many") {
      #expect(most > 1)
    } else {
      #expect(most == situation.most)
    }
    #expect(samples.min() == 0)
  }

  @Test("A note is counted to the end of its release")
  func release() throws {
    let performance = try perform(
      """
      instr 1
        kcount VOICES "g"
        aenv linsegr 1, 0.1, 1, 0.2, 0
      endin
      """ + "\n" + Self.probe, score: "i90 0 0.6\ni1 0.1 0.1")
    #expect(performance.channels[0][Int(0.35 * 48_000)] == 1)
    #expect(performance.channels[0][Int(0.45 * 48_000)] == 0)
  }

  @Test("Groups do not hear each other; a name can be empty, long or foreign")
  func groups() throws {
    let long = String(repeating: "n", count: 230)
    let performance = try perform(
      """
      instr 1
        Sgroup strget p5
        kcount VOICES Sgroup
        outch p4, upsamp(kcount)
      endin
      """,
      score: """
        i1 0 0.1 1 "one"
        i1 0 0.1 2 "two"
        i1 0 0.1 2 "two"
        i1 0 0.1 3 ""
        i1 0 0.1 4 "\(long)"
        i1 0 0.1 5 "\u{E9}\u{1F3B5} %s %n"
        """.replacing("i1 0 0.1 2 \"two\"\ni1 0 0.1 2", with: "i1 0 0.1 6 \"two\"\ni1 0 0.1 2"),
      channels: 6)
    #expect(performance.channels.map { $0[100] } == [1, 2, 1, 1, 1, 2])
  }

  @Test("A note that counts itself twice counts twice")
  func twice() throws {
    let performance = try perform(
      "instr 1\nk1 VOICES \"g\"\nk2 VOICES \"g\"\nendin\n" + Self.probe,
      score: "i90 0 0.3\ni1 0 0.1\ni1 0.15 0.05")
    #expect(performance.channels[0][2000] == 2)
    #expect(performance.channels[0][6000] == 0)
    #expect(performance.channels[0][8000] == 2)
    #expect(performance.channels[0].last == 0)
  }

  @Test("A reinit's init pass sees the count as it was")
  func reinit() throws {
    let performance = try performNote(
      """
      kseen init 0
      ktick metro 100
      if ktick == 1 then
        reinit again
      endif
      again:
      kcount VOICES "g"
      iseen = i(kcount)
      rireturn
      kseen = iseen > kseen ? iseen : kseen
      """, heard: "upsamp(kseen)", note: "0.1")
    #expect(performance.channels[0].last == 1)
  }
}
