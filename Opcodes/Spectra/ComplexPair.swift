import OpcodeKit

/// Two complex numbers.
struct ComplexPair: BitwiseCopyable {
  var real, imaginary: Pair

  @inline(__always)
  static func + (a: ComplexPair, b: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: a.real + b.real, imaginary: a.imaginary + b.imaginary)
  }

  @inline(__always)
  static func - (a: ComplexPair, b: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
  }

  /// This plus i times another.
  @inline(__always)
  func addingUp(_ other: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real - other.imaginary,
      imaginary: imaginary + other.real)
  }

  /// This minus i times another.
  @inline(__always)
  func addingDown(_ other: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real + other.imaginary,
      imaginary: imaginary - other.real)
  }

  /// The product.
  @inline(__always)
  func turned(_ turn: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real * turn.real - imaginary * turn.imaginary,
      imaginary: real * turn.imaginary + imaginary * turn.real)
  }

  /// The product with the conjugate.
  @inline(__always)
  func unturned(_ turn: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real * turn.real + imaginary * turn.imaginary,
      imaginary: imaginary * turn.real - real * turn.imaginary)
  }
}
