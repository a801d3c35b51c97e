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
    // A pass that fails has changed buffers the old state would still use.
    mark.pointee.state = .failed
    do throws(OpcodeError) {
      BlockLayout<Self>.state(block).initialize(to: try Self(arguments, context))
      mark.pointee.state = .ready
      return 0
    } catch {
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

// What a pass seldom does leaves nothing for the pass to keep meanwhile, so that it saves no registers
// on its usual way: it is the last thing the pass does, or hands back what the pass goes on with.

/// How a performance pass goes on.
@usableFromInline
struct PassStart {
  @usableFromInline let csound: CsoundPointer
  /// Nil when the pass is over.
  @usableFromInline let block: BlockPointer?
  /// What a pass that is over returns.
  @usableFromInline let ending: CInt

  @inlinable init(csound: CsoundPointer, block: BlockPointer?, ending: CInt = 0) {
    (self.csound, self.block, self.ending) = (csound, block, ending)
  }
}

extension InitOpcode {
  @inlinable @inline(never)
  static func startLate(_ csound: CsoundPointer, _ block: BlockPointer) -> PassStart {
    if let ending = beginWithoutInit(csound, block) {
      return PassStart(csound: csound, block: nil, ending: ending)
    }
    return PassStart(csound: csound, block: block)
  }
}

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
    var (csound, block) = (csound, block)
    if !_fastPath(isReady(block)) {
      let start = startLate(csound, block)
      guard let started = start.block else { return start.ending }
      (csound, block) = (start.csound, started)
    }
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

  @inlinable static var isCopied: Bool { MemoryLayout<Self>.size <= largestCopiedState }

  /// One frame costs more to copy for than it takes in place, so there is the pass a second time, for
  /// that. With buffers most state is elsewhere.
  @inlinable static var isInPlaceForOneFrame: Bool { isCopied && bufferCount == 0 }

  /// The performance pass of a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    Checks.enter(block, "performance pass")
    defer { Checks.leave() }
    var (csound, block) = (csound, block)
    if !_fastPath(isReady(block)) {
      let start = startLate(csound, block)
      guard let started = start.block else { return start.ending }
      (csound, block) = (start.csound, started)
    }
    let arguments = BlockLayout<Self>.arguments(block)
    let state = BlockLayout<Self>.state(block)
    do throws(OpcodeError) {
      if !isCopied {
        try state.pointee.perform(arguments, BlockLayout<Self>.context(csound, block))
      } else if isInPlaceForOneFrame && CsoundBlock.isWholeFrame(block) {
        try state.pointee.perform(
          arguments, BlockLayout<Self>.context(csound, block, frames: 0..<1))
        return 0
      } else {
        var copy = state.pointee
        try copy.perform(arguments, BlockLayout<Self>.context(csound, block))
        state.pointee = copy
      }
    } catch {
      return error.end(block, of: csound)
    }
    return _fastPath(CsoundBlock.isWholeCycle(block)) ? 0 : CsoundBlock.silenceRest(block)
  }
}
