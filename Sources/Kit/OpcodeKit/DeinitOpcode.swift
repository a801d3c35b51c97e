/// An opcode with a deinit pass, for what outlives a note: a count shared with other notes, a place
/// in a list.
///
/// An opcode conforms to this beside `InitOpcode`, `ControlOpcode` or `AudioOpcode` and is registered
/// with `initialize: { Mine.initialize($0, $1, deinit: { Mine.deinitialize($0, $1) }) }`.
public protocol DeinitOpcode: InitOpcode {
  /// The deinit pass: exactly once for each state `init` has set up. It comes when the note ends
  /// (released, turned off, cut off, after an error, at a reset), and when a reinit or a tied note
  /// sets up new state in place of this one, just before that `init`: buffers are still as they were.
  ///
  /// A note whose init pass failed has no deinit pass. No performance pass follows, and no note
  /// resumes the state: `resumes` counts for reinit and tied notes only. A note whose init pass was
  /// skipped ends with an error, as nobody would finish its state.
  ///
  /// With several threads (`-j`) it runs on the thread that performs the note when an error in
  /// performance ends it, beside the passes of other notes: what is shared is then for
  /// `Shared<Int64>.add` only.
  mutating func finish(_ arguments: Arguments, _ context: Context)
}

extension DeinitOpcode {
  /// The init pass of a C entry point; `deinit` calls `deinitialize` of the same opcode.
  @inlinable @inline(__always)
  public static func initialize(
    _ csound: CsoundPointer, _ block: BlockPointer, deinit pass: EntryPoint
  ) -> CInt {
    let mark = BlockLayout<Self>.mark(block)
    let result = begin(csound, block) { finishState(csound, block) }
    // Csound calls back once for each registration, so a reinit or tied note registers nothing.
    if result == 0 && !mark.pointee.isDeinitRegistered {
      mark.pointee.isDeinitRegistered = true
      CsoundBlock.atDeinit(csound, block, pass)
    }
    return result
  }

  @available(*, unavailable, message: "a DeinitOpcode is initialized with its deinit pass")
  public static func initialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt { -1 }

  /// The deinit pass of a C entry point.
  @inlinable @inline(__always)
  public static func deinitialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    let mark = BlockLayout<Self>.mark(block)
    mark.pointee.isDeinitRegistered = false
    // A reinit that failed has left no state.
    if mark.pointee.state == .ready {
      Checks.enter(block, "deinit pass")
      finishState(csound, block)
      Checks.leave()
    }
    return 0
  }

  @inlinable @inline(__always)
  static func finishState(_ csound: CsoundPointer, _ block: BlockPointer) {
    BlockLayout<Self>.mark(block).pointee.state = .finished
    BlockLayout<Self>.state(block).pointee.finish(
      BlockLayout<Self>.arguments(block), BlockLayout<Self>.context(csound, block))
  }
}

extension DeinitOpcode {
  @inlinable public static var hasDeinit: Bool { true }
}
