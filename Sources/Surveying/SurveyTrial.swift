import Foundation
import HarnessBase
import Rendering
import Sounds
import Workers

/// One piece on trial: its original, and what comes of it with other opcodes.
struct SurveyTrial {
  let survey: Survey
  let path: String
  let piece: SwappedPiece
  /// A directory that is empty at first and removed afterwards.
  let scratch: String

  private enum Ending {
    case played(SurveyTake)
    case ended(SurveyedPiece.Verdict, String)
  }

  /// Swaps all of the opcodes; where that misses, each alone.
  func run(_ opcodes: [String]) throws(Failure) -> SurveyedPiece {
    switch try render(path, against: nil) {
    case .ended(_, let reason):
      return result(opcodes, .originalFails, reason)
    case .played(let original) where original.peak == .infinity:
      return result(opcodes, .originalFails, "It puts out NaN or infinity.")
    case .played(let original):
      var result = try swap(opcodes, original)
      if result.verdict.isMiss, opcodes.count > 1 {
        var alone: [SurveyedPiece] = []
        for opcode in opcodes { alone.append(try swap([opcode], original)) }
        result.alone = alone
      }
      return result
    }
  }

  private func swap(
    _ opcodes: [String], _ original: SurveyTake
  ) throws(Failure) -> SurveyedPiece {
    let names = survey.counterparts.subjects.filter { opcodes.contains($0.key) }
    let csd = try piece.write(swapping: names, to: scratch)
    let take: SurveyTake
    switch try render(csd, against: original) {
    case .ended(let verdict, let reason):
      // Some originals crash now and then, those with widgets above all.
      guard verdict == .crash || verdict == .hang else { return result(opcodes, verdict, reason) }
      return result(opcodes, try survives(original) ? verdict : .doesNotRepeat, reason)
    case .played(let played): take = played
    }
    if take.errors.count > original.errors.count {
      let news = take.errors.first { !original.errors.contains($0) }
      return result(opcodes, .swappedFails, news ?? "It has more errors than the original.")
    }
    guard let comparison = take.comparison else {
      throw Failure(.internalFault, "'\(path)' was rendered and not compared.")
    }
    var verdict = SurveyedPiece.Verdict.close
    if comparison.nullDepth == -.infinity {
      verdict = original.peak == 0 ? .silent : .identical
    } else if comparison.verdict != .passed {
      verdict = try repeats(original) ? .differs : .doesNotRepeat
    }
    var result = result(opcodes, verdict, comparison.reason)
    result.nullDepthDecibels = comparison.nullDepth.isFinite ? comparison.nullDepth : nil
    result.peakErrorDecibels = comparison.peakError.isFinite ? comparison.peakError : nil
    return result
  }

  /// Whether the original sounds the same three times more: what reads memory it has not written
  /// can do so once by chance.
  private func repeats(_ original: SurveyTake) throws(Failure) -> Bool {
    for _ in 0..<3 {
      guard case .played(let again) = try render(path, against: original),
        let comparison = again.comparison,
        comparison.verdict == .passed || comparison.nullDepth == -.infinity
      else { return false }
    }
    return true
  }

  /// Whether the original plays four times more.
  private func survives(_ original: SurveyTake) throws(Failure) -> Bool {
    for _ in 0..<4 {
      guard case .played = try render(path, against: original) else { return false }
    }
    return true
  }

  /// Renders a CSD in a process of its own, which gives up its right to write files; against nil it
  /// is the original, which is kept.
  private func render(_ csd: String, against original: SurveyTake?) throws(Failure) -> Ending {
    let kept = scratch + "/original.wav"
    let job = SurveyJob(
      orchestra: Orchestra(path: csd, plugin: survey.plugin, opensMIDI: false),
      directory: (path as NSString).deletingLastPathComponent, scratch: scratch,
      duration: survey.duration, timeLimit: survey.timeLimit, kept: original == nil ? kept : nil,
      rival: kept, rivalIsCut: original?.isCut == true, limit: survey.limit)
    let report = try survey.perform(job)
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
    case .failed(let failure) where [.usage, .badInput, .missingInput].contains(failure.kind):
      return .ended(.swappedFails, failure.message)
    default:
      throw report.failure(of: "Rendering '\(csd)'")
    }
  }

  private func result(
    _ opcodes: [String], _ verdict: SurveyedPiece.Verdict, _ reason: String?
  ) -> SurveyedPiece {
    SurveyedPiece(path: path, opcodes: opcodes, verdict: verdict, reason: reason)
  }
}

extension Comparison {
  /// What is wrong beyond a null depth.
  fileprivate var reason: String? {
    switch verdict {
    case .passed, .exceedsTolerance: nil
    case .notFinite: "A sample is not a finite number, first frame \(worst.frame)."
    case .differentShape: "The two sounds differ in length or channels."
    case .rivalSilent: nullDepth == -.infinity ? nil : "The original is silent."
    }
  }
}
