import Foundation
import HarnessBase

/// What a worker reports about a job, or how the job ended. All cases but `progress` end the job.
public enum Report<Reply: Codable & Sendable>: Codable, Sendable {
  /// Seconds of sound rendered so far; shows that the worker is alive.
  case progress(Double)
  case done(Reply)
  case failed(Failure)
  /// The worker was killed by this signal; `lastWords` is its crash report, if it wrote one.
  case crashed(signal: Int32, lastWords: LastWords?)
  /// The worker ended itself in the middle of the job.
  case exited(code: Int32)
  /// The worker was stopped after this many seconds without a report; `lastWords` is where it was, if it told that.
  case timedOut(seconds: Double, lastWords: LastWords?)
  /// Never started, because too many jobs before it had timed out.
  case notRun
}

/// The progress of a job of any kind.
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
  /// The job's result, if it was done.
  @inline(never)
  public var reply: Reply? {
    if case .done(let reply) = self { reply } else { nil }
  }

  /// The job's result, or a failure that says why there is none. `work` is what messages call the job.
  public func reply(of work: String) throws(Failure) -> Reply {
    guard case .done(let reply) = self else { throw failure(of: work) }
    return reply
  }

  /// The same report with its reply transformed.
  public func map<Other>(_ transform: (Reply) -> Other) -> Report<Other> {
    switch self {
    case .progress(let seconds): .progress(seconds)
    case .done(let reply): .done(transform(reply))
    case .failed(let failure): .failed(failure)
    case .crashed(let signal, let lastWords): .crashed(signal: signal, lastWords: lastWords)
    case .exited(let code): .exited(code: code)
    case .timedOut(let seconds, let lastWords):
      .timedOut(seconds: seconds, lastWords: lastWords)
    case .notRun: .notRun
    }
  }

  /// Whether the worker process has ended with this report.
  public var endedItsWorker: Bool {
    switch self {
    case .crashed, .exited, .timedOut: true
    default: false
    }
  }

  /// The failure for a report without a reply. `work` is what messages call the job.
  public func failure(of work: String) -> Failure {
    switch self {
    case .failed(let failure): failure
    case .crashed(let signal, let lastWords): Self.crash(work, signal, lastWords)
    case .timedOut(let seconds, let lastWords):
      Failure.crashed(
        "\(work) was stopped: nothing happened for \(String(format: "%g", seconds)) s"
          + "\(lastWords?.whereabouts ?? ""); --time-limit sets another limit."
          + (lastWords?.account.map { " \($0)" } ?? ""))
    case .exited(let code):
      Failure(.crashed, "\(work) ended its process with exit code \(code), and Csound with it.")
    case .notRun:
      Failure(.crashed, "\(work) was not run, because too many earlier jobs timed out.")
    case .progress, .done: Failure(.internalFault, "\(work) did not fail; nothing to report.")
    }
  }

  private static func crash(_ work: String, _ signal: Int32, _ lastWords: LastWords?) -> Failure {
    let how = String(cString: strsignal(signal))
    if let lastWords, lastWords.work == nil {
      return Failure(.internalFault, "\(work) crashed outside Csound: \(how).")
    }
    // SIGKILL comes from the system, almost always because memory ran out.
    let cause = signal == SIGKILL ? ", as the system does when memory runs out" : ""
    let place = lastWords?.whereabouts ?? ""
    let account = lastWords?.account.map { " \($0)" } ?? ""
    return Failure(.crashed, "\(work) crashed Csound\(place): \(how)\(cause).\(account)")
  }
}

/// The crash report that a worker writes before it dies.
public struct LastWords: Codable, Equatable, Sendable {
  /// What Csound was doing, as the end of "crashed while"; nil if the worker was not inside Csound.
  public var work: String?
  /// The library whose code was executed, if that is known.
  public var library: String?
  /// The path of that library.
  var path: String?
  /// The addresses of that code and of the calls that led there, from the beginning of the library: "0x1f4a".
  var addresses: [String] = []
  /// What the checks of a debug build say about an opcode's mistake, in whole sentences.
  public var account: String?

  /// What Csound was doing and in which library, as the end of a sentence: " while it performed in libx.so".
  public var whereabouts: String {
    (work.map { " while \($0)" } ?? "") + (library.map { " in \($0)" } ?? "")
  }

  /// Parses the line that `crash_report_to` describes; nil for any other line.
  init?(_ line: String) {
    let parts = line.split(
      separator: "\t", maxSplits: 3, omittingEmptySubsequences: false
    ).map(String.init)
    guard parts.count >= 3, parts[0] == "crash" else { return nil }
    if parts.count == 4 { account = Self.account(in: parts[3]) }
    work = parts[1].isEmpty ? nil : parts[1]
    guard !parts[2].isEmpty else { return }
    let offsets = parts[2].firstMatch(of: #/(\+0x[0-9a-f]+)+$/#)?.range
    let path = String(parts[2][..<(offsets?.lowerBound ?? parts[2].endIndex)])
    (self.path, library) = (path, URL(fileURLWithPath: path).lastPathComponent)
    addresses = offsets.map { parts[2][$0].split(separator: "+").map(String.init) } ?? []
  }

  /// What the checks of a debug build say in the last line of a text, with the line of the source; nil if they say
  /// nothing there. Any other last line may have been printed long before the crash.
  package static func account(in text: String) -> String? {
    let line = text.split(separator: "\n").last ?? ""
    // The beginning that `ccs_say_pass` writes, which Csound's colours may precede.
    let beginning = #/(\e\[\d*m)*((\S+, (init|performance|deinit)|OpcodeKit, outside a) pass: .*)/#
    return line.wholeMatch(of: beginning).map { SourceLine.told(String($0.2)) }
  }
}
