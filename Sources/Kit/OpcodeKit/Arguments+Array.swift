public import CCsound

/// An array of Csound, read: `ArrayInput<ControlInput>` is a `k[]`, `ArrayInput<AudioInput>` an
/// `a[]`, `ArrayInput<InitInput>` an `i[]`, `ArrayInput<StringInput>` an `S[]`.
///
/// Other opcodes can change an array's length between k-cycles: ask for `count` in every pass.
@frozen
public struct ArrayInput<Element: Argument>: Argument {
  @usableFromInline let array: UnsafePointer<ARRAYDAT>

  public static var typeLetters: StaticString { Element.typeLetters }
  public static var isArray: Bool { true }

  /// How many elements there are, over all dimensions; 0 for an array nobody has set up.
  @inlinable public var count: Int { ArrayMemory.count(array.pointee) }

  /// How many dimensions the array has; 0 when nobody has set it up.
  @inlinable public var dimensions: Int { Int(array.pointee.dimensions) }

  /// The length of one dimension, counted from 0. Checked in debug builds only.
  @inlinable public func length(ofDimension dimension: Int) -> Int {
    Checks.index(dimension, below: dimensions, "an array's dimensions")
    return Int(array.pointee.sizes[dimension])
  }

  /// The element at an index from 0 to `count - 1`, in row order. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    Checks.index(index, below: count, "an array's elements")
    return Element.at(ArrayMemory.element(array.pointee, index))
  }
}

/// An array of Csound, written: `ArrayOutput<ControlOutput>` is a `k[]`, and so on.
///
/// Give it a length with `resize` in the init pass; its elements can be written from then on. Csound
/// keeps the array of a recycled note, so elements begin with old values.
@frozen
public struct ArrayOutput<Element: Argument>: Argument {
  @usableFromInline let array: UnsafeMutablePointer<ARRAYDAT>

  public static var typeLetters: StaticString { Element.typeLetters }
  public static var isOutput: Bool { true }
  public static var isArray: Bool { true }

  /// How many elements there are.
  @inlinable public var count: Int { ArrayMemory.count(array.pointee) }

  /// Gives the array a length [init pass]. Elements that were there keep their values.
  ///
  /// Throws when the orchestra has made it an array of two or more dimensions.
  public func resize(to count: Int, _ context: Context) throws(OpcodeError) {
    let areStrings: CInt = Element.typeLetters.hasLetter(UInt8(ascii: "S")) ? 1 : 0
    let memory = array.pointee
    if areStrings == 0, memory.dimensions == 1, memory.data != nil, Int(memory.sizes[0]) == count {
      return
    }
    guard count >= 0, count < 1 << 28 else {
      throw OpcodeError(
        argument: "array length", is: Double(count), mustBe: "from 0 to 268435455")
    }
    guard ccs_resize_array(context.csound, context.block, array, CInt(count), areStrings) != 0
    else {
      throw OpcodeError("the output array must have one dimension.")
    }
  }

  /// Makes the array shorter, or longer within the memory it has [performance pass]; false and no change
  /// when that is too small.
  ///
  /// Elements that come back have the values they had. `resize` reserves the memory.
  @inlinable public func setCount(_ count: Int) -> Bool {
    let memory = array.pointee
    guard memory.data != nil, memory.dimensions == 1, memory.arrayMemberSize > 0,
      0..<1 << 28 ~= count, count &* Int(memory.arrayMemberSize) <= memory.allocated
    else { return false }
    memory.sizes[0] = CInt(count)
    return true
  }

  /// The element at an index from 0 to `count - 1`. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    Checks.index(index, below: count, "an array's elements")
    return Element.at(ArrayMemory.element(array.pointee, index))
  }
}

/// The elements of an array, found once for all of them; valid until its length changes.
@frozen
public struct ArrayElements<Element: Argument>: BitwiseCopyable {
  @usableFromInline let start: UnsafeMutableRawPointer?
  @usableFromInline let stride: Int
  /// How many there are.
  public let count: Int

  @inlinable @inline(__always)
  init(_ array: ARRAYDAT) {
    start = array.data.map { UnsafeMutableRawPointer($0) }
    stride = Int(array.arrayMemberSize)
    count = ArrayMemory.count(array)
  }

  /// The element at an index from 0 to `count - 1`, in row order. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    Checks.index(index, below: count, "an array's elements")
    let bytes = Element.isNumber ? MemoryLayout<Double>.size : stride
    return Element.at(start.unsafelyUnwrapped + index &* bytes)
  }
}

extension ArrayInput {
  /// The elements, for a loop over many.
  @inlinable public var elements: ArrayElements<Element> { ArrayElements(array.pointee) }
}

extension ArrayOutput {
  /// The elements, for a loop over many.
  @inlinable public var elements: ArrayElements<Element> { ArrayElements(array.pointee) }
}

@usableFromInline
enum ArrayMemory {
  @inlinable static func count(_ array: ARRAYDAT) -> Int {
    guard array.data != nil, array.dimensions > 0 else { return 0 }
    if _fastPath(array.dimensions == 1) { return Int(array.sizes[0]) }
    var count = 1
    for dimension in 0..<Int(array.dimensions) { count *= Int(array.sizes[dimension]) }
    return count
  }

  @inlinable @inline(__always)
  static func element(_ array: ARRAYDAT, _ index: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(array.data) + index * Int(array.arrayMemberSize)
  }
}
