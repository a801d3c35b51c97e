internal import CCsound

/// Why an init pass failed. Csound reports it with the instrument and line, and drops the note.
///
/// Kept to three words, so that an init pass throws it in registers. The texts are static strings,
/// which never change: safe to send anywhere.
public struct OpcodeError: Error, @unchecked Sendable {
  private let text: UnsafePointer<CChar>
  private let argument: UnsafePointer<CChar>?
  private let found: Double

  /// An error in a whole sentence: `MOOGLADDER: <sentence>`.
  public init(_ sentence: StaticString) {
    text = sentence.cString
    argument = nil
    found = 0
  }

  /// An i-time argument with a value it cannot have:
  /// `PORTK: 'ihalftime' is -1; it must be 0 or more.`
  public init(argument: StaticString, is found: Double, mustBe allowed: StaticString) {
    text = allowed.cString
    self.argument = argument.cString
    self.found = found
  }

  /// Reports the error to Csound [init pass]; returns what the init pass must return.
  @usableFromInline
  func report(to csound: CsoundPointer, from block: BlockPointer) -> CInt {
    guard let argument else { return ccs_init_error(csound, block, text) }
    return ccs_init_error_argument(csound, block, argument, found, text)
  }
}

extension StaticString {
  /// The text as C sees it: immortal and ended by a zero.
  @usableFromInline var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
