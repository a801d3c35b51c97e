import CProcess
import Foundation

/// A program that this one has started, in a process group of its own. It is killed when the user
/// interrupts the run, and when this program ends.
package final class ChildProcess {
  /// How a program ended.
  package enum Ending: Equatable {
    case exited(code: Int32)
    case killed(signal: Int32)
  }

  package typealias Starter = (@escaping () -> Int32) -> Int32

  package let number: pid_t
  private var ending: Ending?

  /// Starts a program. The program gets copies of the three descriptors, `/dev/null` for one that is
  /// nil, and none of this process's other open files. `starter` may call its argument, which starts
  /// the program, on a thread whose rights the program is to inherit.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    directory: String? = nil, input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil,
    starter: Starter = { $0() }
  ) throws(Failure) {
    let variables = Orphans.marked(environment ?? ProcessInfo.processInfo.environment)
      .map { "\($0)=\($1)" }
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let settings = variables.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var number: pid_t = 0
    Interruption.begin()
    let status = starter {
      process_start(
        &number, program, words, settings, directory, [input ?? -1, output ?? -1, errors ?? -1])
    }
    guard status == 0 else {
      throw .unavailable("'\(program)' cannot be started: \(String(cString: strerror(status))).")
    }
    self.number = number
    Interruption.add(self.number)
  }

  deinit { stop() }

  /// Whether the program has ended by itself or by a signal.
  package var hasEnded: Bool {
    ending != nil
      || waitid(P_PID, id_t(number), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        && information.si_signo == SIGCHLD
  }
  private var information = siginfo_t()

  /// How long the program's first thread could have run, but had no processor, in seconds; 0 if the system does not tell.
  package var secondsWithoutProcessor: Double {
    let counts = FileManager.default.contents(atPath: "/proc/\(number)/schedstat")
    let words = String(decoding: counts ?? Data(), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Double(words[1]) ?? 0) / 1e9 : 0
  }

  /// Waits for the program's end.
  @discardableResult
  package func wait() -> Ending {
    if let ending { return ending }
    while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    // Before `waitpid`, the system cannot give the process number to another process.
    Interruption.remove(number)
    var status: Int32 = 0
    while waitpid(number, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7F
    let ending: Ending =
      signal == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: signal)
    self.ending = ending
    return ending
  }

  /// Sends the program a signal.
  package func send(_ signal: Int32) {
    if ending == nil { kill(number, signal) }
  }

  /// Kills the program and everything in its process group.
  @discardableResult
  package func stop() -> Ending {
    if ending == nil { kill(-number, SIGKILL) }
    return wait()
  }
}
