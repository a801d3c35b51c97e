import Foundation
import Synchronization

/// Reports about once a second that a worker is alive. It does so on its own thread: a report
/// allocates memory, which on the performing thread would change counts of allocations.
package final class Pulse: Sendable {
  private struct State {
    var seconds = 0.0
    var reported = 0.0
    var hasEnded = false
  }
  private let state = Mutex(State())

  package init(_ progress: @escaping (_ seconds: Double) -> Void) {
    // The first report allocates memory that is never freed. It is made here, so that this memory
    // always comes from the same thread.
    progress(0)
    nonisolated(unsafe) let progress = progress
    Thread.detachNewThread { [self] in
      var goesOn = true
      while goesOn {
        sleep(1)
        goesOn = state.withLock { state in
          guard !state.hasEnded else { return false }
          if state.seconds > state.reported { progress(state.seconds) }
          state.reported = state.seconds
          return true
        }
      }
    }
  }

  /// Sets the seconds of sound so far. Without a new value nothing is reported.
  package func beat(seconds: Double) { state.withLock { $0.seconds = seconds } }

  /// Ends the reports.
  package func end() { state.withLock { $0.hasEnded = true } }
}
