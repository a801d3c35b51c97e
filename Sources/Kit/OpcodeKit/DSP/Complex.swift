import OpcodeKit

/// Complex numbers side by side.
struct Complex<V: Vector>: BitwiseCopyable {
  var real, imaginary: V

  @inline(__always) @_semantics("no_performance_analysis")
  static func + (a: Complex, b: Complex) -> Complex {
    Complex(
      real: a.real + b.real, imaginary: a.imaginary + b.imaginary)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func - (a: Complex, b: Complex) -> Complex {
    Complex(
      real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
  }

  /// This plus i times another.
  @inline(__always) @_semantics("no_performance_analysis")
  func addingUp(_ other: Complex) -> Complex {
    Complex(
      real: real - other.imaginary,
      imaginary: imaginary + other.real)
  }

  /// This minus i times another.
  @inline(__always) @_semantics("no_performance_analysis")
  func addingDown(_ other: Complex) -> Complex {
    Complex(
      real: real + other.imaginary,
      imaginary: imaginary - other.real)
  }

  /// The product.
  @inline(__always) @_semantics("no_performance_analysis")
  func turned(_ turn: Complex) -> Complex {
    Complex(
      real: real * turn.real - imaginary * turn.imaginary,
      imaginary: real * turn.imaginary + imaginary * turn.real)
  }

  /// The product with the conjugate.
  @inline(__always) @_semantics("no_performance_analysis")
  func unturned(_ turn: Complex) -> Complex {
    Complex(
      real: real * turn.real + imaginary * turn.imaginary,
      imaginary: imaginary * turn.real - real * turn.imaginary)
  }
}

typealias ComplexPair = Complex<Pair>
