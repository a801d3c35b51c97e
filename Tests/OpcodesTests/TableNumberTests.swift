import Testing

/// Every opcode that takes the number of a table, with numbers that are not quite one.
@Suite("Table numbers", .serialized)
struct TableNumberTests {
  /// Tables whose elements say which they are, and the instruments that play them: ours, and Csound's
  /// own beside them.
  static let orchestra = """
    gi1 ftgen 1, 0, -4, -2, 0.01, 0.01, 0.01, 0.01
    gi2 ftgen 2, 0, -4, -2, 0.02, 0.02, 0.02, 0.02
    gi100 ftgen 100, 0, -4, -2, 1, 1, 1, 1
    gi101 ftgen 101, 0, -4, -2, 1.01, 1.01, 1.01, 1.01
    gi102 ftgen 102, 0, -4, -2, 1.02, 1.02, 1.02, 1.02
    instr 1
      outch 1, POSCIL:a(1, 0, p4)
    endin
    instr 2
      kslow POSCIL 1, 0, p4
      outch 2, upsamp(kslow)
    endin
    instr 3
      outch 3, MORPH(1, 0, 0.3, 0.6, p4, p4, p4, p4)
    endin
    instr 4
      outch 4, LOOPTIME(p4, 1, 60)
    endin
    instr 5
      a1 CONVOLVE mpulse(1, 0), p4, 4
      outch 5, a1
    endin
    instr 6
      outch 6, poscil3:a(1, 0, p4)
    endin
    instr 7
      a1 ftconv mpulse(1, 0), p4, 4
      outch 7, a1
    endin
    """

  @Test(
    "A fraction is rounded as Csound's own opcodes do",
    arguments: [100.4, 100.5, 100.6, 101.4, 101.5, 101.6, 0.6, 1.4, 1.5])
  func fraction(number: Double) throws {
    let performance = try perform(
      Self.orchestra, score: (1...7).map { "i\($0) 0 0.01 \(number)" }.joined(separator: "\n"),
      ksmps: 16, channels: 7)
    let builtin = performance[5][0]
    #expect(builtin == performance[6][4] && builtin != 0)
    for channel in 0..<4 {
      #expect(performance[channel].prefix(480).allSatisfy { abs($0 - builtin) < 1e-12 })
    }
    #expect(largestDifference(performance[4].prefix(480), performance[6].prefix(480)) < 1e-12)
    #expect(performance.messages.allSatisfy { !$0.contains("ERROR") })
  }

  @Test("Near -1 it is Csound's own sine", arguments: [-0.6, -1, -1.4])
  func sine(number: Double) throws {
    let performance = try performNote(
      "aloop LOOPTIME p4, 0.001, 60\nacorners MORPH 1, 1000, 0.3, 0.6, p4, p4, p4, p4",
      heard: "POSCIL:a(1, 1000, p4), acorners, aloop, poscil3:a(1, 1000, p4)",
      note: "0.01 \(number)")
    for channel in 0..<3 {
      #expect(largestDifference(performance[channel], performance[3]) < 1e-6)
    }
    #expect(performance[3].max()! > 0.99)
  }

  @Test(
    "A number that means none is an init error with a sentence, where Csound's own is one too",
    arguments: [0, 0.4, 0.5, -0.4, -1.6, -2, -100, -100.5, 3, 1e9, -1e300, 3e9])
  func none(number: Double) throws {
    let performance = try perform(
      Self.orchestra, score: (1...7).map { "i\($0) 0 0.01 \(number)" }.joined(separator: "\n"),
      channels: 7)
    for (opcode, argument) in [
      ("POSCIL", "ifn"), ("MORPH", "if1"), ("LOOPTIME", "itable"), ("CONVOLVE", "ift"),
    ] {
      #expect(performance.said("\(opcode): '\(argument)' is "))
    }
    #expect(
      performance.messages.count { $0.contains("must be the number of an existing table.") } == 5)
    #expect(performance.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test(
    "HARMONICS writes into the table a fraction is rounded to", arguments: [100.4, 100.5, 101.4])
  func written(number: Double) throws {
    let performance = try perform(
      Self.orchestra + """

        instr 8
          kweights[] init 1
          kweights[0] = 1
          knumber init p4
          HARMONICS knumber, kweights
          outch 1, upsamp(table:k(1, gi100)), 2, upsamp(table:k(1, gi101))
        endin
        """, score: "i8 0 0.01 \(number)", channels: 7)
    let isFirst = number < 101
    #expect(performance[0][0] == 1 && abs(performance[0][1] - 1) < 1e-12)
    #expect(performance[1][0] == (isFirst ? 1.01 : 1))
    #expect(performance.messages.allSatisfy { !$0.contains("ERROR") })
  }

  /// Opcodes with the number of a table, p4, and what they say when it is deleted.
  static let users = [
    ("HARMONICS ktable, kweights", "'ktable' is 1; it must be the number of an existing table."),
    ("a1 MORPH 1, 100, 0.5, 0, 3, p4, 3, 3", "one of its tables was deleted."),
    ("a1 LOOPTIME p4, 0.0137, 120", "its table was deleted."),
    (
      "a1 PLATE p4, 3, 0, 1, 5, 1, 0, asignal", "a table of places was deleted or became too short."
    ),
    ("acolumns[] PINS arows, p4, 4", "its table of pins was deleted or made shorter."),
  ]

  @Test(
    "A table deleted during a note ends it with a sentence; others go on", arguments: users,
    [1, 64])
  func deleted(user: (line: String, sentence: String), ksmps: Int) throws {
    let performance = try perform(
      """
      \((1...3).map { "gi\($0) ftgen \($0), 0, -9, -2, 0, 0.5, 1, 0, 0.4, 2, 0, 0.3, 3" }.joined(separator: "\n"))
      instr 1
        ktable init p4
        kweights[] fillarray 0, 1
        asignal upsamp k(1)
        arows[] init 2
        arows[0] = asignal
        \(user.line)
        outch p4, asignal
      endin
      instr 2
        ftfree 1, 0
      endin
      """, score: "i1 0 0.04 1\ni1 0 0.04 2\ni2 0.02 0.01", ksmps: ksmps, channels: 2)
    let opcode = try #require(user.line.split(separator: " ").first { $0 == $0.uppercased() })
    #expect(performance.said("\(opcode): \(user.sentence)"))
    #expect(performance.messages.count { $0.contains("PERF ERROR") } == 1)
    #expect(performance[0][900] == 1 && performance[0][1100] == 0 && performance[1][1100] == 1)
  }

  @Test(
    "A table deleted or replaced during the note: the oscillator follows, the convolution goes on",
    arguments: ["f-100 0.01", "f100 0.01 -7 -2 5 5 5 5 5 5 5"])
  func later(event: String) throws {
    let performance = try perform(
      Self.orchestra, score: "i1 0 0.02 100\ni5 0 0.02 100\ni7 0 0.02 100\n\(event)\nf0 0.03",
      ksmps: 48, channels: 7)
    let isDeleted = event.hasPrefix("f-")
    #expect(performance.said("POSCIL: its table was deleted.") == isDeleted)
    #expect(abs(performance[0][600] - (isDeleted ? 0 : 5)) < 1e-12)
    #expect(largestDifference(performance[4], performance[6]) < 1e-12)
    #expect(performance[4].prefix(10).contains { $0 == 1 })
  }
}
