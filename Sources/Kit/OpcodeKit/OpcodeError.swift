public import CCsound

/// Why a pass failed. In the init pass Csound reports the error with the instrument's number and removes the note; in a
/// performance pass the error ends the note.
///
/// The struct has only three words, so that it is thrown in registers. The texts are static strings, which never
/// change, so it is safe to send to other threads.
@frozen
public struct OpcodeError: Error, @unchecked Sendable {
  @usableFromInline let text: UnsafePointer<CChar>
  @usableFromInline let argument: UnsafePointer<CChar>?
  @usableFromInline let found: Double

  /// An error given as a whole sentence: `MOOGLADDER: <sentence>`.
  @inlinable public init(_ sentence: StaticString) {
    text = sentence.cString
    argument = nil
    found = 0
  }

  /// An argument with a value that is not allowed: `PORTK: 'ihalftime' is -1; it must be 0 or more.`
  @inlinable public init(argument: StaticString, is found: Double, mustBe allowed: StaticString) {
    text = allowed.cString
    self.argument = argument.cString
    self.found = found
  }

  /// Reports the error to Csound; returns the value that the init pass must return.
  @usableFromInline @inline(never)
  func report(to csound: CsoundPointer, fromInitPassOf block: BlockPointer) -> CInt {
    guard let argument else { return ccs_init_error(csound, block, text) }
    return ccs_init_error_argument(csound, block, argument, found, text)
  }

  /// Reports the error to Csound, which ends the note; returns the value that the performance pass must return.
  ///
  /// Csound formats a message here, which may allocate. This is the only code in a performance pass that is not proved
  /// free of allocation; it runs once, when the note ends.
  @inlinable @inline(never) @_semantics("no_performance_analysis")
  func report(to csound: CsoundPointer, fromPerformancePassOf block: BlockPointer) -> CInt {
    guard let argument else { return ccs_perf_error(csound, block, text) }
    return ccs_perf_error_argument(csound, block, argument, found, text)
  }

  /// Reports an error of a GEN routine to Csound; returns the value that the routine must return.
  func report(to request: GeneratorRequestPointer) -> CInt {
    guard let argument else { return ccs_generator_error(request, text) }
    return ccs_generator_error_argument(request, argument, found, text)
  }
}

extension StaticString {
  /// The text as a C string: never freed, and terminated by a zero.
  @inlinable var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
