/// A state variable filter with lowpass, bandpass and highpass at once, 12 dB per octave. It stays stable and in tune
/// when cutoff and Q change in every sample.
///
/// The analog filter's integrators are replaced by trapezoidal ones, whose feedback without delay is solved (V.
/// Zavalishin, "The Art of VA Filter Design", 2012; A. Simper, "Linear trapezoidal integrated SVF", 2013). With g =
/// tan(π cutoff / sr) and k = 1 / Q:
///
///     v1 = (band + g (x - low)) / (1 + g (g + k)),   v2 = low + g v1
///     band <- 2 v1 - band,   low <- 2 v2 - low
@frozen
public struct StateVariableFilter: BitwiseCopyable {
  /// The outputs for one sample. Q is the gain of `low` and `high` at the cutoff, and of `band`. The sum of `low`, `high`
  /// and `band` divided by Q is the input.
  @frozen
  public struct Output: BitwiseCopyable {
    public let low, band, high: Double

    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    init(low: Double, band: Double, high: Double) {
      (self.low, self.band, self.high) = (low, band, high)
    }

    /// Band reject: 0 at the cutoff, 1 far from it.
    @inlinable @inline(__always) public var notch: Double { low + high }
  }

  @usableFromInline var band = 0.0
  @usableFromInline var low = 0.0
  /// g, k, and 1 / (1 + g (g + k)).
  @usableFromInline var g = 0.0
  @usableFromInline var k = 1.0
  @usableFromInline var share = 1.0

  /// A closed filter; `tune` sets its cutoff.
  @inlinable public init() {}

  /// Sets cutoff and Q. `cutoff` is in units of the sample rate, limited to 0 … 0.499; `q` is limited to 0.01 or more.
  /// Two divisions and a polynomial.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func tune(_ cutoff: Double, q: Double) {
    let (sine, cosine) = HalfTurn.ratio(Pair(cutoff > 0 ? min(cutoff, 0.499) : 0))
    g = sine[0] / cosine[0]
    k = 1 / (q > 0.01 ? q : 0.01)
    share = 1 / (1 + g * (g + k))
  }

  /// The outputs for a sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double) -> Output {
    let v1 = share * (band + g * (sample - low))
    let v2 = low + g * v1
    band = 2 * v1 - band
    low = 2 * v2 - low
    return Output(low: v2, band: v1, high: (sample - k * v1) - v2)
  }

  /// Sets the state to 0 when it is below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func settle() {
    let level = band.magnitude + low.magnitude
    if !(level > 1e-30 && level < .infinity) { (band, low) = (0, 0) }
  }
}

/// A filter of two poles and two zeros, for equalizers and fixed filters.
///
///     H(z) = (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2)
///
/// Computed in transposed direct form II. Designs are those of R. Bristow-Johnson's "Audio EQ Cookbook" (W3C note, 2021):
/// analog prototypes through the bilinear transform. For a cutoff that moves quickly use `StateVariableFilter`.
@frozen
public struct Biquad: BitwiseCopyable {
  /// The kinds of filter. `gain` is in dB.
  @frozen
  public enum Kind: BitwiseCopyable {
    case lowpass, highpass
    /// Bandpass with a gain of 1 at the centre.
    case bandpass
    case notch, allpass
    /// A bell: `gain` at the centre, 0 dB far from it.
    case peak(gain: Double)
    /// `gain` below the frequency, 0 dB above; half of it at the frequency.
    case lowShelf(gain: Double)
    /// `gain` above the frequency, 0 dB below; half of it at the frequency.
    case highShelf(gain: Double)
  }

  @usableFromInline var b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0
  @usableFromInline var s1 = 0.0, s2 = 0.0

  /// A filter that changes nothing; `tune` sets its coefficients.
  @inlinable public init() {}

  /// Sets the coefficients and keeps the state. `frequency` is in units of the sample rate, limited to 1e-6 … 0.499; `q`
  /// is limited to 0.01 or more; 0.7071 gives a lowpass without resonance, and the steepest shelf without overshoot.
  @_semantics("no_performance_analysis")
  public mutating func tune(_ kind: Kind, _ frequency: Double, q: Double) {
    let turn = 2 * Double.pi * (frequency > 1e-6 ? min(frequency, 0.499) : 1e-6)
    let cosine = Math.cos(turn)
    let alpha = Math.sin(turn) / (2 * (q > 0.01 ? q : 0.01))
    switch kind {
    case .lowpass:
      let b = (1 - cosine) / 2
      set(b, 2 * b, b, 1 + alpha, -2 * cosine, 1 - alpha)
    case .highpass:
      let b = (1 + cosine) / 2
      set(b, -2 * b, b, 1 + alpha, -2 * cosine, 1 - alpha)
    case .bandpass: set(alpha, 0, -alpha, 1 + alpha, -2 * cosine, 1 - alpha)
    case .notch: set(1, -2 * cosine, 1, 1 + alpha, -2 * cosine, 1 - alpha)
    case .allpass: set(1 - alpha, -2 * cosine, 1 + alpha, 1 + alpha, -2 * cosine, 1 - alpha)
    case .peak(let gain):
      let a = Math.pow(10, gain / 40)
      set(
        1 + alpha * a, -2 * cosine, 1 - alpha * a, 1 + alpha / a, -2 * cosine, 1 - alpha / a)
    case .lowShelf(let gain): setShelf(gain, cosine, alpha, sign: 1)
    case .highShelf(let gain): setShelf(gain, cosine, alpha, sign: -1)
    }
  }

  /// A low shelf; with `sign` -1 its mirror image at half the sample rate.
  private mutating func setShelf(
    _ gain: Double, _ cosine: Double, _ alpha: Double, sign: Double
  ) {
    let a = Math.pow(10, gain / 40)
    let (c, root) = (sign * cosine, 2 * Math.sqrt(a) * alpha)
    let (more, less) = (a + 1, a - 1)
    set(
      a * (more - less * c + root), sign * 2 * a * (less - more * c), a * (more - less * c - root),
      more + less * c + root, sign * -2 * (less + more * c), more + less * c - root)
  }

  private mutating func set(
    _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
  ) {
    (self.b0, self.b1, self.b2) = (b0 / a0, b1 / a0, b2 / a0)
    (self.a1, self.a2) = (a1 / a0, a2 / a0)
  }

  /// The output for a sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double) -> Double {
    let y = b0 * sample + s1
    s1 = (b1 * sample - a1 * y) + s2
    s2 = b2 * sample - a2 * y
    return y
  }

  /// Sets the state to 0 when it is below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func settle() {
    let level = s1.magnitude + s2.magnitude
    if !(level > 1e-30 && level < .infinity) { (s1, s2) = (0, 0) }
  }
}
