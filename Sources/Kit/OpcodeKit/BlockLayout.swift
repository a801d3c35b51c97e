public import CCsound

/// The layout of an opcode's memory block, in order: OPDS; the argument pointers that Csound
/// stores; for variadic opcodes, the arguments as the kit lays them out; the mark; the buffer
/// slots; the state.
@usableFromInline
enum BlockLayout<O: InitOpcode> {
  @inlinable static var argumentsOffset: Int {
    CsoundBlock.headerSize + (O.isVariadic ? O.variadicRowCount * MemoryLayout<Int>.size : 0)
  }
  @inlinable static var markOffset: Int { argumentsOffset + MemoryLayout<O.Arguments>.size }
  @inlinable static var buffersOffset: Int { markOffset + MemoryLayout<BlockMark>.size }
  @inlinable static var stateOffset: Int {
    buffersOffset + O.bufferCount * MemoryLayout<BufferSlot>.stride
  }

  /// Csound aligns blocks as pointers only; a state that needs more is aligned inside the block.
  @inlinable static var alignmentSlack: Int {
    max(MemoryLayout<O>.alignment, MemoryLayout<Int>.size) - MemoryLayout<Int>.size
  }

  /// Bytes to request from Csound. A multiple of 16 keeps the blocks after this one aligned.
  @inlinable static var size: Int {
    (stateOffset + alignmentSlack + MemoryLayout<O>.size + 15) & ~15
  }

  @inlinable @inline(__always)
  static func arguments(_ block: BlockPointer) -> O.Arguments {
    (block + argumentsOffset).assumingMemoryBound(to: O.Arguments.self).pointee
  }

  @inlinable @inline(__always)
  static func mark(_ block: BlockPointer) -> UnsafeMutablePointer<BlockMark> {
    (block + markOffset).assumingMemoryBound(to: BlockMark.self)
  }

  @inlinable @inline(__always)
  static func context(_ csound: CsoundPointer, _ block: BlockPointer) -> Context {
    context(csound, block, frames: CsoundBlock.frames(of: block))
  }

  @inlinable @inline(__always)
  static func context(
    _ csound: CsoundPointer, _ block: BlockPointer, frames: Range<Int>
  ) -> Context {
    Context(
      csound, block, buffers: (block + buffersOffset).assumingMemoryBound(to: BufferSlot.self),
      bufferCount: O.bufferCount, frames: frames)
  }

  @inlinable @inline(__always)
  static func state(_ block: BlockPointer) -> UnsafeMutablePointer<O> {
    let start = UInt(bitPattern: block + stateOffset)
    let mask = UInt(alignmentSlack | (MemoryLayout<Int>.size - 1))
    let aligned = alignmentSlack == 0 ? start : (start + mask) & ~mask
    return UnsafeMutableRawPointer(bitPattern: aligned).unsafelyUnwrapped
      .assumingMemoryBound(to: O.self)
  }
}

/// The kit's own record of a block. Csound provides new memory zeroed, and does not say when it
/// reuses a block for another note.
@usableFromInline
struct BlockMark: BitwiseCopyable {
  /// Result of the last init pass in this memory. In zeroed memory it is `missing`.
  @usableFromInline
  enum State: UInt8, BitwiseCopyable {
    /// No init pass has run.
    case missing
    /// The state is initialized.
    case ready
    /// The init pass failed: whatever it had set up is invalid.
    case failed
    /// The deinit pass for the state has run.
    case finished
  }

  @usableFromInline var state = State.missing
  /// Whether Csound will call the deinit pass at the end of the note.
  @usableFromInline var isDeinitRegistered = false
  /// Pads the mark to 8 bytes, so that the fields after it are aligned.
  private var padding: UInt16 = 0
  /// The samples in a k-cycle of the note that the state was set up for, of which buffers may have as many.
  @usableFromInline var ksmps: UInt32 = 0
}

/// One buffer's slot in a block.
@usableFromInline
struct BufferSlot: BitwiseCopyable {
  /// Csound's record of the buffer's memory.
  @usableFromInline var memory: AUXCH
  /// Whether the current init pass has already requested this buffer.
  @usableFromInline var isTaken: Bool
}
