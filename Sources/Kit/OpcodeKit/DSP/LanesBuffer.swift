public import CVector

/// Six `Lanes` in a pass's own memory, whose numbers are read one at a time.
///
/// For what is computed of eight frames at once and used frame by frame: to take a number out of a register
/// costs an instruction, to read it from memory where it is needed none.
@frozen
public struct LanesBuffer: BitwiseCopyable {
  @usableFromInline var numbers = cv_numbers()

  @inlinable @inline(__always)
  public init() {}

  /// Writes eight numbers from a place on, 0 to 40, which is not checked.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func set(_ lanes: Lanes, at place: Int) {
    cv_numbers_write(&numbers, place, lanes.values)
  }

  /// The number at a place, 0 to 47, which is not checked.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func number(at place: Int) -> Double { cv_numbers_read(&numbers, place) }
}
