import CsoundLive
import Foundation
import TestSupport
import Testing

@Suite("Time of the instruments", .serialized)
struct MeterTests {
  private static let orchestra = """
    \(header())
    opcode Pile, a, ai
      ain, icount xin
      if icount > 1 then
        ain Pile ain, icount - 1
      endif
      aout moogladder ain, 2000, 0.3
      xout aout
    endop
    instr 1
      out oscili(0.1, 220)
    endin
    instr Heavy
      a1 vco2 0.1, 110
      out Pile(a1, 8)
    endin
    """

  @Test("What instruments take is told by name, the sound is the same, and a new version plays on")
  func loads() throws {
    func play(_ isRecorded: Bool, _ body: (Performance) throws -> Void) throws -> [Float] {
      let file = Rig.file()
      var piece = Piece(.orchestra(Self.orchestra, score: "i 1 0 3\ni \"Heavy\" 0 3"))
      piece.isRecorded = isRecorded
      let performance = Performance(
        piece, settings: Settings(device: Rig.device("FILE=\(file)"), period: 512))
      try performance.play()
      try body(performance)
      performance.wait()
      return try played(file)
    }
    let timed = try play(true) { performance in
      var loads: [InstrumentLoad] = []
      waits {
        usleep(10_000)
        loads = performance.instrumentLoads
        return loads.count >= 2
      }
      #expect(loads.map(\.name) == ["Heavy", "1"])
      if loads.count == 2 {
        #expect(loads[0].load > 5 * loads[1].load)
        #expect(loads[1].load > 0)
        let status = try #require(performance.status)
        #expect(loads[0].load < 20 * max(status.load, 0.01))
      }
    }
    let plain = try play(false) { performance in
      usleep(700_000)
      #expect(performance.instrumentLoads.isEmpty && performance.flight() == nil)
    }
    #expect(timed == plain && timed.count >= 3 * 48000)
    let again = Piece(.orchestra(Self.orchestra, score: "i \"Heavy\" 0 3600"))
    let performance = Performance(again, settings: Settings(device: .null))
    try performance.play()
    try performance.replace(with: again)
    var loads: [InstrumentLoad] = []
    waits {
      usleep(10_000)
      loads = performance.instrumentLoads
      return !loads.isEmpty
    }
    #expect(loads.map(\.name) == ["Heavy"])
    let flight = try #require(performance.flight(last: 0.5))
    #expect(flight.events.contains { $0.kind == .cycle } && !flight.periods.isEmpty)
    #expect(flight.cause == nil)
    performance.stop()
    #expect(performance.flight() == nil)
  }
}
