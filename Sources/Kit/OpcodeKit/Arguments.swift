// The types of the fields of an opcode's `Arguments`. Each is exactly one of the pointers that
// Csound stores in the opcode's block, so a struct of such fields, outputs first, has the layout
// Csound expects.

/// One pointer in an opcode's argument list.
public protocol Argument: BitwiseCopyable {
  /// Csound's type letters that this argument can stand for in a type string.
  static var typeLetters: StaticString { get }

  /// Csound's letters for any number of such arguments, at the end of a type string.
  static var variadicLetters: StaticString { get }

  /// Whether the argument is an output.
  static var isOutput: Bool { get }

  /// Whether the argument is an array: `[]` after the letter.
  static var isArray: Bool { get }

  /// Whether the field stands for any number of arguments.
  static var isVariadic: Bool { get }

  /// Whether the argument is a single i-rate or k-rate number. Arrays of such arguments store their
  /// elements contiguously.
  static var isNumber: Bool { get }

  /// What a performance pass reads of the argument once, at its beginning: a number, the header of an array.
  ///
  /// The compiler must assume that a sample written to an output changes whatever else is in memory. A value in the
  /// pass's own memory cannot change so, and stays in a register throughout the loop over the frames.
  @_documentation(visibility: internal) associatedtype Held: BitwiseCopyable = HeldNothing

  /// The value to hold, read now.
  @_documentation(visibility: internal) var held: Held { get }

  /// The same argument, reading what is held.
  @_documentation(visibility: internal) func reading(_ held: UnsafeMutablePointer<Held>) -> Self
}

/// What is held of arguments that are read where they are, such as audio signals.
@_documentation(visibility: internal) @frozen
public struct HeldNothing: BitwiseCopyable {
  @inlinable @inline(__always) public init() {}
}

extension Argument {
  /// The same argument, reading what is held at a place among an opcode's `HeldArguments`, which then is that of the
  /// next argument. Every held value is of whole words.
  @_documentation(visibility: internal) @inlinable @inline(__always)
  public func reading(_ place: inout UnsafeMutableRawPointer) -> Self {
    let held = place.assumingMemoryBound(to: Held.self)
    place += MemoryLayout<Held>.size
    return reading(held)
  }
}

extension Argument where Held == HeldNothing {
  @_documentation(visibility: internal)
  @inlinable @inline(__always) public var held: HeldNothing { HeldNothing() }
  @_documentation(visibility: internal) @inlinable @inline(__always)
  public func reading(_ held: UnsafeMutablePointer<HeldNothing>) -> Self { self }
}

extension Argument {
  public static var variadicLetters: StaticString { "" }
  public static var isOutput: Bool { false }
  public static var isArray: Bool { false }
  public static var isVariadic: Bool { false }
  @inlinable public static var isNumber: Bool { false }

  /// The argument whose data is at an address.
  @inlinable @inline(__always)
  static func at(_ address: UnsafeMutableRawPointer) -> Self {
    unsafeBitCast(address, to: Self.self)
  }
}

/// An input that an opcode reads sample by sample, whether it is k-rate or a-rate.
///
/// Make an opcode generic over `Signal`, and one implementation serves the k-rate and the a-rate
/// overloads.
public protocol Signal: Argument {
  /// Whether the value can change inside a k-cycle. Known at compile time.
  static var isAudioRate: Bool { get }

  /// The value at a frame of the current k-cycle; `frame` must lie in the range `context.frames`.
  subscript(frame: Int) -> Double { get }
}

/// An a-rate input: `ksmps` samples, of which those in the range `context.frames` are valid.
/// Indices are checked in debug builds only.
@frozen
public struct AudioInput: Signal {
  @usableFromInline let samples: UnsafePointer<Double>

  @inlinable @inline(__always)
  init(samples: UnsafePointer<Double>) { self.samples = samples }

  public static var typeLetters: StaticString { "a" }
  public static var variadicLetters: StaticString { "y" }
  @inlinable public static var isAudioRate: Bool { true }
  @inlinable @inline(__always) public subscript(frame: Int) -> Double {
    Checks.frames(frame)
    return samples[frame]
  }
}

/// An a-rate output. Write every frame in the range `context.frames`; the kit zeroes the others.
///
/// An output can share its memory with an input (`a1 OPCODE a1`): read a frame before writing it.
@frozen
public struct AudioOutput: Argument {
  @usableFromInline let samples: UnsafeMutablePointer<Double>

  @inlinable @inline(__always)
  init(samples: UnsafeMutablePointer<Double>) { self.samples = samples }

  public static var typeLetters: StaticString { "a" }
  public static var variadicLetters: StaticString { "m" }
  public static var isOutput: Bool { true }
  @inlinable @inline(__always) public subscript(frame: Int) -> Double {
    get {
      Checks.frames(frame)
      return samples[frame]
    }
    nonmutating set {
      Checks.frames(frame)
      samples[frame] = newValue
    }
  }
}

/// A k-rate input; optional with the letter `O` (default 0), `P` (1), `V` (0.5) or `J` (-1).
@frozen
public struct ControlInput: Signal {
  @usableFromInline let pointer: UnsafePointer<Double>

  @inlinable @inline(__always)
  init(pointer: UnsafePointer<Double>) { self.pointer = pointer }

  @inlinable public static var isNumber: Bool { true }
  public static var typeLetters: StaticString { "kOPVJ" }
  public static var variadicLetters: StaticString { "z" }
  @inlinable public static var isAudioRate: Bool { false }

  /// The value in this k-cycle.
  @inlinable @inline(__always) public var value: Double { pointer.pointee }
  @inlinable @inline(__always) public subscript(frame: Int) -> Double { pointer.pointee }
  @inlinable @inline(__always) public var held: Double { pointer.pointee }
  @inlinable @inline(__always)
  public func reading(_ held: UnsafeMutablePointer<Double>) -> Self { Self(pointer: held) }
}

/// A k-rate output.
@frozen
public struct ControlOutput: Argument {
  @usableFromInline let pointer: UnsafeMutablePointer<Double>

  @inlinable public static var isNumber: Bool { true }
  public static var typeLetters: StaticString { "k" }
  public static var variadicLetters: StaticString { "z" }
  public static var isOutput: Bool { true }
  @inlinable @inline(__always) public var value: Double {
    get { pointer.pointee }
    nonmutating set { pointer.pointee = newValue }
  }
}

/// An i-time input; optional with the letter `o` (default 0), `p` (1), `q` (10), `v` (0.5), `j`
/// (-1) or `h` (127).
@frozen
public struct InitInput: Argument {
  @usableFromInline let pointer: UnsafePointer<Double>

  @inlinable @inline(__always)
  init(pointer: UnsafePointer<Double>) { self.pointer = pointer }

  @inlinable public static var isNumber: Bool { true }
  public static var typeLetters: StaticString { "iopqvjh" }
  public static var variadicLetters: StaticString { "mn" }

  /// The value; read it in the init pass.
  @inlinable @inline(__always) public var value: Double { pointer.pointee }
  @inlinable @inline(__always) public var held: Double { pointer.pointee }
  @inlinable @inline(__always)
  public func reading(_ held: UnsafeMutablePointer<Double>) -> Self { Self(pointer: held) }
}

/// An i-time output.
@frozen
public struct InitOutput: Argument {
  @usableFromInline let pointer: UnsafeMutablePointer<Double>

  @inlinable public static var isNumber: Bool { true }
  public static var typeLetters: StaticString { "i" }
  public static var variadicLetters: StaticString { "I" }
  public static var isOutput: Bool { true }
  @inlinable @inline(__always) public var value: Double {
    get { pointer.pointee }
    nonmutating set { pointer.pointee = newValue }
  }
}
