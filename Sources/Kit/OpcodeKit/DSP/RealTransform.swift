/// The discrete Fourier transform of real blocks of `size` samples, and its inverse.
///
///     X[k] = Σ x[n] exp(-2 π i k n / size),   k from 0 to size / 2
///
/// A block is treated as size / 2 complex numbers: even samples are the real parts, odd samples the imaginary parts.
/// They are transformed in radix-4 steps, with one radix-2 step where the size requires it. Each step reads one section
/// of the memory and writes another, so that the results end up in order (T. G. Stockham, "High-speed convolution and
/// correlation", AFIPS 1966; C. Van Loan, "Computational frameworks for the fast Fourier transform", SIAM 1992). The
/// spectrum of the real block follows from theirs by symmetry.
@frozen
public struct RealTransform: BitwiseCopyable {
  /// Offsets in the memory where the real and the imaginary parts of size / 2 + 2 numbers begin.
  @frozen @usableFromInline
  struct Section: BitwiseCopyable {
    @usableFromInline var real, imaginary: Int

    /// A transform between sections with real and imaginary parts swapped is an inverse transform.
    @inlinable @inline(__always)
    init(real: Int, imaginary: Int) { (self.real, self.imaginary) = (real, imaginary) }

    @inlinable @inline(__always) var swapped: Section { Section(real: imaginary, imaginary: real) }
  }

  /// Samples in a block: a power of two, at least 16.
  public let size: Int
  @usableFromInline let memory: Buffer<Pair>

  /// Complex numbers in a block, and pairs of complex numbers.
  @inlinable @inline(__always) var count: Int { size &>> 1 }
  @inlinable @inline(__always) var pairs: Int { size &>> 2 }

  /// Pairs of memory that a transform of this size needs.
  @inlinable
  public static func memoryLength(size: Int) -> Int {
    size / 2 + 2 * (size / 8 + 1) + 6 * (size / 4 + 1)
  }

  // Memory layout: twiddle factors exp(-2 π i k / count); cosines and sines of π k / count; two sections that the steps
  // alternate between; the spectrum.
  @inlinable @inline(__always) var cosines: Int { count }
  @inlinable @inline(__always) var sines: Int { cosines &+ size &>> 3 &+ 1 }
  @inlinable @inline(__always) var block: Section { section(0) }
  @inlinable @inline(__always) var other: Section { section(1) }
  @inlinable @inline(__always) var spectrum: Section { section(2) }

  @inlinable @inline(__always)
  func section(_ number: Int) -> Section {
    let start = sines &+ size &>> 3 &+ 1 &+ number &* 2 &* (pairs &+ 1)
    return Section(real: start, imaginary: start &+ pairs &+ 1)
  }

  /// A transform that uses `memory`, which must have `memoryLength` pairs [init pass].
  @inlinable
  public init(size: Int, memory: Buffer<Pair>) {
    (self.size, self.memory) = (size, memory)
    for index in 0..<count {
      let angle = 2 * Double.pi * Double(index) / Double(count)
      memory[index] = Pair(Math.cos(angle), -Math.sin(angle))
    }
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
    let result = transform(block, other)
    let half = Pair(0.5)
    var carry = (0.0, 0.0)
    var k = 0
    while k <= pairs {
      let (real, imaginary) = numbers(result, k)
      let (mirrorReal, mirrorImaginary) = mirrored(result, k)
      let (evenReal, evenImaginary) = (
        half * (real + mirrorReal), half * (imaginary - mirrorImaginary)
      )
      let (oddReal, oddImaginary) = (
        half * (real - mirrorReal), half * (imaginary + mirrorImaginary)
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
    let half = Pair(0.5 * level / Double(count))
    var carry = (0.0, 0.0)
    var k = 0
    while k <= pairs {
      let (real, imaginary) = self[k]
      let at = spectrum.real &+ (count &- k) &>> 1
      let imaginaryAt = spectrum.imaginary &+ (count &- k) &>> 1
      let mirrorReal = Pair(memory[at][0], memory[at &- 1][1])
      let mirrorImaginary = Pair(memory[imaginaryAt][0], memory[imaginaryAt &- 1][1])
      let (evenReal, evenImaginary) = (
        half * (real + mirrorReal), half * (imaginary - mirrorImaginary)
      )
      let (oddReal, oddImaginary) = (
        half * (real - mirrorReal), half * (imaginary + mirrorImaginary)
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
    return transform(block.swapped, other.swapped).imaginary
  }

  /// The samples 2n and 2n + 1, and 2n + 2 and 2n + 3, of the result that `backward` returned, for an even n.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func samples(_ place: Int, at n: Int) -> (Pair, Pair) {
    let (even, odd) = (memory[place &+ n &>> 1], memory[place &+ pairs &+ 1 &+ n &>> 1])
    return (.firsts(even, odd), .seconds(even, odd))
  }

  @inlinable @inline(__always)
  func numbers(_ section: Section, _ k: Int) -> (Pair, Pair) {
    (memory[section.real &+ k &>> 1], memory[section.imaginary &+ k &>> 1])
  }

  /// The numbers at -k and -k - 1, modulo their count.
  @inlinable @inline(__always)
  func mirrored(_ section: Section, _ k: Int) -> (Pair, Pair) {
    let at = ((count &- k) &>> 1) & (pairs &- 1)
    let next = (count &- k) &>> 1 &- 1
    return (
      Pair(memory[section.real &+ at][0], memory[section.real &+ next][1]),
      Pair(memory[section.imaginary &+ at][0], memory[section.imaginary &+ next][1])
    )
  }

  /// All steps; returns the section that holds the result.
  @inlinable
  func transform(_ first: Section, _ second: Section) -> Section {
    firstStep(first, second)
    var (from, to) = (second, first)
    var groups = count &>> 4
    var width = 2
    while groups > 0 {
      step(from, to, groups: groups, width: width)
      (from, to) = (to, from)
      groups &>>= 2
      width &<<= 2
    }
    // A radix-2 step is left.
    if width &<< 2 == count {
      last(from, to)
      (from, to) = (to, from)
    }
    return from
  }

  /// The first step, in which every group has one number: each pair holds numbers of two groups.
  @inlinable
  func firstStep(_ from: Section, _ to: Section) {
    let quarter = pairs &>> 2
    var index = 0
    while index < quarter {
      let (a, b, c, d) = (
        number(from, index), number(from, index &+ quarter), number(from, index &+ 2 &* quarter),
        number(from, index &+ 3 &* quarter)
      )
      let one = turns(2 &* index, 2 &* index &+ 1)
      let two = turns(4 &* index, 4 &* index &+ 2)
      let three = turns(6 &* index, 6 &* index &+ 3)
      let result = Quartet(a, b, c, d).turned(one, two, three)
      let place = 4 &* index
      set(to, place, .firsts(result.0, result.1))
      set(to, place &+ 1, .firsts(result.2, result.3))
      set(to, place &+ 2, .seconds(result.0, result.1))
      set(to, place &+ 3, .seconds(result.2, result.3))
      index &+= 1
    }
  }

  /// A radix-4 step with `groups` groups of four rows of `width` pairs.
  @inlinable
  func step(_ from: Section, _ to: Section, groups: Int, width: Int) {
    let distance = groups &* width
    var group = 0
    while group < groups {
      let unit = 2 &* width &* group
      let (one, two, three) = (turn(unit), turn(2 &* unit), turn(3 &* unit))
      var (source, target) = (group &* width, 4 &* group &* width)
      let end = source &+ width
      while source < end {
        let result = Quartet(
          quad(from, source), quad(from, source &+ distance),
          quad(from, source &+ 2 &* distance), quad(from, source &+ 3 &* distance)
        ).turned(one, two, three)
        setQuad(to, target, result.0)
        setQuad(to, target &+ width, result.1)
        setQuad(to, target &+ 2 &* width, result.2)
        setQuad(to, target &+ 3 &* width, result.3)
        source &+= 2
        target &+= 2
      }
      group &+= 1
    }
  }

  /// The radix-2 step.
  @inlinable
  func last(_ from: Section, _ to: Section) {
    let middle = pairs &>> 1
    var index = 0
    while index < middle {
      let (a, b) = (quad(from, index), quad(from, index &+ middle))
      setQuad(to, index, a + b)
      setQuad(to, index &+ middle, a - b)
      index &+= 2
    }
  }

  @inlinable @inline(__always)
  func number(_ section: Section, _ pair: Int) -> ComplexPair {
    ComplexPair(real: memory[section.real &+ pair], imaginary: memory[section.imaginary &+ pair])
  }

  @inlinable @inline(__always)
  func set(_ section: Section, _ pair: Int, _ number: ComplexPair) {
    memory[section.real &+ pair] = number.real
    memory[section.imaginary &+ pair] = number.imaginary
  }

  @inlinable @inline(__always)
  func quad(_ section: Section, _ pair: Int) -> Complex<Quad> {
    Complex(
      real: memory.quad(at: section.real &+ pair),
      imaginary: memory.quad(at: section.imaginary &+ pair))
  }

  @inlinable @inline(__always)
  func setQuad(_ section: Section, _ pair: Int, _ numbers: Complex<Quad>) {
    memory.setQuad(numbers.real, at: section.real &+ pair)
    memory.setQuad(numbers.imaginary, at: section.imaginary &+ pair)
  }

  @inlinable @inline(__always)
  func turn(_ index: Int) -> Complex<Quad> {
    let turn = memory[index]
    return Complex(real: Quad(turn[0]), imaginary: Quad(turn[1]))
  }

  @inlinable @inline(__always)
  func turns(_ one: Int, _ other: Int) -> ComplexPair {
    let (first, second) = (memory[one], memory[other])
    return ComplexPair(real: .firsts(first, second), imaginary: .seconds(first, second))
  }
}

/// A radix-4 butterfly.
@frozen @usableFromInline
struct Quartet<V: Vector>: BitwiseCopyable {
  @usableFromInline let sum, difference, otherSum, otherDifference: Complex<V>

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  init(_ a: Complex<V>, _ b: Complex<V>, _ c: Complex<V>, _ d: Complex<V>) {
    (sum, difference, otherSum, otherDifference) = (a + c, a - c, b + d, b - d)
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func turned(
    _ one: Complex<V>, _ two: Complex<V>, _ three: Complex<V>
  ) -> (Complex<V>, Complex<V>, Complex<V>, Complex<V>) {
    (
      sum + otherSum, difference.addingDown(otherDifference).turned(one),
      (sum - otherSum).turned(two), difference.addingUp(otherDifference).turned(three)
    )
  }
}

extension Complex<Pair> {
  @inlinable @inline(__always)
  static func firsts(_ a: ComplexPair, _ b: ComplexPair) -> ComplexPair {
    ComplexPair(real: .firsts(a.real, b.real), imaginary: .firsts(a.imaginary, b.imaginary))
  }

  @inlinable @inline(__always)
  static func seconds(_ a: ComplexPair, _ b: ComplexPair) -> ComplexPair {
    ComplexPair(real: .seconds(a.real, b.real), imaginary: .seconds(a.imaginary, b.imaginary))
  }
}
