import Testing

/// Opcodes with an argument that keeps the state of the note before.
@Suite("What keeps the state, in Csound", .serialized)
struct KeptStateTests {
  static let calls = [
    "a1 BUTTERLP aone, 700, 1", "a1 BUTTERHP aone, aslow, 1", "a1 BUTTERBP aone, 20, 10, 1",
    "a1 BUTTERBR aone, aslow, 300, 1", "a1 RESON aone, 20, 10, 1, 1", "a1 ONEPOLE aone, 20, 1",
    "a1 ONEPOLE aone, aslow, 1", "a1 LPF18 aone, 20, 0.5, 1, 1", "a1 LPF18 aone, aslow, 0.5, 1, 1",
    "a1 LPF18 aone, 20, 0.7, 0, 1, 2", "a1 MOOGLADDER aone, 20, 0.8, 1",
    "a1 MOOGLADDER aone, aslow, 0.8, 1, 2", "a1 DIODELADDER aone, 20, 8, 0, 1, 1",
    "a1 DIODELADDER aone, aslow, 8, 2, 1, 1, 2", "a1 LADDER aone, 20, 0.5, 0, 1, 1, 1",
    "a1 LADDER aone, aslow, 0.5, 2, 3, 2, 1",
    "ahigh, a1, aband, areject STATEVAR aone, 20, 2, 3, 1",
    "ahigh, a1, aband, areject STATEVAR aone, aslow, upsamp(k(2)), 3, 1",
    "aouts[] MOOGLADDER aones, 20, 0.8, 1\na1 = aouts[1]",
    "aouts[] LPF18 aones, 20, 0.8, 1, 1\na1 = aouts[1]",
    "ahighs[], aouts[], abands[], arejects[] STATEVAR aones, 20, 3, 3, 1\na1 = aouts[1]",
    "a1 PHASER aone, 30, 3, 0.95, 1", "a1 PHASER aone, 30, 8, 0.95, 1",
    "a1 PHASER aone, 30, 13, 0.95, 1", "a1, a2 REVERBSC aone, aone, 0.8, 6000, -1, 1, 1",
    "a1, a2 FREEVERB aone, aone, 0.8, 0.6, -1, 1", "a1 CONVOLVE aone, 1, 16, 0, 0, 1",
    "a1 VDELAY aone, 5, 10, 1", "a1 COMB aone, 1, 0.01, 1", "a1 ALPASS aone, aslow, 0.01, 1",
    "a1 PHASER2 aone, 30, 1, 5, 1, 1, 0.5, 1", "a1 NREVERB aone, 1, 0.3, 1",
    "a1 MOOGVCF2 aone, 20, 0.5, 0, 1", "a1 DCBLOCK2 aone, 3000, 1", "a1 BALANCE2 aone, aslow, 1, 1",
  ]

  @Test(
    "A note goes on where the one before it in the same memory ended", arguments: calls, [1, 64])
  func goesOn(call: String, ksmps: Int) throws {
    let orchestra = """
      giresponse ftgen 1, 0, -6000, -7, 0.5, 6000, -0.5
      instr 1
        aone upsamp k(1)
        aslow upsamp k(20)
        aones[] init 2
        aones[1] = aone
        \(call)
        outch 1, a1
      endin
      """
    let (note, gap) = ("[4480/48000]", "[8960/48000]")
    let parts = try perform(
      orchestra, score: "i1 0 \(note)\ni1 \(gap) \(note)\nf0 0.3", ksmps: ksmps)[0]
    let whole = try perform(orchestra, score: "i1 0 \(gap)\nf0 0.3", ksmps: ksmps)[0]
    // Coefficients that are computed again may be rounded otherwise.
    let difference = largestDifference(parts[8960..<13_440], whole[4480..<8960])
    let isContinued = parts[..<4480] == whole[..<4480] && difference < 1e-12
    #expect(isContinued && whole[8900] != 0 && whole[4480..<8960] != whole[..<4480])
  }

  @Test("The next note's other arguments count, and wrong ones are refused")
  func arguments() throws {
    func play(_ call: String, _ first: Double, _ second: Double) throws -> Performance {
      try perform(
        "instr 1\naone upsamp k(1)\n\(call)\nout a1\nendin",
        score: "i1 0 [4800/48000] \(first)\ni1 [4800/48000] [4800/48000] \(second)", ksmps: 50)
    }
    let ladder = "a1 LADDER aone, 2000, 0, p4, 1, 0, 1"
    let modes = try play(ladder, 0, 5)[0]
    #expect(modes[4700] > 0.99 && modes[9500].magnitude < 0.01)
    #expect(try play(ladder, 0, 9).said("'imode' is 9"))
    #expect(try play("a1 MOOGLADDER aone, 2000, 0, 1, p4", 0, 7).said("'iquality' is 7"))
    #expect(try play("a1 POSCIL 1, 500, p4, -1", -1, 99).said("INIT ERROR"))
  }

  @Test("A note with another ksmps begins anew, with buffers of its length")
  func otherKsmps() throws {
    let orchestra = """
      instr 1
        setksmps p4
        aone upsamp k(1)
        aslow upsamp k(20)
        a1 RESONZ aone, aslow, 50, 0, 1
        out a1
      endin
      """
    let sound = try perform(
      orchestra, score: "i1 0 [6400/48000] 1\ni1 [6400/48000] [6400/48000] 64", ksmps: 64)[0]
    #expect(largestDifference(sound[..<6400], sound[6400..<12_800]) < 1e-9 && sound[100] != 0)
  }
}
