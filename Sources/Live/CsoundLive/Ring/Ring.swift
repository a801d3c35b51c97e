import CRealtime
import Synchronization

/// A queue of bytes between two threads, one writing and one reading, without locks.
///
/// Its memory is mapped twice in a row, so that every block that is written or read is contiguous, even at the end of
/// the memory. Writer and reader are structs of pointers, so that the compiler can prove their use on an audio thread
/// free of allocation and locks. The ring must outlive both.
public final class Ring: Sendable {
  /// The bytes written and read since the beginning; each number is on a cache line of its own.
  struct Ends: ~Copyable {
    let written = Atomic<Int>(0)
    private let apart: InlineArray<15, Int> = .init(repeating: 0)
    let read = Atomic<Int>(0)
    private let alone: InlineArray<15, Int> = .init(repeating: 0)
  }

  nonisolated(unsafe) let ends: UnsafeMutablePointer<Ends>
  nonisolated(unsafe) private let base: UnsafeMutablePointer<CChar>
  /// How many bytes fit: a power of two and a whole number of pages.
  public let capacity: Int

  /// Makes a ring with room for at least `capacity` bytes. Nil if the system has no memory for it.
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

  /// The writing side, for one thread.
  public var writer: RingWriter {
    RingWriter(
      ends: ends, base: base, capacity: capacity, read: ends.pointee.read.load(ordering: .acquiring)
    )
  }

  /// The reading side, for one thread.
  public var reader: RingReader {
    RingReader(
      ends: ends, base: base, capacity: capacity,
      written: ends.pointee.written.load(ordering: .acquiring))
  }
}

/// The writing side of a ring. [any thread, one at a time: no allocation, no locks]
public struct RingWriter: BitwiseCopyable {
  let ends: UnsafeMutablePointer<Ring.Ends>
  let base: UnsafeMutableRawPointer
  let capacity: Int
  /// The reader's position when it was last loaded. It is loaded again only if there seems to be no room.
  var read: Int

  /// Memory for `bytes` bytes, to be filled and then passed to the reader by `advance`; nil if there is no room.
  @inline(__always) public mutating func room(_ bytes: Int) -> UnsafeMutableRawPointer? {
    let written = ends.pointee.written.load(ordering: .relaxed)
    if capacity &- (written &- read) < bytes {
      read = ends.pointee.read.load(ordering: .acquiring)
      if capacity &- (written &- read) < bytes { return nil }
    }
    return base + (written & (capacity &- 1))
  }

  /// Passes the next `bytes` bytes, for which `room` gave the memory, to the reader.
  @inline(__always) public mutating func advance(_ bytes: Int) {
    let written = ends.pointee.written.load(ordering: .relaxed)
    ends.pointee.written.store(written &+ bytes, ordering: .releasing)
  }

  /// Writes all bytes and returns true; if there is no room for them, writes nothing and returns false.
  @inline(__always) public mutating func write(_ source: UnsafeRawPointer, _ bytes: Int) -> Bool {
    guard let place = room(bytes) else { return false }
    place.copyMemory(from: source, byteCount: bytes)
    advance(bytes)
    return true
  }
}

/// The reading side of a ring. [any thread, one at a time: no allocation, no locks]
public struct RingReader: BitwiseCopyable {
  let ends: UnsafeMutablePointer<Ring.Ends>
  let base: UnsafeMutableRawPointer
  let capacity: Int
  /// The writer's position when it was last loaded.
  var written: Int

  /// How many bytes can be read.
  @inline(__always) public mutating func count() -> Int {
    written = ends.pointee.written.load(ordering: .acquiring)
    return written &- ends.pointee.read.load(ordering: .relaxed)
  }

  /// The next `bytes` bytes, which stay valid until `advance`; nil if there are fewer.
  @inline(__always) public mutating func peek(_ bytes: Int) -> UnsafeRawPointer? {
    let read = ends.pointee.read.load(ordering: .relaxed)
    if written &- read < bytes {
      written = ends.pointee.written.load(ordering: .acquiring)
      if written &- read < bytes { return nil }
    }
    return UnsafeRawPointer(base + (read & (capacity &- 1)))
  }

  /// Gives the memory of the next `bytes` bytes, which `peek` returned, back to the writer.
  @inline(__always) public mutating func advance(_ bytes: Int) {
    let read = ends.pointee.read.load(ordering: .relaxed)
    ends.pointee.read.store(read &+ bytes, ordering: .releasing)
  }
}
