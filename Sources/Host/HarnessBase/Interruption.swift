@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Ends a run in order on Ctrl-C, termination or a closed terminal: the programs that this one has
/// started are killed, then this program cleans up and reports the interruption.
package enum Interruption {
  private struct State {
    var groups: Set<pid_t> = []
    var hasHappened = false
  }

  private static let state = Mutex(State())

  /// Whether the run was interrupted.
  package static var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// Starts to watch for interruptions, even before any program is started.
  package static func begin() { _ = sources }

  /// Throws if the run was interrupted.
  package static func check() throws(Failure) {
    guard hasHappened else { return }
    throw Failure(.interrupted, "interrupted; nothing was finished.")
  }

  /// Adds a process group, by its leader's number. An interruption kills the group; if there was one
  /// already, the group is killed at once.
  package static func add(_ group: pid_t) {
    _ = sources
    state.withLock { state in
      state.groups.insert(group)
      if state.hasHappened { kill(-group, SIGKILL) }
    }
  }

  package static func remove(_ group: pid_t) {
    _ = state.withLock { $0.groups.remove(group) }
  }

  private static let sources: [any DispatchSourceSignal] = {
    // A signal before its source is registered, on a thread of Dispatch's, would be lost. So it is held back meanwhile.
    var (held, before) = (sigset_t(), sigset_t())
    sigemptyset(&held)
    for number in signals { sigaddset(&held, number) }
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return signals.map { source(of: $0) }
  }()

  /// A source that is registered.
  private static func source(of number: Int32) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(
      signal: number, queue: DispatchQueue(label: "interruption"))
    source.setEventHandler {
      state.withLock { state in
        state.hasHappened = true
        for group in state.groups { kill(-group, SIGKILL) }
      }
    }
    let isRegistered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isRegistered.signal() }
    source.resume()
    isRegistered.wait()
    return source
  }

  /// Without SIGHUP if the process ignores it, as under `nohup`: a closed terminal is then not to end
  /// the run.
  private static var signals: [Int32] {
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    let ignored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    return [SIGINT, SIGTERM] + (ignored ? [] : [SIGHUP])
  }
}
