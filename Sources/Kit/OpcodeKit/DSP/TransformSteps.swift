/// The steps of a Fourier transform of `size` complex numbers.
///
/// Each step reads one section of the memory and writes the other one, so that the results end up in order. A step
/// transforms eight (or four) rows of numbers, `width` at a time. In the first step the width is 1, and four groups are
/// computed at once. Places in the memory are counted in numbers of eight bytes.
@frozen @usableFromInline
struct TransformSteps: BitwiseCopyable {
  /// Where the real and the imaginary parts of `size` + 8 numbers begin. The eight numbers more keep the parts of large
  /// blocks off the same lines of the cache.
  @frozen @usableFromInline
  struct Section: BitwiseCopyable {
    @usableFromInline let real, imaginary: Int

    @inlinable @inline(__always)
    init(real: Int, imaginary: Int) { (self.real, self.imaginary) = (real, imaginary) }

    /// With real and imaginary parts swapped before and after it, a transform is the inverse transform.
    @inlinable @inline(__always) var swapped: Section { Section(real: imaginary, imaginary: real) }
  }

  @usableFromInline let size: Int
  @usableFromInline let memory: Buffer<Pair>

  /// Pairs of memory: the twiddle factors of all steps, then two sections.
  @inlinable static func memoryLength(size: Int) -> Int { size &+ 2 &* (size &+ 8) }

  /// The first or the second section, given 0 or 1.
  @inlinable @inline(__always)
  func section(_ number: Int) -> Section { section(at: 2 &* size &+ number &* 2 &* (size &+ 8)) }

  @inlinable @inline(__always)
  func section(at start: Int) -> Section { Section(real: start, imaginary: start &+ size &+ 8) }

  @usableFromInline init(size: Int, memory: Buffer<Pair>) {
    (self.size, self.memory) = (size, memory)
    fillTurns()
  }

  /// Whether the first step joins eight rows, so that only steps of eight follow; otherwise it joins four.
  @inlinable @inline(__always)
  var beginsWithEight: Bool { size.trailingZeroBitCount % 3 == 0 }

  /// The twiddle factors in the order in which the steps need them: for the first step real and imaginary parts of four
  /// groups, in the order of `sequence`; then a pair for each.
  private func fillTurns() {
    guard size > 8 else { return }
    let turns = memory.numbers(from: 0, count: 2 * size)
    func set(_ unit: Int, of length: Int, at place: Int, _ distance: Int) {
      let angle = 2 * Double.pi * Double(unit) / Double(length)
      (turns[place], turns[place + distance]) = (Math.cos(angle), -Math.sin(angle))
    }
    var (place, length, radix) = (0, size, beginsWithEight ? 8 : 4)
    while length > 8 {
      for group in 0..<(length / radix) {
        for row in 1..<radix {
          if length == size {
            let start = 8 * (radix - 1) * (group / 4) + 8 * (row - 1)
            set(row * group, of: length, at: start + 2 * (group & 1) + (group & 2) / 2, 4)
          } else {
            set(row * group, of: length, at: place, 1)
          }
          place += 2
        }
      }
      (length, radix) = (length / radix, 8)
    }
  }

  /// Computes the spectrum of the block of complex numbers, one after the other, that begins in section `number`.
  /// Returns the number of the section that holds the spectrum; the other one has other contents then.
  @_noLocks @_noAllocation @usableFromInline
  func run(_ number: Int) -> Int {
    let block = section(number).real
    var (from, to) = (section(1 &- number), section(number))
    guard size > 8 else {
      single(block, to: from)
      return 1 &- number
    }
    var (width, turns): (Int, Int)
    if beginsWithEight {
      firstEight(block, to: from)
      (width, turns) = (8, 2 &* (size &- size &>> 3))
    } else {
      firstFour(block, to: from)
      (width, turns) = (4, 2 &* (size &- size &>> 2))
    }
    while width &<< 3 < size {
      let groups = size / (8 &* width)
      if Quad.isOneRegister {
        stepEight(Quad.self, from, to, groups: groups, width: width, turns: turns)
      } else {
        stepEight(Pair.self, from, to, groups: groups, width: width, turns: turns)
      }
      turns &+= 14 &* groups
      width &<<= 3
      (from, to) = (to, from)
    }
    if width &<< 3 != size {
      lastFour(from, to)
    } else if Quad.isOneRegister {
      lastEight(Quad.self, from, to)
    } else {
      lastEight(Pair.self, from, to)
    }
    return to.real == block ? number : 1 &- number
  }

  /// The first step. Four columns of the results at a time are written as rows.
  private func firstEight(_ block: Int, to: Section) {
    let rows = size &>> 3
    var (group, turns) = (0, 0)
    while group < rows {
      let (source, start) = (block &+ 2 &* group, turns)
      @inline(__always) func row(_ index: Int) -> Complex<Quad> {
        sequence(source &+ 2 &* rows &* index)
      }
      @inline(__always) func turn(_ index: Int) -> Complex<Quad> {
        let place = start &+ 8 &* (index &- 1)
        return Complex(real: memory.quad(number: place), imaginary: memory.quad(number: place &+ 4))
      }
      let out = Octet(row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
      let target = 8 &* group
      setColumns(
        to, target, 8, out.y0, out.y1.turned(turn(1)), out.y2.turned(turn(2)),
        out.y3.turned(turn(3)))
      setColumns(
        to, target &+ 4, 8, out.y4.turned(turn(4)), out.y5.turned(turn(5)), out.y6.turned(turn(6)),
        out.y7.turned(turn(7)))
      group &+= 4
      turns &+= 56
    }
  }

  private func firstFour(_ block: Int, to: Section) {
    let rows = size &>> 2
    var (group, turns) = (0, 0)
    while group < rows {
      let (source, start) = (block &+ 2 &* group, turns)
      @inline(__always) func row(_ index: Int) -> Complex<Quad> {
        sequence(source &+ 2 &* rows &* index)
      }
      @inline(__always) func turn(_ index: Int) -> Complex<Quad> {
        let place = start &+ 8 &* (index &- 1)
        return Complex(real: memory.quad(number: place), imaginary: memory.quad(number: place &+ 4))
      }
      let out = Quartet(row(0), row(1), row(2), row(3))
      setColumns(
        to, 4 &* group, 4, out.y0, out.y1.turned(turn(1)), out.y2.turned(turn(2)),
        out.y3.turned(turn(3)))
      group &+= 4
      turns &+= 24
    }
  }

  /// A step with `groups` groups of eight rows, with as many numbers at a time as there are in a register.
  @_semantics("no_performance_analysis")
  private func stepEight<V: MemoryVector>(
    _ kind: V.Type, _ from: Section, _ to: Section, groups: Int, width: Int, turns: Int
  ) {
    let distance = groups &* width
    var (group, turns) = (0, turns)
    while group < groups {
      var (source, target) = (group &* width, 8 &* group &* width)
      let (end, start) = (source &+ width, turns &>> 1)
      @inline(__always) func turn(_ index: Int) -> Complex<V> {
        let turn = memory[start &+ (index &- 1)]
        return Complex(real: V(turn[0]), imaginary: V(turn[1]))
      }
      while source < end {
        let out: Octet<V> = octet(from, source, distance)
        set(to, target, out.y0)
        set(to, target &+ width, out.y1.turned(turn(1)))
        set(to, target &+ 2 &* width, out.y2.turned(turn(2)))
        set(to, target &+ 3 &* width, out.y3.turned(turn(3)))
        set(to, target &+ 4 &* width, out.y4.turned(turn(4)))
        set(to, target &+ 5 &* width, out.y5.turned(turn(5)))
        set(to, target &+ 6 &* width, out.y6.turned(turn(6)))
        set(to, target &+ 7 &* width, out.y7.turned(turn(7)))
        source &+= V.width
        target &+= V.width
      }
      group &+= 1
      turns &+= 14
    }
  }

  /// The last step has one group and no twiddle factors.
  @_semantics("no_performance_analysis")
  private func lastEight<V: MemoryVector>(_ kind: V.Type, _ from: Section, _ to: Section) {
    let width = size &>> 3
    var index = 0
    while index < width {
      let out: Octet<V> = octet(from, index, width)
      set(to, index, out.y0)
      set(to, index &+ width, out.y1)
      set(to, index &+ 2 &* width, out.y2)
      set(to, index &+ 3 &* width, out.y3)
      set(to, index &+ 4 &* width, out.y4)
      set(to, index &+ 5 &* width, out.y5)
      set(to, index &+ 6 &* width, out.y6)
      set(to, index &+ 7 &* width, out.y7)
      index &+= V.width
    }
  }

  private func lastFour(_ from: Section, _ to: Section) {
    let width = size &>> 2
    var index = 0
    while index < width {
      let out = Quartet<Quad>(
        numbers(from, index), numbers(from, index &+ width), numbers(from, index &+ 2 &* width),
        numbers(from, index &+ 3 &* width))
      set(to, index, out.y0)
      set(to, index &+ width, out.y1)
      set(to, index &+ 2 &* width, out.y2)
      set(to, index &+ 3 &* width, out.y3)
      index &+= 4
    }
  }

  /// A transform of eight numbers.
  private func single(_ block: Int, to: Section) {
    @inline(__always) func row(_ index: Int) -> ComplexPair {
      let number = memory[block &>> 1 &+ index]
      return ComplexPair(real: Pair(number[0]), imaginary: Pair(number[1]))
    }
    @inline(__always) func setPair(_ index: Int, _ a: ComplexPair, _ b: ComplexPair) {
      memory[to.real &>> 1 &+ index] = .firsts(a.real, b.real)
      memory[to.imaginary &>> 1 &+ index] = .firsts(a.imaginary, b.imaginary)
    }
    let out = Octet(row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
    setPair(0, out.y0, out.y1)
    setPair(1, out.y2, out.y3)
    setPair(2, out.y4, out.y5)
    setPair(3, out.y6, out.y7)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func octet<V: MemoryVector>(
    _ from: Section, _ source: Int, _ distance: Int
  ) -> Octet<V> {
    Octet(
      numbers(from, source), numbers(from, source &+ distance),
      numbers(from, source &+ 2 &* distance), numbers(from, source &+ 3 &* distance),
      numbers(from, source &+ 4 &* distance), numbers(from, source &+ 5 &* distance),
      numbers(from, source &+ 6 &* distance), numbers(from, source &+ 7 &* distance))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func numbers<V: MemoryVector>(_ section: Section, _ index: Int) -> Complex<V> {
    Complex(
      real: V(memory, number: section.real &+ index),
      imaginary: V(memory, number: section.imaginary &+ index))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func set<V: MemoryVector>(_ section: Section, _ index: Int, _ numbers: Complex<V>) {
    numbers.real.store(memory, number: section.real &+ index)
    numbers.imaginary.store(memory, number: section.imaginary &+ index)
  }

  /// Four numbers of the block, in the order 0, 2, 1, 3.
  @inline(__always)
  private func sequence(_ place: Int) -> Complex<Quad> {
    let (a, b) = (memory.quad(number: place), memory.quad(number: place &+ 4))
    return Complex(real: .firsts(a, b), imaginary: .seconds(a, b))
  }

  /// Writes four columns, in the order 0, 2, 1, 3, of a table of four rows.
  @inline(__always)
  private func setColumns(
    _ to: Section, _ target: Int, _ distance: Int, _ a: Complex<Quad>, _ b: Complex<Quad>,
    _ c: Complex<Quad>, _ d: Complex<Quad>
  ) {
    setColumns(to.real &+ target, distance, a.real, b.real, c.real, d.real)
    setColumns(
      to.imaginary &+ target, distance, a.imaginary, b.imaginary, c.imaginary, d.imaginary)
  }

  @inline(__always)
  private func setColumns(
    _ target: Int, _ distance: Int, _ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad
  ) {
    let (even, odd) = (Quad.firsts(a, b), Quad.seconds(a, b))
    let (nextEven, nextOdd) = (Quad.firsts(c, d), Quad.seconds(c, d))
    memory.setQuad(.lows(even, nextEven), number: target)
    memory.setQuad(.highs(even, nextEven), number: target &+ distance)
    memory.setQuad(.lows(odd, nextOdd), number: target &+ 2 &* distance)
    memory.setQuad(.highs(odd, nextOdd), number: target &+ 3 &* distance)
  }
}
