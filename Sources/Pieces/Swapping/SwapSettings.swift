import HarnessBase
import Profiling
import Rendering

/// How pieces are rendered, and what passes.
public struct SwapSettings: Sendable {
  /// Seconds of sound that are rendered of each piece.
  public var duration = 10.0
  /// Largest null depth that passes, dB.
  public var limit = -100.0
  /// Seconds a render may take. A worker that reports nothing for this time hangs.
  public var timeLimit = 30.0
  /// The path of a plugin with the counterparts; nil: the worker has them itself.
  public var plugin: String?
  /// Directories that pieces may read in addition to their own.
  public var folders: [String] = []
  /// The program that serves as worker, and its arguments.
  let worker: [String]

  public init(worker: [String]) { self.worker = worker }

  /// The parts of a piece's time that its user-defined opcodes take, with what they call, 0 to 1, by their names.
  func shares(of trial: SwapTrial) throws(Failure) -> [String: Double] {
    var profiler = Profiler(
      pool: WorkerPool(worker, pinsPlugins: false, timeLimit: timeLimit, jobsPerWorker: 1))
    (profiler.pairs, profiler.stage, profiler.cutOff) = (1, trial.stage, timeLimit / 2)
    let orchestra = Orchestra(path: trial.path, plugin: plugin, opensMIDI: false)
    let profile = try profiler.profile(orchestra, limit: duration).profile
    let rows = profile.instruments.filter { $0.isUserOpcode == true }
    return Dictionary(
      rows.map { (String($0.name.dropFirst("opcode ".count)), $0.total / profile.wholeSeconds) },
      uniquingKeysWith: +)
  }

  /// Does one job in a process of its own.
  package func perform<Kind: Job>(
    _ job: Kind, progress: @escaping @Sendable (_ seconds: Double) -> Void = { _ in }
  ) throws(Failure) -> Report<Kind.Reply> {
    let pool = WorkerPool(worker, pinsPlugins: false, timeLimit: timeLimit, jobsPerWorker: 1)
    return try pool.run([job]) { _, report in
      if case .progress(let seconds) = report { progress(seconds) }
    }[0]
  }
}
