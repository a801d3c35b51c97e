public import CCsound
import CFlight
import Foundation
import Synchronization

/// Records what an engine does, in a ring of fixed memory; any thread may read it.
public final class FlightRecorder: @unchecked Sendable {
  /// For the functions of `CFlight`.
  public let flight: OpaquePointer
  /// The seconds of a k-cycle.
  private let cycle: Double
  private let last = Mutex(Look())

  /// The counts at the last look, and the instruments' shares between it and the one before.
  private struct Look {
    var cycles: UInt64 = 0
    var ticks: [UInt64] = []
    var loads: [(name: String, load: Double)] = []
  }

  /// `engine` is compiled and not started. Nil without memory.
  public init?(
    _ engine: UnsafeMutablePointer<CSOUND>, _ detail: flight_detail = flight_brief
  ) {
    guard let flight = flight_attach(engine, detail, ccs_thread_count(engine)) else { return nil }
    self.flight = flight
    cycle = Double(csoundGetKsmps(engine)) / csoundGetSr(engine)
  }

  deinit { flight_free(flight) }

  /// Whether passes of opcodes are recorded; not if they are so short that it would cost much.
  public var hasCalls: Bool { flight_has_calls(flight) != 0 }

  /// Reads the events from a number on, the oldest first, and sets the number to that of the next.
  public func events(from number: inout UInt64) -> [Flight.Event] {
    let capacity = 1 << 20
    let read = [flight_event](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = flight_read(flight, &number, buffer.baseAddress, capacity)
    }
    let (now, rate) = (Double(flight_now()), flight_rate(flight))
    let time = flight_time(flight, UInt64(now)) * 1e-9
    func seconds(_ ticks: UInt64) -> Double { time + (Double(ticks) - now) / rate }
    var (instruments, opcodes): ([UInt16: String], [UInt16: String]) = ([:], [:])
    func text(
      _ number: UInt16, in known: inout [UInt16: String], _ find: () -> String
    ) -> String {
      if let text = known[number] { return text }
      let text = find()
      known[number] = text
      return text
    }
    return read.map { event in
      Flight.Event(
        kind: Flight.Kind(rawValue: UInt32(event.kind)) ?? .engine, begin: seconds(event.begin),
        end: seconds(event.end),
        instrument: text(event.instrument, in: &instruments) { name(Int(event.instrument)) },
        opcode: text(event.opcode, in: &opcodes) {
          flight_opcode(flight, Int(event.opcode)).map { Flight.readable(String(cString: $0)) }
            ?? "?"
        }, line: Int(event.line), thread: Int(event.thread))
    }
  }

  private func name(_ number: Int) -> String {
    flight_instrument(flight, number).map { String(cString: $0) } ?? "\(number)"
  }

  /// The fraction of the time that each instrument took lately, half a second at least; the largest first.
  public func loads() -> [(name: String, load: Double)] {
    last.withLock { last in
      var ticks = [UInt64](repeating: 0, count: Int(flight_instruments))
      let cycles = flight_ticks(flight, &ticks)
      let count = Double(cycles &- last.cycles)
      guard count * cycle >= 0.5 else { return last.loads }
      let all = flight_rate(flight) * cycle * count
      var loads: [(name: String, load: Double)] = []
      for index in ticks.indices where ticks[index] > 0 {
        let before = last.ticks.isEmpty ? 0 : last.ticks[index]
        loads.append((name(index), Double(ticks[index] &- before) / all))
      }
      loads.sort { ($1.load, $0.name) < ($0.load, $1.name) }
      last = Look(cycles: cycles, ticks: ticks, loads: loads)
      return loads
    }
  }
}
