import CsoundHost
import Foundation
import Testing

@Suite("GEN routines of the host", .serialized)
struct GeneratorTests {
  @Test("A named GEN fills tables from the orchestra and the score, scaled to a peak of 1")
  func tables() throws {
    let performance = try perform(
      """
      gi1 ftgen 1, 0, 8, "test_ramp", 0, 2
      gi2 ftgen 2, 0, 9, "test_ramp", -4, 1
      gi3 ftgen 0, 0, 16, 10, 1
      gi4 ftgen 4, 0, 8, "tanh", -1, 1, 0
      instr 1
        outch 1, upsamp(table(3, 1)), 2, upsamp(tablei(7.5, 1)), 3, upsamp(tablei(7.5, 2)), 4, upsamp(table(1, 5)), 5, upsamp(table(7, 4)), 6, upsamp(gi3)
      endin
      """, score: "f5 0 8 \"test_ramp\" 1 1\ni1 0 0.01", channels: 6)
    let last = performance.channels.compactMap(\.last)
    #expect(last[0] == 6.0 / 14)
    // The guard point is the first element, or the routine's own where the size asks for one.
    #expect(last[1] == 0.5)
    #expect(last[2] == 0.875)
    #expect(last[3] == 2.0 / 8)
    #expect(abs(last[4]) > 0.8)
    #expect(last[5] > 100)
  }

  @Test("As many parameters as Csound takes")
  func manyParameters() throws {
    let parameters = (1...2500).map { "\($0)" }.joined(separator: " ")
    let performance = try perform(
      "instr 1\n outc upsamp(table(1, 1))\nendin",
      score: "f1 0 4 \"test_last\" \(parameters)\ni1 0 0.01")
    #expect(performance.channels[0].last == 1)
    #expect(performance.said("ftable 1:"))
  }

  @Test("A wrong parameter is an error with a sentence, and the table is not made")
  func errors() throws {
    do {
      _ = try perform("gi1 ftgen 1, 0, 8, \"test_ramp\", 1", score: "f0 0.01")
      Issue.record("Csound accepted it.")
    } catch CsoundError.orchestra(_, let message) {
      #expect(message.contains("'number of parameters' is 1; it must be 2."))
    }
    let performance = try perform(
      "instr 1\n outc upsamp(ftexists:i(1) + 5)\nendin",
      score: "f1 0 8 \"test_ramp\" 1\ni1 0 0.01")
    #expect(performance.channels[0].last == 5)
  }

  @Test("After a reset the GEN routines are there again", .disabled(if: Player.isNamed, Player.why))
  func reset() throws {
    let csound = try Csound(registering: registerTestOpcodes)
    let orchestra = """
      gi1 ftgen 1, 0, 8, "test_ramp", 0, 2
      instr 1
        outc upsamp(table(3, 1))
      endin
      """
    for _ in 0..<3 {
      let performance = try perform(orchestra, score: "i1 0 0.01", on: csound)
      #expect(performance.channels[0].last == 6.0 / 14)
      csound.reset()
    }
  }
}
