public import CCsound

/// A value shared under a name by everything in one Csound engine.
///
/// Without `-j`, all passes run one after the other, and any of them may use `value`. With `-j`, performance passes of
/// different notes run in parallel: there, only `add` and `current` of a `Shared<Int64>` are safe.
@frozen
public struct Shared<Value: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  /// The value. Access is not atomic [init pass; performance pass, unless notes on several threads share it].
  @inlinable public var value: Value {
    get { pointer.pointee }
    nonmutating set { pointer.pointee = newValue }
  }
}

extension Shared<Int64> {
  /// The count, read atomically.
  @inlinable public var current: Int64 {
    @_semantics("no_performance_analysis") get { ccs_atomic_load(pointer) }
  }

  /// Adds to the count atomically and returns the sum.
  @inlinable @discardableResult @_semantics("no_performance_analysis")
  public func add(_ amount: Int64) -> Int64 { ccs_atomic_add(pointer, amount) }
}

extension Context {
  /// The opcode's next buffer, zeroed [init pass]. The first call in an init pass returns buffer 0, the second call
  /// buffer 1, and so on up to `bufferCount - 1`.
  ///
  /// With `keepingContents` the elements from the previous init pass are kept if the buffer has the same size; that
  /// pass may have been for another note in the same memory. An init pass that does not always request the same buffers
  /// in the same order must pass each buffer's `number`, counted from 0.
  ///
  /// A buffer has at least one element, even for a `count` of 0. One of 1024 bytes or more begins at a multiple of 64
  /// bytes.
  ///
  /// Throws when `number` is not below `bufferCount`, when this init pass has already requested that buffer, when
  /// the buffer is larger than 4 GB, and in the `init` of a `LateInitOpcode` that a performance pass calls.
  ///
  /// The corresponding C function is `AuxAlloc`.
  public func buffer<Element: BitwiseCopyable>(
    _ number: Int? = nil, of type: Element.Type = Double.self, count: Int,
    keepingContents: Bool = false
  ) throws(OpcodeError) -> Buffer<Element> {
    let number = number ?? nextBuffer
    // The mark is in front of the buffers. Without an init pass nothing is ready, and a performance pass must not allocate.
    guard
      bufferCount == 0
        || (UnsafeRawPointer(buffers) - MemoryLayout<BlockMark>.size)
          .assumingMemoryBound(to: BlockMark.self).pointee.state == .ready
    else { throw .skippedInit }
    guard number >= 0, number < bufferCount else {
      throw OpcodeError(
        argument: "buffer", is: Double(number),
        mustBe: "below the opcode's bufferCount; raise that to how many buffers it asks for")
    }
    guard !buffers[number].isTaken else {
      throw OpcodeError(
        argument: "buffer", is: Double(number),
        mustBe: "another number in each call of an init pass: each stands for one buffer")
    }
    buffers[number].isTaken = true
    let (bytes, overflow) = max(count, 1).multipliedReportingOverflow(
      by: MemoryLayout<Element>.stride)
    guard !overflow, UInt64(bytes) <= 1 << 32 else {
      throw OpcodeError(
        argument: "buffer size", is: Double(count), mustBe: "at most 4 GB in all")
    }
    // Csound's memory has 16-byte alignment. A large buffer begins on a cache line, so that no vector lies on two.
    let mask = max(MemoryLayout<Element>.alignment, bytes < 1024 ? 16 : 64) - 1
    let memory = ccs_buffer(
      csound, &buffers[number].memory, bytes + (mask - 15), keepingContents ? 1 : 0)
    let start = UnsafeMutableRawPointer(
      bitPattern: (UInt(bitPattern: memory) + UInt(mask)) & ~UInt(mask))
    return Buffer(
      start: start.unsafelyUnwrapped.assumingMemoryBound(to: Element.self), count: max(count, 1))
  }

  /// The same, with the elements that the constant or property it is stored in has: `let bytes: Buffer<UInt8>`.
  @_disfavoredOverload
  public func buffer<Element: BitwiseCopyable>(
    _ number: Int? = nil, count: Int, keepingContents: Bool = false
  ) throws(OpcodeError) -> Buffer<Element> {
    try buffer(number, of: Element.self, count: count, keepingContents: keepingContents)
  }

  /// The first buffer that this init pass has not yet requested.
  private var nextBuffer: Int {
    var number = 0
    while number < bufferCount, buffers[number].isTaken { number += 1 }
    return number
  }

  /// Marks all buffers as not yet requested, at the beginning of an init pass.
  @inlinable func releaseBuffers() {
    for number in 0..<bufferCount { buffers[number].isTaken = false }
  }

  /// The value shared under `name`, or under `name` followed by `suffix`; all bits are zero when it is new [init pass].
  ///
  /// It lives until the engine is reset. Begin the name with your library's name to avoid collisions.
  ///
  /// Throws when the name is longer than 255 bytes, or in use for a value of another size, and for a type with an alignment
  /// of more than 16 bytes.
  ///
  /// The corresponding C functions are `CreateGlobalVariable` and `QueryGlobalVariable`.
  public func shared<Value: BitwiseCopyable>(
    _ type: Value.Type, named name: StaticString, _ suffix: StringInput? = nil
  ) throws(OpcodeError) -> Shared<Value> {
    let end: UnsafePointer<CChar>? = suffix.flatMap { UnsafePointer($0.string.pointee.data) }
    // Csound's memory has that.
    guard MemoryLayout<Value>.alignment <= 16 else {
      throw OpcodeError("a shared value has an alignment of at most 16 bytes.")
    }
    guard
      let memory = ccs_shared(
        csound, name.cString, end ?? ("" as StaticString).cString, MemoryLayout<Value>.size)
    else { throw OpcodeError("the shared name is over 255 bytes, or stands for something else.") }
    return Shared(pointer: memory.assumingMemoryBound(to: Value.self))
  }
}
