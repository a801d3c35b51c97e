/// What became of a piece when opcodes of Csound's own were swapped for their counterparts.
public struct SurveyedPiece: Codable, Equatable, Sendable {
  public enum Verdict: String, Codable, CaseIterable, Sendable {
    case identical
    /// The null depth is at most the limit.
    case close
    case differs
    case silent
    /// The swapped piece differs, crashes or hangs, and so does one of some renders of the original.
    case doesNotRepeat = "does not repeat"
    /// It does not compile with the counterpart, which lacks an overload of the built-in.
    case formMissing = "form missing"
    case originalFails = "original fails"
    /// Notes fail, or the piece ends sooner, with the counterpart only.
    case swappedFails = "swapped fails"
    case crash, hang

    /// Whether it is the counterpart's fault, as far as can be told.
    public var isMiss: Bool {
      switch self {
      case .identical, .close, .silent, .doesNotRepeat, .originalFails: false
      case .differs, .formMissing, .swappedFails, .crash, .hang: true
      }
    }
  }

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
