import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("STATEVAR in Csound", .serialized)
struct StateVariableTests {
  @Test("At the cutoff the band comes out Q times, and reject leaves almost nothing")
  func peak() throws {
    let channels = try performNote(
      """
      asine oscili 1, 500
      a1, a2, a3, a4 STATEVAR asine, 500, 5, 200
      a5, a6, a7, a8 STATEVAR asine, 500, 5, 3
      a5, a6, anone, a8 STATEVAR asine, 500, 5
      a5, a6, afraction, a8 STATEVAR asine, 500, 5, 3.9
      """, heard: "a1, a2, a3, a4, anone - a7, afraction - a7", note: "0.5")
    #expect(channels[4...].allSatisfy { $0.allSatisfy { $0 == 0 } })
    let levels = channels.map { $0.suffix(9600).map(abs).max()! }
    #expect(abs(levels[0] - 5) < 0.1 && abs(levels[1] - 5) < 0.1 && abs(levels[2] - 5) < 0.1)
    #expect(levels[3] < 0.05)
  }

  @Test("Where statevar grows without bound, it rings out", arguments: [1, 7, 64])
  func stable(ksmps: Int) throws {
    let channels = try perform(
      """
      instr 1
        aimpulse mpulse 1, 0
        a1, a2, a3, a4 STATEVAR aimpulse, p4, p5, p6
        a5, a6, a7, a8 STATEVAR aimpulse, upsamp(k(p4)), upsamp(k(p5)), p6
        a9, a10, a11, a12 statevar aimpulse, 6000, 50
        outch 1, a2, 2, a6, 3, a10
      endin
      """,
      score: """
        i1 0 0.2 6000 50 3
        i1 0 0.2 24000 1e300 1
        i1 0 0.2 1e300 0 2
        i1 0 0.2 20000 -1 3
        i1 0 0.2 -5 0 3
        i1 0 0.2 19000 0.001 1
        """, ksmps: ksmps, channels: 3)
    for channel in channels.channels[..<2] {
      #expect(channel.allSatisfy { abs($0) < 100 } && channel.contains { abs($0) > 0.1 })
    }
    #expect(!channels[2].allSatisfy { abs($0) < 1e30 })
  }
}
