extension FunctionTable {
  /// The value at a phase, on Lagrange's cubic through four elements of a table that holds one cycle. The phase must be
  /// from 0 to 1; `Math.fraction` brings it into that range.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func cubic(atPhase phase: Double) -> Double {
    let position = phase * Double(count)
    let index = Math.truncated(position)
    // One comparison for both ends.
    if _fastPath(UInt(bitPattern: index &- 1) < UInt(bitPattern: max(count &- 3, 0))) {
      return DelayTap.value(
        self[index &- 1], self[index], self[index &+ 1], self[index &+ 2],
        at: position - Double(index))
    }
    return cubicAtEnd(phase)
  }

  /// The same where one of the four elements lies beyond an end of the table.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func cubicAtEnd(_ phase: Double) -> Double {
    let (index, fraction) = place(ofPhase: phase)
    return DelayTap.value(
      self[index > 0 ? index &- 1 : count &- 1], self[index],
      self[index &+ 1 < count ? index &+ 1 : 0],
      self[index &+ 2 < count ? index &+ 2 : min(index &+ 2 &- count, count &- 1)], at: fraction)
  }
}
