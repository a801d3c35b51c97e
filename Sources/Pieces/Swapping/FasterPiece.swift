public import Comparing
import HarnessBase

/// A piece with Csound's opcodes swapped for faster ones that sound the same.
public struct FasterPiece: Codable, Sendable {
  public enum Outcome: String, Codable, Sendable {
    /// At least one opcode is swapped.
    case swapped
    /// It calls no opcode with a counterpart, or all of them are left out.
    case unchanged
    /// It does not compile, plays no sample, crashes or hangs as it is.
    case originalFails = "original fails"
    /// It uses other programs or the network, which is not allowed here.
    case skipped
    /// It is silent, so that nothing can be compared.
    case silent
    /// It does not sound the same when it is rendered again.
    case doesNotRepeat = "does not repeat"
    /// It plays alone, but not together with copies of it in one process.
    case notTimed = "not timed"
  }

  public var path: String
  public var outcome = Outcome.unchanged
  /// Csound's message if the original fails, is silent or cannot be timed.
  public var reason: String?
  /// Seconds of sound that were compared.
  public var seconds = 0.0
  /// Seconds of sound that were timed.
  public var timedSeconds = 0.0
  public var swaps: [Swap] = []
  public var leftOut: [LeftOut] = []
  /// The null depth of the piece with all swaps against the original, in dB; nil if they are identical
  /// or nothing is swapped.
  public var nullDepthDecibels: Double?
  /// The speed of the piece with all swaps against the original, in nanoseconds per frame.
  public var speed: Measurement?

  /// The paths of the files that were written, the CSD last; nil if none were.
  public var written: [String]?
  /// User-defined opcodes that take much of the time and can be ported, the dearest first; nil if this was not asked.
  public var ports: [Port]?

  /// A user-defined opcode that `port` can write in Swift.
  public struct Port: Codable, Sendable {
    public var opcode: String
    /// Its part of the piece's time, with what it calls, 0 to 1.
    public var share: Double

    /// How many times as fast ports usually run: the geometric mean of those of csd/pieces/nested.csd is 5.2, but the
    /// ratios are from 1.1 to 33.
    static let usualRatio = 5.0
    /// The smallest share that is worth saying.
    static let smallestShare = 0.05
  }

  init(path: String) { self.path = path }

  /// A piece whose original fails.
  init(path: String, failing reason: String) {
    (self.path, self.reason) = (path, reason)
    outcome = .originalFails
  }

  /// Whether a counterpart was found wrong: it sounds different, fails, crashes or hangs.
  public var hasMiss: Bool { leftOut.contains(where: \.reason.isMiss) }

  /// Where an opcode is called.
  public struct Place: Codable, Equatable, Sendable {
    public var path: String
    /// Counted from 1.
    public var line: Int
  }

  /// An opcode that is swapped.
  public struct Swap: Codable, Sendable {
    public var opcode: String
    public var counterpart: String
    /// The calls that are swapped.
    public var places: [Place]
    /// The null depth of the piece with only this opcode swapped, in dB; nil if it is identical to the
    /// original.
    public var nullDepthDecibels: Double?
    /// The speed of the piece with only this opcode swapped against the original.
    public var speed: Measurement?
  }

  /// Calls that are left as they are.
  public struct LeftOut: Codable, Sendable {
    public enum Reason: String, Codable, Sendable {
      /// A user-defined opcode of the piece has the name.
      case hidden = "user-defined"
      /// A user-defined opcode of the piece has the counterpart's name.
      case counterpartHidden = "counterpart user-defined"
      /// The call is in no code that Csound compiles.
      case notCompiled = "not compiled"
      /// The piece does not compile with another name there: the word is only a part of a name, or not
      /// the name of an opcode.
      case unclear
      /// No note with the call starts in the seconds rendered, so that nothing can be compared.
      case notPlayed = "not played"
      /// The counterpart lacks the overload.
      case formMissing = "form missing"
      case differs, fails, crashes, hangs, slower
      case doesNotRepeat = "does not repeat"

      /// Whether the counterpart is at fault, as far as can be told.
      public var isMiss: Bool {
        switch self {
        case .differs, .fails, .crashes, .hangs: true
        default: false
        }
      }
    }

    public var opcode: String
    public var counterpart: String
    public var places: [Place]
    public var reason: Reason
    /// Details, such as the missing overload or Csound's message.
    public var detail: String?
    public var nullDepthDecibels: Double?
    /// The measurement, if the counterpart is slower.
    public var speed: Measurement?
  }
}
