public import CVector

/// The phases of four frames at a step that stands still, for tables of any length.
@frozen
public struct SteadyPhases: BitwiseCopyable {
  /// Of the first of the four.
  public var phase: CyclePhase
  @usableFromInline let step: UInt64
  @usableFromInline let count: Int
  /// How far the phases are from the elements before them to the next, in units of 2^-64.
  public var rests: SIMD4<UInt64>
  @usableFromInline let fourRestSteps: SIMD4<UInt64>

  /// From a phase on, in tables of `count` elements that stand for one cycle.
  @inlinable @inline(__always)
  public init(_ phase: CyclePhase, step: UInt64, in count: Int) {
    (self.phase, self.step, self.count) = (phase, step, count)
    let rest = phase.rest(in: count)
    // It is linear.
    let restStep = CyclePhase(bits: step).rest(in: count)
    let two = restStep &+ restStep
    rests = SIMD4(rest, rest &+ restStep, rest &+ two, rest &+ two &+ restStep)
    fourRestSteps = SIMD4(repeating: two &+ two)
  }

  /// The elements at or before the phases.
  @inlinable @inline(__always)
  public var indices: (Int, Int, Int, Int) {
    let second = phase.advanced(by: step)
    let third = second.advanced(by: step)
    return (
      phase.index(in: count), second.index(in: count), third.index(in: count),
      third.advanced(by: step).index(in: count)
    )
  }

  /// Goes on by four frames.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func advance() {
    phase.advance(4 &* step)
    rests = cv_quad_whole_add(rests, fourRestSteps)
  }
}
