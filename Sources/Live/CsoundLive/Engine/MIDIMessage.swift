/// A whole MIDI message of one to three bytes, status byte first; not system exclusive.
public struct MIDIMessage: BitwiseCopyable, Hashable, Sendable {
  /// The bytes; the first is in the lowest 8 bits.
  public let word: UInt32
  public let count: Int

  init(word: UInt32, count: Int) { (self.word, self.count) = (word, count) }

  public var status: UInt8 { UInt8(truncatingIfNeeded: word) }
  /// The first data byte; 0 without one.
  public var first: UInt8 { UInt8(truncatingIfNeeded: word >> 8) }
  /// The second data byte; 0 without one.
  public var second: UInt8 { UInt8(truncatingIfNeeded: word >> 16) }
  /// The MIDI channel, 1 to 16; nil for messages without a channel.
  public var channel: Int? { status < 0xF0 ? Int(status & 0x0F) + 1 : nil }
  /// The program of a program change, 0 to 127; nil for other messages.
  public var program: Int? { status & 0xF0 == 0xC0 ? Int(first) : nil }
  public var bytes: [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
  }

  public static func noteOn(_ note: UInt8, velocity: UInt8, channel: Int = 1) -> MIDIMessage {
    message(0x90, channel, note, velocity)
  }

  public static func noteOff(_ note: UInt8, channel: Int = 1) -> MIDIMessage {
    message(0x80, channel, note, 0)
  }

  public static func controller(_ number: UInt8, _ value: UInt8, channel: Int = 1) -> MIDIMessage {
    message(0xB0, channel, number, value)
  }

  private static func message(
    _ kind: UInt8, _ channel: Int, _ first: UInt8, _ second: UInt8
  ) -> MIDIMessage {
    let status = kind | UInt8((channel - 1) & 0x0F)
    return MIDIMessage(
      word: UInt32(status) | UInt32(first & 0x7F) << 8 | UInt32(second & 0x7F) << 16, count: 3)
  }
}
