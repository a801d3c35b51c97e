/// What a `csound` that has ended printed.
public struct CsoundMessages {
  private let log = MessageLog()

  public init(_ text: String) { log.append(text.hasSuffix("\n") ? text : text + "\n") }

  /// Its messages about notes that failed.
  public var noteErrors: [String] { log.noteErrors }

  /// Why it ended, in one line.
  public var diagnosis: String { log.diagnosis(from: 0) }
}
