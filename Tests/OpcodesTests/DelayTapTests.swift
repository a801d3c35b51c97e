import OpcodeKit
import Opcodes
import Testing

@Suite("DELAYR, its taps and DELAYW in Csound", .serialized)
struct DelayTapTests {
  @Test(
    "Lines inside one another, numbers of lines, feedback and a tap in a user-defined opcode are as Csound's"
  )
  func nested() throws {
    func played(_ write: (String) -> String) throws -> Performance {
      try performNote(
        write(
          """
          asound rand 0.5, 0.3, 1
          amove oscili 0.01, 3
          a1 delayr 0.1
          a2 delayr 0.05
          anear deltap3 a(0.03) + amove, 1
          alast deltapi 0.02
          afirst deltap 0.04, -1
          a3 delayr 0.03
          aback Tapped 0.021
          delayw asound + 0.5 * anear
          delayw asound - 0.3 * alast
          delayw anear
          """), heard: "a1, a2, a3, anear, alast, afirst, aback", note: "0.3",
        header: write(
          "opcode Tapped, a, i\n  itime xin\n  atap deltapn itime * sr\n  xout atap\nendop"),
        ksmps: 37)
    }
    let own = try played { text in
      ["delayr", "delayw", "deltapi", "deltap3", "deltapn", "deltap "].reduce(text) {
        $0.replacing($1, with: $1.uppercased())
      }
    }
    let rivals = try played { $0 }
    for place in 0..<7 {
      #expect(largestDifference(own[place], rivals[place]) < 1e-10)
      #expect(rivals[place].contains { abs($0) > 0.1 })
    }
  }

  @Test(
    "A time outside the line is limited: at least a k-cycle, at most the line; NaN is the shortest")
  func limits() throws {
    let heard = try performNote(
      """
      asound rand 0.5, 0.3, 1
      aend DELAYR 0.01
      ashort DELTAP3 a(-5)
      anone DELTAP3 a(log(-1))
      along DELTAPI a(77)
      klong = 77
      asteady DELTAPI klong
      asamples DELTAPN 1e300
      DELAYW asound
      acycle delay asound, (ksmps + 1) / sr
      """, heard: "aend, ashort, anone, along, asteady, asamples, acycle", note: "0.1")
    for place in [1, 2] { #expect(largestDifference(heard[place], heard[6]) == 0) }
    for place in [3, 4, 5] { #expect(largestDifference(heard[place], heard[0]) == 0) }
    #expect(heard[0].contains { abs($0) > 0.1 })
  }

  @Test(
    "A reinit gives the line another length, and what was left open in an earlier k-cycle is forgotten"
  )
  func reinits() throws {
    let heard = try performNote(
      """
      asound rand 0.5, 0.3, 1
      kcycle init 0
      kcycle += 1
      itime init 0.02
      if kcycle == 20 then
        reinit again
      endif
      again:
        itime = itime / 2
        aend DELAYR itime
        rireturn
      DELAYW asound
      along delay asound, 0.005
      """, heard: "aend, along", note: "0.1")
    #expect(largestDifference(heard[0].suffix(2000), heard[1].suffix(2000)) == 0)
    #expect(heard[0].suffix(2000).contains { abs($0) > 0.1 })
  }
}
