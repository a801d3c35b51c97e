/// A state variable filter with lowpass, bandpass and highpass at once, 12 dB per octave. It stays stable and in tune
/// when cutoff and Q change in every sample.
///
/// The analog filter's integrators are replaced by trapezoidal ones, whose feedback without delay is solved (V.
/// Zavalishin, "The Art of VA Filter Design", 2012; A. Simper, "Linear trapezoidal integrated SVF", 2013). With g =
/// tan(π cutoff / sr) and k = 1 / Q:
///
///     s = 1 / (1 + g (g + k)),   w = x - low
///     band <- (2 s - 1) band + 2 s g w,   low <- (low + 2 s g band) + 2 s g² w
///
/// The outputs are the means of each state before and after the sample.
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
  @usableFromInline var tuning = Tuning<Double>(keep: 1, gain: 0, step: 0, damping: 1)

  /// The coefficients 2 s - 1, 2 s g, 2 s g² and k, for one or several samples.
  @frozen
  public struct Tuning<Number: BitwiseCopyable>: BitwiseCopyable {
    public let keep, gain, step, damping: Number

    @inlinable @inline(__always)
    init(keep: Number, gain: Number, step: Number, damping: Number) {
      (self.keep, self.gain, self.step, self.damping) = (keep, gain, step, damping)
    }
  }

  /// A closed filter; `tune` sets its cutoff.
  @inlinable public init() {}

  /// Sets cutoff and Q. `cutoff` is in units of the sample rate, limited to 0 … 0.499; `q` is limited to 0.01 or more.
  /// Two divisions and a polynomial.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func tune(_ cutoff: Double, q: Double) {
    tuning = Self.tunings(cutoffs: Pair(cutoff), q: Pair(q))[0]
  }

  /// Sets a tuning that `tunings` has computed.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func tune(_ tuning: Tuning<Double>) { self.tuning = tuning }

  /// The tunings for several samples at once, with the limits of `tune`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func tunings<V: Vector>(cutoffs: V, q: V) -> Tuning<V> {
    let (sine, cosine) = HalfTurn.ratio(V.minimum(.maximum(cutoffs, V(0)), V(0.499)))
    let g = sine / cosine
    let k = V(1) / .maximum(q, V(0.01))
    let share = V(2) / (V(1) + g * (g + k))
    let gain = share * g
    return Tuning(keep: share - V(1), gain: gain, step: gain * g, damping: k)
  }

  /// The outputs for a sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double) -> Output {
    let above = sample - low
    let newBand = tuning.keep * band + tuning.gain * above
    let newLow = (low + tuning.gain * band) + tuning.step * above
    let (bandNow, lowNow) = (0.5 * (band + newBand), 0.5 * (low + newLow))
    (band, low) = (newBand, newLow)
    return Output(
      low: lowNow, band: bandNow, high: (sample - tuning.damping * bandNow) - lowNow)
  }

  /// Sets the state to 0 when it is below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func settle() {
    let level = band.magnitude + low.magnitude
    if !(level > 1e-30 && level < .infinity) { (band, low) = (0, 0) }
  }
}

extension StateVariableFilter.Tuning where Number: Vector {
  /// The tuning of one of the samples.
  @inlinable public subscript(place: Int) -> StateVariableFilter.Tuning<Double> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      StateVariableFilter.Tuning<Double>(
        keep: keep[place], gain: gain[place], step: step[place], damping: damping[place])
    }
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
