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
  /// negative for backwards. Whole cycles make no difference; infinity and NaN stand still.
  ///
  /// Adding 3 to a number between -1/2 and 1/2 leaves its fraction in the last 51 bits of the sum,
  /// two's complement; of NaN a zero is left there.
  @inlinable @inline(__always)
  public static func step(cycles: Double) -> UInt64 {
    ((cycles - Math.nearestWhole(cycles)) + 3).bitPattern << 13
  }

  @inlinable @inline(__always)
  public mutating func advance(_ step: UInt64) { bits &+= step }

  /// The element at or before the phase in a table of `count` elements that stands for one cycle.
  @inlinable @inline(__always)
  public func index(in count: Int) -> Int {
    Int(truncatingIfNeeded: bits.multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
  }

  /// How far the phase is from that element to the next, in units of 2^-64. It is linear: a step
  /// adds `CyclePhase(bits: step).rest(in: count)`.
  @inlinable @inline(__always)
  public func rest(in count: Int) -> UInt64 { bits &* UInt64(truncatingIfNeeded: count) }
}
