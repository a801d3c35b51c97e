@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Passes Ctrl-C and termination on to the workers, so that a run ends in order: workers die, the
/// parent clears up and says so.
enum Interruption {
  private struct State {
    var workers: Set<pid_t> = []
    var hasHappened = false
  }

  private static let state = Mutex(State())

  /// Whether the run was interrupted.
  static var hasHappened: Bool { state.withLock { $0.hasHappened } }

  static func add(_ worker: pid_t) {
    _ = sources
    state.withLock { state in
      state.workers.insert(worker)
      if state.hasHappened { kill(worker, SIGKILL) }
    }
  }

  static func remove(_ worker: pid_t) {
    _ = state.withLock { $0.workers.remove(worker) }
  }

  private static let sources: [any DispatchSourceSignal] = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(
      signal: number, queue: DispatchQueue(label: "interruption"))
    source.setEventHandler {
      state.withLock { state in
        state.hasHappened = true
        for worker in state.workers { kill(worker, SIGKILL) }
      }
    }
    source.resume()
    return source
  }
}
