public import CCsound

/// The elements of a table, to be read only. Those of a `FunctionTable` are valid only in the pass that looked it up.
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

/// The number of a function table, looked up once in the init pass, for opcodes that read the table in every k-cycle.
@frozen
public struct TableNumber: BitwiseCopyable {
  /// With the elements that have this number in the init pass, found without calling Csound while they have it.
  @usableFromInline let known: ccs_known_table

  /// Rounds to the nearest whole number, halves to the even one, as Csound's own opcodes do. A number that cannot be a
  /// table's becomes 0, which no table has [init pass].
  public init(_ number: Double, _ context: Context) {
    known = ccs_know_table(context.csound, ccs_table_number(number))
  }

  /// The same for a table that must exist, as `context.table(_:argument:)` has it [init pass].
  ///
  /// Throws `'ifn' is 99; it must be the number of an existing table.`
  public init(
    _ number: Double, _ context: Context, argument name: StaticString
  ) throws(OpcodeError) {
    _ = try context.table(number, argument: name)
    self.init(number, context)
  }
}

extension Context {
  /// The table that has a number now; nil when there is none, or when its loading is deferred [any pass].
  ///
  /// The corresponding C function is `csoundGetTable`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func table(_ table: TableNumber) -> FunctionTable? {
    let found = ccs_find_elements(csound, table.known)
    return FunctionTable(
      ccs_table(
        samples: found.samples, length: found.length, found: nil, number: table.known.number),
      csound)
  }
}
