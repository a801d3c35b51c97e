@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Passes Ctrl-C, termination and a closed terminal on to the programs this one has started, so that
/// a run ends in order: they die, the parent clears up and says so.
package enum Interruption {
  private struct State {
    var groups: Set<pid_t> = []
    var hasHappened = false
  }

  private static let state = Mutex(State())

  /// Whether the run was interrupted.
  package static var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// Has interruptions noted from now on, also before anything was started.
  package static func begin() { _ = sources }

  /// Ends a run that was interrupted.
  package static func check() throws(Failure) {
    guard hasHappened else { return }
    throw Failure(.interrupted, "interrupted; nothing was finished.")
  }

  /// Adds the leader of a process group.
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

  private static let sources: [any DispatchSourceSignal] = signals.map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(
      signal: number, queue: DispatchQueue(label: "interruption"))
    source.setEventHandler {
      state.withLock { state in
        state.hasHappened = true
        for group in state.groups { kill(-group, SIGKILL) }
      }
    }
    source.resume()
    return source
  }

  /// A closed terminal ends nothing that was started to outlive it, as by nohup.
  private static var signals: [Int32] {
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    let ignored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    return [SIGINT, SIGTERM] + (ignored ? [] : [SIGHUP])
  }
}
