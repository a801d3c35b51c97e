import Foundation
import HarnessBase
import Synchronization

/// The parent's side: hands jobs to worker processes and collects their reports.
public struct WorkerPool: Sendable {
  /// The program that serves as worker, and its arguments.
  public let executable: String
  public let arguments: [String]
  /// The workers' current directory; where it is nil, the parent's.
  public let directory: String?
  /// Whether Csound's installed plugins stay out of the workers' engines.
  public let pinsPlugins: Bool
  /// Whether the options of the user's `.csound6rc` stay out too.
  public let pinsOptions: Bool
  /// Seconds a worker may be silent before it is stopped.
  public let timeLimit: Double
  /// How many jobs a worker gets before a fresh one takes its place; nil for any number.
  public let jobsPerWorker: Int?

  public init(
    executable: String, arguments: [String], directory: String? = nil, pinsPlugins: Bool = true,
    pinsOptions: Bool? = nil, timeLimit: Double = 60, jobsPerWorker: Int? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.directory = directory
    self.pinsPlugins = pinsPlugins
    self.pinsOptions = pinsOptions ?? pinsPlugins
    self.timeLimit = timeLimit
    self.jobsPerWorker = jobsPerWorker
  }

  /// After so many time-outs the remaining jobs of a run are not started.
  static let toleratedTimeOuts = 4

  /// Runs jobs on `parallel` workers; the reports come back in the jobs' order. Throws only when the
  /// user interrupts the run.
  ///
  /// `progress` is called for every report, on any thread, with its job's index.
  public func run(
    _ jobs: [Job], parallel: Int = 1,
    progress: @Sendable @escaping (Int, Report) -> Void = { _, _ in }
  ) throws(Failure) -> [Report] {
    struct State {
      var next = 0
      var timeOuts = 0
      var reports: [Report]
    }
    let state = Mutex(State(reports: Array(repeating: .notRun, count: jobs.count)))
    DispatchQueue.concurrentPerform(iterations: max(1, min(parallel, jobs.count))) { _ in
      var worker: WorkerProcess?
      var jobsDone = 0
      while true {
        let next: Int? = state.withLock { state in
          guard state.next < jobs.count, state.timeOuts < Self.toleratedTimeOuts,
            !Interruption.hasHappened
          else { return nil }
          defer { state.next += 1 }
          return state.next
        }
        guard let index = next else { break }
        let report: Report
        do throws(Failure) {
          let running = if let worker { worker } else { try WorkerProcess(self) }
          worker = running
          report = running.perform(jobs[index], timeLimit: timeLimit) { progress(index, $0) }
        } catch {
          report = .failed(error)
        }
        jobsDone += 1
        if report.endedItsWorker || jobsDone == jobsPerWorker { (worker, jobsDone) = (nil, 0) }
        progress(index, report)
        state.withLock { state in
          state.reports[index] = report
          if case .timedOut = report { state.timeOuts += 1 }
        }
      }
    }
    if Interruption.hasHappened {
      throw Failure(.interrupted, "interrupted; nothing was finished.")
    }
    return state.withLock { $0.reports }
  }
}

/// One running worker.
private final class WorkerProcess {
  private let process = Process()
  private let jobs = Pipe()
  private let reports = Pipe()
  private var unread = Data()

  init(_ pool: WorkerPool) throws(Failure) {
    process.executableURL = URL(fileURLWithPath: pool.executable)
    process.arguments = pool.arguments
    process.standardInput = jobs
    process.standardOutput = reports
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if pool.pinsPlugins {
      environment["OPCODE6DIR64"] = "/nonexistent"
      environment["CS_USER_PLUGINDIR"] = "/nonexistent"
    }
    if pool.pinsOptions { environment["CSOUND6RC"] = "/dev/null" }
    process.environment = environment
    if let directory = pool.directory {
      process.currentDirectoryURL = URL(fileURLWithPath: directory)
    }
    do {
      try process.run()
    } catch {
      throw Failure(
        .internalFault, "The worker '\(pool.executable)' cannot be started: \(error).")
    }
    Interruption.add(process.processIdentifier)
    try? reports.fileHandleForWriting.close()
  }

  deinit {
    try? jobs.fileHandleForWriting.close()
    process.waitUntilExit()
    Interruption.remove(process.processIdentifier)
  }

  func perform(
    _ job: Job, timeLimit: Double, progress: (Report) -> Void
  ) -> Report {
    guard let line = try? JSONCoding.encode(job) else {
      return .failed(Failure(.internalFault, "A job cannot be written as JSON."))
    }
    try? jobs.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8))
    while true {
      switch nextLine(timeLimit: timeLimit) {
      case .line(let line):
        guard let report = try? JSONCoding.decode(Report.self, from: line) else {
          stop()
          return .exited(code: process.terminationStatus)
        }
        guard report.isProgress else { return report }
        progress(report)
      case .ended:
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
          ? .crashed(signal: process.terminationStatus)
          : .exited(code: process.terminationStatus)
      case .silent:
        stop()
        return .timedOut(seconds: timeLimit)
      }
    }
  }

  private func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private enum Line {
    case line(Data)
    case ended, silent
  }

  private func nextLine(timeLimit: Double) -> Line {
    let descriptor = reports.fileHandleForReading.fileDescriptor
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = unread[unread.startIndex..<end]
        unread = Data(unread[unread.index(after: end)...])
        return .line(Data(line))
      }
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&poller, 1, Int32(timeLimit * 1000))
      if ready == 0 { return .silent }
      if ready < 0 && errno == EINTR { continue }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return .ended }
      unread.append(contentsOf: buffer[..<count])
    }
  }
}
