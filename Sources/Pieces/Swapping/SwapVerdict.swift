/// What came of a piece when opcodes of Csound's own were swapped for their counterparts.
public enum SwapVerdict: String, Codable, CaseIterable, Sendable {
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
  /// It uses programs or the network, which pieces do not get.
  case skipped
  /// Notes fail, or the piece ends sooner, with the counterpart only.
  case swappedFails = "swapped fails"
  case crash, hang

  /// Whether it is the counterpart's fault, as far as can be told.
  public var isMiss: Bool {
    switch self {
    case .identical, .close, .silent, .doesNotRepeat, .originalFails, .skipped: false
    case .differs, .formMissing, .swappedFails, .crash, .hang: true
    }
  }
}

/// What a render of a piece with other opcodes showed.
package struct SwapFinding: Sendable {
  package var verdict: SwapVerdict
  /// Against the original, dB; nil when they are identical or were not compared.
  package var nullDepthDecibels: Double?
  /// Largest difference, dBFS.
  package var peakErrorDecibels: Double?
  /// What Csound, or the comparison, says of it.
  package var reason: String?
  /// What the opcodes with further names were compiled as, by these names.
  package var calls: [String: [CompiledCall]] = [:]
}
