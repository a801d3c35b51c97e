/// A transform of four numbers.
struct Quartet<V: Vector>: BitwiseCopyable {
  let y0, y1, y2, y3: Complex<V>

  @inline(__always) @_semantics("no_performance_analysis")
  init(_ a: Complex<V>, _ b: Complex<V>, _ c: Complex<V>, _ d: Complex<V>) {
    let (sum, difference, otherSum, otherDifference) = (a + c, a - c, b + d, b - d)
    (y0, y2) = (sum + otherSum, sum - otherSum)
    (y1, y3) = (difference.addingDown(otherDifference), difference.addingUp(otherDifference))
  }
}

/// A transform of eight numbers.
struct Octet<V: Vector>: BitwiseCopyable {
  let y0, y1, y2, y3, y4, y5, y6, y7: Complex<V>

  @inline(__always) @_semantics("no_performance_analysis")
  init(
    _ a: Complex<V>, _ b: Complex<V>, _ c: Complex<V>, _ d: Complex<V>, _ e: Complex<V>,
    _ f: Complex<V>, _ g: Complex<V>, _ h: Complex<V>
  ) {
    let (even, odd) = (Quartet(a, c, e, g), Quartet(b, d, f, h))
    (y0, y4) = (even.y0 + odd.y0, even.y0 - odd.y0)
    (y2, y6) = (even.y2.addingDown(odd.y2), even.y2.addingUp(odd.y2))
    let half = V(0.7071067811865476)
    // Turned by an eighth, and by three.
    let one = Complex(
      real: half * (odd.y1.real + odd.y1.imaginary),
      imaginary: half * (odd.y1.imaginary - odd.y1.real))
    let three = Complex(
      real: half * (odd.y3.imaginary - odd.y3.real),
      imaginary: half * (odd.y3.real + odd.y3.imaginary))
    (y1, y5) = (even.y1 + one, even.y1 - one)
    y3 = Complex(real: even.y3.real + three.real, imaginary: even.y3.imaginary - three.imaginary)
    y7 = Complex(real: even.y3.real - three.real, imaginary: even.y3.imaginary + three.imaginary)
  }
}

/// A vector that is read from memory and written there, at a place counted in numbers.
protocol MemoryVector: Vector {
  static var width: Int { get }
  init(_ memory: Buffer<Pair>, number: Int)
  func store(_ memory: Buffer<Pair>, number: Int)
}

extension Pair: MemoryVector {
  static var width: Int { @inline(__always) get { 2 } }
  @inline(__always)
  init(_ memory: Buffer<Pair>, number: Int) { self = memory[number &>> 1] }
  @inline(__always)
  func store(_ memory: Buffer<Pair>, number: Int) { memory[number &>> 1] = self }
}

extension Quad: MemoryVector {
  static var width: Int { @inline(__always) get { 4 } }
  @inline(__always) @_semantics("no_performance_analysis")
  init(_ memory: Buffer<Pair>, number: Int) { self = memory.quad(number: number) }
  @inline(__always) @_semantics("no_performance_analysis")
  func store(_ memory: Buffer<Pair>, number: Int) { memory.setQuad(self, number: number) }
}
