public import CCsound

/// Only the elements of a function table. Looking them up takes less time than a `FunctionTable`, for opcodes
/// that look a table up in every k-cycle.
///
/// Valid only in the pass that looked it up, like a `FunctionTable`.
@frozen
public struct TableElements: BitwiseCopyable {
  @usableFromInline let elements: UnsafePointer<Double>
  /// Elements without the guard point, at least 1.
  public let count: Int

  @inlinable init(elements: UnsafePointer<Double>, count: Int) {
    self.elements = elements
    self.count = count
  }

  /// The element at an index from 0 to `count`; index `count` is the guard point. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Double {
    Checks.index(index, below: count &+ 1, "a table's elements and guard point")
    return elements[index]
  }

  /// The elements at `index` and `index + 1`, for an index from 0 to `count - 1`. Checked in debug builds only.
  @inlinable @inline(__always) public func pair(at index: Int) -> Pair {
    Checks.index(index, below: count, "a table's elements")
    return Pair(values: UnsafeRawPointer(elements + index).loadUnaligned(as: SIMD2<Double>.self))
  }
}

/// The number of a function table, rounded once in the init pass, for opcodes that look the table up in every k-cycle.
@frozen
public struct TableNumber: BitwiseCopyable {
  /// With the elements that have this number in the init pass, found without calling Csound while they have it.
  @usableFromInline let known: ccs_known_table

  /// Rounds to the nearest whole number, halves to the even one, as Csound's own opcodes do. A number that cannot be a
  /// table's becomes 0, which no table has [init pass].
  public init(_ number: Double, _ context: Context) {
    known = ccs_know_table(context.csound, ccs_table_number(number))
  }
}

extension Context {
  /// The elements of a table; nil when the table does not exist at the moment [any pass].
  ///
  /// The corresponding C function is `csoundGetTable`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func elements(of table: TableNumber) -> TableElements? {
    let found = ccs_find_elements(csound, table.known)
    guard let samples = found.samples else { return nil }
    return TableElements(elements: samples, count: found.length)
  }
}
