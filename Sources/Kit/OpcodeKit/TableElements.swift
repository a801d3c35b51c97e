public import CCsound

/// The elements of a function table and nothing else, found in a third of the time a `FunctionTable`
/// takes; for an opcode that looks a table up in every k-cycle.
///
/// Valid in the pass that asked for it, like a `FunctionTable`.
@frozen
public struct TableElements: BitwiseCopyable {
  @usableFromInline let elements: UnsafePointer<Double>
  /// Elements without the guard point, at least 1.
  public let count: Int

  @inlinable init(elements: UnsafePointer<Double>, count: Int) {
    self.elements = elements
    self.count = count
  }

  /// An element, from 0 to `count`, where `count` is the guard point. Checked in
  /// debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Double {
    Checks.index(index, below: count &+ 1, "a table's elements and guard point")
    return elements[index]
  }

  /// Two elements from `index` on. Checked in debug builds only.
  @inlinable @inline(__always) public func pair(at index: Int) -> Pair {
    Checks.index(index, below: count, "a table's elements")
    return Pair(values: UnsafeRawPointer(elements + index).loadUnaligned(as: SIMD2<Double>.self))
  }
}

/// The number of a function table, rounded as Csound's own opcodes do; for an opcode that looks the
/// table up in every k-cycle, and need not round each time.
@frozen
public struct TableNumber: BitwiseCopyable {
  @usableFromInline let number: CInt
  /// Where the table of this number is found without a call of Csound; nil where that is not known.
  @usableFromInline let place: UnsafeRawPointer?

  /// Of two whole numbers as near the even one; what is no table's number is one that no table has
  /// [init pass].
  public init(_ number: Double, _ context: Context) {
    self.number = ccs_table_number(number)
    place = ccs_table_place(context.csound, self.number)
  }
}

extension Context {
  /// The elements of a table, looked up; nil when there is none now [any pass].
  ///
  /// The corresponding C function is `csoundGetTable`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func elements(of table: TableNumber) -> TableElements? {
    let found = ccs_find_elements(csound, table.number, table.place)
    guard let samples = found.samples else { return nil }
    return TableElements(elements: samples, count: found.length)
  }
}
