internal import CCsound

/// Why an init pass failed. Csound reports it with the instrument and line, and drops the note.
public struct OpcodeError: Error {
  private let text: StaticString
  private let argument: (name: StaticString, found: Double)?

  /// An error in a whole sentence: `MOOGLADDER: <sentence>`.
  public init(_ sentence: StaticString) {
    text = sentence
    argument = nil
  }

  /// An i-time argument with a value it cannot have:
  /// `PORTK: 'ihalftime' is -1; it must be 0 or more.`
  public init(argument: StaticString, is found: Double, mustBe allowed: StaticString) {
    text = allowed
    self.argument = (argument, found)
  }

  /// Reports the error to Csound [init pass]; returns what the init pass must return.
  @usableFromInline
  func report(to csound: CsoundPointer, from block: BlockPointer) -> CInt {
    guard let argument else { return ccs_init_error(csound, block, text.cString) }
    return ccs_init_error_argument(
      csound, block, argument.name.cString, argument.found, text.cString)
  }
}

extension StaticString {
  /// The text as C sees it: immortal and ended by a zero.
  @usableFromInline var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
