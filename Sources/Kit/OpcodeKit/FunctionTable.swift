public import CCsound

/// One of Csound's function tables.
///
/// Valid only in the pass that looked it up: the orchestra can replace or delete a table at any time, so look it up
/// again in each performance pass.
@frozen
public struct FunctionTable: BitwiseCopyable {
  @usableFromInline let csound: CsoundPointer
  @usableFromInline let table: ccs_table

  /// Elements without the guard point, at least 1.
  @inlinable @inline(__always) public var count: Int { table.length }
  /// The elements, to be read only.
  @inlinable @inline(__always) public var elements: TableElements {
    TableElements(elements: UnsafePointer(samples), count: count)
  }
  @inlinable @inline(__always) var samples: UnsafeMutablePointer<Double> {
    table.samples.unsafelyUnwrapped
  }

  /// Samples per second of the sound file in the table; the engine's sample rate for any other table.
  @inlinable @_semantics("no_performance_analysis")
  public var sampleRate: Double { ccs_sound_of(csound, table).sample_rate }
  /// Number of interleaved channels of the sound file in the table; 1 for any other table.
  @inlinable @_semantics("no_performance_analysis")
  public var channelCount: Int { ccs_sound_of(csound, table).channels }

  @inlinable @inline(__always) init?(_ table: ccs_table, _ csound: CsoundPointer) {
    guard table.samples != nil else { return nil }
    self.csound = csound
    self.table = table
  }

  /// The element at an index from 0 to `count`; index `count` is the guard point. Checked in debug builds only.
  @inlinable @inline(__always) public subscript(index: Int) -> Double {
    get {
      Checks.index(index, below: count &+ 1, "a table's elements and guard point")
      return samples[index]
    }
    nonmutating set {
      Checks.index(index, below: count &+ 1, "a table's elements and guard point")
      samples[index] = newValue
    }
  }

  /// The value at a phase, linearly interpolated between two elements; after the last element comes the guard point.
  /// The phase must be from 0 to 1; `Math.fraction` brings it into that range.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func linear(atPhase phase: Double) -> Double {
    let (index, fraction) = place(ofPhase: phase)
    let (left, right) = (self[index], self[index &+ 1])
    return left + (right - left) * fraction
  }

  /// The element before a phase, and how far the phase is from it to the next; outside 0 … 1 an element at the end.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func place(ofPhase phase: Double) -> (index: Int, fraction: Double) {
    let position = phase * Double(count)
    let index = max(0, min(Math.truncated(position), count &- 1))
    return (index, position - Double(index))
  }

  /// Copies the first element to the guard point, for a table that is read cyclically. Call it after writing elements.
  @inlinable public func wrapGuardPoint() { samples[count] = samples[0] }
}

extension Context {
  /// The table that an argument names; loads it if its loading was deferred [init pass].
  ///
  /// -1 is Csound's built-in sine table. The number is rounded to the nearest whole number, as Csound's own opcodes do.
  ///
  /// Throws `'ifn' is 99; it must be the number of an existing table.`
  public func table(
    _ number: Double, argument name: StaticString
  ) throws(OpcodeError) -> FunctionTable {
    guard let table = FunctionTable(ccs_load_table(csound, number), csound) else {
      throw OpcodeError(
        argument: name, is: number, mustBe: "the number of an existing table")
    }
    return table
  }

  /// The table with a number; nil when there is none at the moment, or when its loading is deferred [any pass]. For a
  /// number that does not change during a note, a `TableNumber` finds it in less time.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func table(_ number: Double) -> FunctionTable? {
    FunctionTable(ccs_find_table(csound, number), csound)
  }
}
