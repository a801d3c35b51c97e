/// White noise: random numbers from -1 to 1, of equal probability, 53 bits each. Equal seeds give equal noise on every
/// machine.
///
/// The generator is `xoroshiro128+` with the constants 24, 16 and 37 (D. Blackman and S. Vigna, "Scrambled linear
/// pseudorandom number generators", ACM Transactions on Mathematical Software 47(4), 2021); its period is 2^128 - 1.
@frozen
public struct Noise: BitwiseCopyable {
  @usableFromInline var a: UInt64
  @usableFromInline var b: UInt64

  /// A generator for any seed; neighbouring seeds give independent noise (`splitmix64`).
  @inlinable
  public init(seed: UInt64) {
    var state = seed
    a = Self.mixed(&state)
    b = Self.mixed(&state)
  }

  /// A generator for a seed from an argument: any number, NaN too.
  @inlinable
  public init(seed: Double) { self.init(seed: seed.bitPattern) }

  @inlinable
  static func mixed(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }

  /// 64 random bits; the lowest bit is the weakest.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func nextBits() -> UInt64 {
    let sum = a &+ b
    let mix = a ^ b
    a = ((a &<< 24) | (a &>> 40)) ^ mix ^ (mix &<< 16)
    b = (mix &<< 37) | (mix &>> 27)
    return sum
  }

  /// The next number, from -1 up to but not including 1.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next() -> Double {
    Double(Int64(bitPattern: nextBits()) &>> 11) * 0x1p-52
  }

  /// The next number, from 0 up to but not including 1.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func nextUnit() -> Double { Double(nextBits() &>> 11) * 0x1p-53 }

  /// The next number of a normal distribution with mean 0 and deviation 1: the sum of 12 numbers from 0 to 1, minus 6.
  /// It is never beyond ±6.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func nextNormal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += nextUnit() }
    return sum
  }
}

/// Pink noise: 3 dB less per octave, within 0.1 dB from 15 Hz to 20 kHz at 48 kHz; at other sample rates the range moves
/// in proportion. Its root mean square is 0.2, its peaks seldom exceed 0.9.
///
/// White noise through five lowpasses of one pole in parallel, fitted to 1 / sqrt(f) by least squares.
@frozen
public struct PinkNoise: BitwiseCopyable {
  @usableFromInline var white: Noise
  @usableFromInline var s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0

  /// As for `Noise`.
  @inlinable public init(seed: UInt64) { white = Noise(seed: seed) }
  @inlinable public init(seed: Double) { white = Noise(seed: seed) }

  /// The next number.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next() -> Double {
    let x = white.next()
    s1 = 0.998161726102 * s1 + 0.00986191049994 * x
    s2 = 0.988572791965 * s2 + 0.0368651688519 * x
    s3 = 0.943486246393 * s3 - 0.173363507444 * x
    s4 = 0.745112050854 * s4 + 0.172088073069 * x
    s5 = 0.158366621748 * s5 + 0.208594214893 * x
    return ((s1 + s2) + (s3 + s4)) + (s5 - 0.0893905643432 * x)
  }
}
