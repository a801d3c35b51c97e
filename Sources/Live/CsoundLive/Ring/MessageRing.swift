import Synchronization

/// A queue of messages of one size between the audio thread and other threads.
///
/// The audio thread uses `ring.writer` or `ring.reader`. On the other side any number of threads take turns.
final class MessageRing<Message: BitwiseCopyable>: Sendable {
  let ring: Ring
  private let turn = Mutex(())
  nonisolated(unsafe) private var writer: RingWriter
  nonisolated(unsafe) private var reader: RingReader

  /// Makes a ring with room for at least this many messages. Nil if there is no memory for it.
  init?(_ count: Int) {
    guard let ring = Ring(capacity: count * MemoryLayout<Message>.stride) else { return nil }
    self.ring = ring
    writer = ring.writer
    reader = ring.reader
  }

  /// Sends a message; false if there is no room. Messages of one thread stay in order. [never on the audio thread]
  func send(_ message: Message) -> Bool {
    turn.withLock { _ in
      withUnsafePointer(to: message) { writer.write($0, MemoryLayout<Message>.stride) }
    }
  }

  /// Takes the next message; nil if there is none. [never on the audio thread]
  func receive() -> Message? {
    turn.withLock { _ in
      let size = MemoryLayout<Message>.stride
      guard let message = reader.peek(size)?.load(as: Message.self) else { return nil }
      reader.advance(size)
      return message
    }
  }
}
