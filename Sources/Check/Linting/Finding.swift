/// A probable mistake in what a plugin registers.
public struct Finding: Codable, Equatable, Sendable {
  /// The identifiers in reports. They and their meanings never change.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case loadReturnValue = "load-return-value"
    case loadIgnoredEntry = "load-ignored-entry"
    case kitRefusal = "kit-refusal"
    case nameUnparsable = "name-unparsable"
    case nameTooLong = "name-too-long"
    case typeLetter = "type-letter"
    case typeBrackets = "type-brackets"
    case typeOptionalFirst = "type-optional-first"
    case typeAfterVariadic = "type-after-variadic"
    case blockTooLarge = "block-too-large"
    case blockTooSmall = "block-too-small"
    case blockVariadicRoom = "block-variadic-room"
    case blockAlignment = "block-alignment"
    case slotNeverCalled = "slot-never-called"
    case slotNullCalled = "slot-null-called"
    case signatureTwice = "signature-twice"
    case signatureAcrossPlugins = "signature-across-plugins"
    case shadowBuiltin = "shadow-builtin"
    case shadowInstalled = "shadow-installed"
    case shadowOverload = "shadow-overload"
    case overloadOutputsMixed = "overload-outputs-mixed"
    case orderFunctionSyntax = "order-function-syntax"
  }

  public enum Severity: String, Codable, Sendable {
    /// An opcode crashes, never runs, or cannot be called.
    case fault
    /// Possibly intended, but worth knowing.
    case note
  }

  public var id: Kind
  public var severity: Severity
  /// The name of the signature concerned; nil for the whole plugin.
  public var signature: String?
  /// The subject, what was found, what is allowed, and what to do.
  public var message: String

  static func fault(_ id: Kind, _ signature: Signature? = nil, _ message: String) -> Finding {
    Finding(id: id, severity: .fault, signature: signature?.name, message: message)
  }

  static func note(_ id: Kind, _ signature: Signature? = nil, _ message: String) -> Finding {
    Finding(id: id, severity: .note, signature: signature?.name, message: message)
  }
}
