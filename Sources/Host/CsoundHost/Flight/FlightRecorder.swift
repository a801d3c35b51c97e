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
  private let lastLines = Mutex(LineLook())
  private struct LineLook {
    var cycles: UInt64 = 0
    var ticks: [UInt64: UInt64] = [:]
    var all: UInt64 = 0
    var lines: [Flight.Line] = []
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

  /// Performs a k-cycle of the engine. Returns false when the score has ended.
  public func performKsmps(_ csound: Csound) -> Bool {
    flight_begin_cycle(flight)
    defer { flight_end_cycle(flight) }
    return csound.performKsmps()
  }

  /// In one k-cycle of how many passes of opcodes are recorded; 1 unless they are so short that it would cost much.
  public var cyclesPerSample: Int { max(1, Int(flight_rest(flight))) }

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
          opcode(Int(event.opcode))
        }, line: event.kind == flight_cycle.rawValue ? 0 : Int(event.line),
        thread: Int(event.thread),
        isSampled: event.kind == flight_cycle.rawValue && event.line > 0)
    }
  }

  private func opcode(_ index: Int) -> String {
    flight_opcode(flight, index).map { Flight.readable(String(cString: $0)) } ?? ""
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

  /// The shares of the k-cycles' time that lines took between the last two calls, the dearest first. Calls within half a
  /// second count as one.
  public func lines() -> [Flight.Line] {
    lastLines.withLock { last in
      var all: UInt64 = 0
      let now = [flight_line](unsafeUninitializedCapacity: Int(flight_most_lines)) {
        $1 = flight_lines(flight, $0.baseAddress, Int(flight_most_lines), &all)
      }
      let cycles = flight_ticks(flight, nil)
      guard Double(cycles &- last.cycles) * cycle >= 0.5, all > last.all else { return last.lines }
      func key(_ line: flight_line) -> UInt64 {
        UInt64(line.line) << 32 | UInt64(line.opcode) << 16 | UInt64(line.instrument)
      }
      var ticks: [UInt64: UInt64] = [:]
      for line in now { ticks[key(line), default: 0] += line.ticks }
      let shares = ticks.compactMap { key, sum -> (UInt64, Double)? in
        let share = Double(sum &- (last.ticks[key] ?? 0)) / Double(all - last.all)
        return share > 0 ? (key, share) : nil
      }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      let lines = shares.prefix(16).map { key, share in
        Flight.Line(
          opcode: opcode(Int(key >> 16 & 0xFFFF)), line: Int(key >> 32),
          instrument: name(Int(key & 0xFFFF)), share: share)
      }
      last = LineLook(cycles: cycles, ticks: ticks, all: all, lines: lines)
      return lines
    }
  }
}
