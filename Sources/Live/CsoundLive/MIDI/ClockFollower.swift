public import HarnessBase
import Synchronization

/// Sets channels of a performance from a MIDI clock that comes in.
///
/// For the name `clock` these are: `clock`, the tempo in quarter notes a minute, the mean of the last 24 pulses;
/// `clock_beat`, the quarter notes since the start in steps of 1/24, −1 before it; `clock_run`, 1 from a start or
/// continue to a stop, otherwise 0. Each is set in the k-cycle in which its pulse falls.
public final class ClockFollower: Sendable {
  /// What a clock's messages say.
  package struct State {
    /// The times of the last pulses in nanoseconds, at most 25.
    private var times: [Int] = []
    /// The pulses since the start, to the one that comes next.
    private var next = 0
    package private(set) var beat = -1.0
    package private(set) var isRunning = false
    /// Quarter notes a minute; nil until there are seven pulses in time.
    package private(set) var tempo: Double?

    package init() {}

    /// Takes a message. False if it is none of a clock.
    package mutating func take(_ message: MIDIMessage, at time: Int) -> Bool {
      switch message.status {
      case 0xF8: pulse(time)
      case 0xFA: (next, beat, isRunning) = (0, -1, true)
      case 0xFB: isRunning = true
      case 0xFC: isRunning = false
      case 0xF2 where !isRunning:
        // Song position counts sixteenths.
        next = 6 * (Int(message.first) + 128 * Int(message.second))
        beat = Double(next) / 24
      default: return false
      }
      return true
    }

    private mutating func pulse(_ time: Int) {
      // A pulse that is more than half a second late begins anew, as the tempo would be below 5.
      if let last = times.last, time - last > 500_000_000 { times = [] }
      times.append(time)
      if times.count > 25 { times.removeFirst() }
      let count = times.count - 1
      if count >= 6, time > times[0] {
        tempo = 60e9 * Double(count) / 24 / Double(time - times[0])
      }
      guard isRunning else { return }
      beat = Double(next) / 24
      next += 1
    }
  }

  private let state = Mutex(State())
  private let performance: Performance
  private let tempo, beat, run: ControlValue

  /// Adds the channels to the performance.
  public init(_ channel: String, _ performance: Performance) throws(Failure) {
    self.performance = performance
    tempo = ControlValue(channel)
    beat = ControlValue(channel + "_beat")
    run = ControlValue(channel + "_run")
    beat.value = -1
    try performance.add(tempo, beat, run)
  }

  /// Takes a message that came at `time`, in nanoseconds of the monotonic clock. Ignores messages of no clock. False if
  /// it is none of a clock.
  @discardableResult
  public func take(_ message: MIDIMessage, at time: Int) -> Bool {
    let now = state.withLock { $0.take(message, at: time) ? $0 : nil }
    guard let now else { return false }
    let frame = performance.frame(at: time)
    // Before and after the performance there is nothing to set.
    guard let session = try? performance.live() else { return true }
    if let value = now.tempo { _ = try? session.send(tempo.event(value, at: frame)) }
    _ = try? session.send(beat.event(now.beat, at: frame))
    _ = try? session.send(run.event(now.isRunning ? 1 : 0, at: frame))
    return true
  }
}
