import CProcess
import CsoundHost
import Foundation
import HarnessBase
import Synchronization

/// The parent process: hands jobs to worker processes and collects their reports.
public struct WorkerPool: Sendable {
  /// The worker program's path, and its arguments.
  public let words: [String]
  /// The workers' current directory; nil for the parent's.
  public let directory: String?
  /// Whether the workers' engines do not load Csound's installed plugins.
  public let pinsPlugins: Bool
  /// Whether they also ignore the options of the user's `.csound6rc`.
  public let pinsOptions: Bool
  /// Seconds without a report after which a worker is stopped.
  public let timeLimit: Double
  /// The number of jobs after which a worker is replaced by a new one; nil for no limit.
  public let jobsPerWorker: Int?
  /// Whether the first crash of a run is explained by the plugin's debug build, if there is one.
  package var explainsCrashes = true

  public init(
    _ words: [String], directory: String? = nil, pinsPlugins: Bool = true,
    pinsOptions: Bool? = nil, timeLimit: Double = defaultTimeLimit, jobsPerWorker: Int? = nil
  ) {
    self.words = words
    self.directory = directory
    self.pinsPlugins = pinsPlugins
    self.pinsOptions = pinsOptions ?? pinsPlugins
    self.timeLimit = timeLimit
    self.jobsPerWorker = jobsPerWorker
  }

  /// After this many time-outs the remaining jobs of a run are not started.
  static let toleratedTimeOuts = 4

  /// A directory that does not exist: as a plugin directory it keeps Csound from loading plugins.
  package static let noPlugins = Csound.noPlugins

  /// The default time limit, in seconds without a report.
  public static let defaultTimeLimit = 60.0

  /// Runs jobs on `parallel` workers, even if there are fewer processors. The reports are in the order
  /// of the jobs. Throws only if the user interrupts the run.
  ///
  /// `progress` is called for every report, on any thread, with its job's index.
  public func run<Kind: Job>(
    _ jobs: [Kind], parallel: Int = 1,
    progress: @Sendable @escaping (Int, Report<Kind.Reply>) -> Void = { _, _ in }
  ) throws(Failure) -> [Report<Kind.Reply>] {
    let state = Mutex(State<Kind.Reply>(reports: Array(repeating: .notRun, count: jobs.count)))
    concurrently(max(1, min(parallel, jobs.count))) {
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
        var report: Report<Kind.Reply>
        do throws(Failure) {
          let running = if let worker { worker } else { try WorkerProcess(self) }
          worker = running
          report = running.perform(jobs[index], timeLimit: timeLimit) { progress(index, $0) }
        } catch {
          report = .failed(error)
        }
        // A worker that was killed by an interruption says nothing about its job.
        if report.endedItsWorker, Interruption.hasHappened { break }
        if explainsCrashes {
          report = explained(report, of: jobs[index]) { state.withLock { $0.isFirstCrash() } }
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
    try Interruption.check()
    return state.withLock { $0.reports }
  }

  /// Runs `body` on `width` threads and waits for all of them. There may be more threads than
  /// processors, unlike with a dispatch queue, because they spend most of the time waiting.
  private func concurrently(_ width: Int, _ body: @Sendable @escaping () -> Void) {
    let threads = DispatchGroup()
    for _ in 0..<width {
      threads.enter()
      Thread.detachNewThread {
        body()
        threads.leave()
      }
    }
    threads.wait()
  }
}

/// The state of a run.
private struct State<Reply: Codable & Sendable> {
  var next = 0
  var timeOuts = 0
  var hasCrashed = false
  var reports: [Report<Reply>]

  /// Returns true at the first call only.
  mutating func isFirstCrash() -> Bool {
    defer { hasCrashed = true }
    return !hasCrashed
  }
}

/// One running worker process.
final class WorkerProcess {
  private let process: ChildProcess
  /// Our end of the socket that is the worker's standard input and output.
  private let connection: Int32
  private let timeLimit: Double
  /// The worker's temporary directory. It is removed with the worker, with all files that Csound and
  /// plugins have left in it.
  private let scratch: ScratchDirectory
  private var unread = LineBuffer()

  init(_ pool: WorkerPool) throws(Failure) {
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if pool.pinsPlugins { environment.merge(Csound.withoutPlugins) { $1 } }
    if pool.pinsOptions { environment.merge(Csound.withoutOptions) { $1 } }
    scratch = try ScratchDirectory("worker")
    environment["TMPDIR"] = scratch.path
    // A socket, because writing to it need not raise SIGPIPE when the worker has died (MSG_NOSIGNAL).
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      scratch.remove()
      throw .unavailable("No worker can be started: \(String(cString: strerror(errno))).")
    }
    defer { close(ends[1]) }
    do throws(Failure) {
      process = try ChildProcess(
        pool.words[0], Array(pool.words.dropFirst()), environment: environment,
        directory: pool.directory, input: ends[1], output: ends[1])
    } catch {
      close(ends[0])
      scratch.remove()
      throw error
    }
    connection = ends[0]
    timeLimit = pool.timeLimit
  }

  deinit {
    // The end of its input ends a worker; one that has not ended after the time limit is killed.
    shutdown(connection, Int32(SHUT_WR))
    let start = ContinuousClock.now
    var pause: UInt32 = 100
    while !process.hasEnded, start.duration(to: .now) < .seconds(timeLimit) {
      usleep(pause)
      pause = min(2 * pause, 20_000)
    }
    process.stop()
    close(connection)
    scratch.remove()
  }

  func perform<Kind: Job>(
    _ job: Kind, timeLimit: Double, progress: (Report<Kind.Reply>) -> Void
  ) -> Report<Kind.Reply> {
    guard let line = try? JSONCoding.encode(Request(job: job)) else {
      return .failed(Failure(.internalFault, "A job cannot be written as JSON."))
    }
    return perform(line, timeLimit: timeLimit, progress: progress)
  }

  /// Does a job that is already encoded as a line of JSON.
  func perform<Reply>(
    _ line: Data, timeLimit: Double, progress: (Report<Reply>) -> Void
  ) -> Report<Reply> {
    write(line + [UInt8(ascii: "\n")])
    var lastWords: LastWords?
    while true {
      switch nextLine(within: timeLimit) {
      case .line(let line):
        if let words = Self.lastWords(line) {
          lastWords = words
          continue
        }
        guard let report = try? JSONCoding.decode(Report<Reply>.self, from: line) else {
          process.stop()
          return .failed(Failure(.internalFault, "A worker wrote a line that is not a report."))
        }
        guard report.isProgress else { return report }
        progress(report)
      case .ended:
        return switch process.wait() {
        case .exited(let code): .exited(code: code)
        case .killed(let signal): .crashed(signal: signal, lastWords: lastWords)
        }
      case .silent:
        let lastWords = lastWords ?? asked()
        process.stop()
        return .timedOut(seconds: timeLimit, lastWords: lastWords)
      }
    }
  }

  private static func lastWords(_ line: Data) -> LastWords? {
    LastWords(String(decoding: line.prefix(4096), as: UTF8.self))
  }

  /// Ends a worker that hangs, and has it tell where; nil if it does not.
  private func asked() -> LastWords? {
    process.send(CRASH_ASKED)
    while case .line(let line) = nextLine(within: 2) {
      if let words = Self.lastWords(line) { return words }
    }
    return nil
  }

  /// Writes all bytes, or stops when the worker has died, which `nextLine` detects.
  private func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        send(
          connection, bytes.baseAddress! + written, bytes.count - written,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      written += count
    }
  }

  private enum Line {
    case line(Data)
    case ended, silent
  }

  /// The interval, in milliseconds, at which the parent checks whether the worker has died. The
  /// connection alone does not show it, as a program that the worker has started may keep it open.
  private static let watch = 100

  private func nextLine(within timeLimit: Double) -> Line {
    let start = ContinuousClock.now
    var waitedBefore: Double?
    while true {
      if let line = unread.next() { return .line(line) }
      let hasEnded = process.hasEnded
      var poller = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      let ready = poll(&poller, 1, Int32(hasEnded ? 0 : Self.watch))
      if ready < 0 && errno == EINTR { continue }
      if ready == 0 {
        if hasEnded { return .ended }
        // On a busy machine a worker that has no processor is not silent.
        let waited = process.secondsWithoutProcessor
        let before = waitedBefore ?? waited
        waitedBefore = before
        guard start.duration(to: .now) < .seconds(timeLimit + waited - before) else {
          return .silent
        }
        continue
      }
      guard unread.fill(from: connection) > 0 else { return .ended }
    }
  }
}

/// Splits received bytes into lines; no byte is searched twice.
private struct LineBuffer {
  private var bytes: [UInt8] = []
  /// The index where the next line begins, and the index up to which no line end was found.
  private var (start, searched) = (0, 0)

  /// Appends the bytes that can be read, and returns the result of `read`.
  mutating func fill(from descriptor: Int32) -> Int {
    bytes.removeFirst(start)
    (searched, start) = (searched - start, 0)
    var count = 0
    let fresh = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, length in
      repeat {
        count = read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      length = max(0, count)
    }
    bytes += fresh
    return count
  }

  /// The next whole line, without its end.
  mutating func next() -> Data? {
    let end: Int? = bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, searched < bytes.count,
        let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
    guard let end else {
      searched = bytes.count
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return Data(bytes[start..<end])
  }
}
