/// The discrete Fourier transform of real blocks of `size` samples, and its inverse.
///
///     X[k] = Σ x[n] exp(-2 π i k n / size),   k from 0 to size / 2
///
/// A block is treated as size / 2 complex numbers: even samples are the real parts, odd samples the imaginary parts.
/// The spectrum of the real block follows from theirs, a `ComplexTransform`, by symmetry.
@frozen
public struct RealTransform: BitwiseCopyable {
  /// Samples in a block: a power of two, at least 16.
  public let size: Int
  @usableFromInline let memory: Buffer<Pair>
  @usableFromInline let half: ComplexTransform

  /// Complex numbers in a block, and pairs of complex numbers.
  @inlinable @inline(__always) var count: Int { size &>> 1 }
  @inlinable @inline(__always) var pairs: Int { size &>> 2 }

  /// Pairs of memory that a transform of this size needs.
  @inlinable
  public static func memoryLength(size: Int) -> Int {
    ComplexTransform.memoryLength(size: size / 2) + 2 * (size / 8 + 1) + 2 * (size / 4 + 1)
  }

  // Memory layout: that of the complex transform; cosines and sines of π k / count; the spectrum.
  @inlinable @inline(__always) var cosines: Int { ComplexTransform.memoryLength(size: count) }
  @inlinable @inline(__always) var sines: Int { cosines &+ size &>> 3 &+ 1 }
  @inlinable @inline(__always) var block: ComplexTransform.Section { half.section(0) }
  @inlinable @inline(__always) var spectrum: ComplexTransform.Section {
    let start = sines &+ size &>> 3 &+ 1
    return ComplexTransform.Section(real: start, imaginary: start &+ pairs &+ 1)
  }

  /// A transform that uses `memory`, which must have `memoryLength` pairs [init pass].
  @inlinable
  public init(size: Int, memory: Buffer<Pair>) {
    (self.size, self.memory) = (size, memory)
    half = ComplexTransform(size: size / 2, memory: memory)
    for index in 0...(size / 8) {
      let angles = (Double(2 * index), Double(2 * index + 1))
      let unit = Double.pi / Double(count)
      memory[cosines + index] = Pair(Math.cos(angles.0 * unit), Math.cos(angles.1 * unit))
      memory[sines + index] = Pair(Math.sin(angles.0 * unit), Math.sin(angles.1 * unit))
    }
  }

  /// Stores the samples 2n and 2n + 1 (`near`) and 2n + 2 and 2n + 3 (`far`) of the block, for an even n.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func setSamples(_ near: Pair, _ far: Pair, at n: Int) {
    memory[block.real &+ n &>> 1] = .firsts(near, far)
    memory[block.imaginary &+ n &>> 1] = .seconds(near, far)
  }

  /// Bins k and k + 1 of the spectrum, for an even k up to size / 2. The value after the last bin is undefined.
  @inlinable
  public subscript(k: Int) -> (real: Pair, imaginary: Pair) {
    @inline(__always) @_noLocks @_noAllocation
    get { (memory[spectrum.real &+ k &>> 1], memory[spectrum.imaginary &+ k &>> 1]) }
    @inline(__always) @_noLocks @_noAllocation
    nonmutating set {
      memory[spectrum.real &+ k &>> 1] = newValue.real
      memory[spectrum.imaginary &+ k &>> 1] = newValue.imaginary
    }
  }

  /// Eight bins of the spectrum from k on, for a multiple k of 8 below size / 2.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func lanes(at k: Int) -> (real: Lanes, imaginary: Lanes) {
    (memory.lanes(at: spectrum.real &+ k &>> 1), memory.lanes(at: spectrum.imaginary &+ k &>> 1))
  }

  /// Sets eight bins of the spectrum from k on, for a multiple k of 8 below size / 2.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func setLanes(_ real: Lanes, _ imaginary: Lanes, at k: Int) {
    memory.setLanes(real, at: spectrum.real &+ k &>> 1)
    memory.setLanes(imaginary, at: spectrum.imaginary &+ k &>> 1)
  }

  /// Computes the spectrum of the block. The block is overwritten.
  @inlinable @_noLocks @_noAllocation
  public func forward() {
    let result = half.transform(half.section(0), half.section(1))
    let scale = Pair(0.5)
    var carry = (0.0, 0.0)
    var k = 0
    while k <= pairs {
      let (real, imaginary) = numbers(result, k)
      let (mirrorReal, mirrorImaginary) = mirrored(result, k)
      let (evenReal, evenImaginary) = (
        scale * (real + mirrorReal), scale * (imaginary - mirrorImaginary)
      )
      let (oddReal, oddImaginary) = (
        scale * (real - mirrorReal), scale * (imaginary + mirrorImaginary)
      )
      let (c, s) = (memory[cosines &+ k &>> 1], memory[sines &+ k &>> 1])
      // Multiplied by -sin - i cos.
      let turnedReal = c * oddImaginary - s * oddReal
      let turnedImaginary = Pair(0) - (s * oddImaginary + c * oddReal)
      self[k] = (evenReal + turnedReal, evenImaginary + turnedImaginary)
      let (endReal, endImaginary) = (evenReal - turnedReal, turnedImaginary - evenImaginary)
      self[count &- k] = (Pair(endReal[0], carry.0), Pair(endImaginary[0], carry.1))
      carry = (endReal[1], endImaginary[1])
      k &+= 2
    }
    // Avoids a negative zero.
    memory[spectrum.imaginary] = Pair(0, memory[spectrum.imaginary][1])
    memory[spectrum.imaginary &+ pairs] = Pair(0)
  }

  /// Computes the block that has this spectrum, times `level`. The imaginary parts of the first and the last bin count
  /// as 0. The spectrum is overwritten.
  ///
  /// Returns the place where the samples are; pass it to `samples`.
  @inlinable @_noLocks @_noAllocation
  public func backward(level: Double) -> Int {
    let (first, last) = (self[0], self[count])
    self[0] = (first.real, Pair(0, first.imaginary[1]))
    self[count] = (last.real, Pair(0))
    let scale = Pair(0.5 * level / Double(count))
    var carry = (0.0, 0.0)
    var k = 0
    while k <= pairs {
      let (real, imaginary) = self[k]
      let at = spectrum.real &+ (count &- k) &>> 1
      let imaginaryAt = spectrum.imaginary &+ (count &- k) &>> 1
      let mirrorReal = Pair(memory[at][0], memory[at &- 1][1])
      let mirrorImaginary = Pair(memory[imaginaryAt][0], memory[imaginaryAt &- 1][1])
      let (evenReal, evenImaginary) = (
        scale * (real + mirrorReal), scale * (imaginary - mirrorImaginary)
      )
      let (oddReal, oddImaginary) = (
        scale * (real - mirrorReal), scale * (imaginary + mirrorImaginary)
      )
      let (c, s) = (memory[cosines &+ k &>> 1], memory[sines &+ k &>> 1])
      // Multiplied by -sin + i cos.
      let turnedReal = Pair(0) - (s * oddReal + c * oddImaginary)
      let turnedImaginary = c * oddReal - s * oddImaginary
      memory[block.real &+ k &>> 1] = evenReal + turnedReal
      memory[block.imaginary &+ k &>> 1] = evenImaginary + turnedImaginary
      let (endReal, endImaginary) = (evenReal - turnedReal, turnedImaginary - evenImaginary)
      let end = (count &- k) &>> 1
      memory[block.real &+ end] = Pair(endReal[0], carry.0)
      memory[block.imaginary &+ end] = Pair(endImaginary[0], carry.1)
      carry = (endReal[1], endImaginary[1])
      k &+= 2
    }
    return half.transform(half.section(0).swapped, half.section(1).swapped).imaginary
  }

  /// The samples 2n and 2n + 1, and 2n + 2 and 2n + 3, of the result that `backward` returned, for an even n.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func samples(_ place: Int, at n: Int) -> (Pair, Pair) {
    let (even, odd) = (memory[place &+ n &>> 1], memory[place &+ pairs &+ 1 &+ n &>> 1])
    return (.firsts(even, odd), .seconds(even, odd))
  }

  @inlinable @inline(__always)
  func numbers(_ section: ComplexTransform.Section, _ k: Int) -> (Pair, Pair) {
    (memory[section.real &+ k &>> 1], memory[section.imaginary &+ k &>> 1])
  }

  /// The numbers at -k and -k - 1, modulo their count.
  @inlinable @inline(__always)
  func mirrored(_ section: ComplexTransform.Section, _ k: Int) -> (Pair, Pair) {
    let at = ((count &- k) &>> 1) & (pairs &- 1)
    let next = (count &- k) &>> 1 &- 1
    return (
      Pair(memory[section.real &+ at][0], memory[section.real &+ next][1]),
      Pair(memory[section.imaginary &+ at][0], memory[section.imaginary &+ next][1])
    )
  }
}
