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
  @usableFromInline let half: TransformSteps

  /// Complex numbers in a block.
  @inlinable @inline(__always) var count: Int { size &>> 1 }

  /// Pairs of memory that a transform of this size needs.
  @inlinable
  public static func memoryLength(size: Int) -> Int {
    TransformSteps.memoryLength(size: size / 2) + size / 4 + size / 2 + 8
  }

  // Memory layout: that of the complex transform; cosines and sines of π k / count, times 0.5 and -0.5; the spectrum.
  // Places are counted in numbers of eight bytes.
  @inlinable @inline(__always) var cosines: Int { 2 &* TransformSteps.memoryLength(size: count) }
  @inlinable @inline(__always) var sines: Int { cosines &+ count &>> 1 }
  @inlinable @inline(__always) var spectrum: TransformSteps.Section {
    half.section(at: sines &+ count &>> 1)
  }

  /// A transform that uses `memory`, which must have `memoryLength` pairs [init pass].
  @inlinable @inline(never)
  public init(size: Int, memory: Buffer<Pair>) {
    (self.size, self.memory) = (size, memory)
    half = TransformSteps(size: size / 2, memory: memory)
    let unit = Double.pi / Double(count)
    for index in 0..<(size / 8) {
      let (one, other) = (Double(2 * index) * unit, Double(2 * index + 1) * unit)
      memory[cosines / 2 + index] = Pair(0.5 * Math.cos(one), 0.5 * Math.cos(other))
      memory[sines / 2 + index] = Pair(-0.5 * Math.sin(one), -0.5 * Math.sin(other))
    }
  }

  /// The block's samples in order, `size` of them. `forward` and `backward` overwrite them.
  @inlinable public var samples: Buffer<Double> {
    @inline(__always) @_noLocks @_noAllocation
    get { memory.numbers(from: half.section(0).real, count: size) }
  }

  /// Stores the samples 2n and 2n + 1 (`near`) and 2n + 2 and 2n + 3 (`far`) of the block, for an even n.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func setSamples(_ near: Pair, _ far: Pair, at n: Int) {
    let place = half.section(0).real &>> 1 &+ n
    (memory[place], memory[place &+ 1]) = (near, far)
  }

  /// Bins k and k + 1 of the spectrum, for an even k up to size / 2. The value after the last bin is undefined.
  @inlinable
  public subscript(k: Int) -> (real: Pair, imaginary: Pair) {
    @inline(__always) @_noLocks @_noAllocation
    get { (memory[(spectrum.real &+ k) &>> 1], memory[(spectrum.imaginary &+ k) &>> 1]) }
    @inline(__always) @_noLocks @_noAllocation
    nonmutating set {
      memory[(spectrum.real &+ k) &>> 1] = newValue.real
      memory[(spectrum.imaginary &+ k) &>> 1] = newValue.imaginary
    }
  }

  /// Eight bins of the spectrum from k on, for a multiple k of 8 below size / 2.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func lanes(at k: Int) -> (real: Lanes, imaginary: Lanes) {
    (
      memory.lanes(at: (spectrum.real &+ k) &>> 1),
      memory.lanes(at: (spectrum.imaginary &+ k) &>> 1)
    )
  }

  /// Sets eight bins of the spectrum from k on, for a multiple k of 8 below size / 2.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func setLanes(_ real: Lanes, _ imaginary: Lanes, at k: Int) {
    memory.setLanes(real, at: (spectrum.real &+ k) &>> 1)
    memory.setLanes(imaginary, at: (spectrum.imaginary &+ k) &>> 1)
  }

  /// Four bins of the spectrum from k on, for a multiple k of 4 below size / 2.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func quads(at k: Int) -> Complex<Quad> { number(spectrum, k) }

  /// Computes the spectrum of the block. The block is overwritten.
  @_noLocks @_noAllocation
  public func forward() {
    let result = half.section(half.run(0))
    let (count, middle, spectrum, scale) = (count, count &>> 1, spectrum, Quad(0.5))
    memory[(result.real &+ count) &>> 1] = memory[result.real &>> 1]
    memory[(result.imaginary &+ count) &>> 1] = memory[result.imaginary &>> 1]
    var k = 0
    while k < middle {
      let end = count &- 3 &- k
      let (near, far) = (number(result, k), number(result, end).reversed)
      let turn = Complex(
        real: memory.quad(number: cosines &+ k), imaginary: memory.quad(number: sines &+ k))
      let (evenReal, evenImaginary) = (
        scale * (near.real + far.real), scale * (near.imaginary - far.imaginary)
      )
      // Multiplied by -sin - i cos.
      let (oddReal, oddImaginary) = (near.real - far.real, near.imaginary + far.imaginary)
      let turnedReal = turn.real * oddImaginary + turn.imaginary * oddReal
      let turnedImaginary = turn.imaginary * oddImaginary - turn.real * oddReal
      memory.setQuad(evenReal + turnedReal, number: spectrum.real &+ k)
      memory.setQuad(evenImaginary + turnedImaginary, number: spectrum.imaginary &+ k)
      memory.setQuad((evenReal - turnedReal).reversed, number: spectrum.real &+ end)
      memory.setQuad((turnedImaginary - evenImaginary).reversed, number: spectrum.imaginary &+ end)
      k &+= 4
    }
    let (number, next) = (
      (memory[(result.real &+ middle) &>> 1][0], memory[(result.imaginary &+ middle) &>> 1][0]),
      self[middle]
    )
    self[middle] = (Pair(number.0, next.real[1]), Pair(-number.1, next.imaginary[1]))
    // Avoids a negative zero.
    memory[spectrum.imaginary &>> 1] = Pair(0, memory[spectrum.imaginary &>> 1][1])
    memory[(spectrum.imaginary &+ count) &>> 1] = Pair(0)
  }

  /// Computes the block that has this spectrum, times `level`. The imaginary parts of the first and the last bin count
  /// as 0. The spectrum is overwritten.
  ///
  /// Returns the place where the samples are; pass it to `samples`.
  @_noLocks @_noAllocation
  public func backward(level: Double) -> Int {
    let (first, last) = (self[0], self[count])
    self[0] = (first.real, Pair(0, first.imaginary[1]))
    self[count] = (last.real, Pair(0))
    let block = half.section(0).real
    let (level, middle) = (level / Double(count), count &>> 1)
    let (scale, turnScale) = (Quad(0.5 * level), Quad(level))
    var k = 0
    while k < middle {
      let (near, far) = (number(spectrum, k), number(spectrum, count &- 3 &- k).reversed)
      let turn = Complex(
        real: turnScale * memory.quad(number: cosines &+ k),
        imaginary: turnScale * memory.quad(number: sines &+ k))
      let (evenReal, evenImaginary) = (
        scale * (near.real + far.real), scale * (near.imaginary - far.imaginary)
      )
      // Multiplied by -sin + i cos.
      let (oddReal, oddImaginary) = (near.real - far.real, near.imaginary + far.imaginary)
      let turnedReal = turn.imaginary * oddReal - turn.real * oddImaginary
      let turnedImaginary = turn.real * oddReal + turn.imaginary * oddImaginary
      setSwapped(
        block &+ 2 &* k,
        Complex(real: evenReal + turnedReal, imaginary: evenImaginary + turnedImaginary))
      setSwappedDown(
        block &+ 2 &* (count &- 3 &- k),
        Complex(real: evenReal - turnedReal, imaginary: turnedImaginary - evenImaginary))
      k &+= 4
    }
    let number = self[middle]
    memory[block &>> 1 &+ middle] = Pair(-level * number.imaginary[0], level * number.real[0])
    return half.section(half.run(0)).real
  }

  /// The samples 2n and 2n + 1, and 2n + 2 and 2n + 3, of the result that `backward` returned, for an even n.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func samples(_ place: Int, at n: Int) -> (Pair, Pair) {
    // Real and imaginary parts are swapped.
    let parts = half.section(at: place)
    let (even, odd) = (memory[(parts.imaginary &+ n) &>> 1], memory[(parts.real &+ n) &>> 1])
    return (.firsts(even, odd), .seconds(even, odd))
  }

  @inlinable @inline(__always)
  func number(_ section: TransformSteps.Section, _ k: Int) -> Complex<Quad> {
    Complex(
      real: memory.quad(number: section.real &+ k),
      imaginary: memory.quad(number: section.imaginary &+ k))
  }

  /// Writes four complex numbers one after the other, imaginary parts first.
  @inline(__always)
  private func setSwapped(_ place: Int, _ numbers: Complex<Quad>) {
    let (even, odd) = (
      Quad.firsts(numbers.imaginary, numbers.real), Quad.seconds(numbers.imaginary, numbers.real)
    )
    memory.setQuad(.lows(even, odd), number: place)
    memory.setQuad(.highs(even, odd), number: place &+ 4)
  }

  /// The same in descending order.
  @inline(__always)
  private func setSwappedDown(_ place: Int, _ numbers: Complex<Quad>) {
    let (even, odd) = (
      Quad.firsts(numbers.imaginary, numbers.real), Quad.seconds(numbers.imaginary, numbers.real)
    )
    memory.setQuad(.highs(odd, even), number: place)
    memory.setQuad(.lows(odd, even), number: place &+ 4)
  }
}

extension Complex<Quad> {
  @inlinable var reversed: Complex<Quad> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Complex(real: real.reversed, imaginary: imaginary.reversed)
    }
  }
}
