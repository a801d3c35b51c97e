/// Computes a nonlinear function at 2, 4 or 8 times the sample rate, so that the harmonics it makes above half the
/// sample rate do not fold back.
///
/// ```swift
/// private var oversampler = Oversampler(times: 4)
/// …
/// arguments.output[frame] = oversampler.next(arguments.input[frame]) { ($0 * Pair(5)).tanh }
/// ```
///
/// Minimum phase: half-band filters of two allpass branches (see `HalfBand`). From the input to the output without the
/// function, at 2, 4 and 8 times:
/// - flat within 1e-8 dB up to 0.45 of the sample rate;
/// - what lies above 0.55 of the sample rate is attenuated by 106 dB, and images as much;
/// - low frequencies are delayed by 3.2, 4.3 and 4.9 samples; the delay grows towards half the sample rate.
@frozen
public struct Oversampler: BitwiseCopyable {
  /// 2, 4 or 8.
  @usableFromInline let times: Int
  @usableFromInline var firstUp = SteepHalfBand(), firstDown = SteepHalfBand()
  @usableFromInline var secondUp = WideHalfBand(), secondDown = WideHalfBand()
  @usableFromInline var thirdUp = WideHalfBand(), thirdDown = WideHalfBand()

  /// `times` is 2, 4 or 8; a number in between counts as the next lower one of these.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(times: Int) { self.times = times >= 8 ? 8 : times >= 4 ? 4 : 2 }

  /// The output for a sample: `shape` is called with the samples at the higher rate, two at a time in order of time.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double, _ shape: (Pair) -> Pair) -> Double {
    let both = firstUp.up(sample)
    if times == 2 { return firstDown.down(shape(both)) }
    return firstDown.down(
      Pair(second(both[0], shape), second(both[1], shape)))
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  mutating func second(_ sample: Double, _ shape: (Pair) -> Pair) -> Double {
    let both = secondUp.up(sample)
    if times == 4 {
      return secondDown.down(shape(both))
    }
    return secondDown.down(Pair(third(both[0], shape), third(both[1], shape)))
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  mutating func third(_ sample: Double, _ shape: (Pair) -> Pair) -> Double {
    thirdDown.down(shape(thirdUp.up(sample)))
  }

  /// Sets the filters' states to zero when they are below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func settle() {
    firstUp.settle()
    firstDown.settle()
    if times == 2 { return }
    secondUp.settle()
    secondDown.settle()
    if times == 4 { return }
    thirdUp.settle()
    thirdDown.settle()
  }
}

/// A half-band filter as `HalfBand`, with four allpasses in each branch: flat within 1e-10 dB up to 0.45 of the lower
/// sample rate, -106 dB from 0.55 on. The coefficients are those of an elliptic half-band filter (the source there).
@frozen
public struct SteepHalfBand: BitwiseCopyable {
  @usableFromInline var x1 = Pair(0), x2 = Pair(0), x3 = Pair(0), x4 = Pair(0), x5 = Pair(0)

  @inlinable @inline(__always) public init() {}

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  mutating func branches(_ input: Pair) -> Pair {
    let y1 = x1 + Pair(0.03583278843106211, 0.1340901419430669) * (input - x2)
    let y2 = x2 + Pair(0.2720401433964578, 0.4243248712718685) * (y1 - x3)
    let y3 = x3 + Pair(0.5720571972357003, 0.7062921421386397) * (y2 - x4)
    let y4 = x4 + Pair(0.827124761997324, 0.9415030941737551) * (y3 - x5)
    (x1, x2, x3, x4, x5) = (input, y1, y2, y3, y4)
    return y4
  }

  /// Upsampling: one sample in, two samples out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func up(_ input: Double) -> Pair { branches(Pair(input)) }

  /// Downsampling: two samples in, one sample out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func down(_ both: Pair) -> Double {
    let out = branches(both.swapped)
    return 0.5 * (out[0] + out[1])
  }

  /// Sets the states to zero when they are below 1e-30 (-600 dB) or not finite.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func settle() {
    let sum = ((x1.magnitude + x2.magnitude) + (x3.magnitude + x4.magnitude)) + x5.magnitude
    if !(sum[0] + sum[1] >= 1e-30 && sum[0] + sum[1] < .infinity) { self = SteepHalfBand() }
  }
}

/// A half-band filter with two allpasses in each branch, for the second and later doublings of a sample rate: flat up to
/// 0.27 of the lower sample rate, -109 dB from 0.73 on.
@frozen
public struct WideHalfBand: BitwiseCopyable {
  @usableFromInline var x1 = Pair(0), x2 = Pair(0), x3 = Pair(0)

  @inlinable @inline(__always) public init() {}

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  mutating func branches(_ input: Pair) -> Pair {
    let y1 = x1 + Pair(0.04494128238611239, 0.17882472325997537) * (input - x2)
    let y2 = x2 + Pair(0.4053376861137386, 0.7535321475706449) * (y1 - x3)
    (x1, x2, x3) = (input, y1, y2)
    return y2
  }

  /// Upsampling: one sample in, two samples out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func up(_ input: Double) -> Pair { branches(Pair(input)) }

  /// Downsampling: two samples in, one sample out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func down(_ both: Pair) -> Double {
    let out = branches(both.swapped)
    return 0.5 * (out[0] + out[1])
  }

  /// Sets the states to zero when they are below 1e-30 (-600 dB) or not finite.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func settle() {
    let sum = (x1.magnitude + x2.magnitude) + x3.magnitude
    if !(sum[0] + sum[1] >= 1e-30 && sum[0] + sum[1] < .infinity) { self = WideHalfBand() }
  }
}
