import Foundation
import Synchronization

/// Says about once a second that a worker goes on, from a thread of its own: what a report takes of the
/// heap at one time or another would change the counts of whoever allocates memory next.
package final class Pulse: Sendable {
  private struct State {
    var seconds = 0.0
    var reported = 0.0
    var hasEnded = false
  }
  private let state = Mutex(State())

  package init(_ progress: @escaping (_ seconds: Double) -> Void) {
    // What the first report allocates for good comes from the one thread or the other no longer.
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

  /// Without a beat between them nothing is reported again.
  package func beat(seconds: Double) { state.withLock { $0.seconds = seconds } }

  /// After this nothing is reported.
  package func end() { state.withLock { $0.hasEnded = true } }
}
