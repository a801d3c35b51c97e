/// The verdict on a piece in which Csound's own opcodes were swapped for their counterparts.
public enum SwapVerdict: String, Codable, CaseIterable, Sendable {
  case identical
  /// The null depth is at most the limit.
  case close
  case differs
  case silent
  /// The swapped piece differs, crashes or hangs, but so does at least one of several renders of the
  /// original.
  case doesNotRepeat = "does not repeat"
  /// It does not compile with the counterpart, which lacks an overload of the built-in.
  case formMissing = "form missing"
  case originalFails = "original fails"
  /// It uses other programs or the network, which is not allowed here.
  case skipped
  /// With the counterpart only, notes fail, or the piece ends sooner.
  case swappedFails = "swapped fails"
  case crash, hang

  /// Whether the counterpart is at fault, as far as can be told.
  public var isMiss: Bool {
    switch self {
    case .identical, .close, .silent, .doesNotRepeat, .originalFails, .skipped: false
    case .differs, .formMissing, .swappedFails, .crash, .hang: true
    }
  }
}

/// The result of rendering a piece with other opcodes.
package struct SwapFinding: Sendable {
  package var verdict: SwapVerdict
  /// The null depth against the original, in dB; nil if they are identical or were not compared.
  package var nullDepthDecibels: Double?
  /// The message of Csound, or of the comparison, for this verdict.
  package var reason: String?
  /// The compiled calls of the opcodes with additional names, by these names.
  package var calls: [String: [CompiledCall]] = [:]
}
