/// The discrete Fourier transform of blocks of `size` complex numbers, and its inverse.
///
///     X[k] = Σ x[n] exp(-2 π i k n / size),   k from 0 to size - 1
///
/// Radix-8 steps, with one or two radix-4 steps where the size requires it. Each step reads one section of the memory
/// and writes another, so that the results end up in order (T. G. Stockham, "High-speed convolution and correlation",
/// AFIPS 1966; C. Van Loan, "Computational frameworks for the fast Fourier transform", SIAM 1992).
///
/// ```swift
/// transform[0] = (real: Pair(x0, x1), imaginary: Pair(y0, y1))   // and so on, two numbers at a time
/// transform.forward()
/// let (real, imaginary) = transform[0]
/// ```
@frozen
public struct ComplexTransform: BitwiseCopyable {
  /// Numbers in a block: a power of two, at least 8.
  public let size: Int
  @usableFromInline let memory: Buffer<Pair>
  @usableFromInline let steps: TransformSteps
  /// The section that holds the block, and where its real and imaginary parts are.
  @usableFromInline var current = 0
  @usableFromInline var parts: TransformSteps.Section

  /// Pairs of memory that a transform of this size needs.
  @inlinable
  public static func memoryLength(size: Int) -> Int { TransformSteps.memoryLength(size: size) }

  /// A transform that uses `memory`, which must have at least `memoryLength` pairs [init pass].
  @inlinable
  public init(size: Int, memory: Buffer<Pair>) {
    (self.size, self.memory) = (size, memory)
    steps = TransformSteps(size: size, memory: memory)
    parts = steps.section(0)
  }

  /// Numbers k and k + 1 of the block, for an even k below `size`.
  @inlinable
  public subscript(k: Int) -> (real: Pair, imaginary: Pair) {
    @inline(__always) @_noLocks @_noAllocation
    get { (memory[(parts.real &+ k) &>> 1], memory[(parts.imaginary &+ k) &>> 1]) }
    @inline(__always) @_noLocks @_noAllocation
    nonmutating set {
      memory[(parts.real &+ k) &>> 1] = newValue.real
      memory[(parts.imaginary &+ k) &>> 1] = newValue.imaginary
    }
  }

  /// Replaces the block by its spectrum.
  @_noLocks @_noAllocation
  public mutating func forward() {
    transform(parts)
    parts = steps.section(current)
  }

  /// Replaces the spectrum by `size` times the block that has it; multiply by 1 / size for the block itself.
  @_noLocks @_noAllocation
  public mutating func backward() {
    transform(parts.swapped)
    parts = steps.section(current).swapped
  }

  /// The steps expect the numbers one after the other.
  @inline(never)
  private mutating func transform(_ parts: TransformSteps.Section) {
    let block = steps.section(1 &- current).real &>> 1
    var k = 0
    while k < size {
      let (real, imaginary) = (
        memory[(parts.real &+ k) &>> 1], memory[(parts.imaginary &+ k) &>> 1]
      )
      memory[block &+ k] = .firsts(real, imaginary)
      memory[block &+ k &+ 1] = .seconds(real, imaginary)
      k &+= 2
    }
    current = steps.run(1 &- current)
  }
}
