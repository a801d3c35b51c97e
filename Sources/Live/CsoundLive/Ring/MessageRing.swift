import Synchronization

/// A ring of messages of one size, one side of which is the audio thread's.
///
/// That side uses `ring.writer` or `ring.reader`; the other is for any number of threads, which take turns.
final class MessageRing<Message: BitwiseCopyable>: Sendable {
  let ring: Ring
  private let turn = Mutex(())
  nonisolated(unsafe) private var writer: RingWriter
  nonisolated(unsafe) private var reader: RingReader

  /// Room for so many messages. Nil where there is no memory for it.
  init?(_ count: Int) {
    guard let ring = Ring(capacity: count * MemoryLayout<Message>.stride) else { return nil }
    self.ring = ring
    writer = ring.writer
    reader = ring.reader
  }

  /// False when there is no room. Messages of one thread stay in their order. [never on the audio thread]
  func send(_ message: Message) -> Bool {
    turn.withLock { _ in
      withUnsafePointer(to: message) { writer.write($0, MemoryLayout<Message>.stride) }
    }
  }

  /// The next message; nil when there is none. [never on the audio thread]
  func receive() -> Message? {
    turn.withLock { _ in
      let size = MemoryLayout<Message>.stride
      guard let message = reader.peek(size)?.load(as: Message.self) else { return nil }
      reader.advance(size)
      return message
    }
  }
}
