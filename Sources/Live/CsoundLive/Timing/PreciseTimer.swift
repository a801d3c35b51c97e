import CRealtime
import Foundation
import Synchronization

/// Runs actions at exact times, off the audio thread: lights, pictures, other machines.
///
/// One thread sleeps until the next time, asks for real-time priority, and spins for the last moment, where the
/// system wakes it up too late. For music there are events with a frame instead, which are exact to the sample.
public final class PreciseTimer: Sendable {
  public typealias Action = @Sendable () -> Void

  private let core = Core()

  /// `priority` 0 asks for none; `spin` is how long before each time the thread wakes up, nanoseconds.
  public init(priority: Int = 60, spin: Int = 100_000) {
    let core = core
    let thread = Thread { core.run(priority, spin) }
    thread.name = "precise-timer"
    thread.start()
  }

  deinit { core.end() }

  /// Now, in the nanoseconds that `schedule` takes.
  public static var now: Int { Int(realtime_now()) }

  /// Why there is no real-time priority; nil where there is, or nobody asked.
  public var priorityRefusal: String? {
    let error = core.refusal.load(ordering: .acquiring)
    return error > 0 ? String(cString: strerror(error)) : nil
  }

  /// Runs an action at a time on the timer's thread; at once where that is past. Actions of one time run in the
  /// order in which they were scheduled. When the timer goes away, what is still to come does not run.
  public func schedule(at time: Int, _ action: @escaping Action) { core.add(time, action) }
}

/// What a timer and its thread share.
private final class Core: Sendable {
  private struct Pending {
    /// Latest first.
    var actions: [(time: Int, action: PreciseTimer.Action)] = []
    var isEnding = false
  }

  private let pending = Mutex(Pending())
  private let alarm = eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC))
  /// The errno of asking for priority.
  let refusal = Atomic<CInt>(0)

  deinit { close(alarm) }

  func add(_ time: Int, _ action: @escaping PreciseTimer.Action) {
    pending.withLock { pending in
      let place = pending.actions.firstIndex { $0.time <= time } ?? pending.actions.endIndex
      pending.actions.insert((time, action), at: place)
    }
    wake()
  }

  func end() {
    pending.withLock { $0.isEnding = true }
    wake()
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(alarm, &one, 8)
  }

  func run(_ priority: Int, _ spin: Int) {
    if priority > 0 {
      refusal.store(realtime_prioritise(CInt(priority)), ordering: .releasing)
    }
    let timer = realtime_timer()
    defer { close(timer) }
    while true {
      let (next, isEnding) = pending.withLock { ($0.actions.last?.time, $0.isEnding) }
      if isEnding { return }
      guard let next, next - spin <= PreciseTimer.now else {
        realtime_wait(timer, alarm, Int64(next.map { $0 - spin } ?? 0))
        continue
      }
      while PreciseTimer.now < next {}
      let action = pending.withLock { $0.actions.popLast()?.action }
      action?()
    }
  }
}
