/// Complex numbers side by side.
@frozen
public struct Complex<V: Vector>: BitwiseCopyable {
  public var real, imaginary: V

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(real: V, imaginary: V) { (self.real, self.imaginary) = (real, imaginary) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func + (a: Complex, b: Complex) -> Complex {
    Complex(
      real: a.real + b.real, imaginary: a.imaginary + b.imaginary)
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func - (a: Complex, b: Complex) -> Complex {
    Complex(
      real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
  }

  /// This plus i times another.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func addingUp(_ other: Complex) -> Complex {
    Complex(
      real: real - other.imaginary,
      imaginary: imaginary + other.real)
  }

  /// This minus i times another.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func addingDown(_ other: Complex) -> Complex {
    Complex(
      real: real + other.imaginary,
      imaginary: imaginary - other.real)
  }

  /// The product.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func turned(_ turn: Complex) -> Complex {
    Complex(
      real: real * turn.real - imaginary * turn.imaginary,
      imaginary: real * turn.imaginary + imaginary * turn.real)
  }

  /// The product with the conjugate.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func unturned(_ turn: Complex) -> Complex {
    Complex(
      real: real * turn.real + imaginary * turn.imaginary,
      imaginary: imaginary * turn.real - real * turn.imaginary)
  }
}

/// Two complex numbers side by side.
public typealias ComplexPair = Complex<Pair>
