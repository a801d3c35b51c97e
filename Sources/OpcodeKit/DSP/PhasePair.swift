public import CVector

/// The phases of two frames side by side in one register, for tables whose length is a power of two.
@frozen
public struct PhasePair: BitwiseCopyable {
  @usableFromInline var bits: SIMD2<UInt64>
  @usableFromInline let twoSteps: SIMD2<UInt64>

  /// A phase and the one a step after it.
  @inlinable @inline(__always)
  public init(_ phase: CyclePhase, step: UInt64) {
    bits = SIMD2(phase.bits, phase.bits &+ step)
    twoSteps = SIMD2(repeating: 2 &* step)
  }

  /// Goes on by two frames.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func advance() { bits = cv_pair_whole_add(bits, twoSteps) }

  /// The elements at or before the phases in a table of 2^places elements that stands for one cycle;
  /// `places` from 1 to 63.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func indices(places: CInt) -> SIMD2<UInt64> {
    cv_pair_whole_shifted_right(bits, 64 &- places)
  }

  /// How far the phases are from those elements to the next, in units of 2^-64.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func rests(places: CInt) -> SIMD2<UInt64> { cv_pair_whole_shifted_left(bits, places) }
}
