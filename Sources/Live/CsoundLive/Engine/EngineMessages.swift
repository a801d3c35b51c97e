import CCsound
import CRealtime
import Synchronization

/// One message of Csound.
public struct CsoundMessage: Sendable, Equatable {
  public enum Kind: Sendable {
    case normal, error, orchestra, realtime, warning
  }

  public var kind: Kind
  public var text: String
}

/// Passes the messages of a performing engine to other threads.
///
/// Csound prints messages on the thread that performs, which must not wait, and on threads that compile or send lines,
/// which may wait. Messages of the performing thread go through a ring; if it is full, they are dropped and counted.
final class EngineMessages: Sendable {
  private struct Head: BitwiseCopyable {
    var attributes: Int32
    var length: Int32
  }

  private let ring: Ring
  nonisolated(unsafe) private var writer: RingWriter
  private let reader: Mutex<RingReader>
  private let others = Mutex<[CsoundMessage]>([])
  /// The thread that performs; 0 while none does.
  private let performer = Atomic<UInt>(0)
  /// Messages that were dropped, as the ring was full.
  let dropped = Atomic<Int>(0)

  init?() {
    guard let ring = Ring(capacity: 1 << 18) else { return nil }
    self.ring = ring
    writer = ring.writer
    reader = Mutex(ring.reader)
  }

  /// Sets the thread that performs from now on. No other may be performing at this time.
  func perform(on thread: pthread_t) { performer.store(UInt(thread), ordering: .releasing) }

  static let take:
    @convention(c) (UnsafeMutablePointer<CSOUND>?, CInt, UnsafePointer<CChar>?) -> Void = {
      engine, attributes, text in
      guard let text, let data = csoundGetHostData(engine) else { return }
      Unmanaged<EngineMessages>.fromOpaque(data).takeUnretainedValue().take(attributes, text)
    }

  private func take(_ attributes: CInt, _ text: UnsafePointer<CChar>) {
    guard performer.load(ordering: .acquiring) == UInt(pthread_self()) else {
      others.withLock { $0.append(Self.message(attributes, String(cString: text))) }
      return
    }
    let length = strlen(text)
    let size = MemoryLayout<Head>.size
    guard let place = writer.room(size + length) else {
      dropped.wrappingAdd(1, ordering: .relaxed)
      return
    }
    place.storeBytes(of: Head(attributes: attributes, length: Int32(length)), as: Head.self)
    (place + size).copyMemory(from: text, byteCount: length)
    writer.advance(size + length)
  }

  /// All messages since the last call. [never on the audio thread]
  func drain() -> [CsoundMessage] {
    var messages = others.withLock { others in
      defer { others = [] }
      return others
    }
    reader.withLock { reader in
      let size = MemoryLayout<Head>.size
      while let head = reader.peek(size)?.loadUnaligned(as: Head.self) {
        let length = Int(head.length)
        guard let place = reader.peek(size + length) else { return }
        let bytes = UnsafeRawBufferPointer(start: place + size, count: length)
        messages.append(Self.message(head.attributes, String(decoding: bytes, as: UTF8.self)))
        reader.advance(size + length)
      }
    }
    return messages
  }

  private static func message(_ attributes: CInt, _ text: String) -> CsoundMessage {
    let kind: CsoundMessage.Kind =
      switch attributes & CSOUNDMSG_TYPE_MASK {
      case CSOUNDMSG_ERROR: .error
      case CSOUNDMSG_ORCH: .orchestra
      case CSOUNDMSG_REALTIME: .realtime
      case CSOUNDMSG_WARNING: .warning
      default: .normal
      }
    return CsoundMessage(kind: kind, text: text)
  }
}
