/// Assembles the bytes of a MIDI stream into whole messages. [no allocation, no locks]
///
/// Real-time bytes may come anywhere, even inside a message, which goes on after them. System exclusive is skipped up
/// to the next status byte. A status byte inside a message discards that message; system messages end running status;
/// data bytes without a status are dropped. Every message begins with its status byte, as Csound needs: a clock byte
/// after a status byte would crash Csound 6.18.
public struct MIDIParser: BitwiseCopyable, Sendable {
  /// The status that data bytes belong to; 0: none.
  private var status: UInt8 = 0
  /// The first of two data bytes, once it is there.
  private var first: UInt8?

  public init() {}

  /// The message that ends with this byte; nil if none does.
  @inline(__always) public mutating func take(_ byte: UInt8) -> MIDIMessage? {
    if byte >= 0xF8 { return MIDIMessage(word: UInt32(byte), count: 1) }
    if byte >= 0x80 {
      first = nil
      // 0xF0 begins and 0xF7 ends system exclusive; 0xF4 and 0xF5 have no meaning; 0xF6 has no data.
      let hasData = byte < 0xF0 || byte == 0xF1 || byte == 0xF2 || byte == 0xF3
      status = hasData ? byte : 0
      return byte == 0xF6 ? MIDIMessage(word: 0xF6, count: 1) : nil
    }
    guard status != 0 else { return nil }
    let word = UInt32(status)
    let isShort = status & 0xE0 == 0xC0 || status == 0xF1 || status == 0xF3
    if isShort { return end(MIDIMessage(word: word | UInt32(byte) << 8, count: 2)) }
    guard let data = first else {
      first = byte
      return nil
    }
    first = nil
    return end(MIDIMessage(word: word | UInt32(data) << 8 | UInt32(byte) << 16, count: 3))
  }

  /// System messages have no running status.
  @inline(__always) private mutating func end(_ message: MIDIMessage) -> MIDIMessage {
    if status >= 0xF0 { status = 0 }
    return message
  }
}
