/// A half-band filter made of two allpass branches in z^-2, for doubling or halving the sample rate.
///
///     H(z) = (A_0(z^2) + z^-1 A_1(z^2)) / 2       each A a product of (c + z^-2) / (1 + c z^-2)
///
/// Each `Pair` holds a value of both branches. Source: R. A. Valenzuela and A. G. Constantinides, "Digital signal
/// processing schemes for efficient interpolation and decimation", IEE Proceedings G 130(6), 1983. The coefficients are
/// those of elliptic half-band filters.
public protocol HalfBandFilter: BitwiseCopyable {
  init()

  /// The outputs of the two branches.
  mutating func branches(_ input: Pair) -> Pair

  /// The outputs for two inputs in order of time, in hardly more time than for one.
  mutating func branches(_ first: Pair, _ second: Pair) -> (Pair, Pair)

  /// The sum of the magnitudes of each branch's states.
  var level: Pair { get }
}

extension HalfBandFilter {
  /// Upsampling: one sample in, two samples out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func up(_ input: Double) -> Pair { branches(Pair(input)) }

  /// Downsampling: two samples in, one sample out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func down(_ both: Pair) -> Double {
    let out = branches(both.swapped)
    return 0.5 * (out[0] + out[1])
  }

  /// Upsampling: two samples in, four samples out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func up(_ first: Double, _ second: Double) -> (Pair, Pair) {
    branches(Pair(first), Pair(second))
  }

  /// Downsampling: four samples in, two samples out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func down(_ first: Pair, _ second: Pair) -> Pair {
    let out = branches(first.swapped, second.swapped)
    return Pair(0.5) * (.firsts(out.0, out.1) + .seconds(out.0, out.1))
  }

  /// Sets the states to zero when they are below 1e-30 (-600 dB) or not finite. Call it once in each k-cycle.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func settle() {
    let sum = level[0] + level[1]
    if !(sum >= 1e-30 && sum < .infinity) { self = Self() }
  }
}

/// An allpass of both branches, and what it makes of one or two inputs.
@frozen @usableFromInline
struct BranchAllpass: BitwiseCopyable {
  @usableFromInline let c: Pair

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  init(_ c: Pair) { self.c = c }

  /// The output waits for the last one by a product and a difference only.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func next(_ input: Pair, _ lastInput: Pair, _ lastOutput: Pair) -> Pair {
    (lastInput + c * input) - c * lastOutput
  }

  /// The second output does not wait for the first.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func next(_ inputs: (Pair, Pair), _ lastInput: Pair, _ lastOutput: Pair) -> (Pair, Pair) {
    let first = lastInput + c * inputs.0
    let second = (inputs.0 + c * inputs.1) - c * first
    return (first - c * lastOutput, second + (c * c) * lastOutput)
  }
}

/// Four allpasses in each branch: flat within 1e-10 dB up to 0.45 of the lower sample rate, -106 dB from 0.55 on.
@frozen
public struct SteepHalfBand: HalfBandFilter {
  @usableFromInline var x1 = Pair(0), x2 = Pair(0), x3 = Pair(0), x4 = Pair(0), x5 = Pair(0)

  @inlinable @inline(__always) public init() {}

  // The coefficients of the allpasses, for both branches.
  @inlinable package static var c1: Pair {
    @inline(__always) get { Pair(0.03583278843106211, 0.1340901419430669) }
  }
  @inlinable package static var c2: Pair {
    @inline(__always) get { Pair(0.2720401433964578, 0.4243248712718685) }
  }
  @inlinable package static var c3: Pair {
    @inline(__always) get { Pair(0.5720571972357003, 0.7062921421386397) }
  }
  @inlinable package static var c4: Pair {
    @inline(__always) get { Pair(0.827124761997324, 0.9415030941737551) }
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func branches(_ input: Pair) -> Pair {
    let y1 = BranchAllpass(Self.c1).next(input, x1, x2)
    let y2 = BranchAllpass(Self.c2).next(y1, x2, x3)
    let y3 = BranchAllpass(Self.c3).next(y2, x3, x4)
    let y4 = BranchAllpass(Self.c4).next(y3, x4, x5)
    (x1, x2, x3, x4, x5) = (input, y1, y2, y3, y4)
    return y4
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func branches(_ first: Pair, _ second: Pair) -> (Pair, Pair) {
    let y1 = BranchAllpass(Self.c1).next((first, second), x1, x2)
    let y2 = BranchAllpass(Self.c2).next(y1, x2, x3)
    let y3 = BranchAllpass(Self.c3).next(y2, x3, x4)
    let y4 = BranchAllpass(Self.c4).next(y3, x4, x5)
    (x1, x2, x3, x4, x5) = (second, y1.1, y2.1, y3.1, y4.1)
    return y4
  }

  @inlinable public var level: Pair {
    ((x1.magnitude + x2.magnitude) + (x3.magnitude + x4.magnitude)) + x5.magnitude
  }
}

/// Three allpasses in each branch: flat up to 0.45 of the lower sample rate, -80 dB from 0.55 on.
@frozen
public struct HalfBand: HalfBandFilter {
  @usableFromInline var x1 = Pair(0), x2 = Pair(0), x3 = Pair(0), x4 = Pair(0)

  @inlinable @inline(__always) public init() {}

  // The coefficients of the allpasses, for both branches.
  @inlinable package static var c1: Pair {
    @inline(__always) get { Pair(0.060339983595214655, 0.21610379484573122) }
  }
  @inlinable package static var c2: Pair {
    @inline(__always) get { Pair(0.41277758528830943, 0.6045212896668933) }
  }
  @inlinable package static var c3: Pair {
    @inline(__always) get { Pair(0.7728111488988045, 0.9239173842993144) }
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func branches(_ input: Pair) -> Pair {
    let y1 = BranchAllpass(Self.c1).next(input, x1, x2)
    let y2 = BranchAllpass(Self.c2).next(y1, x2, x3)
    let y3 = BranchAllpass(Self.c3).next(y2, x3, x4)
    (x1, x2, x3, x4) = (input, y1, y2, y3)
    return y3
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func branches(_ first: Pair, _ second: Pair) -> (Pair, Pair) {
    let y1 = BranchAllpass(Self.c1).next((first, second), x1, x2)
    let y2 = BranchAllpass(Self.c2).next(y1, x2, x3)
    let y3 = BranchAllpass(Self.c3).next(y2, x3, x4)
    (x1, x2, x3, x4) = (second, y1.1, y2.1, y3.1)
    return y3
  }

  @inlinable public var level: Pair {
    (x1.magnitude + x2.magnitude) + (x3.magnitude + x4.magnitude)
  }
}

/// Two allpasses in each branch, for the second and later doublings of a sample rate: flat up to 0.27 of the lower
/// sample rate, -109 dB from 0.73 on.
@frozen
public struct WideHalfBand: HalfBandFilter {
  @usableFromInline var x1 = Pair(0), x2 = Pair(0), x3 = Pair(0)

  @inlinable @inline(__always) public init() {}

  // The coefficients of the allpasses, for both branches.
  @inlinable package static var c1: Pair {
    @inline(__always) get { Pair(0.04494128238611239, 0.17882472325997537) }
  }
  @inlinable package static var c2: Pair {
    @inline(__always) get { Pair(0.4053376861137386, 0.7535321475706449) }
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func branches(_ input: Pair) -> Pair {
    let y1 = BranchAllpass(Self.c1).next(input, x1, x2)
    let y2 = BranchAllpass(Self.c2).next(y1, x2, x3)
    (x1, x2, x3) = (input, y1, y2)
    return y2
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func branches(_ first: Pair, _ second: Pair) -> (Pair, Pair) {
    let y1 = BranchAllpass(Self.c1).next((first, second), x1, x2)
    let y2 = BranchAllpass(Self.c2).next(y1, x2, x3)
    (x1, x2, x3) = (second, y1.1, y2.1)
    return y2
  }

  @inlinable public var level: Pair { (x1.magnitude + x2.magnitude) + x3.magnitude }
}
