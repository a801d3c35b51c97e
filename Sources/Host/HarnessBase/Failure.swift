import Foundation

/// Why something could not be done: one sentence for the user and the kind that decides the exit
/// code.
public struct Failure: Error, Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable {
    /// A wrong command line: exit code 64.
    case usage
    /// Input that exists but cannot be used: 65.
    case badInput
    /// Input that is missing or unreadable: 66.
    case missingInput
    /// Csound or Swift cannot be used: 69.
    case unavailable
    /// A defect of OpcodeKit itself: 70.
    case internalFault
    /// Output that cannot be written: 73.
    case unwritableOutput
    /// The user's input made Csound crash or hang: 76.
    case crashed
    /// A piece that was not played, because it needs something pieces have no access to: 65.
    case skipped
    /// Stopped by the user: 130, as a shell reports Ctrl-C.
    case interrupted
  }

  public let kind: Kind
  public let message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  // Each kind by its name, as in `throw .usage("…")`.
  public static func usage(_ message: String) -> Self { Self(.usage, message) }
  public static func badInput(_ message: String) -> Self { Self(.badInput, message) }
  public static func missingInput(_ message: String) -> Self { Self(.missingInput, message) }
  public static func unavailable(_ message: String) -> Self { Self(.unavailable, message) }
  public static func internalFault(_ message: String) -> Self { Self(.internalFault, message) }
  public static func unwritableOutput(_ message: String) -> Self {
    Self(.unwritableOutput, message)
  }
  public static func crashed(_ message: String) -> Self { Self(.crashed, message) }
  public static func interrupted(_ message: String) -> Self { Self(.interrupted, message) }
  public static func skipped(_ message: String) -> Self { Self(.skipped, message) }

  /// The exit code of a command that ends with this failure (after `sysexits.h`).
  public var exitCode: Int32 {
    switch kind {
    case .usage: 64
    case .badInput, .skipped: 65
    case .missingInput: 66
    case .unavailable: 69
    case .internalFault: 70
    case .unwritableOutput: 73
    case .crashed: 76
    case .interrupted: 130
    }
  }
}
