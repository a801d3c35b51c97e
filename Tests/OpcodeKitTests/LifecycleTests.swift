import CsoundHost
import Testing

@Suite("What the kit does around an opcode", .serialized)
struct LifecycleTests {
  static let framesOrchestra = """
    instr 1
      aone linseg 1, 1, 1
      aplus, aminus TEST_FRAMES aone
      outc aplus, aminus, aone
    endin
    """

  @Test(
    "A sample-accurate note computes exactly the frames Csound's own opcodes do",
    arguments: [(15, 30), (3, 4), (20, 40), (9, 1), (1, 128)])
  func sampleAccurate(start: Int, length: Int) throws {
    // The second note recycles the memory of the first, whose samples must not show.
    let score = """
      i1 [\(start)/48000] [\(length)/48000]
      i1 [(\(start)+500)/48000] [\(length)/48000]
      f0 0.02
      """
    let performance = try perform(
      Self.framesOrchestra, score: score, channels: 3, options: ["--sample-accurate"])
    let reference = performance.channels[2]
    #expect(reference.contains(1))
    #expect(reference.firstIndex(of: 1) == start)
    // Bool first: a failed comparison of arrays would print every sample.
    let isRight = [performance.channels[0], performance.channels[1].map(-)].map { $0 == reference }
    #expect(isRight == [true, true])
  }

  @Test(
    "Outside a sample-accurate note the kit zeroes the output itself",
    arguments: [(15, 30), (3, 4), (9, 1), (1, 128)])
  func zeroedOutside(start: Int, length: Int) throws {
    // Csound's outputs mask what lies outside a note, so the instrument counts what is in the vector.
    let performance = try perform(
      """
      instr 1
        aone linseg 1, 1, 1
        aplus, aminus TEST_FRAMES aone
        kfilled TEST_FILLED aminus
        outc upsamp(kfilled), aone
      endin
      """,
      score: """
        i1 [\(start)/48000] [\(length)/48000]
        i1 [(\(start)+500)/48000] [\(length)/48000]
        f0 0.02
        """, channels: 2, options: ["--sample-accurate"])
    for note in [0..<400, 400..<960] {
      let frames = performance.channels[1][note].count { $0 == 1 }
      #expect(frames > 0)
      #expect(performance.channels[0][note].max() == Double(frames))
    }
  }

  @Test("Without sample accuracy every frame of a note is computed", arguments: [1, 7, 64, 1024])
  func wholeCycles(ksmps: Int) throws {
    let performance = try perform(
      Self.framesOrchestra, score: "i1 0 0.1", ksmps: ksmps, channels: 3)
    #expect(performance.channels[0].allSatisfy { $0 == 1 })
    #expect(performance.channels[1].allSatisfy { $0 == -1 })
  }

  @Test("A note that begins behind its end has no frames in that cycle")
  func crossed() throws {
    let performance = try performNote(
      """
      ain init 1
      kframes TEST_CROSSED ain
      """, heard: "upsamp(kframes + 1)", note: "0.01", ksmps: 64)
    #expect(performance.channels[0].prefix(64).allSatisfy { $0 == 1 })
  }

  @Test("An opcode may write over its own input")
  func aliasing() throws {
    let performance = try performNote(
      """
      asig linseg 1, 1, 1
      aplus, asig TEST_FRAMES asig
      """, heard: "asig", note: "0.01")
    #expect(performance.channels[0].allSatisfy { $0 == -1 })
  }

  @Test("State with SIMD members is aligned wherever Csound puts the block")
  func alignment() throws {
    let performance = try perform(
      """
      instr 1
        k1 TEST_ALIGNED
        kline line 0, 1, 1
        k2 TEST_ALIGNED
        kport portk kline, 0.1
        k3 TEST_ALIGNED
        klfo lfo 1, 1
        k4 TEST_ALIGNED
        outch 1, upsamp((k1 + k2 + k3 + k4) * 0.25)
      endin
      """,
      score: (0..<16).map { "i1 [\($0)*0.01] 0.005" }.joined(separator: "\n"), ksmps: 48)
    let notes = performance.channels[0].filter { $0 != 0 }
    #expect(!notes.isEmpty)
    #expect(notes.allSatisfy { $0 == 1 })
  }

  @Test("State too large to copy is performed in place", arguments: [1, 10, 64])
  func largeState(ksmps: Int) throws {
    let performance = try performNote(
      """
      aone linseg 1, 1, 1
      asum TEST_SUM aone
      asum TEST_SUM asum - asum + 1
      """, heard: "asum", note: "0.01", ksmps: ksmps)
    let isCounting = performance.channels[0].prefix(480) == (1...480).map(Double.init)[...]
    #expect(isCounting)
  }

  static let countOrchestra = """
    instr 1
      kcount TEST_COUNT p4
      outch 1, upsamp(kcount)
    endin
    """

  @Test("reinit runs the init pass again")
  func reinit() throws {
    let performance = try performNote(
      """
      kcycle init 0
      kcycle += 1
      if kcycle == 6 then
        reinit again
      endif
      again:
      kcount TEST_COUNT 0
      rireturn
      """, heard: "upsamp(kcount)", note: "0.01", ksmps: 48)
    #expect(performance.channels[0].max() == 5)
  }

  @Test(
    "An init pass that resumes, of a note after another or tied, goes on with the state in its memory; others begin afresh",
    arguments: [
      ("i1 0 0.01 0\ni1 0.02 0.01 0", 10.0),
      ("i1 0 0.01 0\ni1 0.02 0.01 1", 20.0), ("i1 0 -0.01 0\ni1 0.01 0.01 1", 20),
      // No note has used this memory.
      ("i1 0 0.01 1", 10),
    ])
  func resumed(score: String, most: Double) throws {
    let performance = try perform(Self.countOrchestra, score: score, ksmps: 48)
    #expect(performance.channels[0].max() == most)
  }

  @Test("An init error names opcode, argument, value and what is allowed")
  func initError() throws {
    let orchestra = """
      instr 1
        i1 TEST_FAIL p4
        outch 1, upsamp(i1)
      endin
      """
    let performance = try perform(orchestra, score: "i1 0 0.1 1\ni1 0.1 0.1 2\ni1 0.2 0.1 3")
    #expect(performance.said("TEST_FAIL: 'iwhich' is 1; it must be 0 or 2."))
    #expect(performance.said("TEST_FAIL: the table is empty."))
    #expect(performance.channels[0].max() == 7)
  }

  @Test("Reset, compiled again: the same sound", .disabled(if: Player.isNamed, Player.why))
  func reset() throws {
    let csound = try Csound(registering: registerTestOpcodes)
    let first = try perform(Self.countOrchestra, score: "i1 0 0.01 0", on: csound)
    for _ in 0..<3 {
      csound.reset()
      let again = try perform(Self.countOrchestra, score: "i1 0 0.01 0", on: csound)
      #expect(again.channels == first.channels)
    }
  }

  @Test(
    "Two engines in one process do not hear each other", .disabled(if: Player.isNamed, Player.why))
  func twoEngines() throws {
    let first = try Csound(registering: registerTestOpcodes)
    let alone = try perform(Self.countOrchestra, score: "i1 0 0.02 0", on: first)
    let second = try Csound(registering: registerTestOpcodes)
    let beside = try perform(Self.countOrchestra, score: "i1 0 0.02 0", on: second)
    #expect(alone.channels == beside.channels)
  }
}
