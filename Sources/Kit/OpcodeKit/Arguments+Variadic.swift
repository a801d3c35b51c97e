public import CCsound

/// Any number of arguments of one type, at the end of an opcode's inputs or outputs:
/// `Variadic<AudioInput>` stands for `y`, `Variadic<ControlInput>` for `z`, `Variadic<InitInput>`
/// for `m`, `Variadic<StringInput>` for `W`, `Variadic<AnyInput>` for `M`, `N` or `*`; for outputs
/// `m`, `z`, `I` and `F`.
///
/// A struct of arguments with such a member conforms to `VariadicArguments`.
@frozen
public struct Variadic<Element: Argument>: Argument {
  @usableFromInline let first: UnsafePointer<Element>
  /// How many arguments the orchestra gives, from 0 to 1999.
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

/// Arguments that end in any number of inputs or have any number of outputs.
///
/// Such a block has room for 1999 arguments on the side that is variadic, the most Csound passes: 16 KB;
/// without `@Opcode`, on either side: 32 KB.
public protocol VariadicArguments: BitwiseCopyable {}

/// An input of any type: `.` or `x` in a type string, or one of a `Variadic`.
@frozen
public struct AnyInput: Argument {
  @usableFromInline let pointer: UnsafePointer<Double>

  public static var typeLetters: StaticString { ".?xTU" }
  public static var variadicLetters: StaticString { "MN*Z" }

  /// Csound's own letter for what the orchestra gives: `a`, `k`, `i`, `S`, `f`, `p` (a p-field),
  /// `c` (a constant), `r` (a reserved word), `[` (an array).
  @inlinable public var letter: UInt8 {
    let type = (UnsafeRawPointer(pointer) - MemoryLayout<UnsafeRawPointer>.size)
      .load(as: UnsafePointer<CS_TYPE>.self)
    return UInt8(bitPattern: type.pointee.varTypeName[0])
  }

  /// The argument as an audio signal, if it is one.
  @inlinable public var audio: AudioInput? { letter == UInt8(ascii: "a") ? .at(address) : nil }

  /// The argument as a number that changes at most once in a k-cycle, if it is one.
  @inlinable public var control: ControlInput? {
    switch letter {
    case UInt8(ascii: "k"), UInt8(ascii: "i"), UInt8(ascii: "p"), UInt8(ascii: "c"),
      UInt8(ascii: "r"):
      .at(address)
    default: nil
    }
  }

  /// The argument as a string, if it is one.
  @inlinable public var string: StringInput? { letter == UInt8(ascii: "S") ? .at(address) : nil }

  /// The argument as an f-signal, if it is one.
  @inlinable public var spectrum: SpectrumInput? {
    letter == UInt8(ascii: "f") ? .at(address) : nil
  }

  @inlinable var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(mutating: pointer) }
}
