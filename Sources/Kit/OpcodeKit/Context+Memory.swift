public import CCsound
public import CVector

/// Memory that an opcode needs beyond its struct, such as a delay line or a table of its own. The `Buffer` is part of
/// the state.
///
/// The memory lives as long as the instrument instance. It is kept when a note ends and reused by the next one.
@frozen
public struct Buffer<Element: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  /// Number of elements.
  public let count: Int

  @inlinable init(start: UnsafeMutablePointer<Element>, count: Int) {
    self.start = start
    self.count = count
  }

  /// A buffer without elements, for a state that is set up without an init pass.
  @inlinable public static var empty: Buffer {
    let address = UnsafeMutablePointer<Element>(bitPattern: MemoryLayout<Element>.alignment)
    return Buffer(start: address.unsafelyUnwrapped, count: 0)
  }

  /// The element at an index from 0 to `count - 1`. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    get {
      Checks.index(index, below: count, "a Buffer's elements")
      return start[index]
    }
    nonmutating _modify {
      Checks.index(index, below: count, "a Buffer's elements")
      yield &start[index]
    }
  }
}

#if !hasFeature(Embedded)
  extension Buffer {
    /// Zeroed memory of the program's own, at least one element, for a unit test without Csound. It is never freed.
    public init(count: Int) {
      let bytes = max(count, 1) * MemoryLayout<Element>.stride
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: bytes, alignment: max(MemoryLayout<Element>.alignment, 16))
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      self.init(start: memory.assumingMemoryBound(to: Element.self), count: max(count, 1))
    }
  }
#endif

extension Buffer<Double> {
  /// Two elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) public func pair(at index: Int) -> Pair {
    Checks.indices(index, 2, below: count, "a Buffer's elements")
    return Pair(values: UnsafeRawPointer(start + index).loadUnaligned(as: SIMD2<Double>.self))
  }

  /// Four elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func quad(at index: Int) -> Quad {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    return Quad(values: cv_quad_load(start + index))
  }

  /// Writes four elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setQuad(_ quad: Quad, at index: Int) {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    cv_quad_store(start + index, quad.values)
  }

  /// Eight elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(at index: Int) -> Lanes {
    Checks.indices(index, 8, below: count, "a Buffer's elements")
    return Lanes(values: cv_lanes_load(UnsafeRawPointer(start + index)))
  }

  /// Writes eight elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setLanes(_ lanes: Lanes, at index: Int) {
    Checks.indices(index, 8, below: count, "a Buffer's elements")
    cv_lanes_store(UnsafeMutableRawPointer(start + index), lanes.values)
  }
}

extension Buffer<Pair> {
  /// Eight numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(at index: Int) -> Lanes {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    return Lanes(values: cv_lanes_load(UnsafeRawPointer(start + index)))
  }

  /// Writes eight numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setLanes(_ lanes: Lanes, at index: Int) {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    cv_lanes_store(UnsafeMutableRawPointer(start + index), lanes.values)
  }

  /// Four numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func quad(at index: Int) -> Quad {
    Checks.indices(index, 2, below: count, "a Buffer's elements")
    return Quad(values: cv_quad_load(UnsafeRawPointer(start + index)))
  }

  /// Writes four numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setQuad(_ quad: Quad, at index: Int) {
    Checks.indices(index, 2, below: count, "a Buffer's elements")
    cv_quad_store(UnsafeMutableRawPointer(start + index), quad.values)
  }
}

extension Buffer<Pair> {
  /// Four numbers from the one at `number` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func quad(number: Int) -> Quad {
    Checks.indices(number, 4, below: 2 &* count, "a Buffer's numbers")
    return Quad(values: cv_quad_load(UnsafeRawPointer(start) + 8 &* number))
  }

  /// Writes four numbers from the one at `number` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func setQuad(_ quad: Quad, number: Int) {
    Checks.indices(number, 4, below: 2 &* count, "a Buffer's numbers")
    cv_quad_store(UnsafeMutableRawPointer(start) + 8 &* number, quad.values)
  }

  /// `count` numbers from the one at `number` on, as a buffer of numbers. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func numbers(from number: Int, count: Int) -> Buffer<Double> {
    Checks.indices(number, count, below: 2 &* self.count, "a Buffer's numbers")
    let first = UnsafeMutableRawPointer(start) + 8 &* number
    return Buffer<Double>(start: first.assumingMemoryBound(to: Double.self), count: count)
  }
}

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
  /// Throws when `number` is not below `bufferCount`, when this init pass has already requested that buffer, or when
  /// the buffer is larger than 4 GB.
  ///
  /// The corresponding C function is `AuxAlloc`.
  public func buffer<Element: BitwiseCopyable>(
    _ number: Int? = nil, of type: Element.Type = Double.self, count: Int,
    keepingContents: Bool = false
  ) throws(OpcodeError) -> Buffer<Element> {
    let number = number ?? nextBuffer
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
  /// Throws when the name is longer than 255 bytes, or in use for a value of another size.
  ///
  /// The corresponding C functions are `CreateGlobalVariable` and `QueryGlobalVariable`.
  public func shared<Value: BitwiseCopyable>(
    _ type: Value.Type, named name: StaticString, _ suffix: StringInput? = nil
  ) throws(OpcodeError) -> Shared<Value> {
    let end: UnsafePointer<CChar>? = suffix.flatMap { UnsafePointer($0.string.pointee.data) }
    guard
      let memory = ccs_shared(
        csound, name.cString, end ?? ("" as StaticString).cString, MemoryLayout<Value>.size)
    else { throw OpcodeError("the shared name is over 255 bytes, or stands for something else.") }
    return Shared(pointer: memory.assumingMemoryBound(to: Value.self))
  }
}
