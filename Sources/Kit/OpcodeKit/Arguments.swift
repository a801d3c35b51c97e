// The types an opcode's `Arguments` is made of. Each is exactly one of the pointers Csound stores
// in the block, so a struct of them, outputs first, has Csound's own layout.

/// One pointer in an opcode's argument list.
public protocol Argument: BitwiseCopyable {
  /// Csound's type letters this argument can stand for in a type string.
  static var typeLetters: StaticString { get }

  /// Csound's letters for any number of such arguments at the end of a type string.
  static var variadicLetters: StaticString { get }

  /// Whether the opcode writes it.
  static var isOutput: Bool { get }

  /// Whether it stands for an array, `[]` after the letter.
  static var isArray: Bool { get }

  /// Whether it stands for any number of arguments.
  static var isVariadic: Bool { get }

  /// Whether it is one number, of i-rate or k-rate: an array of such has one after the other.
  static var isNumber: Bool { get }
}

extension Argument {
  public static var variadicLetters: StaticString { "" }
  public static var isOutput: Bool { false }
  public static var isArray: Bool { false }
  public static var isVariadic: Bool { false }
  @inlinable public static var isNumber: Bool { false }

  /// The argument whose data lie at an address.
  @inlinable @inline(__always)
  static func at(_ address: UnsafeMutableRawPointer) -> Self {
    unsafeBitCast(address, to: Self.self)
  }
}

/// A control that an opcode reads sample by sample, whatever its rate.
///
/// Make an opcode generic over `Signal` and one implementation serves k-rate and a-rate overloads.
public protocol Signal: Argument {
  /// Whether the value can change inside a k-cycle. A constant at compile time.
  static var isAudioRate: Bool { get }

  /// The value at a frame of the current k-cycle.
  subscript(frame: Int) -> Double { get }
}

/// An a-rate input: `ksmps` samples, valid at `context.frames`. Checked in debug builds only.
@frozen
public struct AudioInput: Signal {
  @usableFromInline let samples: UnsafePointer<Double>

  public static var typeLetters: StaticString { "a" }
  public static var variadicLetters: StaticString { "y" }
  @inlinable public static var isAudioRate: Bool { true }
  @inlinable @inline(__always) public subscript(frame: Int) -> Double {
    Checks.frames(frame)
    return samples[frame]
  }
}

/// An a-rate output: write every frame in `context.frames`; the kit zeroes the others.
///
/// An output can share its memory with an input (`a1 OPCODE a1`): read a frame before writing it.
@frozen
public struct AudioOutput: Argument {
  @usableFromInline let samples: UnsafeMutablePointer<Double>

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

/// A k-rate input, also optional (`O` 0, `P` 1, `V` 0.5, `J` −1 when left out).
@frozen
public struct ControlInput: Signal {
  @usableFromInline let pointer: UnsafePointer<Double>

  @inlinable public static var isNumber: Bool { true }
  public static var typeLetters: StaticString { "kOPVJ" }
  public static var variadicLetters: StaticString { "z" }
  @inlinable public static var isAudioRate: Bool { false }

  /// The value in this k-cycle.
  @inlinable @inline(__always) public var value: Double { pointer.pointee }
  @inlinable @inline(__always) public subscript(frame: Int) -> Double { pointer.pointee }
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

/// An i-time input, also optional (`o` 0, `p` 1, `q` 10, `v` 0.5, `j` −1, `h` 127 when left out).
@frozen
public struct InitInput: Argument {
  @usableFromInline let pointer: UnsafePointer<Double>

  @inlinable public static var isNumber: Bool { true }
  public static var typeLetters: StaticString { "iopqvjh" }
  public static var variadicLetters: StaticString { "mn" }

  /// The value; read it in the init pass.
  @inlinable @inline(__always) public var value: Double { pointer.pointee }
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
