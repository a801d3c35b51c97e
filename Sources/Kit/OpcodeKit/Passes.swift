// The passes behind an overload's C functions.

extension InitOpcode {
  /// The init pass of a C entry point.
  @inlinable @inline(__always)
  public static func initialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    begin(csound, block) {}
  }

  /// Sets the state up or resumes it; calls `finishing` before an old state makes way for a new one.
  @inlinable @inline(__always)
  static func begin(
    _ csound: CsoundPointer, _ block: BlockPointer, finishing: () -> Void
  ) -> CInt {
    if isVariadic {
      CsoundBlock.decodeArguments(of: block, to: block + BlockLayout<Self>.argumentsOffset)
    }
    let arguments = BlockLayout<Self>.arguments(block)
    let context = BlockLayout<Self>.context(csound, block)
    let mark = BlockLayout<Self>.mark(block)
    context.releaseBuffers()
    Checks.enter(block, "init pass")
    defer { Checks.leave() }
    if mark.pointee.state == .ready {
      if resumes(arguments) {
        BlockLayout<Self>.state(block).pointee.resume(arguments, context)
        return 0
      }
      // While its buffers are what they were: the new state asks for them again.
      finishing()
    }
    // Before the state is there, so that what `init` seldom does can be the last thing it does.
    mark.pointee.state = .ready
    do throws(OpcodeError) {
      BlockLayout<Self>.state(block).initialize(to: try Self(arguments, context))
      return 0
    } catch {
      // It has changed buffers the old state would still use.
      mark.pointee.state = .failed
      return error.report(to: csound, fromInitPassOf: block)
    }
  }
}

extension InitOpcode {
  @inlinable @inline(__always)
  static func isReady(_ block: BlockPointer) -> Bool {
    BlockLayout<Self>.mark(block).pointee.state == .ready
  }

  /// Sets up the state of a performance pass that has none, where the opcode can. Otherwise silences
  /// the outputs, ends the note with an error, and returns what the pass must return.
  @inlinable @inline(__always)
  static func beginWithoutInit(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt? {
    // With several threads Csound can still call a note that is over.
    guard CsoundBlock.isActive(block) else {
      CsoundBlock.silence(block, outside: 0..<0)
      return 0
    }
    let mark = BlockLayout<Self>.mark(block)
    var problem = OpcodeError("not initialised; its init pass failed in a reinit.")
    // Csound registers a deinit pass in an init pass only.
    if mark.pointee.state != .failed && !hasDeinit {
      if isVariadic {
        CsoundBlock.decodeArguments(of: block, to: block + BlockLayout<Self>.argumentsOffset)
      }
      do throws(OpcodeError) {
        if let opcode = try stateWithoutInit(
          BlockLayout<Self>.arguments(block), BlockLayout<Self>.context(csound, block))
        {
          BlockLayout<Self>.state(block).initialize(to: opcode)
          mark.pointee.state = .ready
          return nil
        }
        problem = .skippedInit
      } catch {
        problem = error
      }
    } else if mark.pointee.state != .failed {
      problem = .skippedInit
    }
    CsoundBlock.silence(block, outside: 0..<0)
    return problem.report(to: csound, fromPerformancePassOf: block)
  }
}

extension OpcodeError {
  @inlinable static var skippedInit: OpcodeError {
    OpcodeError(
      "not initialised; its init pass was skipped. Let it run before igoto or tigoto pass over it.")
  }
}

// What a pass seldom does is the last thing it does, in a function of its own: the pass then keeps
// nothing for afterwards, and saves no registers on its usual way.

extension OpcodeError {
  /// Ends the note, its outputs silent.
  @inlinable @inline(never)
  func end(_ block: BlockPointer, of csound: CsoundPointer) -> CInt {
    CsoundBlock.silence(block, outside: 0..<0)
    return report(to: csound, fromPerformancePassOf: block)
  }
}

extension ControlOpcode {
  /// The performance pass of a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    Checks.enter(block, "performance pass")
    defer { Checks.leave() }
    return _fastPath(isReady(block)) ? performReady(csound, block) : performLate(csound, block)
  }

  @inlinable @inline(never)
  static func performLate(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    beginWithoutInit(csound, block) ?? performReady(csound, block)
  }

  @inlinable @inline(__always)
  static func performReady(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
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
  /// because no output can alias it; larger state is performed in place, and all where there is one
  /// frame, where a copy costs more than it saves.
  @inlinable static var largestCopiedState: Int { 256 }

  @inlinable static var isCopied: Bool { MemoryLayout<Self>.size <= largestCopiedState }

  /// The performance pass of a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    Checks.enter(block, "performance pass")
    defer { Checks.leave() }
    guard _fastPath(isReady(block)) else { return performLate(csound, block) }
    guard isCopied, CsoundBlock.isWholeFrame(block) else { return performFrames(csound, block) }
    do throws(OpcodeError) {
      try BlockLayout<Self>.state(block).pointee.perform(
        BlockLayout<Self>.arguments(block),
        BlockLayout<Self>.context(csound, block, frames: 0..<1))
      return 0
    } catch {
      return error.end(block, of: csound)
    }
  }

  @inlinable @inline(never)
  static func performLate(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    beginWithoutInit(csound, block) ?? performFrames(csound, block)
  }

  /// A pass of more frames than one.
  @inlinable @inline(never)
  static func performFrames(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    let arguments = BlockLayout<Self>.arguments(block)
    let context = BlockLayout<Self>.context(csound, block)
    let state = BlockLayout<Self>.state(block)
    do throws(OpcodeError) {
      if isCopied {
        var copy = state.pointee
        try copy.perform(arguments, context)
        state.pointee = copy
      } else {
        try state.pointee.perform(arguments, context)
      }
    } catch {
      return error.end(block, of: csound)
    }
    return _fastPath(CsoundBlock.isWholeCycle(block)) ? 0 : CsoundBlock.silenceRest(block)
  }
}
