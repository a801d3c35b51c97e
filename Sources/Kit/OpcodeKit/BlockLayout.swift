public import CCsound

/// Where an opcode's parts lie in its block: OPDS, the pointers Csound stores, for variadic opcodes
/// the arguments as the kit lays them out, a mark, the slots of its buffers, the state.
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
    let mask = UInt(alignmentSlack | 7)
    let aligned = alignmentSlack == 0 ? start : (start + mask) & ~mask
    return UnsafeMutableRawPointer(bitPattern: aligned).unsafelyUnwrapped
      .assumingMemoryBound(to: O.self)
  }
}

/// What the kit remembers about a block. Csound hands new memory over zeroed and tells nobody when
/// it gives a block to another note.
@usableFromInline
struct BlockMark: BitwiseCopyable {
  /// What became of the last init pass in this memory. Zeroed memory says `missing`.
  @usableFromInline
  enum State: UInt8, BitwiseCopyable {
    /// There was none.
    case missing
    /// The state is set up.
    case ready
    /// It failed: what it had set up counts for nothing.
    case failed
    /// The state's deinit pass is over.
    case finished
  }

  @usableFromInline var state = State.missing
  /// Csound will call the deinit pass at the end of the note.
  @usableFromInline var isDeinitRegistered = false
  /// Makes the mark 8 bytes, so that what follows it is aligned.
  private var padding: (UInt16, UInt16, UInt16) = (0, 0, 0)
}

/// A buffer's place in a block.
@usableFromInline
struct BufferSlot: BitwiseCopyable {
  /// What Csound knows about its memory.
  @usableFromInline var memory: AUXCH
  /// Whether this init pass has handed the buffer out.
  @usableFromInline var isTaken: Bool
}
