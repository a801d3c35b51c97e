import CRealtime
import Synchronization

/// A queue of bytes between two threads, one writing and one reading, without locks.
///
/// Its memory is mapped twice in a row, so that every stretch of it is contiguous: nothing that is written or
/// read is ever cut in two. Writer and reader are structs of pointers, which the compiler can follow onto an
/// audio thread; the ring must outlive both.
public final class Ring: Sendable {
  /// Where both sides are, in bytes since the beginning; each on a cache line of its own.
  struct Ends: ~Copyable {
    let written = Atomic<Int>(0)
    private let apart: InlineArray<15, Int> = .init(repeating: 0)
    let read = Atomic<Int>(0)
    private let alone: InlineArray<15, Int> = .init(repeating: 0)
  }

  nonisolated(unsafe) let ends: UnsafeMutablePointer<Ends>
  nonisolated(unsafe) private let base: UnsafeMutablePointer<CChar>
  /// How many bytes fit: a power of two, and whole pages.
  public let capacity: Int

  /// A ring with room for at least so many bytes. Nil where the system has no memory for it.
  public init?(capacity: Int) {
    var size = sysconf(Int32(_SC_PAGESIZE))
    while size < capacity { size *= 2 }
    guard let base = realtime_map_twice(size) else { return nil }
    self.base = base
    self.capacity = size
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Ends>.stride, alignment: 128)
    ends = memory.bindMemory(to: Ends.self, capacity: 1)
    ends.initialize(to: Ends())
  }

  deinit {
    realtime_unmap_twice(base, capacity)
    ends.deinitialize(count: 1)
    UnsafeMutableRawPointer(ends).deallocate()
  }

  /// The side of the one thread that writes.
  public var writer: RingWriter {
    RingWriter(
      ends: ends, base: base, capacity: capacity, read: ends.pointee.read.load(ordering: .acquiring)
    )
  }

  /// The side of the one thread that reads.
  public var reader: RingReader {
    RingReader(
      ends: ends, base: base, capacity: capacity,
      written: ends.pointee.written.load(ordering: .acquiring))
  }
}

/// Where a ring is written. [any thread, one at a time: no allocation, no locks]
public struct RingWriter: BitwiseCopyable {
  let ends: UnsafeMutablePointer<Ring.Ends>
  let base: UnsafeMutableRawPointer
  let capacity: Int
  /// What was last seen of the reader: it is looked at again only when that is not enough.
  var read: Int

  /// Memory for `bytes` bytes, to be filled and then made over by `advance`; nil when there is no room.
  @inline(__always) public mutating func room(_ bytes: Int) -> UnsafeMutableRawPointer? {
    let written = ends.pointee.written.load(ordering: .relaxed)
    if capacity &- (written &- read) < bytes {
      read = ends.pointee.read.load(ordering: .acquiring)
      if capacity &- (written &- read) < bytes { return nil }
    }
    return base + (written & (capacity &- 1))
  }

  /// Hands `bytes` bytes of what `room` gave to the reader.
  @inline(__always) public mutating func advance(_ bytes: Int) {
    let written = ends.pointee.written.load(ordering: .relaxed)
    ends.pointee.written.store(written &+ bytes, ordering: .releasing)
  }

  /// Writes all of it, or nothing and is false where there is no room.
  @inline(__always) public mutating func write(_ source: UnsafeRawPointer, _ bytes: Int) -> Bool {
    guard let place = room(bytes) else { return false }
    place.copyMemory(from: source, byteCount: bytes)
    advance(bytes)
    return true
  }
}

/// Where a ring is read. [any thread, one at a time: no allocation, no locks]
public struct RingReader: BitwiseCopyable {
  let ends: UnsafeMutablePointer<Ring.Ends>
  let base: UnsafeMutableRawPointer
  let capacity: Int
  /// What was last seen of the writer.
  var written: Int

  /// How many bytes there are to be read.
  @inline(__always) public mutating func count() -> Int {
    written = ends.pointee.written.load(ordering: .acquiring)
    return written &- ends.pointee.read.load(ordering: .relaxed)
  }

  /// The next `bytes` bytes, in place until `advance`; nil when there are fewer.
  @inline(__always) public mutating func peek(_ bytes: Int) -> UnsafeRawPointer? {
    let read = ends.pointee.read.load(ordering: .relaxed)
    if written &- read < bytes {
      written = ends.pointee.written.load(ordering: .acquiring)
      if written &- read < bytes { return nil }
    }
    return UnsafeRawPointer(base + (read & (capacity &- 1)))
  }

  /// Gives `bytes` bytes of what `peek` showed back to the writer.
  @inline(__always) public mutating func advance(_ bytes: Int) {
    let read = ends.pointee.read.load(ordering: .relaxed)
    ends.pointee.read.store(read &+ bytes, ordering: .releasing)
  }

  /// Reads all of it, or nothing and is false where there is less.
  @inline(__always) public mutating func read(_ target: UnsafeMutableRawPointer, _ bytes: Int)
    -> Bool
  {
    guard let place = peek(bytes) else { return false }
    target.copyMemory(from: place, byteCount: bytes)
    advance(bytes)
    return true
  }
}
