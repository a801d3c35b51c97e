/// The two costs measured in one round, without the cost of the orchestra without the opcode.
public struct CostPair: Codable, Sendable {
  public var subject: Double
  public var rival: Double

  public init(subject: Double, rival: Double) {
    self.subject = subject
    self.rival = rival
  }
}

/// The ratio of two costs, rival over subject, with its 99 % interval.
///
/// A group holds the rounds of one process. They share the placement of code and data in memory, so a
/// group counts as one observation: for a ratio θ, the median over its rounds of rival − θ·subject, in
/// which anything that slows down a whole round cancels. The interval contains each θ for which the
/// mean over the groups does not differ from 0 by Student's t (Fieller, "Some problems in interval
/// estimation", Journal of the Royal Statistical Society B 16 (1954),
/// doi:10.1111/j.2517-6161.1954.tb00159.x). It is unbounded if a cost does not differ from 0.
/// The mean is trimmed and its error winsorised, to be robust against groups that other processes
/// disturbed: Tukey and McLaughlin, "Less vulnerable confidence and significance procedures for
/// location based on a single sample", Sankhyā A 25 (1963).
public struct CostRatio: Sendable {
  /// The fraction of the groups that is left out at each end.
  static let trimming = 0.1

  private let groups: [[CostPair]]

  public init(_ groups: [[CostPair]]) { self.groups = groups }

  /// The ratio, with the interval that contains the true ratio with a probability of 99 %.
  public var estimate: Estimate { estimate(widening: 1) }

  /// The ratio, with the interval that contains the value of another run with as many groups with a
  /// probability of 99 %. Since both runs have errors, it is √2 times as wide as that of `estimate`.
  public var rerunEstimate: Estimate { estimate(widening: 2.0.squareRoot()) }

  private func estimate(widening: Double) -> Estimate {
    let typical =
      groups.map { $0.map(\.rival).median }.median
      / groups.map { $0.map(\.subject).median }.median
    guard typical > 0, typical.isFinite else {
      return Estimate(value: typical, low: -.infinity, high: .infinity)
    }
    return Estimate(
      value: crossing(near: typical, errors: 0) ?? typical,
      low: crossing(near: typical, errors: widening) ?? -.infinity,
      high: crossing(near: typical, errors: -widening) ?? .infinity)
  }

  /// The ratio at which the mean of rival − ratio·subject is `errors` times the half-width of its own
  /// 99 % interval; nil if there is none within a factor of 1024 of `typical`.
  private func crossing(near typical: Double, errors: Double) -> Double? {
    func excess(_ ratio: Double) -> Double {
      let differences = groups.map { group in
        group.map { $0.rival - ratio * $0.subject }.median
      }
      let mean = Estimate(trimmedMeanOf: differences, trimming: Self.trimming)
      return mean.value - errors * mean.halfWidth
    }
    var (low, high) = (typical, typical)
    while excess(low) < 0 {
      low /= 2
      if low < typical / 1024 { return nil }
    }
    while excess(high) > 0 {
      high *= 2
      if high > typical * 1024 { return nil }
    }
    while high - low > 1e-6 * high {
      let middle = (low + high) / 2
      if excess(middle) > 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension Estimate {
  /// The mean of the values after the fraction `trimming` is cut off at each end, with its 99 % interval
  /// from the winsorised variance. NaN if fewer than two values are left.
  public init(trimmedMeanOf values: [Double], trimming: Double) {
    let sorted = values.sorted()
    let cut = Int(trimming * Double(sorted.count))
    guard sorted.count >= 2 + 2 * cut else {
      self.init(value: .nan, low: .nan, high: .nan)
      return
    }
    let kept = sorted[cut..<sorted.count - cut]
    let mean = kept.reduce(0, +) / Double(kept.count)
    let winsorised =
      Array(repeating: kept.first!, count: cut) + kept
      + Array(repeating: kept.last!, count: cut)
    let center = winsorised.reduce(0, +) / Double(winsorised.count)
    let squares = winsorised.reduce(0) { $0 + ($1 - center) * ($1 - center) }
    let deviation = (squares / Double(sorted.count - 1)).squareRoot()
    let share = Double(kept.count) / Double(sorted.count)
    let error = deviation / (share * Double(sorted.count).squareRoot())
    let halfWidth = studentQuantile(freedom: kept.count - 1) * error
    self.init(value: mean, low: mean - halfWidth, high: mean + halfWidth)
  }
}

/// The 99.5 % quantile of Student's t distribution, accurate to 0.6 % for 5 or more degrees of freedom:
/// Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
public func studentQuantile(freedom: Int) -> Double {
  let z = 2.5758293035489004
  let n = Double(freedom)
  let z2 = z * z
  let first = z * (z2 + 1) / 4
  let second = z * ((5 * z2 + 16) * z2 + 3) / 96
  let third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384
  return z + first / n + second / (n * n) + third / (n * n * n)
}
