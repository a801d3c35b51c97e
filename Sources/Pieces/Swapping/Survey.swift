import HarnessBase
import Rendering

/// Swaps Csound's own opcodes for their counterparts in pieces, and compares the sounds.
public struct Survey: Sendable {
  public var counterparts: Counterparts
  public var settings: SwapSettings
  public var jobs = 1

  public init(_ counterparts: Counterparts, _ settings: SwapSettings) {
    self.counterparts = counterparts
    self.settings = settings
  }

  /// Surveys the pieces that call an opcode with a counterpart.
  ///
  /// Calls `found` with each result in the order of `pieces`, as soon as it and all before it are done,
  /// and `leftOut` for each piece without such a call; on any thread, but never two calls at a time. If
  /// the survey fails, they have been called for all pieces that were done.
  public func survey(
    _ pieces: [String], found: @escaping @Sendable (SurveyedPiece) -> Void,
    leftOut: @escaping @Sendable () -> Void = {}
  ) throws(Failure) -> [SurveyedPiece] {
    try PieceRun.results(
      of: pieces, jobs: jobs, { path, scratch throws(Failure) in try survey(path, scratch) },
      found: found, leftOut: leftOut)
  }

  /// Swaps all of the opcodes; if that shows a fault, each alone as well. Nil if the piece calls no
  /// opcode with a counterpart.
  private func survey(_ path: String, _ scratch: String) throws(Failure) -> SurveyedPiece? {
    let piece: SwappedPiece
    do throws(Failure) {
      piece = try SwappedPiece(readingFrom: path)
    } catch {
      return SurveyedPiece(
        path: path, opcodes: [], verdict: .originalFails, reason: error.message)
    }
    let declared = piece.declaredOpcodes
    let calls = piece.calls(among: Set(counterparts.subjects.keys))
      .filter { !declared.contains(counterparts.subjects[$0.opcode]!) }
    let opcodes = Set(calls.map(\.opcode)).sorted()
    guard !opcodes.isEmpty else { return nil }
    var trial = SwapTrial(of: path, settings, scratch: scratch)
    if let finding = try trial.playOriginal() {
      return SurveyedPiece(
        path: path, opcodes: opcodes, verdict: finding.verdict, reason: finding.reason)
    }
    func swap(_ opcodes: [String]) throws(Failure) -> SurveyedPiece {
      let csd = scratch + "/swapped.csd"
      let names = calls.filter { opcodes.contains($0.opcode) }
        .map { ($0, counterparts.subjects[$0.opcode]!) }
      try piece.write(Dictionary(uniqueKeysWithValues: names), to: csd)
      let finding = try trial.judge(csd)
      return SurveyedPiece(
        path: path, opcodes: opcodes, verdict: finding.verdict,
        nullDepthDecibels: finding.nullDepthDecibels,
        peakErrorDecibels: finding.peakErrorDecibels, reason: finding.reason)
    }
    var result = try swap(opcodes)
    if result.verdict.isMiss, opcodes.count > 1 {
      var alone: [SurveyedPiece] = []
      for opcode in opcodes { alone.append(try swap([opcode])) }
      result.alone = alone
    }
    return result
  }
}
