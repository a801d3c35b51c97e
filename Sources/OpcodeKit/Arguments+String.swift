public import CCsound

/// The bytes of a text in UTF-8.
public typealias TextBytes = UnsafeBufferPointer<UInt8>

/// A string, read: an `S` argument. Its bytes are Csound's own and can change from pass to pass.
@frozen
public struct StringInput: Argument {
  @usableFromInline let string: UnsafePointer<STRINGDAT>

  public static var typeLetters: StaticString { "S" }
  public static var variadicLetters: StaticString { "W" }

  /// The text's bytes in UTF-8, without the zero that ends it. Valid in this pass only, and only until
  /// `reserve` of an output, which the orchestra may have made the same variable.
  @inlinable public var bytes: TextBytes { StringMemory.bytes(string.pointee) }
}

/// A string, written: an `S` argument.
///
/// Make room with `reserve` in the init pass; a performance pass can then `clear` it and `append`
/// within that room.
@frozen
public struct StringOutput: Argument {
  @usableFromInline let string: UnsafeMutablePointer<STRINGDAT>

  public static var typeLetters: StaticString { "S" }
  public static var isOutput: Bool { true }

  /// The bytes written so far.
  @inlinable public var bytes: TextBytes { StringMemory.bytes(string.pointee) }

  /// Makes room for a text of so many bytes [init pass]; what is there stays, but its bytes can move.
  public func reserve(_ byteCount: Int, _ context: Context) {
    ccs_reserve_string(context.csound, string, CInt(clamping: byteCount + 1))
  }

  /// Makes the text empty.
  @inlinable public func clear() { string.pointee.data[0] = 0 }

  /// Makes the text `count` bytes, or as many as there is room for; false when that is not all. `byte`
  /// gives each from 0 on and is never zero.
  @inlinable @inline(__always) @discardableResult
  public func replace(count: Int, _ byte: (Int) -> UInt8) -> Bool {
    let (data, room) = (string.pointee.data.unsafelyUnwrapped, Int(string.pointee.size) - 1)
    let end = min(count, room)
    for index in 0..<max(end, 0) { data[index] = CChar(bitPattern: byte(index)) }
    data[max(end, 0)] = 0
    return count <= room
  }

  /// Adds a byte; false when there is no room for it, or the byte is zero.
  @inlinable @discardableResult
  public func append(_ byte: UInt8) -> Bool {
    let count = bytes.count
    guard count + 1 < Int(string.pointee.size), byte != 0 else { return false }
    string.pointee.data[count] = CChar(bitPattern: byte)
    string.pointee.data[count + 1] = 0
    return true
  }

  /// Adds bytes, as many as there is room for; false when that is not all.
  @inlinable @discardableResult
  public func append(contentsOf bytes: some Sequence<UInt8>) -> Bool {
    for byte in bytes where !append(byte) { return false }
    return true
  }

  /// Adds a text known at compile time, as much of it as there is room for.
  @inlinable @discardableResult
  public func append(_ text: StaticString) -> Bool {
    for index in 0..<text.utf8CodeUnitCount where !append(text.utf8Start[index]) { return false }
    return true
  }

  /// Adds a whole number in decimal, as much of it as there is room for.
  @inlinable @discardableResult
  public func append(_ number: Int) -> Bool {
    if number < 0 && !append(UInt8(ascii: "-")) { return false }
    var unit: UInt = 1
    while number.magnitude / unit >= 10 { unit *= 10 }
    while unit > 0 {
      let digit = UInt8(number.magnitude / unit % 10)
      guard append(UInt8(ascii: "0") + digit) else { return false }
      unit /= 10
    }
    return true
  }
}

@usableFromInline
enum StringMemory {
  @inlinable static func bytes(_ string: STRINGDAT) -> TextBytes {
    guard let data = string.data else { return UnsafeBufferPointer(start: nil, count: 0) }
    var count = 0
    while data[count] != 0 { count += 1 }
    let start = UnsafeRawPointer(data).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: count)
  }
}
