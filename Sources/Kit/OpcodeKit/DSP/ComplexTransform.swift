/// The discrete Fourier transform of blocks of `size` complex numbers, and its inverse.
///
///     X[k] = Σ x[n] exp(-2 π i k n / size),   k from 0 to size - 1
///
/// Radix-4 steps, with one radix-2 step where the size requires it. Each step reads one section of the memory and writes
/// another, so that the results end up in order (T. G. Stockham, "High-speed convolution and correlation", AFIPS 1966;
/// C. Van Loan, "Computational frameworks for the fast Fourier transform", SIAM 1992).
///
/// ```swift
/// transform[0] = (real: Pair(x0, x1), imaginary: Pair(y0, y1))   // and so on, two numbers at a time
/// transform.forward()
/// let (real, imaginary) = transform[0]
/// ```
@frozen
public struct ComplexTransform: BitwiseCopyable {
  /// Offsets in the memory where the real and the imaginary parts of size + 2 numbers begin.
  @frozen @usableFromInline
  struct Section: BitwiseCopyable {
    @usableFromInline var real, imaginary: Int

    /// A transform between sections with real and imaginary parts swapped is an inverse transform.
    @inlinable @inline(__always)
    init(real: Int, imaginary: Int) { (self.real, self.imaginary) = (real, imaginary) }

    @inlinable @inline(__always) var swapped: Section { Section(real: imaginary, imaginary: real) }
  }

  /// Numbers in a block: a power of two, at least 8.
  public let size: Int
  @usableFromInline let memory: Buffer<Pair>
  /// The number of the section that holds the block.
  @usableFromInline var current = 0

  @inlinable @inline(__always) var pairs: Int { size &>> 1 }

  /// Pairs of memory that a transform of this size needs.
  @inlinable
  public static func memoryLength(size: Int) -> Int { size &+ 4 &* (size &>> 1 &+ 1) }

  // Memory layout: twiddle factors exp(-2 π i k / size); two sections that the steps alternate between.
  @inlinable @inline(__always)
  func section(_ number: Int) -> Section {
    let start = size &+ number &* 2 &* (pairs &+ 1)
    return Section(real: start, imaginary: start &+ pairs &+ 1)
  }

  /// A transform that uses `memory`, which must have at least `memoryLength` pairs [init pass].
  @inlinable
  public init(size: Int, memory: Buffer<Pair>) {
    (self.size, self.memory) = (size, memory)
    for index in 0..<size {
      let angle = 2 * Double.pi * Double(index) / Double(size)
      memory[index] = Pair(Math.cos(angle), -Math.sin(angle))
    }
  }

  /// Numbers k and k + 1 of the block, for an even k below `size`.
  @inlinable
  public subscript(k: Int) -> (real: Pair, imaginary: Pair) {
    @inline(__always) @_noLocks @_noAllocation
    get {
      let place = section(current)
      return (memory[place.real &+ k &>> 1], memory[place.imaginary &+ k &>> 1])
    }
    @inline(__always) @_noLocks @_noAllocation
    nonmutating set {
      let place = section(current)
      memory[place.real &+ k &>> 1] = newValue.real
      memory[place.imaginary &+ k &>> 1] = newValue.imaginary
    }
  }

  /// Replaces the block by its spectrum.
  @inlinable @_noLocks @_noAllocation
  public mutating func forward() {
    let (from, to) = (section(current), section(1 &- current))
    if transform(from, to).real == to.real { current = 1 &- current }
  }

  /// Replaces the spectrum by `size` times the block that has it; multiply by 1 / size for the block itself.
  @inlinable @_noLocks @_noAllocation
  public mutating func backward() {
    let (from, to) = (section(current).swapped, section(1 &- current).swapped)
    if transform(from, to).real == to.real { current = 1 &- current }
  }

  /// All steps; returns the section that holds the result.
  @inlinable
  func transform(_ first: Section, _ second: Section) -> Section {
    firstStep(first, second)
    var (from, to) = (second, first)
    var groups = size &>> 4
    var width = 2
    while groups > 0 {
      step(from, to, groups: groups, width: width)
      (from, to) = (to, from)
      groups &>>= 2
      width &<<= 2
    }
    // A radix-2 step is left.
    if width &<< 2 == size {
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
