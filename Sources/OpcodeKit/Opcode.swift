/// An opcode that works at i-time only.
///
/// The struct is the opcode's state. Csound allocates, recycles and frees its memory without
/// telling anyone, so state is plain bits: no classes, arrays or strings.
public protocol InitOpcode: BitwiseCopyable {
  /// The arguments in Csound's order, outputs first: a struct of `Argument` types.
  associatedtype Arguments: BitwiseCopyable

  /// The init pass: at the start of a note, at `reinit`, and when a tied note takes over.
  ///
  /// Checks i-time arguments and sets up all state; a recycled note finds nothing cleared.
  /// An i-time opcode also writes its outputs here.
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError)

  /// Whether this init pass goes on with the state of the note before in the same memory, the
  /// `iskip` of many opcodes; then `resume` is called instead of `init`. Memory no note has used is
  /// always initialized.
  static func resumes(_ arguments: Arguments) -> Bool

  /// The init pass of a note that goes on with the state as it is: sets up what depends on the
  /// arguments.
  mutating func resume(_ arguments: Arguments, _ context: Context)

  /// How often the opcode runs; the protocol it conforms to says so.
  static var rate: OpcodeRate { get }
}

extension InitOpcode {
  @inlinable public static func resumes(_ arguments: Arguments) -> Bool { false }
  @inlinable public mutating func resume(_ arguments: Arguments, _ context: Context) {}
}

/// An opcode with a performance pass and no audio outputs.
public protocol ControlOpcode: InitOpcode {
  /// The performance pass, once in every k-cycle: reads inputs, writes outputs.
  ///
  /// Must not allocate, lock or count references; put `@_noLocks @_noAllocation` on the C entry
  /// point and the compiler proves it. Audio inputs are valid at `context.frames`.
  mutating func perform(_ arguments: Arguments, _ context: Context)
}

/// An opcode with a performance pass and audio outputs.
public protocol AudioOpcode: InitOpcode {
  /// The performance pass, once in every k-cycle: computes exactly `context.frames`; the kit has
  /// zeroed the rest of every audio output.
  ///
  /// Must not allocate, lock or count references; put `@_noLocks @_noAllocation` on the C entry
  /// point and the compiler proves it.
  mutating func perform(_ arguments: Arguments, _ context: Context)
}

/// How often an opcode runs.
public enum OpcodeRate: Sendable {
  case initTime, control, audio
}

extension InitOpcode {
  @inlinable public static var rate: OpcodeRate { .initTime }
}

extension ControlOpcode {
  @inlinable public static var rate: OpcodeRate { .control }
}

extension AudioOpcode {
  @inlinable public static var rate: OpcodeRate { .audio }
}

/// Where an opcode's parts lie in its block: OPDS, argument pointers, a mark, the state.
@usableFromInline
enum BlockLayout<O: InitOpcode> {
  @inlinable static var argumentsOffset: Int { CsoundBlock.headerSize }
  @inlinable static var markOffset: Int { argumentsOffset + MemoryLayout<O.Arguments>.size }
  @inlinable static var stateOffset: Int { markOffset + MemoryLayout<UInt64>.size }

  /// Csound aligns blocks to 8 bytes only; state that needs more is aligned inside the block.
  @inlinable static var alignmentSlack: Int { max(MemoryLayout<O>.alignment, 8) - 8 }

  /// Bytes to ask Csound for. A multiple of 16 keeps the blocks that follow aligned.
  @inlinable static var size: Int {
    (stateOffset + alignmentSlack + MemoryLayout<O>.size + 15) & ~15
  }

  @inlinable @inline(__always)
  static func arguments(_ block: BlockPointer) -> O.Arguments {
    (block + argumentsOffset).assumingMemoryBound(to: O.Arguments.self).pointee
  }

  /// Nonzero once an init pass has succeeded in this memory; Csound hands new memory over zeroed.
  @inlinable @inline(__always)
  static func mark(_ block: BlockPointer) -> UnsafeMutablePointer<UInt64> {
    (block + markOffset).assumingMemoryBound(to: UInt64.self)
  }

  @inlinable @inline(__always)
  static func state(_ block: BlockPointer) -> UnsafeMutablePointer<O> {
    let start = UInt(bitPattern: block + stateOffset)
    let mask = UInt(alignmentSlack | 7)
    let aligned = alignmentSlack == 0 ? start : (start + mask) & ~mask
    return UnsafeMutableRawPointer(bitPattern: aligned).unsafelyUnwrapped
      .assumingMemoryBound(to: O.self)
  }
}

extension InitOpcode {
  /// The init pass of a C entry point.
  @inlinable @inline(__always)
  public static func initialize(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    let arguments = BlockLayout<Self>.arguments(block)
    let mark = BlockLayout<Self>.mark(block)
    if mark.pointee != 0 && resumes(arguments) {
      BlockLayout<Self>.state(block).pointee.resume(arguments, Context(csound, block))
      return 0
    }
    do throws(OpcodeError) {
      let opcode = try Self(arguments, Context(csound, block))
      BlockLayout<Self>.state(block).initialize(to: opcode)
      mark.pointee = 1
      return 0
    } catch {
      return error.report(to: csound, from: block)
    }
  }
}

extension ControlOpcode {
  /// The performance pass of a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    BlockLayout<Self>.state(block).pointee
      .perform(BlockLayout<Self>.arguments(block), Context(csound, block))
    return 0
  }
}

extension AudioOpcode {
  /// State up to this many bytes is performed on a copy, which the optimizer keeps in registers
  /// because no output can alias it; larger state is performed in place.
  @inlinable static var largestCopiedState: Int { 256 }

  /// The performance pass of a C entry point.
  @inlinable @inline(__always)
  public static func perform(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
    let context = Context(csound, block)
    if !CsoundBlock.isWholeCycle(block) { CsoundBlock.silenceOutsideFrames(of: block) }

    let arguments = BlockLayout<Self>.arguments(block)
    let state = BlockLayout<Self>.state(block)
    if MemoryLayout<Self>.size <= largestCopiedState {
      var copy = state.pointee
      copy.perform(arguments, context)
      state.pointee = copy
    } else {
      state.pointee.perform(arguments, context)
    }
    return 0
  }
}
