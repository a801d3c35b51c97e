/// A queue of whole MIDI messages for Csound, which reads them once a cycle.
/// [audio thread: no allocation, no locks]
package struct MIDIQueue: BitwiseCopyable {
  static let capacity = 4096
  private let bytes: UnsafeMutablePointer<UInt8>
  private var count = 0
  /// Messages that were dropped, as the queue was full.
  private(set) var dropped = 0

  package init() { bytes = .allocate(capacity: Self.capacity) }

  package func deallocate() { bytes.deallocate() }

  @inline(__always) package mutating func append(_ word: UInt32, _ length: Int) {
    guard count &+ length <= Self.capacity else {
      dropped &+= 1
      return
    }
    for index in 0..<length {
      bytes[count &+ index] = UInt8(
        truncatingIfNeeded: word >> (8 &* UInt32(truncatingIfNeeded: index)))
    }
    count &+= length
  }

  /// Moves as many bytes to Csound as it has room for, but only whole messages.
  mutating func take(_ target: UnsafeMutablePointer<UInt8>, _ limit: Int) -> Int {
    var length = min(count, limit)
    while length > 0, length < count, bytes[length] < 0x80 { length &-= 1 }
    target.update(from: bytes, count: length)
    bytes.update(from: bytes + length, count: count &- length)
    count &-= length
    return length
  }
}
