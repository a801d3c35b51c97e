// The passes behind an overload's C functions.

extension InitOpcode {
  /// The init pass as a C entry point.
  @inlinable @inline(__always)
  public static func initialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    begin(csound, block) {}
  }

  /// Sets up the state or resumes it. Calls `finishing` before a new state replaces an old one.
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
    let ksmps = UInt32(truncatingIfNeeded: context.ksmps)
    if mark.pointee.state == .ready {
      if bufferCount == 0 || mark.pointee.ksmps == ksmps, resumes(arguments) {
        do throws(OpcodeError) {
          try BlockLayout<Self>.state(block).pointee.resume(arguments, context)
          return 0
        } catch {
          mark.pointee.state = .failed
          return error.report(to: csound, fromInitPassOf: block)
        }
      }
      // Before the new state requests the buffers, so that their contents are still those of the old state.
      finishing()
    }
    // Set in advance, so that nothing is left to do after `init` and its rare paths can be tail calls.
    (mark.pointee.state, mark.pointee.ksmps) = (.ready, ksmps)
    do throws(OpcodeError) {
      try checkStructs(arguments)
      BlockLayout<Self>.state(block).initialize(to: try Self(arguments, context))
      return 0
    } catch {
      // The failed init may have changed buffers that the old state uses.
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

  /// Sets up the state in a performance pass that has none, if the opcode allows it, and returns nil. Otherwise
  /// silences the outputs, ends the note with an error, and returns the value that the pass must return.
  @inlinable @inline(__always)
  static func beginWithoutInit(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt? {
    // With several threads Csound can still call a note that has ended.
    guard CsoundBlock.isActive(block) else {
      CsoundBlock.silence(block, outside: 0..<0)
      return 0
    }
    let mark = BlockLayout<Self>.mark(block)
    var problem = OpcodeError("not initialised; its init pass failed in a reinit.")
    // Csound registers a deinit pass only in an init pass, so a `DeinitOpcode` cannot start late.
    if mark.pointee.state != .failed && !hasDeinit {
      if isVariadic {
        CsoundBlock.decodeArguments(of: block, to: block + BlockLayout<Self>.argumentsOffset)
      }
      do throws(OpcodeError) {
        try checkStructs(BlockLayout<Self>.arguments(block))
        let context = BlockLayout<Self>.context(csound, block)
        if let opcode = try stateWithoutInit(BlockLayout<Self>.arguments(block), context) {
          BlockLayout<Self>.state(block).initialize(to: opcode)
          mark.pointee.state = .ready
          mark.pointee.ksmps = UInt32(truncatingIfNeeded: context.ksmps)
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

// Rare paths are tail calls of separate functions, so the usual path of a pass saves no registers.

extension OpcodeError {
  /// Ends the note with silent outputs.
  @inlinable @inline(never)
  func end(_ block: BlockPointer, of csound: CsoundPointer) -> CInt {
    CsoundBlock.silence(block, outside: 0..<0)
    return report(to: csound, fromPerformancePassOf: block)
  }
}

extension ControlOpcode {
  /// The performance pass as a C entry point.
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
    let arguments = BlockLayout<Self>.arguments(block)
    var held = held(of: arguments)
    @inline(__always)
    func perform(_ held: UnsafeMutablePointer<HeldArguments>) throws(OpcodeError) {
      try BlockLayout<Self>.state(block).pointee.perform(
        Self.arguments(arguments, reading: held), BlockLayout<Self>.context(csound, block))
    }
    do throws(OpcodeError) {
      try withUnsafeMutablePointer(to: &held, perform)
      return 0
    } catch {
      return error.report(to: csound, fromPerformancePassOf: block)
    }
  }
}

extension AudioOpcode {
  /// A state of up to this many bytes is copied for the pass: no output can alias the copy, so the optimizer keeps it
  /// in registers. A larger state is used in place. So is every state when the k-cycle is one frame long, where copying
  /// costs more than it saves.
  @inlinable static var largestCopiedState: Int { 256 }

  @inlinable static var isCopied: Bool { MemoryLayout<Self>.size <= largestCopiedState }

  @inlinable public static var hasPassOfOneFrame: Bool { isCopied }

  /// The performance pass as a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    Checks.enter(block, "performance pass")
    defer { Checks.leave() }
    guard _fastPath(isReady(block)) else { return performLate(csound, block) }
    guard hasPassOfOneFrame, CsoundBlock.isWholeFrame(block) else {
      return performFrames(csound, block)
    }
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

  /// A pass of more than one frame, or of an opcode that has no pass of one frame.
  @inlinable @inline(never)
  static func performFrames(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    let arguments = BlockLayout<Self>.arguments(block)
    let context = BlockLayout<Self>.context(csound, block)
    let state = BlockLayout<Self>.state(block)
    var held = held(of: arguments)
    // A function and not a closure, which would not be inlined: what is held would then lie in memory.
    @inline(__always)
    func perform(_ held: UnsafeMutablePointer<HeldArguments>) throws(OpcodeError) {
      let arguments = Self.arguments(arguments, reading: held)
      if isCopied {
        var copy = state.pointee
        try copy.perform(arguments, context)
        state.pointee = copy
      } else {
        try state.pointee.perform(arguments, context)
      }
    }
    do throws(OpcodeError) {
      try withUnsafeMutablePointer(to: &held, perform)
    } catch {
      return error.end(block, of: csound)
    }
    return _fastPath(CsoundBlock.isWholeCycle(block)) ? 0 : CsoundBlock.silenceRest(block)
  }
}
