/// A value with its 99 % confidence interval.
public struct Estimate: Codable, Equatable, Sendable {
  /// The confidence level of the intervals.
  public static let confidence = 0.99

  public var value: Double
  public var low: Double
  public var high: Double

  public init(value: Double, low: Double, high: Double) {
    self.value = value
    self.low = low
    self.high = high
  }

  /// Half the width of the interval.
  public var halfWidth: Double { (high - low) / 2 }
}

extension Collection where Element == Double {
  /// The middle value, or the mean of the middle two for an even count. NaN if empty.
  public var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
/// doi:10.1145/2660193.2660195): a seeded generator whose sequences can be repeated.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
