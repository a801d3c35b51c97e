public import CVector

/// 48 numbers in memory on the stack, written eight at a time and read one at a time.
///
/// For values that are computed for eight frames at once and used frame by frame: extracting a number from a register
/// costs an instruction, reading it from memory as an operand costs none.
@frozen @usableFromInline
package struct LanesBuffer: BitwiseCopyable {
  @usableFromInline var numbers = cv_numbers()

  @inlinable @inline(__always)
  package init() {}

  /// Writes eight numbers from `place` on, 0 to 40. Not checked.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package mutating func set(_ lanes: Lanes, at place: Int) {
    cv_numbers_write(&numbers, place, lanes.values)
  }

  /// The number at `place`, 0 to 47. Not checked.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package mutating func number(at place: Int) -> Double { cv_numbers_read(&numbers, place) }
}
