/// An oscillator's phase as a 64-bit integer in units of 2^-64 cycles. It wraps by integer overflow and advances by
/// integer addition: no rounding, no branches, and no drift of pitch however long it runs.
@frozen
public struct CyclePhase: BitwiseCopyable {
  /// The phase in units of 2^-64 cycles.
  public var bits: UInt64

  @inlinable @inline(__always) public init(bits: UInt64) { self.bits = bits }

  /// The phase after a number of cycles. Whole cycles are dropped; infinity and NaN give 0.
  @inlinable
  public init(cycles: Double) {
    bits = UInt64(Math.fraction(cycles) * 0x1p64)
  }

  /// The phase step per sample for a frequency, rounded to 2^-51 cycles. `cycles` is frequency / sample rate, negative
  /// for a backwards phase. Whole cycles make no difference; 4096 cycles or more, infinity and NaN give a step of 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func step(cycles: Double) -> UInt64 { step(units: cycles * unitsPerCycle) }

  /// The same for a frequency in units of 2^-51 cycles per sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func step(units: Double) -> UInt64 {
    // Out-of-range values are converted to -2^63, which the shift turns into 0.
    UInt64(bitPattern: Math.nearest(units)) << 13
  }

  /// Units of `step(units:)` in a cycle: 2^51.
  @inlinable public static var unitsPerCycle: Double { 0x1p51 }

  @inlinable @inline(__always)
  public mutating func advance(_ step: UInt64) { bits &+= step }

  @inlinable @inline(__always)
  public func advanced(by step: UInt64) -> CyclePhase { CyclePhase(bits: bits &+ step) }

  /// The index of the element at or before the phase, in a table of `count` elements that holds one cycle.
  @inlinable @inline(__always)
  public func index(in count: Int) -> Int {
    Int(truncatingIfNeeded: bits.multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
  }

  /// The position between that element and the next one, in units of 2^-64. It is linear in the phase: a phase step
  /// adds `CyclePhase(bits: step).rest(in: count)`.
  @inlinable @inline(__always)
  public func rest(in count: Int) -> UInt64 { bits &* UInt64(truncatingIfNeeded: count) }

  /// 1 plus the position between the two elements (0 to 1), with 52 bits after the point.
  @inlinable @inline(__always)
  public func onePlusRest(in count: Int) -> Double {
    Double(bitPattern: rest(in: count) >> 12 | (1.0).bitPattern)
  }
}
