// The passes behind an overload's C functions.

extension InitOpcode {
  /// The init pass of a C entry point.
  @inlinable @inline(__always)
  public static func initialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    begin(csound, block) {}
  }

  /// Sets the state up or resumes it; calls `beforeNewState` before new state replaces the old.
  @inlinable @inline(__always)
  static func begin(
    _ csound: CsoundPointer, _ block: BlockPointer, beforeNewState: () -> Void
  ) -> CInt {
    if isVariadic {
      CsoundBlock.decodeArguments(of: block, to: block + BlockLayout<Self>.argumentsOffset)
    }
    let arguments = BlockLayout<Self>.arguments(block)
    let context = BlockLayout<Self>.context(csound, block)
    let mark = BlockLayout<Self>.mark(block)
    // A state whose deinit pass is over cannot go on.
    if mark.pointee.hasState && !hasEnded(block) && resumes(arguments) {
      BlockLayout<Self>.state(block).pointee.resume(arguments, context)
      return 0
    }
    do throws(OpcodeError) {
      let opcode = try Self(arguments, context)
      beforeNewState()
      BlockLayout<Self>.state(block).initialize(to: opcode)
      mark.pointee.hasState = true
      return 0
    } catch {
      return error.report(to: csound, fromInitPassOf: block)
    }
  }
}

extension InitOpcode {
  /// Whether the note's deinit pass is over: with several threads Csound can still call a performance
  /// pass of the same note.
  @inlinable @inline(__always)
  static func hasEnded(_ block: BlockPointer) -> Bool {
    hasDeinit && !BlockLayout<Self>.mark(block).pointee.isDeinitDue
  }
}

extension ControlOpcode {
  /// The performance pass of a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    if hasEnded(block) { return 0 }
    do throws(OpcodeError) {
      try BlockLayout<Self>.state(block).pointee.perform(
        BlockLayout<Self>.arguments(block), BlockLayout<Self>.context(csound, block))
      return 0
    } catch {
      return error.report(to: csound, fromPerformancePassOf: block)
    }
  }
}

extension AudioOpcode {
  /// State up to this many bytes is performed on a copy, which the optimizer keeps in registers
  /// because no output can alias it; larger state is performed in place.
  @inlinable static var largestCopiedState: Int { 256 }

  /// The performance pass of a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    if hasEnded(block) {
      CsoundBlock.silence(block, outside: 0..<0)
      return 0
    }
    if !CsoundBlock.isWholeCycle(block) {
      CsoundBlock.silence(block, outside: CsoundBlock.frames(of: block))
    }
    let context = BlockLayout<Self>.context(csound, block)
    let arguments = BlockLayout<Self>.arguments(block)
    let state = BlockLayout<Self>.state(block)
    do throws(OpcodeError) {
      if MemoryLayout<Self>.size <= largestCopiedState {
        var copy = state.pointee
        try copy.perform(arguments, context)
        state.pointee = copy
      } else {
        try state.pointee.perform(arguments, context)
      }
      return 0
    } catch {
      CsoundBlock.silence(block, outside: 0..<0)
      return error.report(to: csound, fromPerformancePassOf: block)
    }
  }
}
