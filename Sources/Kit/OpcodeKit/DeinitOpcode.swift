/// An opcode with a deinit pass, for things that outlive a note: a count shared with other notes, an entry in a list.
///
/// An opcode conforms to this protocol in addition to `InitOpcode`, `ControlOpcode` or `AudioOpcode`. Without `@Opcode`
/// it is registered with `initialize: { Mine.initialize($0, $1, deinit: { Mine.deinitialize($0, $1) }) }`.
public protocol DeinitOpcode: InitOpcode {
  /// The deinit pass. It runs exactly once for each state that `init` has set up: when the note ends (released, turned
  /// off, cut off, after an error, at a reset), and just before the `init` of a reinit or tied note that replaces the
  /// state. The buffers still have their contents.
  ///
  /// A note whose init pass failed has no deinit pass. No performance pass follows the deinit pass, and no later note
  /// can resume the state: with a deinit pass, `resumes` applies to reinit and tied notes only. A note whose init pass
  /// was skipped ends with an error, because no deinit pass would be called for its state.
  ///
  /// With several threads (`-j`), when an error in a performance pass ends the note, the deinit pass runs on that
  /// performance thread, in parallel with other notes. Use only `Shared<Int64>.add` on shared values there.
  mutating func finish(_ arguments: Arguments, _ context: Context)
}

extension DeinitOpcode {
  /// The init pass as a C entry point; `deinit` must call `deinitialize` of the same opcode.
  @inlinable @inline(__always)
  public static func initialize(
    _ csound: CsoundPointer, _ block: BlockPointer, deinit pass: EntryPoint
  ) -> CInt {
    let mark = BlockLayout<Self>.mark(block)
    let result = begin(csound, block) { finishState(csound, block) }
    // Csound calls back once for each registration, so a reinit or tied note must not register again.
    if result == 0 && !mark.pointee.isDeinitRegistered {
      mark.pointee.isDeinitRegistered = true
      CsoundBlock.atDeinit(csound, block, pass)
    }
    return result
  }

  @available(*, unavailable, message: "a DeinitOpcode is initialized with its deinit pass")
  public static func initialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt { -1 }

  /// The deinit pass as a C entry point.
  @inlinable @inline(__always)
  public static func deinitialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    let mark = BlockLayout<Self>.mark(block)
    mark.pointee.isDeinitRegistered = false
    // After a failed reinit there is no state to finish.
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
