public import CCsound

/// The bytes of a text in UTF-8.
public typealias TextBytes = UnsafeBufferPointer<UInt8>

/// A string that the opcode reads: an `S` argument. Its bytes are Csound's own memory and can change from pass to pass.
@frozen
public struct StringInput: Argument {
  @usableFromInline let string: UnsafePointer<STRINGDAT>

  public static var typeLetters: StaticString { "S" }
  public static var variadicLetters: StaticString { "W" }

  /// The text's UTF-8 bytes, without the zero at the end. Valid only in this pass, and only until `reserve` is called
  /// on an output: in the orchestra that output may be the same variable.
  @inlinable public var bytes: TextBytes { StringMemory.bytes(string.pointee) }

  /// The text's first eight bytes as one number, the first byte lowest; bytes after the terminating zero are undefined.
  /// Nil when Csound has allocated fewer than four bytes. For reading a short text in registers.
  @inlinable public var firstBytes: UInt64? {
    @inline(__always) get { StringMemory.firstBytes(string.pointee) }
  }

  /// A text of up to seven bytes as one number, the first byte lowest; nil for a longer text. For checking cheaply
  /// whether a string has changed.
  @inlinable public var shortText: UInt64? {
    @inline(__always) get { StringMemory.shortText(string.pointee) }
  }
}

/// A string that the opcode writes: an `S` argument.
///
/// Allocate memory with `reserve` in the init pass. A performance pass can then `clear` and `append` within that
/// capacity.
@frozen
public struct StringOutput: Argument {
  @usableFromInline let string: UnsafeMutablePointer<STRINGDAT>

  public static var typeLetters: StaticString { "S" }
  public static var isOutput: Bool { true }

  /// The bytes written so far.
  @inlinable public var bytes: TextBytes { StringMemory.bytes(string.pointee) }

  /// Allocates memory for a text of `byteCount` bytes [init pass]. The present text is kept, but its address can
  /// change.
  @inlinable @inline(__always) public func reserve(_ byteCount: Int, _ context: Context) {
    ccs_reserve_string(context.csound, string, CInt(clamping: byteCount + 1))
  }

  /// Makes the text empty.
  @inlinable public func clear() { string.pointee.data[0] = 0 }

  /// Sets the text to `count` bytes, cut off at the capacity. Returns false when it was cut off. `byte` gives the byte
  /// at each index from 0 on; it must not return zero.
  @inlinable @inline(__always) @discardableResult
  public func replace(count: Int, _ byte: (Int) -> UInt8) -> Bool {
    let (data, room) = (string.pointee.data.unsafelyUnwrapped, Int(string.pointee.size) - 1)
    let end = min(count, room)
    for index in 0..<max(end, 0) { data[index] = CChar(bitPattern: byte(index)) }
    data[max(end, 0)] = 0
    return count <= room
  }

  /// Sets the text to the bytes of a number, lowest first, up to the first zero byte and cut off at the capacity.
  /// Returns false when it was cut off.
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

  /// Appends a byte. Returns false when the capacity is used up or the byte is zero.
  @inlinable @discardableResult
  public func append(_ byte: UInt8) -> Bool {
    let count = bytes.count
    guard count + 1 < Int(string.pointee.size), byte != 0 else { return false }
    string.pointee.data[count] = CChar(bitPattern: byte)
    string.pointee.data[count + 1] = 0
    return true
  }

  /// Appends bytes up to the capacity. Returns false when not all of them fit.
  @inlinable @discardableResult
  public func append(contentsOf bytes: some Sequence<UInt8>) -> Bool {
    for byte in bytes where !append(byte) { return false }
    return true
  }

  /// Appends a text known at compile time, up to the capacity. Returns false when not all of it fits.
  @inlinable @discardableResult
  public func append(_ text: StaticString) -> Bool {
    for index in 0..<text.utf8CodeUnitCount where !append(text.utf8Start[index]) { return false }
    return true
  }

  /// Appends a whole number in decimal, up to the capacity. Returns false when not all of it fits.
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
  /// The first eight bytes, padded with zeros when the memory has four to seven; nil below four.
  @inlinable @inline(__always)
  static func firstBytes(_ string: STRINGDAT) -> UInt64? {
    guard let text = string.data else { return nil }
    let (data, count) = (UnsafeRawPointer(text), Int(string.size))
    if count >= 8 { return UInt64(littleEndian: data.loadUnaligned(as: UInt64.self)) }
    guard count >= 4 else { return nil }
    // With fewer than eight bytes, the last four overlap the first four.
    let (first, last) = (
      UInt32(littleEndian: data.loadUnaligned(as: UInt32.self)),
      UInt32(littleEndian: data.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
    )
    return UInt64(first) | UInt64(last) &<< UInt64(8 &* (count &- 4))
  }

  /// A text of up to seven bytes as one number; nil for a longer text.
  @inlinable @inline(__always)
  static func shortText(_ string: STRINGDAT) -> UInt64? {
    guard let data = string.data else { return 0 }
    guard let bytes = firstBytes(string) else { return shortText(data) }
    // Bit 7 is set in the first zero byte; it may also be set in later bytes.
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
