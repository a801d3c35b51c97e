public import Benchmarking
import Statistics

/// A piece with Csound's opcodes swapped for faster ones that sound the same.
public struct FasterPiece: Codable, Sendable {
  public enum Outcome: String, Codable, Sendable {
    /// At least one opcode is swapped.
    case swapped
    /// It calls no opcode with a counterpart, or all of them are left out.
    case unchanged
    /// It does not compile, plays no sample, crashes or hangs as it is.
    case originalFails = "original fails"
    /// It uses programs or the network, which pieces do not get.
    case skipped
    /// It is silent, which shows nothing.
    case silent
    /// It does not sound the same when it is rendered again.
    case doesNotRepeat = "does not repeat"
    /// It plays alone, and not beside others like it in one process.
    case notTimed = "not timed"
  }

  public var path: String
  public var outcome = Outcome.unchanged
  /// What Csound says where the original fails, is silent or cannot be timed.
  public var reason: String?
  /// Seconds of sound that were compared.
  public var seconds = 0.0
  /// Seconds of sound that were timed.
  public var timedSeconds = 0.0
  public var swaps: [Swap] = []
  public var leftOut: [LeftOut] = []
  /// Of the piece with all swaps against the original, dB; absent where they are identical, or nothing
  /// is swapped.
  public var nullDepthDecibels: Double?
  /// The piece with all swaps beside the original, nanoseconds for each sample time.
  public var speed: Measurement?

  init(path: String) { self.path = path }

  /// One whose original fails.
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
    /// Of the piece with this one swapped, dB; absent where it is identical.
    public var nullDepthDecibels: Double?
    /// The piece with this one swapped beside the original.
    public var speed: Measurement?
  }

  /// Calls that are left as they are.
  public struct LeftOut: Codable, Sendable {
    public enum Reason: String, Codable, Sendable {
      /// A user-defined opcode of the piece has the name.
      case hidden = "user-defined"
      /// A user-defined opcode of the piece has the counterpart's name.
      case counterpartHidden = "counterpart user-defined"
      /// Nothing that is compiled has the call.
      case notCompiled = "not compiled"
      /// The piece does not compile with another name there: it is only a part of a name, or none of an
      /// opcode.
      case unclear
      /// No note that has it starts in the seconds rendered, which show nothing then.
      case notPlayed = "not played"
      /// The counterpart lacks the overload.
      case formMissing = "form missing"
      case differs, fails, crashes, hangs, slower
      case doesNotRepeat = "does not repeat"

      /// Whether it is the counterpart's fault, as far as can be told.
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
    /// More about it: the overload that is missing, what Csound says.
    public var detail: String?
    public var nullDepthDecibels: Double?
    /// What was measured, where it is slower.
    public var speed: Measurement?
  }
}
