import Foundation
public import HarnessBase
import Rendering

/// Reads the panels of pieces and tries their controls.
public struct PanelSurvey: Sendable {
  /// Seconds that each piece plays.
  public var duration = 1.0
  /// Seconds a piece may say nothing before it is stopped.
  public var timeLimit = 20.0
  /// Whether each panel's page is checked in every `PageView`.
  public var checksPages = false
  /// A directory for a picture of each panel in every `PageView`; needs `checksPages`.
  public var pictures: String?
  /// Directories that pieces may read in addition to their own.
  public var folders: [String] = []
  /// The program that serves as worker, and its arguments.
  private let worker: [String]

  public init(worker: [String]) { self.worker = worker }

  /// Surveys pieces, each in a process of its own, as pieces can crash. As many run at a time as there are processors.
  /// Pieces without a panel are left out.
  ///
  /// Calls `found` with each result in the order of `pieces`, and `leftOut` for each piece that is left out; on any
  /// thread, but never two calls at a time. If the survey fails, they have been called for all pieces that were done.
  public func survey(
    _ pieces: [String], found: @escaping @Sendable (SurveyedPanel) -> Void = { _ in },
    leftOut: @escaping @Sendable () -> Void = {}
  ) throws(Failure) -> [SurveyedPanel] {
    try PieceRun.results(
      of: pieces, jobs: ProcessInfo.processInfo.activeProcessorCount,
      { path, scratch throws(Failure) in try survey(path, scratch) }, found: found, leftOut: leftOut
    )
  }

  private func survey(_ path: String, _ scratch: String) throws(Failure) -> SurveyedPanel? {
    let pool = WorkerPool(
      executable: worker[0], arguments: Array(worker.dropFirst()), pinsPlugins: false,
      pinsOptions: true, timeLimit: timeLimit, jobsPerWorker: 1)
    let stage = PieceStage(directory: path.parentPath, scratch: scratch, folders: folders)
    let job = PanelTrialJob(path: path, stage: stage, duration: duration)
    var surveyed = SurveyedPanel(path, try pool.run([job])[0])
    surveyed?.checkInBrowser(pages: checksPages, pictures: pictures)
    return surveyed
  }
}

/// The result of surveying one piece.
public struct SurveyedPanel: Codable, Equatable, Sendable {
  public var path: String
  public var take: PanelTake?
  /// Whether a pointer reaches the controls; nil if no browser has tested it.
  public var reach: PanelReach?
  /// Why the test in the browser failed.
  public var reachFailure: String?
  /// The checks of its page; nil if they were not asked for.
  public var pages: [PageCheck]?
  /// Why there is no take, such as a crash or a timeout.
  public var failure: String?

  /// Nil if the piece has no panel.
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

  /// Whether the piece plays, every control took its value, and the browser, if it was asked, found no control covered.
  public var isWhole: Bool {
    take.map { $0.seconds > 0 && $0.deaf.isEmpty } ?? false && reach?.covered.isEmpty != false
      && pages?.allSatisfy { $0.faults == 0 } != false
  }

  /// Tests in the browser whether a pointer reaches the controls, and the page if asked, if a browser is installed and
  /// the piece plays.
  mutating func checkInBrowser(pages checksPages: Bool, pictures: String?) {
    defer { take?.panel = nil }
    guard Browser.path != nil, let take, take.seconds > 0, let panel = take.panel else { return }
    do throws(Failure) {
      reach = try PanelReach(of: panel)
      guard checksPages else { return }
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      var checks: [PageCheck] = []
      for view in PageView.all {
        let picture = pictures.map { "\($0)/\(name)-\(view.width)-\(view.scheme.rawValue).png" }
        checks.append(try PageCheck(of: panel, in: view, picture: picture))
      }
      pages = checks
    } catch {
      reachFailure = error.message
    }
  }
}
