/// The result of surveying one piece.
public struct SurveyedPiece: Codable, Equatable, Sendable {
  public typealias Verdict = SwapVerdict

  public var path: String
  /// The built-ins that were swapped, in alphabetical order.
  public var opcodes: [String]
  public var verdict: Verdict
  /// The null depth of the swapped piece against the original, in dB; nil if they are identical or were
  /// not compared.
  public var nullDepthDecibels: Double?
  /// The largest difference, in dBFS.
  public var peakErrorDecibels: Double?
  /// The message of Csound, or of the comparison, for this verdict.
  public var reason: String?
  /// If swapping several opcodes showed a fault: the results of swapping each alone.
  public var alone: [SurveyedPiece]?

  /// The verdict on one of its opcodes.
  public func verdict(on opcode: String) -> Verdict {
    alone?.first { $0.opcodes == [opcode] }?.verdict ?? verdict
  }
}
