import Foundation
import HarnessBase
import Synchronization

/// The debug build of a plugin. It checks the opcodes' passes, so that it names the opcode and its
/// mistake where the release build just crashes.
public struct DebugBuild: Sendable {
  /// The plugin's path as it appears in jobs.
  let plugin: String
  /// Whether only crashes in the plugin's own code are explained.
  let explainsOwnCrashesOnly: Bool
  /// If there is no debug build, a sentence that says how to get one.
  let advice: String
  private let build: @Sendable () -> String?
  private let built = Built()

  /// `path` is called at the first crash and may build the plugin; it returns nil if there is no debug
  /// build.
  public init(
    of plugin: String, ownCrashesOnly: Bool, advice: String,
    path: @escaping @Sendable () -> String?
  ) {
    (self.plugin, explainsOwnCrashesOnly) = (plugin, ownCrashesOnly)
    (self.advice, build) = (advice, path)
  }

  /// The path of the debug build; nil if there is none. Found once.
  var path: String? {
    built.path.withLock { known in
      if let known { return known }
      let path = build()
      known = .some(path)
      return path
    }
  }

  private final class Built: Sendable {
    let path = Mutex<String??>(nil)
  }

  private static let chosen = Mutex<DebugBuild?>(nil)

  /// The debug build with which this process's worker pools explain crashes; nil to explain none.
  public static var current: DebugBuild? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }

  /// A job's line with `path` in place of the plugin's path; nil if the job does not load the plugin.
  func line(_ line: Data, with path: String) -> Data? {
    guard let old = Self.quoted(plugin), let new = Self.quoted(path) else { return nil }
    let text = String(decoding: line, as: UTF8.self)
    return text.contains(old) ? Data(text.replacing(old, with: new).utf8) : nil
  }

  private static func quoted(_ path: String) -> String? {
    guard let list = try? JSONCoding.encode([path]) else { return nil }
    return String(decoding: list.dropFirst().dropLast(), as: UTF8.self)
  }
}

extension LastWords {
  /// The line of the source where it crashed; nil where that is not known.
  fileprivate var line: String? {
    path.flatMap { addresses.isEmpty ? nil : SourceLine.of($0, addresses) }
  }
}

extension WorkerPool {
  /// Explains a crash by running the job again with the plugin's debug build; nil without explanation. `library` is
  /// the one that crashed, if that is known.
  func account<Kind: Job>(of job: Kind, in library: String?) -> String? {
    guard let build = DebugBuild.current,
      let line = try? JSONCoding.encode(Request(job: job))
    else { return nil }
    let name = URL(fileURLWithPath: build.plugin).lastPathComponent
    guard !build.explainsOwnCrashesOnly || library == name,
      build.line(line, with: build.plugin) != nil
    else { return nil }
    guard let path = build.path, let checked = build.line(line, with: path) else {
      return build.advice
    }
    guard let worker = try? WorkerProcess(self) else { return nil }
    let report: Report<Kind.Reply> = worker.perform(checked, timeLimit: timeLimit) { _ in }
    let (account, place): (String?, String?)
    switch report {
    case .crashed(_, let lastWords): (account, place) = (lastWords?.account, lastWords?.line)
    case .timedOut(_, let lastWords):
      return "Its debug build hangs, too\(lastWords?.line.map { ", in \($0)" } ?? "")."
    case .failed(let failure) where failure.kind == .crashed:
      (account, place) = (failure.account, nil)
    case .done:
      return "Its debug build, which checks array indices, does the same job without a crash."
    default: return nil
    }
    if let account { return "Its debug build says: \(account)" }
    return
      "Its debug build crashes, too\(place.map { ", in \($0)" } ?? ""), and its checks have not"
      + " found the cause."
  }

  /// A report, and if it is of a crash or of a worker that hung, with its explanation.
  func explained<Kind: Job>(
    _ report: Report<Kind.Reply>, of job: Kind, ifFirst isFirst: () -> Bool
  ) -> Report<Kind.Reply> {
    switch report {
    case .crashed(let signal, lastWords: var lastWords?)
    where lastWords.account == nil && isFirst():
      lastWords.account = account(of: job, in: lastWords.library)
      return .crashed(signal: signal, lastWords: lastWords)
    case .timedOut(let seconds, lastWords: var lastWords?) where isFirst():
      lastWords.account = account(of: job, in: lastWords.library)
      return .timedOut(seconds: seconds, lastWords: lastWords)
    // In a process of Csound's own.
    case .failed(let failure)
    where failure.kind == .crashed && failure.account == nil && isFirst():
      guard let account = account(of: job, in: nil) else { return report }
      return .failed(Failure(.crashed, "\(failure.message) \(account)"))
    default: return report
    }
  }
}

extension Failure {
  /// What the checks of a debug build have added to a message.
  fileprivate var account: String? {
    message.firstMatch(of: #/\S+, (init|performance|deinit) pass: .*/#).map { String($0.0) }
  }
}
