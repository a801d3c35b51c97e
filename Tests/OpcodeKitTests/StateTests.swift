import CsoundHost
import OpcodeKit
import Testing

@Suite("State that is not there", .serialized)
struct StateTests {
  /// A note that jumps over `line`; channel 1 is `output`, channel 2 counts that it plays.
  func skipping(
    _ line: String, output: String, options: [String] = [], score: String = "i1 0 0.01"
  ) throws -> Performance {
    try perform(
      """
      instr 1
        aone linseg 1, 1, 1
        kone linseg 1, 1, 1
        asound linseg 1, 1, 1
        igoto behind
        \(line)
        behind:
        outch 1, \(output), 2, aone
      endin
      """, score: score, ksmps: 48, channels: 2, options: options)
  }

  func errors(_ performance: Performance) -> [String] {
    performance.messages.filter { $0.contains("not initialised") }
  }

  static let skipped =
    "not initialised; its init pass was skipped. Let it run before igoto or tigoto pass over it."

  @Test(
    "A skipped init pass ends the note with one sentence and silence",
    arguments: [
      ("asound TEST_KEPT aone, 10, 0", "TEST_KEPT"), ("asound TEST_STOP 99", "TEST_STOP"),
      ("kone TEST_BUFFERS 10, 0", "TEST_BUFFERS"), ("TEST_LEDGER \"skipped\", 4", "TEST_LEDGER"),
    ])
  func skipped(line: String, name: String) throws {
    let performance = try skipping(line, output: "asound")
    #expect(errors(performance).count == 1)
    #expect(performance.said("\(name): \(Self.skipped)"))
    #expect(performance.channels[1].allSatisfy { $0 == 0 })
  }

  @Test("With several threads the chain goes on after the error, and hears silence")
  func skippedThreaded() throws {
    let performance = try skipping(
      "asound TEST_KEPT aone, 10, 0", output: "asound", options: ["-j2"],
      score: "i1 0 0.01\ni1 0.002 0.01")
    #expect(errors(performance).count == 2)
    #expect(performance.channels[0].allSatisfy { $0 == 0 })
  }

  @Test("In a user-defined opcode it ends the note that calls it, once")
  func skippedInUserDefinedOpcode() throws {
    let performance = try perform(
      """
      opcode Skipping, a, a
        ain xin
        aout = ain
        igoto behind
        aout TEST_KEPT ain, 10, 0
        behind:
        xout aout
      endop
      instr 1
        aone linseg 1, 1, 1
        outc Skipping(aone)
      endin
      """, score: "i1 0 0.1", ksmps: 48)
    #expect(errors(performance).count == 1)
    #expect(performance.channels[0].allSatisfy { $0 == 0 })
  }

  @Test("With several threads, a note that is over does not ask for its init pass")
  func over() throws {
    let performance = try perform(
      """
      instr 1
        a1 TEST_STOP 4
        TEST_LEDGER "over", 3
      endin
      """, score: "i1 0 0.1\ni1 0 0.1\ni1 0.05 0.1", options: ["-j2"])
    #expect(errors(performance).isEmpty)
  }

  @Test("An opcode that can, plays without its init pass", arguments: [[], ["-j2"]])
  func late(options: [String]) throws {
    let performance = try skipping(
      "asound, kone TEST_LATE aone, 3", output: "asound + upsamp(kone)", options: options)
    #expect(errors(performance).isEmpty)
    #expect(performance.channels[0].prefix(480).max() == 13)
    #expect(performance.channels[0].prefix(48).allSatisfy { $0 == 4 })
  }

  @Test("With any number of arguments too")
  func lateVariadic() throws {
    let performance = try skipping(
      "kone TEST_LATE_SUM kone, 20, 300, 4000", output: "upsamp(kone)")
    #expect(errors(performance).isEmpty)
    // kone is its own first input.
    #expect(performance.channels[0][0] == 4321)
  }

  @Test("What its init says about the arguments ends the note, as an error in performance")
  func lateError() throws {
    let performance = try skipping("asound, kone TEST_LATE aone, -3", output: "asound")
    #expect(performance.said("TEST_LATE: 'igain' is -3; it must be 0 or more."))
    #expect(performance.said("PERF ERROR"))
    #expect(performance.channels[0].allSatisfy { $0 == 0 })
  }

  @Test(
    "A note, tied or after another in its memory, that jumps over the init pass goes on with the state",
    arguments: [
      ("tigoto behind", "i1 0 -0.01\ni1 0.01 0.01"),
      ("if p4 == 1 igoto behind", "i1 0 0.01 0\ni1 0.02 0.01 1"),
    ])
  func goesOn(jump: String, score: String) throws {
    let performance = try perform(
      """
      instr 1
        aone linseg 1, 1, 1
        \(jump)
        asound TEST_KEPT aone, 10, 0
        behind:
        outc asound
      endin
      """, score: score, ksmps: 48)
    #expect(errors(performance).isEmpty)
    #expect(performance.channels[0].max() == 20)
  }

  /// A note with a reinit in its sixth k-cycle: icount 10, then 100000; ifails 0, then `fails`.
  func reinit(fails: Int, line: String, output: String, score: String) throws -> Performance {
    try perform(
      """
      instr 1
        aone linseg 1, 1, 1
        icount init 10
        ifails init 0
        kcycle init 0
        kcycle += 1
        if kcycle == 6 then
          reinit again
        endif
        again:
        \(line)
        icount = 100000
        ifails = \(fails)
        rireturn
        outch 1, \(output), 2, aone
      endin
      instr 2
        ksum TEST_LEDGER_SUM "sum"
        outch 1, upsamp(ksum)
      endin
      """, score: score, ksmps: 48, channels: 2)
  }

  @Test(
    "A reinit with another size goes on with new state; after one that fails there is none: one sentence, and the note is over",
    arguments: [(0, 10.0), (1, 5)])
  func reinit(fails: Int, cycles: Double) throws {
    let performance = try reinit(
      fails: fails, line: "asound TEST_KEPT aone, icount, ifails", output: "asound",
      score: "i1 0 0.01\nf0 0.02")
    for sentence in [
      "'ifails' is 1; it must be 0.", "not initialised; its init pass failed in a reinit.",
    ] {
      #expect(performance.said("TEST_KEPT: \(sentence)") == (fails == 1))
    }
    #expect(errors(performance).count == fails)
    #expect(performance.channels[0].max() == 5)
    let sum: Double = performance.channels[1].reduce(0, +)
    #expect(sum == cycles * 48)
  }

  @Test("No note resumes what is left of an init pass that failed")
  func noResumeAfterFailure() throws {
    let performance = try perform(
      """
      instr 1
        aone linseg 1, 1, 1
        asound TEST_KEPT aone, p4, p5
        outc asound
      endin
      """, score: "i1 0 0.01 10 0\ni1 0.02 0.01 100000 1\ni1 0.04 0.01 10 -1", ksmps: 48)
    // A failing init pass that is not resumed throws again.
    #expect(performance.said("TEST_KEPT: 'ifails' is -1; it must be 0."))
    #expect(performance.channels[0].max() == 10)
  }

  @Test(
    "A deinit pass at a reinit with another size finds its own buffer; a reinit that fails has finished the state before it, once",
    arguments: [(0, 100_010.0), (1, 10)])
  func deinitAtReinit(fails: Int, sum: Double) throws {
    let performance = try reinit(
      fails: fails, line: "TEST_LEDGER \"sum\", icount, ifails", output: "aone * 0",
      score: "i1 0 0.01\ni2 0 0.02")
    #expect(performance.channels[0].last == sum)
    #expect(errors(performance).count == fails)
  }

  @Test("Buffers asked for without a number are one after the other")
  func nextBuffers() throws {
    let performance = try perform(
      """
      instr 1
        i1, i2, i3 TEST_NEXT_BUFFERS
        outch 1, upsamp(i1), 2, upsamp(i2), 3, upsamp(i3)
      endin
      """, score: "i1 0 0.01\ni1 0.02 0.01", channels: 3)
    #expect(performance.channels.map { $0[0] } == [1, 2, 3])
    #expect(performance.channels.map { $0[1000] } == [1, 2, 3])
  }

  @Test("A buffer asked for twice in an init pass is an init error")
  func sameBuffer() throws {
    let performance = try perform("instr 1\n i1 TEST_SAME_BUFFER\nendin", score: "i1 0 0.01")
    #expect(
      performance.said(
        "TEST_SAME_BUFFER: 'buffer' is 1; it must be another number in each call of an init pass: "
          + "each stands for one buffer."))
  }
}
