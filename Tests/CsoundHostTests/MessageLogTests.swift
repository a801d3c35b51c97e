import CsoundHost
import Foundation
import TestSupport
import Testing

@Suite("Csound's messages")
struct MessageLogTests {
  @Test("An orchestra that prints without end fills no memory, and its errors are still heard")
  func bounded() throws {
    let path = try temporaryDirectory() + "/piece.csd"
    try """
    ksmps = 1
    instr 1
      printks "again\\n", 0
    endin
    instr 2
      a1 oscili 1, 2, 99
    endin
    """.csd(score: "i1 0 0.4\ni2 0.35 0.01").save(to: path)
    let csound = try Csound()
    try csound.compile(path)
    while csound.performKsmps() {}
    #expect(csound.messages.count < 12_000)
    #expect(csound.messages.last?.contains(/and \d{4} more lines/) == true)
    #expect(csound.noteErrors.contains { $0.contains("Invalid ftable no. 99") })
  }
}
