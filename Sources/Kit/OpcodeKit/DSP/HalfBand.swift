/// Half-band filters made of two allpass branches in z^-2, for doubling or halving the sample rate.
///
///     H(z) = (A_0(z^2) + z^-1 A_1(z^2)) / 2       each A a product of (c + z^-2) / (1 + c z^-2)
///
/// Each `Pair` holds a value of both branches. Source: R. A. Valenzuela and A. G. Constantinides, "Digital signal
/// processing schemes for efficient interpolation and decimation", IEE Proceedings G 130(6), 1983. The coefficients are
/// minimax fits.
@frozen
public struct HalfBand: BitwiseCopyable {
  /// The allpasses' states (their last inputs and outputs), for the first and the second branch.
  @usableFromInline var x1 = Pair(0), x2 = Pair(0), x3 = Pair(0), x4 = Pair(0)
  @usableFromInline let c1, c2, c3: Pair

  /// Passband up to 0.45 of the lower sample rate, -80 dB from 0.55 on.
  @inlinable public static var steep: HalfBand {
    @inline(__always) get {
      HalfBand(
        Pair(0.060339983595214655, 0.21610379484573122),
        Pair(0.41277758528830943, 0.6045212896668933),
        Pair(0.7728111488988045, 0.9239173842993144))
    }
  }

  /// Passband up to 0.27 of the lower sample rate, -105 dB from 0.73 on. The third allpass only delays.
  @inlinable public static var wide: HalfBand {
    @inline(__always) get {
      HalfBand(
        Pair(0.04684619552646923, 0.1849554194725099), Pair(0.4143140747568271, 0.7592694580119438),
        Pair(0))
    }
  }

  @inlinable @inline(__always)
  init(_ c1: Pair, _ c2: Pair, _ c3: Pair) { (self.c1, self.c2, self.c3) = (c1, c2, c3) }

  /// The outputs of the two branches.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  mutating func branches(_ input: Pair) -> Pair {
    let y1 = x1 + c1 * (input - x2)
    let y2 = x2 + c2 * (y1 - x3)
    let y3 = x3 + c3 * (y2 - x4)
    (x1, x2, x3, x4) = (input, y1, y2, y3)
    return y3
  }

  /// Upsampling: one sample in, two samples out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func up(_ input: Double) -> Pair { branches(Pair(input)) }

  /// Downsampling: two samples in, one sample out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func down(_ first: Double, _ second: Double) -> Double {
    let both = branches(Pair(second, first))
    return 0.5 * (both[0] + both[1])
  }

  /// Sets the states to zero when they are below 1e-30 (-600 dB).
  @inlinable @_semantics("no_performance_analysis")
  public mutating func settle() {
    let sum = (x1.magnitude + x2.magnitude) + (x3.magnitude + x4.magnitude)
    if sum[0] + sum[1] < 1e-30 { (x1, x2, x3, x4) = (Pair(0), Pair(0), Pair(0), Pair(0)) }
  }
}
