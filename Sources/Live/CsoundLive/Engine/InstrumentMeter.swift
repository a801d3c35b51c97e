import CCsound
import CTrace
import Synchronization

/// How much of the time each instrument takes, while it plays: in some k-cycles, drawn at random, every call of an
/// opcode is timed.
///
/// For the first engine that performs in a program: the tracer it stands on knows one.
final class InstrumentMeter: Sendable {
  /// Part of the time that timing may take.
  static let share = 0.02
  private static let isTaken = Atomic(false)

  /// All an instrument has taken so far, at a look.
  struct Reading: BitwiseCopyable {
    var share: trace_share
    /// k-cycles that were timed by then.
    var timedCycles: UInt64
    /// The last one of its look.
    var isLast: Bool
  }

  private let readings: MessageRing<Reading>
  private let shares: Shares
  private let latest = Mutex(Latest())
  private let start = (clock: ContinuousClock.now, ticks: trace_now())

  private final class Shares: @unchecked Sendable {
    let memory = UnsafeMutablePointer<trace_share>.allocate(capacity: MeterVoice.limit)
    deinit { memory.deallocate() }
  }

  private struct Latest {
    var before: [String: UInt64] = [:]
    var now: [String: UInt64] = [:]
    var timedBefore: UInt64 = 0
    var ticks: [(name: String, ticksPerCycle: Double)] = []
  }

  /// Begins to trace an engine that is compiled and not started. Nil where another one is traced, or where there is no
  /// memory for it.
  init?(_ engine: UnsafeMutablePointer<CSOUND>) {
    guard !Self.isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
    guard let readings = MessageRing<Reading>(64 * MeterVoice.limit),
      trace_attach(engine, Self.share, UInt64.random(in: 1 ... .max), 0) == 0
    else {
      Self.isTaken.store(false, ordering: .releasing)
      return nil
    }
    self.readings = readings
    shares = Shares()
  }

  /// Another engine may be traced: this one has never performed.
  func giveBack() { Self.isTaken.store(false, ordering: .releasing) }

  /// The audio thread's part; it looks each time so many k-cycles are done.
  func voice(cyclesPerLook: Int) -> MeterVoice {
    MeterVoice(
      writer: readings.ring.writer, shares: shares.memory, cyclesPerLook: max(1, cyclesPerLook))
  }

  /// The part of a k-cycle's time, `seconds`, that each instrument took of late, by its name or number.
  func loads(cycle seconds: Double) -> [InstrumentLoad] {
    let elapsed = start.clock.duration(to: .now) / .seconds(1)
    let ticksPerSecond = Double(trace_now() &- start.ticks) / elapsed
    return latest.withLock { latest in
      while let reading = readings.receive() {
        let name = reading.share.name.map { String(cString: $0) } ?? "\(reading.share.number)"
        latest.now[name, default: 0] += reading.share.ticks
        guard reading.isLast else { continue }
        let cycles = reading.timedCycles &- latest.timedBefore
        if cycles > 0 {
          latest.ticks = latest.now.map { name, ticks in
            (name, Double(ticks &- latest.before[name, default: 0]) / Double(cycles))
          }
          (latest.before, latest.timedBefore) = (latest.now, reading.timedCycles)
        }
        latest.now = [:]
      }
      return latest.ticks.map { name, ticks in
        InstrumentLoad(name: name, load: ticks / (ticksPerSecond * seconds))
      }.sorted { ($1.load, $0.name) < ($0.load, $1.name) }
    }
  }
}

/// How much of the time an instrument takes.
public struct InstrumentLoad: Sendable, Equatable {
  /// Its name, or its number.
  public var name: String
  /// Part of the time there is for a k-cycle.
  public var load: Double

  public init(name: String, load: Double) { (self.name, self.load) = (name, load) }
}

/// What the audio thread has of an `InstrumentMeter`.
struct MeterVoice: BitwiseCopyable {
  static var limit: Int { 128 }

  var writer: RingWriter
  let shares: UnsafeMutablePointer<trace_share>
  let cyclesPerLook: Int
  var cycles = 0

  @inline(__always) mutating func begin() { Vouched.beginTrace() }

  @inline(__always) mutating func end() {
    Vouched.endTrace()
    cycles &+= 1
    guard cycles == cyclesPerLook else { return }
    cycles = 0
    var count = 0
    let timed = Vouched.shares(shares, Self.limit, &count)
    // All of a look or nothing: where there is no room, nobody reads.
    guard writer.room(count &* MemoryLayout<InstrumentMeter.Reading>.stride) != nil else { return }
    var index = 0
    while index < count {
      var reading = InstrumentMeter.Reading(
        share: shares[index], timedCycles: timed, isLast: index &+ 1 == count)
      _ = writer.write(&reading, MemoryLayout<InstrumentMeter.Reading>.stride)
      index &+= 1
    }
  }
}
