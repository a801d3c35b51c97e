import CProcess
public import CsoundHost
import Foundation
import HarnessBase

/// The worker process: does one job after another. If it crashes, only the current job is lost.
///
/// Jobs come as lines of JSON on standard input; reports go as lines of JSON to standard output.
/// Csound and its plugins print there too, and an orchestra may read events from standard input, so
/// the worker first redirects all three standard streams. It keeps the last line of standard error,
/// which is part of a crash report.
public enum Worker {
  /// Does jobs until standard input ends, then ends the process.
  public static func serve(
    _ registry: JobRegistry, registering register: @escaping Csound.Registration
  ) -> Never {
    // Programs that an orchestra starts do not inherit these two descriptors.
    let connection = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let reports = FileHandle(fileDescriptor: connection)
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let jobs = fdopen(input, "r")!
    let nowhere = open("/dev/null", O_RDWR)
    dup2(nowhere, STDIN_FILENO)
    dup2(nowhere, STDOUT_FILENO)
    if crash_keep_errors() == 0 { dup2(nowhere, STDERR_FILENO) }
    endWithParent(input)
    FileLimit.set(FileLimit.standard)
    // A sanitizer installs its own handlers and reports more.
    if dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil {
      crash_report_to(connection)
    }
    let worker = WorkerContext(register: register) {
      guard let line = try? JSONCoding.encode(Report<Never>.progress($0)) else { return }
      send(line, to: reports)
    }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, jobs) > 0, let line {
      crash_forget_errors()
      send(registry.report(on: Data(String(cString: line).utf8), in: worker), to: reports)
    }
    // `_exit` skips the clean-up code of plugins, which could hang or crash.
    _exit(0)
  }

  private static func send(_ line: Data, to reports: FileHandle) {
    try? reports.write(contentsOf: line + Data("\n".utf8))
  }

  /// Ends this process when its parent has closed the connection, even in the middle of a job.
  private static func endWithParent(_ jobs: Int32) {
    Thread.detachNewThread {
      // With no events requested, `poll` still reports that the other end was closed.
      var poller = pollfd(fd: jobs, events: 0, revents: 0)
      while poll(&poller, 1, -1) < 1 {}
      // Also ends programs that an orchestra has started.
      if getpgrp() == getpid() { kill(0, SIGKILL) }
      _exit(0)
    }
  }
}
