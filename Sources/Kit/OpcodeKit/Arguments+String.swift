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

  /// The text's first eight bytes as one number, the first byte the lowest, with anything after the zero that
  /// ends it; nil where Csound has made room for fewer than four. To read a short text in registers.
  @inlinable public var firstBytes: UInt64? {
    @inline(__always) get { StringMemory.firstBytes(string.pointee) }
  }

  /// A text of up to seven bytes as one number, the first byte the lowest; nil for a longer one. To see
  /// whether it has changed, without reading it again.
  @inlinable public var shortText: UInt64? {
    @inline(__always) get { StringMemory.shortText(string.pointee) }
  }
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
  @inlinable @inline(__always) public func reserve(_ byteCount: Int, _ context: Context) {
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

  /// Makes the text the bytes of a number, the lowest first, up to the first that is zero; as many as there
  /// is room for, and false when that is not all.
  @inlinable @inline(__always) @discardableResult
  public func replace(with bytes: UInt64) -> Bool {
    guard _fastPath(string.pointee.size > 8) else { return replaceInPart(bytes) }
    let data = UnsafeMutableRawPointer(string.pointee.data.unsafelyUnwrapped)
    data.storeBytes(of: bytes.littleEndian, as: UInt64.self)
    data.storeBytes(of: 0, toByteOffset: 8, as: UInt8.self)
    return true
  }

  @inlinable @inline(never)
  func replaceInPart(_ bytes: UInt64) -> Bool {
    var count = 0
    while count < 8, bytes &>> UInt64(8 * count) & 0xFF != 0 { count += 1 }
    return replace(count: count) { UInt8(truncatingIfNeeded: bytes &>> UInt64(8 * $0)) }
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
  /// The first eight bytes of at least four, zeros where there are fewer.
  @inlinable @inline(__always)
  static func firstBytes(_ string: STRINGDAT) -> UInt64? {
    guard let text = string.data else { return nil }
    let (data, count) = (UnsafeRawPointer(text), Int(string.size))
    if count >= 8 { return UInt64(littleEndian: data.loadUnaligned(as: UInt64.self)) }
    guard count >= 4 else { return nil }
    // The last four overlap the first.
    let (first, last) = (
      UInt32(littleEndian: data.loadUnaligned(as: UInt32.self)),
      UInt32(littleEndian: data.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
    )
    return UInt64(first) | UInt64(last) &<< UInt64(8 &* (count &- 4))
  }

  /// A text of up to seven bytes as one number.
  @inlinable @inline(__always)
  static func shortText(_ string: STRINGDAT) -> UInt64? {
    guard let data = string.data else { return 0 }
    guard let bytes = firstBytes(string) else { return shortText(data) }
    // The highest bit of the first byte that is zero, and maybe of later ones.
    let zeros = (bytes &- 0x0101_0101_0101_0101) & ~bytes & 0x8080_8080_8080_8080
    guard zeros != 0 else { return nil }
    return bytes & ((zeros & (0 &- zeros)) &- 1)
  }

  @inlinable @inline(never)
  static func shortText(_ data: UnsafePointer<CChar>) -> UInt64? {
    var text: UInt64 = 0
    for index in 0..<8 {
      let byte = UInt64(UInt8(bitPattern: data[index]))
      if byte == 0 { return text }
      text |= byte << UInt64(8 * index)
    }
    return nil
  }

  @inlinable static func bytes(_ string: STRINGDAT) -> TextBytes {
    guard let data = string.data else { return UnsafeBufferPointer(start: nil, count: 0) }
    var count = 0
    while data[count] != 0 { count += 1 }
    let start = UnsafeRawPointer(data).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: count)
  }
}
