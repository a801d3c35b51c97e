public import CsoundHost
import Foundation
import HarnessBase
import Rendering
import Synchronization

/// A plugin to lint.
public struct LintJob: Job {
  /// The plugin's path; nil for the worker's own opcodes.
  public var plugin: String?
  /// Whether the installed plugins are loaded before it, as for an orchestra.
  public var amongInstalled: Bool

  public init(plugin: String?, amongInstalled: Bool) {
    self.plugin = plugin
    self.amongInstalled = amongInstalled
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> LintReport {
    try Linter(registering: worker.register) { worker.progress(0) }.lint(self)
  }
}

/// Lists the signatures of Csound's own opcodes.
public struct BuiltinsJob: Job {
  public init() {}

  public func perform(in worker: WorkerContext) throws(Failure) -> LintReport {
    try BuiltinOpcodes.report()
  }
}

extension WorkerPool {
  /// The signatures of Csound's own opcodes.
  public func builtins() throws(Failure) -> [Signature] {
    try run([BuiltinsJob()])[0].reply(of: "listing Csound's opcodes").signatures
  }
}

/// Lints a plugin, in the worker process.
public struct Linter {
  private let register: Csound.Registration
  private let progress: () -> Void

  /// The file name, without extension, of the plugin that contains the worker's own opcodes.
  static let ownPlugin = "libopcodes"

  /// `progress` is first called when the plugin has registered its opcodes. A crash after that is not
  /// caused by the plugin.
  public init(registering register: @escaping Csound.Registration, progress: @escaping () -> Void) {
    self.register = register
    self.progress = progress
  }

  public func lint(_ job: LintJob) throws(Failure) -> LintReport {
    let recording =
      if let plugin = job.plugin {
        try PluginRecorder.record(plugin)
      } else {
        try PluginRecorder.record(registering: register)
      }
    progress()
    let name = job.plugin.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
    let search = job.amongInstalled ? PluginSearch.allBut(name ?? Self.ownPlugin) : .none
    let judge = try Judge(recording.signatures, among: search)
    return LintReport(recording, LintRules(recording, judge: judge).findings(progress))
  }
}

extension WorkerPool {
  /// Lints a plugin in a worker process, which it may crash. `name` is what messages call the plugin.
  /// Without a path, lints the worker's own opcodes.
  public func lint(_ path: String?, name: String) throws(Failure) -> LintReport {
    let hasRegistered = Mutex(false)
    func run(amongInstalled: Bool) throws(Failure) -> Report<LintReport> {
      let job = LintJob(plugin: path, amongInstalled: amongInstalled)
      return try self.run([job]) { _, report in
        if report.isProgress { hasRegistered.withLock { $0 = true } }
      }[0]
    }
    var report = try run(amongInstalled: true)
    if report.endedItsWorker, hasRegistered.withLock({ $0 }) {
      report = try run(amongInstalled: false)
    }
    switch report {
    case .done(let report): return report
    case .failed(let failure): throw failure
    case .crashed(let signal, _):
      throw .badInput(
        "'\(name)' crashes when it is loaded: \(String(cString: strsignal(signal))). It would take"
          + " Csound down with it.")
    case .exited(let code):
      throw .badInput(
        "'\(name)' ends the process that loads it, with exit code \(code); it would end Csound.")
    case .timedOut(let seconds, _):
      throw .badInput(
        "'\(name)' was not loaded after \(Int(seconds)) s and was stopped; it would hang Csound.")
    case .progress, .notRun: throw report.failure(of: "Linting '\(name)'")
    }
  }
}
