import CLo
import Glibc

/// A message of Open Sound Control 1.0.
package struct OscMessage: Equatable {
  package enum Argument: Equatable {
    /// Of type i, h, f, d, T or F; the last two are 1 and 0.
    case number(Double)
    /// Of type s or S.
    case text(String)
    /// Of another type.
    case other(Character)
  }

  package var address: String
  package var arguments: [Argument]
  /// When it is due, as a time tag: seconds since 1900 in the upper half, their fraction in the lower; `now`: at once.
  package var time = now

  package static let now: UInt64 = 1

  /// The bytes of a packet; nil if there is no memory, or if a string has a zero byte.
  func packet() -> [UInt8]? {
    guard let message = lo_message_new() else { return nil }
    defer { lo_message_free(message) }
    for argument in arguments {
      switch argument {
      case .number(let number): lo_message_add_float(message, Float(number))
      case .text(let text): lo_message_add_string(message, text)
      case .other: return nil
      }
    }
    var bytes = [UInt8](repeating: 0, count: lo_message_length(message, address))
    guard lo_message_serialise(message, address, &bytes, nil) != nil else { return nil }
    return bytes
  }

  // MARK: Reading

  /// Reads a packet: a message, or a bundle of messages and bundles. Nil if any part of it is malformed.
  package static func read(_ packet: UnsafeRawBufferPointer) -> [OscMessage]? {
    var messages: [OscMessage] = []
    return read(packet, now, depth: 0, &messages) ? messages : nil
  }

  private static let bundleMark = Array("#bundle\0".utf8)
  private static let depthLimit = 16

  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ time: UInt64, depth: Int, _ messages: inout [OscMessage]
  ) -> Bool {
    guard bytes.count >= 8, bytes.count % 4 == 0 else { return false }
    guard bytes.prefix(8).elementsEqual(bundleMark) else {
      guard let message = message(bytes, time) else { return false }
      messages.append(message)
      return true
    }
    guard depth < depthLimit, bytes.count >= 16 else { return false }
    let tag = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    var place = 16
    while place < bytes.count {
      let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      place += 4
      guard size <= bytes.count - place else { return false }
      // A bundle in another is not due before it.
      guard
        read(
          UnsafeRawBufferPointer(rebasing: bytes[place..<place + size]), max(time, tag),
          depth: depth + 1, &messages)
      else { return false }
      place += size
    }
    return true
  }

  private static func message(_ bytes: UnsafeRawBufferPointer, _ time: UInt64) -> OscMessage? {
    guard !hasBlob(bytes) else { return nil }
    let data = UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
    guard bytes[0] == UInt8(ascii: "/"),
      let message = lo_message_deserialise(data, bytes.count, nil)
    else { return nil }
    defer { lo_message_free(message) }
    let types = String(cString: lo_message_get_types(message))
    let values = lo_message_get_argv(message)
    let arguments = types.enumerated().map { index, type in
      argument(type, values?[index].map { UnsafeRawPointer($0) })
    }
    return OscMessage(
      address: String(cString: bytes.bindMemory(to: CChar.self).baseAddress!),
      arguments: arguments, time: time)
  }

  /// Whether a message has a blob, which nothing here takes. liblo 0.31 reads the size of a blob beyond the end of a
  /// message that has no more bytes.
  private static func hasBlob(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let end = bytes.firstIndex(of: 0) else { return false }
    let types = bytes[min(bytes.count, (end / 4 + 1) * 4)...]
    return types.prefix { $0 != 0 }.contains(UInt8(ascii: "b"))
  }

  private static func argument(_ type: Character, _ place: UnsafeRawPointer?) -> Argument {
    switch (type, place) {
    case ("T", _): return .number(1)
    case ("F", _): return .number(0)
    case ("i", let place?): return .number(Double(place.loadUnaligned(as: Int32.self)))
    case ("h", let place?): return .number(Double(place.loadUnaligned(as: Int64.self)))
    case ("f", let place?):
      // The shortest decimal number that this one stands for: 0.1 is sent as a float for 0.1.
      let number = place.loadUnaligned(as: Float.self)
      return .number(Double(number.description) ?? Double(number))
    case ("d", let place?): return .number(place.loadUnaligned(as: Double.self))
    case ("s", let place?), ("S", let place?):
      return .text(String(cString: place.assumingMemoryBound(to: CChar.self)))
    default: return .other(type)
    }
  }
}
