public import CVector

/// The phases of four consecutive frames with a constant step, for tables of any length.
@frozen @usableFromInline
package struct SteadyPhases: BitwiseCopyable {
  /// The phase of the first of the four frames.
  @usableFromInline package var phase: CyclePhase
  @usableFromInline let step: UInt64
  @usableFromInline let count: Int
  /// The positions of the four phases between their elements and the next ones, in units of 2^-64.
  @usableFromInline package var rests: SIMD4<UInt64>
  @usableFromInline let fourRestSteps: SIMD4<UInt64>

  /// Begins at a phase, in tables of `count` elements that hold one cycle.
  @inlinable @inline(__always)
  package init(_ phase: CyclePhase, step: UInt64, in count: Int) {
    (self.phase, self.step, self.count) = (phase, step, count)
    let rest = phase.rest(in: count)
    // `rest` is linear in the phase.
    let restStep = CyclePhase(bits: step).rest(in: count)
    let two = restStep &+ restStep
    rests = SIMD4(rest, rest &+ restStep, rest &+ two, rest &+ two &+ restStep)
    fourRestSteps = SIMD4(repeating: two &+ two)
  }

  /// The indices of the elements at or before the four phases.
  @inlinable @inline(__always)
  package var indices: (Int, Int, Int, Int) {
    let second = phase.advanced(by: step)
    let third = second.advanced(by: step)
    return (
      phase.index(in: count), second.index(in: count), third.index(in: count),
      third.advanced(by: step).index(in: count)
    )
  }

  /// Advances by four frames.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package mutating func advance() {
    phase.advance(4 &* step)
    rests = cv_quad_whole_add(rests, fourRestSteps)
  }
}
