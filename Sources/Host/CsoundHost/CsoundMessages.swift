/// The output of a `csound` process that has ended.
public struct CsoundMessages {
  private let log = MessageLog()

  public init(_ text: String) { log.append(text.hasSuffix("\n") ? text : text + "\n") }

  /// The messages as lines, without colour codes.
  public var lines: [String] { log.lines }

  /// The messages about notes that failed.
  public var noteErrors: [String] { log.noteErrors }

  /// Why Csound failed, in one line.
  public var diagnosis: String { log.diagnosis(from: 0) }
}
