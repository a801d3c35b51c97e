import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("VDELAY in Csound", .serialized)
struct VariableDelayOrchestraTests {
  @Test("The maximum itself is reached to the sample, and a delay above it is the maximum")
  func maximum() throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      a1 VDELAY asignal, 10, 10
      a2 VDELAY asignal, 11, 10
      a3 VDELAY asignal, upsamp(k(1e300)), 10
      a4 vdelay3 asignal, 10, 10
      a5 VDELAY asignal, 480/48, 480/48
      """, heard: "asignal, a1, a2, a3, a4, a5", note: "0.1")
    let expected = Array(repeating: 0, count: 480) + performance[0].dropLast(480)
    for channel in [1, 2, 3, 5] { #expect(largestDifference(performance[channel], expected) == 0) }
    // vdelay3 there wraps round to the signal itself.
    #expect(largestDifference(performance[4], performance[0]) == 0)
  }

  @Test("Below one sample a sine is delayed, where vdelay3 mixes in its oldest sample")
  func belowOneSample() throws {
    let performance = try performNote(
      """
      asignal oscili 0.5, 1000, -1
      """, heard: "VDELAY:a(asignal, 0.5/48, 1.2), vdelay3:a(asignal, a(0.5/48), 1.2), asignal",
      note: "0.1")
    let exact = (100..<4700).map { 0.5 * sin(2 * Double.pi * (Double($0) - 0.5) / 48) }
    #expect(performance[2].max()! > 0.49)
    #expect(largestDifference(performance[0][100..<4700], exact) < 0.002)
    #expect(largestDifference(performance[1][100..<4700], exact) > 0.02)
  }

  @Test(
    "A line that goes on is not made longer, and an impossible maximum is an error all the same")
  func resumedMaximum() throws {
    let performance = try perform(
      """
      instr 1
        knan = log(-1)
        adelayed VDELAY upsamp(k(1)), 1e9, p5 == 0 ? log(-1) : p5, p4
        outch 1, adelayed
      endin
      """,
      score: "i1 0 0.02 0 1\ni1 0.03 0.02 1 3000000\ni1 0.06 0.02 1 0\ni1 0.09 0.02 1 -1\nf0 0.12",
      ksmps: 48)
    #expect(performance.said("VDELAY: 'imaxMs' is -1; it must be from 0 to 3600000 ms."))
    #expect(performance.messages.count { $0.contains("VDELAY: 'imaxMs' is ") } == 2)
    #expect(performance[0].suffix(from: 2880).allSatisfy { $0 == 0 })
    #expect(performance[0][1500..<2000].allSatisfy { $0 == 1 })
  }

  @Test("reinit empties the line and may change its length", arguments: [1, 7, 64])
  func reinit(ksmps: Int) throws {
    let performance = try performNote(
      """
      icount init 0
      kcycle timeinstk
      if kcycle * ksmps >= 960 && kcycle * ksmps < 960 + ksmps then
        reinit again
      endif
      again:
      icount += 1
      adelayed VDELAY upsamp(k(1)), 5, 10 * icount
      rireturn
      kcount = icount
      """, heard: "adelayed, upsamp(kcount)", note: "0.04", ksmps: ksmps)
    let again = try #require(performance[1].firstIndex(of: 2))
    #expect(performance[0][240..<again].allSatisfy { $0 == 1 })
    #expect(performance[0][again..<(again + 240)].allSatisfy { $0 == 0 })
    #expect(performance[0][(again + 240)..<1900].allSatisfy { $0 == 1 })
  }
}
