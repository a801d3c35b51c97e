public import CCsound

/// One of Csound's function tables.
///
/// Valid in the pass that asked for it: the orchestra can replace or delete a table at any time, so
/// a performance pass asks again.
@frozen
public struct FunctionTable: BitwiseCopyable {
  @usableFromInline let samples: UnsafeMutablePointer<Double>
  /// Elements without the guard point, at least 1.
  public let count: Int
  /// Samples per second of the sound file in it; Csound's own for any other table.
  public let sampleRate: Double
  /// Channels of the sound file in it, interleaved; 1 for any other table.
  public let channelCount: Int

  @inlinable init?(_ table: ccs_table) {
    guard let samples = table.samples else { return nil }
    self.samples = samples
    count = table.length
    sampleRate = table.sample_rate
    channelCount = table.channels
  }

  /// An element, from 0 to `count`, where `count` is the guard point. Checked in
  /// debug builds only.
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

  /// The value at a phase from 0 to 1, between two elements in proportion; the last element is
  /// followed by the guard point. The phase must be in that range; `wrapped` brings it there.
  @inlinable @inline(__always) public func linear(atPhase phase: Double) -> Double {
    let position = phase * Double(count)
    let index = min(Int(position), count - 1)
    let (left, right) = (self[index], self[index + 1])
    return left + (right - left) * (position - Double(index))
  }

  /// Makes the guard point equal to the first element, as a table that is read round and round needs;
  /// call it after writing.
  @inlinable public func wrapGuardPoint() { samples[count] = samples[0] }
}

extension Context {
  /// The table an argument names, loaded if its loading was deferred [init pass].
  ///
  /// −1 is Csound's own sine; a fraction is rounded, as Csound's own opcodes do. Throws `'ifn' is 99; it must be the number of an existing table.`
  public func table(
    _ number: Double, argument name: StaticString
  ) throws(OpcodeError) -> FunctionTable {
    guard let table = FunctionTable(ccs_load_table(csound, number)) else {
      throw OpcodeError(
        argument: name, is: number, mustBe: "the number of an existing table")
    }
    return table
  }

  /// The table of a number, looked up; nil when there is none now [any pass].
  @inlinable @_semantics("no_performance_analysis")
  public func table(_ number: Double) -> FunctionTable? {
    FunctionTable(ccs_find_table(csound, number))
  }
}
