/// Several complex numbers at once: a vector of real parts and a vector of imaginary parts.
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

  /// `self` + i `other`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func addingUp(_ other: Complex) -> Complex {
    Complex(
      real: real - other.imaginary,
      imaginary: imaginary + other.real)
  }

  /// `self` - i `other`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func addingDown(_ other: Complex) -> Complex {
    Complex(
      real: real + other.imaginary,
      imaginary: imaginary - other.real)
  }

  /// The product with `turn`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func turned(_ turn: Complex) -> Complex {
    Complex(
      real: real * turn.real - imaginary * turn.imaginary,
      imaginary: real * turn.imaginary + imaginary * turn.real)
  }

  /// The product with the conjugate of `turn`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func unturned(_ turn: Complex) -> Complex {
    Complex(
      real: real * turn.real + imaginary * turn.imaginary,
      imaginary: imaginary * turn.real - real * turn.imaginary)
  }
}

/// Two complex numbers.
public typealias ComplexPair = Complex<Pair>
