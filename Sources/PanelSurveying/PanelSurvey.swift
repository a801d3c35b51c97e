import Foundation
public import HarnessBase
import Pieces
import Workers

/// Reads the panels of pieces and tries their controls.
public struct PanelSurvey: Sendable {
  /// Seconds that each piece plays.
  public var duration = 1.0
  /// Seconds a piece may say nothing before it is stopped.
  public var timeLimit = 20.0
  /// The program that serves as worker, and its arguments.
  private let worker: [String]

  public init(worker: [String]) { self.worker = worker }

  /// Surveys pieces, each in a process of its own, as they can crash, as many at a time as there are processors.
  /// Those without a panel are left out.
  ///
  /// `found` is called for each in the order of `pieces`, on any thread but one at a time.
  public func survey(
    _ pieces: [String], found: @escaping @Sendable (SurveyedPanel) -> Void = { _ in }
  ) throws(Failure) -> [SurveyedPanel] {
    try PieceRun.results(
      of: pieces, jobs: ProcessInfo.processInfo.activeProcessorCount,
      { path, scratch throws(Failure) in try survey(path, scratch) }, found: found)
  }

  private func survey(_ path: String, _ scratch: String) throws(Failure) -> SurveyedPanel? {
    let pool = WorkerPool(
      executable: worker[0], arguments: Array(worker.dropFirst()), pinsPlugins: false,
      pinsOptions: true, timeLimit: timeLimit, jobsPerWorker: 1)
    let job = PanelTrialJob(path: path, scratch: scratch, duration: duration)
    return SurveyedPanel(path, try pool.run([job])[0])
  }
}

/// What became of the panel of a piece.
public struct SurveyedPanel: Codable, Equatable, Sendable {
  public var path: String
  public var take: PanelTake?
  /// Why there is no take: a crash, a hang.
  public var failure: String?

  /// Nil where the piece has no panel.
  init?(_ path: String, _ report: Report<PanelTake>) {
    self.path = path
    switch report {
    case .done(let take):
      guard !take.widgets.isEmpty || take.refusal != nil && take.source != .channels else {
        return nil
      }
      self.take = take
    case .failed(let error): failure = error.message
    case .crashed(let signal, _): failure = "It crashed with signal \(signal)."
    case .timedOut(let seconds): failure = "It said nothing for \(Int(seconds)) s."
    case .exited(let code): failure = "It ended the process with exit code \(code)."
    case .progress, .notRun: failure = "It was not played."
    }
  }

  /// Whether it plays, and every control of its panel took a value.
  public var isWhole: Bool { take.map { $0.seconds > 0 && $0.deaf.isEmpty } ?? false }
}
