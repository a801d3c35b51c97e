import CRealtime
import Foundation
import Synchronization

/// Runs actions at exact times, off the audio thread, for example for lights, pictures or other machines.
///
/// One thread, with real-time priority if the system grants it, sleeps until shortly before the next time and then
/// spins, as the system may wake it too late. For music use events with a frame, which are exact to the sample.
public final class PreciseTimer: Sendable {
  public typealias Action = @Sendable () -> Void

  private let core = Core()

  /// `priority` 0 asks for none; `spin` is how many nanoseconds before each time the thread wakes up.
  public init(priority: Int = 60, spin: Int = 100_000) {
    let core = core
    let thread = Thread { core.run(priority, spin) }
    thread.name = "precise-timer"
    thread.start()
  }

  deinit { core.end() }

  /// The time now, as `schedule` takes it: in nanoseconds of the monotonic clock.
  public static var now: Int { Int(realtime_now()) }

  /// Why real-time priority was refused; nil if it was granted or not asked for.
  public var priorityRefusal: String? {
    let error = core.refusal.load(ordering: .acquiring)
    return error > 0 ? String(cString: strerror(error)) : nil
  }

  /// Runs an action at a time on the timer's thread, or at once if that is past. Actions of one time run in the
  /// order in which they were scheduled. Actions that are still pending when the timer is deallocated do not run.
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
