import CProcess
import Foundation
import HarnessBase

/// What every program of the kit does at its beginning and at its end.
package enum Program {
  // If a standard descriptor is closed, the next file opened would get its number and would be printed into.
  private static let isOutputClosed: Bool = {
    let isClosed = fcntl(STDOUT_FILENO, F_GETFD) == -1
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // Printing to a closed standard output must fail, not seem to succeed.
      if descriptor != STDOUT_FILENO || open("/dev/full", O_WRONLY) == -1 {
        _ = open("/dev/null", O_RDWR)
      }
    }
    return isClosed
  }()

  /// Does the work and ends the process; a failure is one sentence on standard error.
  package static func run(_ work: () throws(Failure) -> ExitCode) -> Never {
    _ = isOutputClosed
    // If the reader closes the pipe, as `| head` does, the tool still finishes its work.
    signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      let ending = try work()
      try requireOutput()
      exit(ending.rawValue)
    } catch {
      printError("opcodekit: \(error.message)")
      exit(error.exitCode)
    }
  }

  /// Fails if something that was printed could not be written. A reader that has closed the pipe, as `| head` does, is
  /// no failure.
  private static func requireOutput() throws(Failure) {
    let status = fflush(nil)
    let reason = isOutputClosed ? "standard output is closed" : String(cString: strerror(errno))
    guard status != 0 || process_lost_output() != 0 else { return }
    var reader = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    if poll(&reader, 1, 0) == 1, reader.revents & Int16(POLLERR) != 0 { return }
    throw .unwritableOutput(
      status == 0 && !isOutputClosed
        ? "The results cannot be printed." : "The results cannot be printed: \(reason).")
  }
}
