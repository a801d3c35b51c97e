public import CVector

/// Memory that an opcode needs beyond its struct, such as a delay line or a table of its own. The `Buffer` is part of
/// the state.
///
/// The memory lives as long as the instrument instance. It is kept when a note ends and reused by the next one.
@frozen
public struct Buffer<Element: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  /// Number of elements.
  public let count: Int

  @inlinable init(start: UnsafeMutablePointer<Element>, count: Int) {
    self.start = start
    self.count = count
  }

  /// A buffer without elements, for a state that is set up without an init pass.
  @inlinable public static var empty: Buffer {
    let address = UnsafeMutablePointer<Element>(bitPattern: MemoryLayout<Element>.alignment)
    return Buffer(start: address.unsafelyUnwrapped, count: 0)
  }

  /// The element at an index from 0 to `count - 1`. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    get {
      Checks.index(index, below: count, "a Buffer's elements")
      return start[index]
    }
    nonmutating _modify {
      Checks.index(index, below: count, "a Buffer's elements")
      yield &start[index]
    }
  }
}

#if !hasFeature(Embedded)
  extension Buffer {
    /// Zeroed memory of the program's own, at least one element, for a unit test without Csound. It is never freed.
    public init(count: Int) {
      let bytes = max(count, 1) * MemoryLayout<Element>.stride
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: bytes, alignment: max(MemoryLayout<Element>.alignment, 16))
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      self.init(start: memory.assumingMemoryBound(to: Element.self), count: max(count, 1))
    }
  }
#endif

extension Buffer<Double> {
  /// Two elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) public func pair(at index: Int) -> Pair {
    Checks.indices(index, 2, below: count, "a Buffer's elements")
    return Pair(values: UnsafeRawPointer(start + index).loadUnaligned(as: SIMD2<Double>.self))
  }

  /// Four elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func quad(at index: Int) -> Quad {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    return Quad(values: cv_quad_load(start + index))
  }

  /// Writes four elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setQuad(_ quad: Quad, at index: Int) {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    cv_quad_store(start + index, quad.values)
  }

  /// Eight elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(at index: Int) -> Lanes {
    Checks.indices(index, 8, below: count, "a Buffer's elements")
    return Lanes(values: cv_lanes_load(UnsafeRawPointer(start + index)))
  }

  /// Writes eight elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setLanes(_ lanes: Lanes, at index: Int) {
    Checks.indices(index, 8, below: count, "a Buffer's elements")
    cv_lanes_store(UnsafeMutableRawPointer(start + index), lanes.values)
  }
}

extension Buffer<Pair> {
  /// Eight numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(at index: Int) -> Lanes {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    return Lanes(values: cv_lanes_load(UnsafeRawPointer(start + index)))
  }

  /// Writes eight numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setLanes(_ lanes: Lanes, at index: Int) {
    Checks.indices(index, 4, below: count, "a Buffer's elements")
    cv_lanes_store(UnsafeMutableRawPointer(start + index), lanes.values)
  }

  /// Four numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func quad(at index: Int) -> Quad {
    Checks.indices(index, 2, below: count, "a Buffer's elements")
    return Quad(values: cv_quad_load(UnsafeRawPointer(start + index)))
  }

  /// Writes four numbers from the pair at `index` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setQuad(_ quad: Quad, at index: Int) {
    Checks.indices(index, 2, below: count, "a Buffer's elements")
    cv_quad_store(UnsafeMutableRawPointer(start + index), quad.values)
  }
}

extension Buffer<Pair> {
  /// Four numbers from the one at `number` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func quad(number: Int) -> Quad {
    Checks.indices(number, 4, below: 2 &* count, "a Buffer's numbers")
    return Quad(values: cv_quad_load(UnsafeRawPointer(start) + 8 &* number))
  }

  /// Writes four numbers from the one at `number` on. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func setQuad(_ quad: Quad, number: Int) {
    Checks.indices(number, 4, below: 2 &* count, "a Buffer's numbers")
    cv_quad_store(UnsafeMutableRawPointer(start) + 8 &* number, quad.values)
  }

  /// `count` numbers from the one at `number` on, as a buffer of numbers. Checked in debug builds only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func numbers(from number: Int, count: Int) -> Buffer<Double> {
    Checks.indices(number, count, below: 2 &* self.count, "a Buffer's numbers")
    let first = UnsafeMutableRawPointer(start) + 8 &* number
    return Buffer<Double>(start: first.assumingMemoryBound(to: Double.self), count: count)
  }
}
