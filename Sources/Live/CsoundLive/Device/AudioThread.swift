import CRealtime
import CsoundHost
import Foundation
import Synchronization

/// A thread that runs an audio loop once, with real-time priority if the system grants it.
final class AudioThread: Sendable {
  /// The errno of asking for real-time priority; 0 if it was granted or not asked for, −1 before that.
  private let refusal = Atomic<Int32>(-1)
  private let identity = Atomic<UInt>(0)
  /// Its directory in /proc.
  private let directory = Mutex("")
  private let hasEnded = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Returns when the thread runs. `loop` must stay valid until `join` has returned. `closing` is called on this thread
  /// after the loop.
  init(
    _ loop: UnsafeMutablePointer<AudioLoop>, _ messages: EngineMessages, priority: Int,
    closing: @escaping @Sendable () -> Void
  ) {
    nonisolated(unsafe) let context = UnsafeMutableRawPointer(loop)
    let begun = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      FloatMode.current = .csound
      messages.perform(on: pthread_self())
      identity.store(UInt(pthread_self()), ordering: .releasing)
      directory.withLock { $0 = ThreadTime.directory }
      begun.signal()
      refusal.store(
        priority > 0 ? realtime_prioritise(CInt(priority)) : 0, ordering: .releasing)
      runAudioLoop(context)
      hasEnded.store(true, ordering: .releasing)
      closing()
      ended.signal()
    }
    thread.name = "csound-live"
    thread.stackSize = 1 << 20
    thread.start()
    begun.wait()
  }

  /// The thread, to tell which messages are its own.
  var number: pthread_t { pthread_t(identity.load(ordering: .acquiring)) }

  var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

  /// What it has done so far; nil if it has ended.
  var time: ThreadTime? {
    isRunning ? ThreadTime(of: number, directory.withLock { $0 }) : nil
  }

  /// Why real-time priority was refused; nil if it was granted or not asked for.
  var priorityRefusal: String? {
    let error = refusal.load(ordering: .acquiring)
    return error > 0 ? String(cString: strerror(error)) : nil
  }

  /// Waits at most this many seconds for the thread's end. False if it still runs then.
  func join(atMost seconds: Double) -> Bool {
    guard ended.wait(timeout: .now() + seconds) == .success else { return false }
    ended.signal()
    return true
  }
}
