/// One number, computed as `Vector` says, so that a loop with a function of `Math` in it can run in vectors.
@frozen @usableFromInline
package struct Single: Vector {
  @usableFromInline package var value: Double

  @inlinable @inline(__always)
  package init(_ value: Double) { self.value = value }

  @inlinable @inline(__always) package subscript(place: Int) -> Double { value }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func + (_ a: Single, _ b: Single) -> Single { Single(a.value + b.value) }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func - (_ a: Single, _ b: Single) -> Single { Single(a.value - b.value) }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func * (_ a: Single, _ b: Single) -> Single { Single(a.value * b.value) }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func / (_ a: Single, _ b: Single) -> Single { Single(a.value / b.value) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func minimum(_ a: Single, _ b: Single) -> Single { a.value < b.value ? a : b }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func maximum(_ a: Single, _ b: Single) -> Single { a.value > b.value ? a : b }

  @inlinable package var magnitude: Single {
    @inline(__always) @_semantics("no_performance_analysis") get { Single(value.magnitude) }
  }
  @inlinable package var squareRoot: Single {
    @inline(__always) @_semantics("no_performance_analysis") get { Single(Math.sqrt(value)) }
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package func withSigns(of other: Single) -> Single {
    let sign = other.value.bitPattern & (1 << 63)
    return Single(Double(bitPattern: value.magnitude.bitPattern | sign))
  }
  @inlinable package var lowBitsPowerOfTwo: Single {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Single(Double(bitPattern: (value.bitPattern &<< 52) &+ 0x3FF0_0000_0000_0000))
    }
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func octaves(from: Single, to: Single) -> Single {
    Single(Pair.octaves(from: Pair(from.value), to: Pair(to.value))[0])
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package static func near(_ to: Single, from: Single) -> Single {
    Single(Pair.near(Pair(to.value), from: Pair(from.value))[0])
  }
}
