public import CCsound

/// An array that the opcode reads: `ArrayInput<ControlInput>` is a `k[]`, `ArrayInput<AudioInput>` an `a[]`,
/// `ArrayInput<InitInput>` an `i[]`, `ArrayInput<StringInput>` an `S[]`.
///
/// Other opcodes can change an array's length between k-cycles: read `count` in every pass.
@frozen
public struct ArrayInput<Element: Argument>: Argument {
  @usableFromInline let array: UnsafePointer<ARRAYDAT>

  @inlinable @inline(__always)
  init(array: UnsafePointer<ARRAYDAT>) { self.array = array }

  public static var typeLetters: StaticString { Element.typeLetters }
  public static var isArray: Bool { true }

  /// Number of elements over all dimensions; 0 for an array that nothing has initialized.
  @inlinable public var count: Int { ArrayMemory.count(array.pointee) }

  /// Number of dimensions; 0 for an array that nothing has initialized.
  @inlinable public var dimensions: Int { Int(array.pointee.dimensions) }

  /// The length of one dimension, numbered from 0. Checked in debug builds only.
  @inlinable public func length(ofDimension dimension: Int) -> Int {
    Checks.index(dimension, below: dimensions, "an array's dimensions")
    return Int(array.pointee.sizes[dimension])
  }

  /// The element at an index from 0 to `count - 1`, in row order. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    Checks.index(index, below: count, "an array's elements")
    return ArrayMemory.element(array.pointee, index)
  }

  @_documentation(visibility: internal)
  @inlinable @inline(__always) public var held: HeldArray { HeldArray(array.pointee) }
  @_documentation(visibility: internal) @inlinable @inline(__always)
  public func reading(_ held: UnsafeMutablePointer<HeldArray>) -> Self {
    Self(array: HeldArray.header(of: held))
  }
}

/// An array that the opcode writes: `ArrayOutput<ControlOutput>` is a `k[]`, and so on.
///
/// Call `resize` in the init pass before writing elements. Csound reuses a note's memory for later notes, so the
/// elements begin with old values.
@frozen
public struct ArrayOutput<Element: Argument>: Argument {
  @usableFromInline let array: UnsafeMutablePointer<ARRAYDAT>

  @inlinable @inline(__always)
  init(array: UnsafeMutablePointer<ARRAYDAT>) { self.array = array }

  public static var typeLetters: StaticString { Element.typeLetters }
  public static var isOutput: Bool { true }
  public static var isArray: Bool { true }

  /// Number of elements.
  @inlinable public var count: Int { ArrayMemory.count(array.pointee) }

  /// Sets the array's length [init pass]. Existing elements keep their values.
  ///
  /// Throws when `count` is not from 0 to 268435455, or when the array has two or more dimensions in the orchestra.
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
    else { throw OpcodeError("the output array must have one dimension.") }
  }

  /// Sets the array's length within the memory that `resize` has reserved [performance pass]. Returns false and changes
  /// nothing when that memory is too small.
  ///
  /// When the array grows again, the elements added have the values they last had.
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
    return ArrayMemory.element(array.pointee, index)
  }

  @_documentation(visibility: internal)
  @inlinable @inline(__always) public var held: HeldArray { HeldArray(array.pointee) }
  @_documentation(visibility: internal) @inlinable @inline(__always)
  public func reading(_ held: UnsafeMutablePointer<HeldArray>) -> Self {
    Self(array: HeldArray.header(of: held))
  }
}

/// What a pass holds of an array: its header, which says where the elements are.
@_documentation(visibility: internal) @frozen
public struct HeldArray: BitwiseCopyable {
  @usableFromInline let header: ARRAYDAT

  @inlinable @inline(__always)
  init(_ header: ARRAYDAT) { self.header = header }

  /// The header in memory; it is all there is in the struct.
  @inlinable @inline(__always)
  static func header(of held: UnsafeMutablePointer<HeldArray>) -> UnsafeMutablePointer<ARRAYDAT> {
    UnsafeMutableRawPointer(held).assumingMemoryBound(to: ARRAYDAT.self)
  }
}

/// The elements of an array, looked up once for a whole loop; valid until the array's length changes.
@frozen
public struct ArrayElements<Element: Argument>: BitwiseCopyable {
  @usableFromInline let start: UnsafeMutableRawPointer?
  @usableFromInline let stride: Int
  /// Number of elements.
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
  /// The elements, for a loop over many of them.
  @inlinable public var elements: ArrayElements<Element> { ArrayElements(array.pointee) }
}

extension ArrayOutput {
  /// The elements, for a loop over many of them.
  @inlinable public var elements: ArrayElements<Element> { ArrayElements(array.pointee) }
}

extension ArrayInput {
  /// A number in an array of numbers.
  func number(_ index: Int) -> Double {
    ArrayMemory.element(array.pointee, index, stride: MemoryLayout<Double>.size)
      .assumingMemoryBound(to: Double.self).pointee
  }
}

extension ArrayOutput {
  /// Sets a number in an array of numbers.
  func setNumber(_ index: Int, _ value: Double) {
    ArrayMemory.element(array.pointee, index, stride: MemoryLayout<Double>.size)
      .assumingMemoryBound(to: Double.self).pointee = value
  }
}

@usableFromInline
enum ArrayMemory {
  @inlinable @inline(__always) static func count(_ array: ARRAYDAT) -> Int {
    ccs_array_count(array.dimensions, array.sizes, array.data)
  }

  @inlinable @inline(__always)
  static func element(_ array: ARRAYDAT, _ index: Int) -> UnsafeMutableRawPointer {
    element(array, index, stride: Int(array.arrayMemberSize))
  }

  /// Numbers lie next to each other: their distance is known when the opcode is compiled.
  @inlinable @inline(__always)
  static func element<Element: Argument>(_ array: ARRAYDAT, _ index: Int) -> Element {
    let stride = Element.isNumber ? MemoryLayout<Double>.size : Int(array.arrayMemberSize)
    return Element.at(element(array, index, stride: stride))
  }

  @inlinable @inline(__always)
  static func element(_ array: ARRAYDAT, _ index: Int, stride: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(array.data.unsafelyUnwrapped) + index &* stride
  }
}
