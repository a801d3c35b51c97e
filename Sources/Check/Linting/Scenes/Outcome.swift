/// The result of a check.
public enum Outcome: Codable, Equatable, Sendable, Error {
  case success
  /// The opcode violates the check.
  case failed(String)
  /// The opcode ended its process, or did not end.
  case crashed(String)
  /// The check does not apply to this opcode.
  case skipped(String)
  /// Something the user should know, but which depends on the machine.
  case warning(String)

  public enum Kind: String, Codable, CaseIterable, Sendable {
    case success, failed, crashed, skipped, warning
  }

  public var kind: Kind {
    switch self {
    case .success: .success
    case .failed: .failed
    case .crashed: .crashed
    case .skipped: .skipped
    case .warning: .warning
    }
  }

  /// One sentence; empty for a success.
  public var message: String {
    switch self {
    case .success: ""
    case .failed(let text), .crashed(let text), .skipped(let text), .warning(let text): text
    }
  }

  /// Whether the opcode is at fault.
  public var isFault: Bool { kind == .failed || kind == .crashed }
}
