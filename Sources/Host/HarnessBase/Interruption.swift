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
  package static func begin() { watch }

  /// Throws if the run was interrupted.
  package static func check() throws(Failure) {
    guard hasHappened else { return }
    throw .interrupted("interrupted; nothing was finished.")
  }

  /// Adds a process group, by its leader's number. An interruption kills the group; if there was one
  /// already, the group is killed at once.
  package static func add(_ group: pid_t) {
    begin()
    state.withLock { state in
      state.groups.insert(group)
      if state.hasHappened { kill(-group, SIGKILL) }
    }
  }

  package static func remove(_ group: pid_t) {
    _ = state.withLock { $0.groups.remove(group) }
  }

  /// Watches from its first use on. The handler of the signals only writes a byte into a pipe that a thread
  /// reads: so no signal is lost, whichever thread receives it, and when. That thread receives them even if the
  /// program that started this one has blocked them, as programs do that start others on a thread of Dispatch's.
  private static let watch: Void = {
    var ends: [Int32] = [-1, -1]
    let status = pipe(&ends)
    precondition(status == 0, "no pipe can be made to watch for interruptions")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = ends[0]
    output = ends[1]
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let before = errno
      write(output, "!", 1)
      errno = before
    }
    action.sa_flags = SA_RESTART
    var watched = sigset_t()
    sigemptyset(&watched)
    for number in signals {
      sigaddset(&watched, number)
      sigaction(number, &action, nil)
    }
    let all = watched
    Thread.detachNewThread {
      var (all, byte) = (all, UInt8(0))
      pthread_sigmask(SIG_UNBLOCK, &all, nil)
      while true {
        guard read(input, &byte, 1) == 1 else { continue }
        state.withLock { state in
          state.hasHappened = true
          for group in state.groups { kill(-group, SIGKILL) }
        }
      }
    }
  }()

  /// Written once, before there is a handler or a thread that reads it.
  nonisolated(unsafe) private static var output: Int32 = -1

  /// Without SIGHUP if the process ignores it, as under `nohup`: a closed terminal is then not to end
  /// the run.
  private static var signals: [Int32] {
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    let ignored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    return [SIGINT, SIGTERM] + (ignored ? [] : [SIGHUP])
  }
}
