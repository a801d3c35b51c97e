public import Swapping

/// What became of a piece in a survey.
public struct SurveyedPiece: Codable, Equatable, Sendable {
  public typealias Verdict = SwapVerdict

  public var path: String
  /// The built-ins that were swapped, in alphabetical order.
  public var opcodes: [String]
  public var verdict: Verdict
  /// Of the swapped piece against the original, dB; absent when they are identical or were not
  /// compared.
  public var nullDepthDecibels: Double?
  /// Largest difference, dBFS.
  public var peakErrorDecibels: Double?
  /// What Csound, or the comparison, says of it.
  public var reason: String?
  /// Where the whole swap missed and swapped several: what came of each alone.
  public var alone: [SurveyedPiece]?

  /// The verdict on one of its opcodes.
  public func verdict(on opcode: String) -> Verdict {
    alone?.first { $0.opcodes == [opcode] }?.verdict ?? verdict
  }
}
