import CsoundHost
import Foundation
import TestSupport
import Testing

@Suite("Deinit passes", .serialized)
struct DeinitTests {
  /// Init passes, deinit passes and performance passes that came too late, at the end.
  func counts(
    _ instruments: String, score: String, options: [String] = [], ksmps: Int = 48
  ) throws -> [Double] {
    let performance = try perform(
      """
      \(instruments)
      instr 99
        kinits, kfinishes, klate TEST_PASSES "life"
        outch 1, upsamp(kinits), 2, upsamp(kfinishes), 3, upsamp(klate)
      endin
      """, score: score + "\ni99 0 1", ksmps: ksmps, channels: 3, options: options)
    return performance.channels.compactMap { $0.max() }
  }

  static let plain = "instr 1\n TEST_LIFE \"life\"\nendin"

  @Test("Once at the end of each note", arguments: [1, 7, 64])
  func ends(ksmps: Int) throws {
    let counts = try counts(
      Self.plain, score: "i1 0 0.1\ni1 0.05 0.1\ni1 0.3 0.1", ksmps: ksmps)
    #expect(counts == [3, 3, 0])
  }

  @Test("After a release, once")
  func released() throws {
    let counts = try counts(
      "instr 1\n TEST_LIFE \"life\"\n a1 linsegr 1, 1, 1, 0.2, 0\nendin", score: "i1 0 0.1")
    #expect(counts == [1, 1, 0])
  }

  @Test("After turnoff, turnoff2 and a performance error, once")
  func cutOff() throws {
    let counts = try counts(
      """
      instr 1
        TEST_LIFE "life"
        kcycle timeinstk
        if kcycle == 5 then
          turnoff
        endif
      endin
      instr 2
        TEST_LIFE "life"
      endin
      instr 3
        turnoff2 2, 0, 0
      endin
      instr 4
        TEST_LIFE "life"
        a1 TEST_STOP 4
      endin
      """, score: "i1 0 1\ni2 0 1\ni3 0.1 0.01\ni4 0 1")
    #expect(counts == [3, 3, 0])
  }

  @Test("For each state a reinit has replaced, and for the last at the end")
  func reinit() throws {
    let counts = try counts(
      """
      instr 1
        kcycle timeinstk
        if kcycle % 10 == 0 then
          reinit again
        endif
        again:
        TEST_LIFE "life"
        rireturn
      endin
      """, score: "i1 0 0.0455")
    #expect(counts[0] == 5)
    #expect(counts[1] == 5)
  }

  @Test("A resumed state goes on: a tied note has one deinit pass, at its end")
  func tied() throws {
    let orchestra = "instr 1\n TEST_LIFE \"life\", p4\nendin"
    #expect(try counts(orchestra, score: "i1 0 -0.1 0\ni1 0.1 0.1 1") == [1, 1, 0])
    #expect(try counts(orchestra, score: "i1 0 -0.1 0\ni1 0.1 0.1 0") == [2, 2, 0])
    // Not tied: what the first note has finished cannot go on.
    #expect(try counts(orchestra, score: "i1 0 0.1 0\ni1 0.2 0.1 1") == [2, 2, 0])
  }

  @Test("None for a note whose own init pass failed, one when a later opcode's did")
  func failedInit() throws {
    let counts = try counts(
      """
      instr 1
        TEST_LIFE "life", 0, 2
      endin
      instr 2
        TEST_LIFE "life"
        i1 TEST_FAIL 1
      endin
      """, score: "i1 0 0.1\ni2 0 0.1")
    #expect(counts == [1, 1, 0])
  }

  @Test("None for an opcode whose init pass never ran, in new memory or a note's before it")
  func initNeverRan() throws {
    let counts = try counts(
      """
      instr 1
        if p4 == 1 then
          i1 TEST_FAIL 1
        endif
        TEST_LIFE "life"
      endin
      """, score: "i1 0 0.1 1\ni1 0.2 0.1 0\ni1 0.4 0.1 1")
    #expect(counts == [1, 1, 0])
  }

  @Test("In a user-defined opcode, once for each call")
  func userDefinedOpcode() throws {
    let counts = try counts(
      """
      opcode Living, 0, 0
        TEST_LIFE "life"
      endop
      instr 1
        Living
        Living
      endin
      """, score: "i1 0 0.1\ni1 0.2 0.1")
    #expect(counts == [4, 4, 0])
  }

  @Test("With several threads no performance pass comes after it")
  func threads() throws {
    let counts = try counts(
      """
      instr 1
        a1 TEST_STOP 4
        TEST_LIFE "life"
      endin
      """, score: "i1 0 0.1\ni1 0 0.1\ni1 0.05 0.1", options: ["-j2"])
    #expect(counts == [3, 3, 0])
  }

  @Test(
    "At a reset in the middle of a note, and afresh after it",
    .disabled(if: Player.isNamed, Player.why))
  func reset() throws {
    let csound = try Csound(registering: registerTestOpcodes)
    for _ in 0..<3 {
      let path = try temporaryDirectory() + "/piece.csd"
      try """
      instr 1
        TEST_LIFE "life"
        kinits, kfinishes, klate TEST_PASSES "life"
        outch 1, upsamp(kinits), 2, upsamp(kfinishes)
      endin
      """.csd(score: "i1 0 10", ksmps: 10, channels: 2).save(to: path)
      try csound.compile(path)
      for _ in 0..<10 { _ = csound.performKsmps() }
      #expect(Array(csound.output.prefix(2)) == [1, 0])
      csound.reset()
    }
  }

  @Test("A shared name in use for a value of another size, or too long, is an init error")
  func sharedNames() throws {
    let performance = try perform(
      """
      instr 1
        i1 TEST_SHARED "pair", 1
        i1 TEST_SHARED "pair"
      endin
      instr 2
        i1 TEST_SHARED "\(String(repeating: "x", count: 300))"
      endin
      instr 3
        i1 TEST_SHARED "count"
        outc upsamp(i1)
      endin
      """, score: "i1 0 0.01\ni2 0 0.01\ni3 0 0.01\ni3 0 0.01")
    let errors = performance.messages.count {
      $0.contains("TEST_SHARED: the shared name is over 255 bytes, or stands for something else.")
    }
    #expect(errors == 2)
    #expect(performance.channels[0].max() == 3)
  }
}
