public import CCsound

/// Any number of arguments of one type, at the end of an opcode's inputs or outputs.
///
/// For inputs, `Variadic<AudioInput>` stands for `y`, `Variadic<ControlInput>` for `z`, `Variadic<InitInput>` for `m`
/// or `n`, `Variadic<StringInput>` for `W`, `Variadic<AnyInput>` for `M`, `N`, `Z` or `*`. For outputs, the letters are
/// `m` (audio), `z` (control), `I` (i-time) and `F` (f-signals).
///
/// An `Arguments` struct with a `Variadic` field must conform to `VariadicArguments`.
@frozen
public struct Variadic<Element: Argument>: Argument {
  @usableFromInline let first: UnsafePointer<Element>
  /// How many arguments the orchestra passes, from 0 to 1999.
  public let count: Int

  public static var typeLetters: StaticString { Element.variadicLetters }
  public static var isOutput: Bool { Element.isOutput }
  public static var isVariadic: Bool { true }

  /// The argument at an index from 0 to `count - 1`. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    Checks.index(index, below: count, "the arguments")
    return first[index]
  }
}

/// An `Arguments` struct with a variadic list of inputs, of outputs, or of both.
///
/// The opcode's block has room for 1999 pointers, the most that Csound passes, on each variadic side: 16 KB per side.
/// Without `@Opcode` both sides count as variadic: 32 KB.
public protocol VariadicArguments: BitwiseCopyable {}

/// An input of any type: `.`, `?`, `x`, `T` or `U` in a type string, or an element of a `Variadic`.
@frozen
public struct AnyInput: Argument {
  @usableFromInline let pointer: UnsafePointer<Double>

  public static var typeLetters: StaticString { ".?xTU" }
  public static var variadicLetters: StaticString { "MN*Z" }

  /// Csound's type letter of the argument that the orchestra passes: `a`, `k`, `i`, `S`, `f`, `p` (a p-field), `c` (a
  /// constant), `r` (a reserved word), `[` (an array).
  @inlinable public var letter: UInt8 {
    // CS_VAR_TYPE_OFFSET, which CCsound.h checks.
    let type = (UnsafeRawPointer(pointer) - 8).load(as: UnsafePointer<CS_TYPE>.self)
    return UInt8(bitPattern: type.pointee.varTypeName[0])
  }

  /// The argument as an audio signal; nil when it has another type.
  @inlinable public var audio: AudioInput? { letter == UInt8(ascii: "a") ? .at(address) : nil }

  /// The argument as a number of k-rate or i-rate; nil when it has another type.
  @inlinable public var control: ControlInput? {
    switch letter {
    case UInt8(ascii: "k"), UInt8(ascii: "i"), UInt8(ascii: "p"), UInt8(ascii: "c"),
      UInt8(ascii: "r"):
      .at(address)
    default: nil
    }
  }

  /// The argument as a string; nil when it has another type.
  @inlinable public var string: StringInput? { letter == UInt8(ascii: "S") ? .at(address) : nil }

  /// The argument as an f-signal; nil when it has another type.
  @inlinable public var spectrum: SpectrumInput? {
    letter == UInt8(ascii: "f") ? .at(address) : nil
  }

  @inlinable var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(mutating: pointer) }
}
