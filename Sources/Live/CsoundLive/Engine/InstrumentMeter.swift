import CCsound
import CTrace
import Synchronization

/// Measures how much of the time each instrument takes while it plays: in some k-cycles, chosen at random, every call
/// of an opcode is timed.
///
/// Works for the first engine that performs in a program, as the tracer can trace only one.
final class InstrumentMeter: Sendable {
  /// The fraction of the time that timing may take.
  static let share = 0.02
  private static let isTaken = Atomic(false)

  /// The time that an instrument has taken so far, as read at one look.
  struct Reading: BitwiseCopyable {
    var share: trace_share
    /// k-cycles that were timed until the look.
    var timedCycles: UInt64
    /// Whether it is the last reading of its look.
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

  /// Begins to trace an engine that is compiled and not started. Nil if another engine is traced, or if there is no
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

  /// Allows another engine to be traced. Only if this one has never performed.
  func giveBack() { Self.isTaken.store(false, ordering: .releasing) }

  /// The part for the audio thread, which looks once in every `cyclesPerLook` k-cycles.
  func voice(cyclesPerLook: Int) -> MeterVoice {
    MeterVoice(
      writer: readings.ring.writer, shares: shares.memory, cyclesPerLook: max(1, cyclesPerLook))
  }

  /// The fraction of a k-cycle's duration, `seconds`, that each instrument took between the last two looks; the largest
  /// first.
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

/// The load of one instrument.
public struct InstrumentLoad: Sendable, Equatable {
  /// The instrument's name, or its number.
  public var name: String
  /// Its computing time as a fraction of a k-cycle's duration.
  public var load: Double

  public init(name: String, load: Double) { (self.name, self.load) = (name, load) }
}

/// An `InstrumentMeter` as the audio thread uses it.
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
    // A look is written as a whole or not at all. Without room for it nothing reads the readings at present.
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
