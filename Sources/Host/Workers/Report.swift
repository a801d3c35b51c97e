import Foundation
import HarnessBase

/// What a worker says about a job, or what became of it; all but `progress` end it.
public enum Report<Reply: Codable & Sendable>: Codable, Sendable {
  /// Seconds of sound rendered so far; says that the worker is alive.
  case progress(Double)
  case done(Reply)
  case failed(Failure)
  /// The worker died of this signal, after these last words if it had any.
  case crashed(signal: Int32, lastWords: LastWords?)
  /// The worker ended itself in the middle of the job.
  case exited(code: Int32)
  /// The worker was stopped after this many seconds without a word.
  case timedOut(seconds: Double)
  /// Never started, because too many jobs before it had timed out.
  case notRun
}

/// How far a job is, whatever its kind.
public enum JobProgress: Sendable {
  case underWay(seconds: Double)
  case finished
}

extension Report {
  /// Whether more reports of the same job follow.
  public var isProgress: Bool {
    if case .progress = self { true } else { false }
  }

  public var stage: JobProgress {
    if case .progress(let seconds) = self { .underWay(seconds: seconds) } else { .finished }
  }

  // Not inlined: where Swift 6.3.1 inlines it into a loop over rows, it ends a borrow too soon and
  // stops with "Found ownership error".
  /// What came of the job, if it was done.
  @inline(never)
  public var reply: Reply? {
    if case .done(let reply) = self { reply } else { nil }
  }

  /// What came of the job, or why nothing did; `work` is what sentences call it.
  public func reply(of work: String) throws(Failure) -> Reply {
    guard case .done(let reply) = self else { throw failure(of: work) }
    return reply
  }

  /// The same report, with something made of its reply.
  public func map<Other>(_ transform: (Reply) -> Other) -> Report<Other> {
    switch self {
    case .progress(let seconds): .progress(seconds)
    case .done(let reply): .done(transform(reply))
    case .failed(let failure): .failed(failure)
    case .crashed(let signal, let lastWords): .crashed(signal: signal, lastWords: lastWords)
    case .exited(let code): .exited(code: code)
    case .timedOut(let seconds): .timedOut(seconds: seconds)
    case .notRun: .notRun
    }
  }

  /// Whether the worker that made this report is gone.
  public var endedItsWorker: Bool {
    switch self {
    case .crashed, .exited, .timedOut: true
    default: false
    }
  }

  /// A report without a reply, as a failure.
  public func failure(of work: String) -> Failure {
    switch self {
    case .failed(let failure): failure
    case .crashed(let signal, let lastWords): Self.crash(work, signal, lastWords)
    case .timedOut(let seconds):
      Failure(
        .crashed,
        "\(work) was stopped: nothing happened for \(String(format: "%g", seconds)) s;"
          + " --time-limit sets another limit.")
    case .exited(let code):
      Failure(.crashed, "\(work) ended its process with exit code \(code), and Csound with it.")
    case .notRun:
      Failure(.crashed, "\(work) was not run, because too much before it had to be stopped.")
    case .progress, .done: Failure(.internalFault, "\(work) is no failure.")
    }
  }

  private static func crash(_ work: String, _ signal: Int32, _ lastWords: LastWords?) -> Failure {
    let how = String(cString: strsignal(signal))
    if let lastWords, lastWords.work == nil {
      return Failure(.internalFault, "\(work) crashed outside Csound: \(how).")
    }
    // Only the system kills so, and hardly for anything else.
    let cause = signal == SIGKILL ? ", as the system does when memory runs out" : ""
    let place = lastWords?.library.map { " in \($0)" } ?? ""
    let when = lastWords?.work.map { " while \($0)" } ?? ""
    let account = lastWords?.account.map { " \($0)" } ?? ""
    return Failure(.crashed, "\(work) crashed Csound\(when)\(place): \(how)\(cause).\(account)")
  }
}

/// What a worker that crashes still says.
public struct LastWords: Codable, Equatable, Sendable {
  /// What Csound did, as the end of "crashed while"; nil where the worker was not inside Csound.
  public var work: String?
  /// The library whose code was executed, if that is known.
  public var library: String?
  /// What the checks of a debug build say about an opcode's mistake, in whole sentences.
  public var account: String?

  /// From the line `crash_report_to` promises.
  init?(_ line: String) {
    let parts = line.split(
      separator: "\t", maxSplits: 3, omittingEmptySubsequences: false
    ).map(String.init)
    guard parts.count >= 3, parts[0] == "crash" else { return nil }
    // As ccs_say_pass of the kit begins it; anything else that was printed last can be of long before.
    let beginning = #/(\S+, (init|performance|deinit)|OpcodeKit, outside a) pass: /#
    if parts.count == 4, parts[3].prefixMatch(of: beginning) != nil { account = parts[3] }
    work = parts[1].isEmpty ? nil : parts[1]
    library = parts[2].isEmpty ? nil : URL(fileURLWithPath: parts[2]).lastPathComponent
  }
}
