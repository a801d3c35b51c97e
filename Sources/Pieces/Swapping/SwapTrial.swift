import Foundation
import HarnessBase
import Rendering

/// Renders a piece and compares it with versions of it that call other opcodes.
package struct SwapTrial {
  let settings: SwapSettings
  let path: String
  /// A directory that is empty at first and removed afterwards.
  let scratch: String
  /// The result of rendering the original.
  package private(set) var original = PieceTake()

  package init(of path: String, _ settings: SwapSettings, scratch: String) {
    (self.path, self.settings, self.scratch) = (path, settings, scratch)
    try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  }

  /// The only directory that the piece may write. Its versions are written beside this one, where it can put no links.
  private var place: String { scratch + "/piece" }

  private enum Ending {
    case played(PieceTake)
    case ended(SwapVerdict, String)
  }

  /// The stage on which the piece plays.
  package var stage: PieceStage {
    PieceStage(
      directory: path.parentPath, scratch: place, folders: settings.folders + [scratch])
  }

  /// Renders the original and keeps its sound. Returns nil, or why nothing can be compared with it: it
  /// fails or is skipped.
  package mutating func playOriginal() throws(Failure) -> SwapFinding? {
    switch try render(path, keeping: true) {
    case .ended(let verdict, let reason):
      return SwapFinding(
        verdict: verdict == .skipped ? .skipped : .originalFails, reason: reason)
    case .played(let take):
      original = take
      return take.peak == .infinity
        ? SwapFinding(verdict: .originalFails, reason: "It puts out NaN or infinity.") : nil
    }
  }

  /// Renders another version of the piece, in the piece's directory or another one, and compares it with
  /// the original.
  ///
  /// - Parameters:
  ///   - names: additional names for opcodes: the opcode by each name.
  package func judge(
    _ csd: String, names: [String: String] = [:], in directory: String? = nil
  ) throws(Failure) -> SwapFinding {
    let take: PieceTake
    switch try render(csd, names: names, in: directory) {
    case .ended(let verdict, let reason):
      // Some originals crash now and then, above all those with widgets.
      guard verdict == .crash || verdict == .hang else {
        return SwapFinding(verdict: verdict, reason: reason)
      }
      return SwapFinding(verdict: try survives() ? verdict : .doesNotRepeat, reason: reason)
    case .played(let played): take = played
    }
    // A faster version plays further than an original that was cut, and may meet what that did not come to.
    let playsFurther = original.isCut && take.frames > original.frames
    if take.errors.count > original.errors.count, !playsFurther {
      let news = take.errors.first { !original.errors.contains($0) }
      return SwapFinding(
        verdict: .swappedFails, reason: news ?? "It has more errors than the original.")
    }
    guard let comparison = take.comparison else {
      throw .internalFault("'\(path)' was rendered and not compared.")
    }
    var verdict = SwapVerdict.close
    if comparison.verdict == .rivalSilent, original.peak > 0 {
      verdict = .doesNotRepeat
    } else if comparison.nullDepth == -.infinity {
      verdict = original.peak == 0 ? .silent : .identical
    } else if comparison.verdict != .passed {
      verdict = try repeats() ? .differs : .doesNotRepeat
    }
    return SwapFinding(
      verdict: verdict,
      nullDepthDecibels: comparison.nullDepth.isFinite ? comparison.nullDepth : nil,
      reason: comparison.reason, calls: take.calls)
  }

  /// Times the original and other versions of it side by side: the report, and the seconds of sound that are timed.
  ///
  /// - Parameters:
  ///   - fewestSets: how often new engines are made, at least.
  ///   - patience: seconds of processor time that may be spent on making more.
  func time(
    _ csds: [String], fewestSets: Int = 10, patience: Double = 20
  ) throws(Failure) -> (report: Report<PieceTiming>, seconds: Double) {
    let orchestras = ([path] + csds).map { path in
      var orchestra = Orchestra(path: path, plugin: settings.plugin, opensMIDI: false)
      // With several threads only one of them would be timed; and the threads do not survive their
      // engine.
      orchestra.threads = 1
      return orchestra
    }
    // Of a piece that takes long only the beginning is timed.
    let perSecond = original.cost / original.seconds * Double(orchestras.count)
    let seconds = min(original.seconds, 1.5 * patience / (perSecond * Double(fewestSets)))
    let job = PieceTimingJob(
      orchestras: orchestras, stage: stage, duration: seconds, fewestSets: fewestSets,
      patience: patience)
    return (try settings.perform(job), seconds)
  }

  /// Whether the original sounds the same three more times. Once is not enough, as a piece that reads
  /// uninitialised memory can sound the same by chance.
  private func repeats() throws(Failure) -> Bool {
    for _ in 0..<3 {
      guard case .played(let again) = try render(path), let comparison = again.comparison,
        comparison.verdict == .passed || comparison.nullDepth == -.infinity
      else { return false }
    }
    return true
  }

  /// Whether the original plays without an error four more times.
  private func survives() throws(Failure) -> Bool {
    for _ in 0..<4 {
      guard case .played = try render(path) else { return false }
    }
    return true
  }

  /// Renders a CSD in a confined process of its own. With `keeping`, the sound is kept as the
  /// original's; otherwise it is compared with that one.
  private func render(
    _ csd: String, keeping: Bool = false, names: [String: String] = [:], in directory: String? = nil
  ) throws(Failure) -> Ending {
    let kept = place + "/original.wav"
    var stage = stage
    if let directory { stage.move(path, to: directory) }
    let job = PieceJob(
      orchestra: Orchestra(path: csd, plugin: settings.plugin, opensMIDI: false), stage: stage,
      duration: settings.duration, timeLimit: settings.timeLimit, names: names,
      kept: keeping ? kept : nil, rival: kept, rivalIsCut: original.isCut, limit: settings.limit)
    let report = try settings.perform(job)
    switch report {
    case .done(let take):
      if let refusal = take.refusal {
        return .ended(.formMissing, refusal.replacing(csd, with: path))
      }
      guard take.frames > 0 else {
        return .ended(.swappedFails, take.errors.first ?? "It ends before its first sample.")
      }
      return .played(take)
    case .crashed, .exited:
      return .ended(.crash, report.failure(of: "Playing it").message)
    case .timedOut:
      return .ended(.hang, report.failure(of: "Playing it").message)
    case .failed(let failure) where failure.kind == .skipped:
      return .ended(.skipped, failure.message)
    case .failed(let failure) where [.usage, .badInput, .missingInput].contains(failure.kind):
      return .ended(.swappedFails, failure.message)
    default:
      throw report.failure(of: "Rendering '\(csd)'")
    }
  }
}

extension Comparison {
  /// What is wrong apart from the null depth; nil if nothing is.
  fileprivate var reason: String? {
    switch verdict {
    case .passed, .exceedsTolerance: nil
    case .notFinite: "A sample is not a finite number, first frame \(worst.frame)."
    case .differentShape: "The two sounds differ in length or channels."
    case .rivalSilent: nullDepth == -.infinity ? nil : "The original is silent."
    }
  }
}
