import Foundation
import HarnessBase
import Synchronization

/// The debug build of a plugin. Its passes are checked, so it says which opcode does what wrong where the
/// plugin itself only crashes.
public struct DebugBuild: Sendable {
  /// The plugin as jobs name it.
  let plugin: String
  /// Whether a crash is its doing only where it happens in the plugin's own code.
  let explainsOwnCrashesOnly: Bool
  /// Says where there is no debug build how to get one.
  let advice: String
  private let build: @Sendable () -> String?
  private let built = Built()

  /// `path` is asked for at the first crash, and may build it.
  public init(
    of plugin: String, ownCrashesOnly: Bool, advice: String,
    path: @escaping @Sendable () -> String?
  ) {
    (self.plugin, explainsOwnCrashesOnly) = (plugin, ownCrashesOnly)
    (self.advice, build) = (advice, path)
  }

  /// Its path; nil where there is none.
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

  /// What pools of this process explain crashes with; without one they do not.
  public static var current: DebugBuild? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }

  /// A job's line with the debug build in the plugin's place; nil where the job does not load the plugin.
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

extension WorkerPool {
  /// What can be said about a crash: a job is done once more, with the debug build of the plugin.
  func account<Kind: Job>(of job: Kind, _ lastWords: LastWords) -> String? {
    guard let build = DebugBuild.current,
      let line = try? JSONCoding.encode(Request(job: job))
    else { return nil }
    let name = URL(fileURLWithPath: build.plugin).lastPathComponent
    guard !build.explainsOwnCrashesOnly || lastWords.library == name,
      build.line(line, with: build.plugin) != nil
    else { return nil }
    guard let path = build.path, let checked = build.line(line, with: path) else {
      return build.advice
    }
    guard let worker = try? WorkerProcess(self) else { return nil }
    let report: Report<Kind.Reply> = worker.perform(checked, timeLimit: timeLimit) { _ in }
    return switch report {
    case .crashed(_, let lastWords):
      lastWords?.account.map { "Its debug build says: \($0)" }
        ?? "Its debug build crashes, too, and no check of it has found the cause."
    case .done:
      "Its debug build, which stops at an index out of range, does the same without a crash."
    default: nil
    }
  }
}
