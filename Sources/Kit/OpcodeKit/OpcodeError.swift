public import CCsound

/// Why a pass failed. In the init pass Csound reports it with the instrument and drops the note; in a
/// performance pass it ends the note.
///
/// Kept to three words, so that a pass throws it in registers. The texts are static strings,
/// which never change: safe to send anywhere.
@frozen
public struct OpcodeError: Error, @unchecked Sendable {
  @usableFromInline let text: UnsafePointer<CChar>
  @usableFromInline let argument: UnsafePointer<CChar>?
  @usableFromInline let found: Double

  /// An error in a whole sentence: `MOOGLADDER: <sentence>`.
  @inlinable public init(_ sentence: StaticString) {
    text = sentence.cString
    argument = nil
    found = 0
  }

  /// An i-time argument with a value it cannot have:
  /// `PORTK: 'ihalftime' is -1; it must be 0 or more.`
  @inlinable public init(argument: StaticString, is found: Double, mustBe allowed: StaticString) {
    text = allowed.cString
    self.argument = argument.cString
    self.found = found
  }

  /// Reports the error to Csound; returns what the init pass must return.
  @usableFromInline @inline(never)
  func report(to csound: CsoundPointer, fromInitPassOf block: BlockPointer) -> CInt {
    guard let argument else { return ccs_init_error(csound, block, text) }
    return ccs_init_error_argument(csound, block, argument, found, text)
  }

  /// Reports the error to Csound, which ends the note; returns what the performance pass must return.
  ///
  /// Csound formats a message here, the one thing in a performance pass that is not proved free of
  /// allocation; it happens once, when the note is over.
  @inlinable @inline(never) @_semantics("no_performance_analysis")
  func report(to csound: CsoundPointer, fromPerformancePassOf block: BlockPointer) -> CInt {
    guard let argument else { return ccs_perf_error(csound, block, text) }
    return ccs_perf_error_argument(csound, block, argument, found, text)
  }

  /// Reports the error of a GEN routine to Csound; returns what the routine must return.
  func report(to request: GeneratorRequestPointer) -> CInt {
    guard let argument else { return ccs_generator_error(request, text) }
    return ccs_generator_error_argument(request, argument, found, text)
  }
}

extension StaticString {
  /// The text as C sees it: immortal and ended by a zero.
  @inlinable var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
