/// A place in a cycle as a whole number of 2^-64 cycles, so that going round is overflow: an
/// oscillator's phase advances by integer addition, without rounding, without a branch and without
/// losing its tune however long it runs.
@frozen
public struct CyclePhase: BitwiseCopyable {
  /// In units of 2^-64 cycles.
  public var bits: UInt64

  @inlinable @inline(__always) public init(bits: UInt64) { self.bits = bits }

  /// The phase of a number of cycles; whole cycles are dropped, infinity and NaN are 0.
  @inlinable
  public init(cycles: Double) {
    bits = UInt64(Math.fraction(cycles) * 0x1p64)
  }

  /// How far a frequency goes in one sample, rounded to 2^-51 cycles; `cycles` is frequency / rate,
  /// negative for backwards. Whole cycles make no difference; what is not below 4096 cycles, infinity
  /// and NaN stand still.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func step(cycles: Double) -> UInt64 { step(units: cycles * unitsPerCycle) }

  /// The same for a number of 2^-51 cycles.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func step(units: Double) -> UInt64 {
    // What is out of range is -2^63, of which nothing is left.
    UInt64(bitPattern: Math.nearest(units)) << 13
  }

  /// 2^51.
  @inlinable public static var unitsPerCycle: Double { 0x1p51 }

  @inlinable @inline(__always)
  public mutating func advance(_ step: UInt64) { bits &+= step }

  @inlinable @inline(__always)
  public func advanced(by step: UInt64) -> CyclePhase { CyclePhase(bits: bits &+ step) }

  /// The element at or before the phase in a table of `count` elements that stands for one cycle.
  @inlinable @inline(__always)
  public func index(in count: Int) -> Int {
    Int(truncatingIfNeeded: bits.multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
  }

  /// How far the phase is from that element to the next, in units of 2^-64. It is linear: a step
  /// adds `CyclePhase(bits: step).rest(in: count)`.
  @inlinable @inline(__always)
  public func rest(in count: Int) -> UInt64 { bits &* UInt64(truncatingIfNeeded: count) }

  /// 1 and how far that is, with the first 52 bits of it.
  @inlinable @inline(__always)
  public func onePlusRest(in count: Int) -> Double {
    Double(bitPattern: rest(in: count) >> 12 | (1.0).bitPattern)
  }
}
