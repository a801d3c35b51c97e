/// What one round of turns found: two costs, the orchestra without the opcode subtracted.
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
/// A group is what one process measured. Its rounds share where code and data lie in memory, so that a
/// group counts as one observation: at a ratio θ, the median over its rounds
/// of rival − θ·subject, where what slows a whole round down cancels. The interval holds each θ at
/// which the mean over the groups does not differ from 0 by Student's t, as Fieller does ("Some
/// problems in interval estimation", Journal of the Royal Statistical Society B 16 (1954),
/// doi:10.1111/j.2517-6161.1954.tb00159.x). It is unbounded where a cost cannot be told from 0.
/// The mean is trimmed, its error winsorised, against groups the machine disturbed: Tukey and
/// McLaughlin, "Less vulnerable confidence and significance procedures for location based on a
/// single sample", Sankhyā A 25 (1963).
public struct CostRatio: Sendable {
  /// How much of the groups is left out at either end.
  static let trimming = 0.1

  private let groups: [[CostPair]]

  public init(_ groups: [[CostPair]]) { self.groups = groups }

  /// The interval holds the true ratio with 99 %.
  public var estimate: Estimate { estimate(widening: 1) }

  /// The interval holds with 99 % the value that another run of as many groups finds. Both runs err, so
  /// that it is √2 times as wide as the interval that holds the true ratio.
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

  /// The ratio at which the mean of rival − ratio·subject is `errors` times the half-width of its
  /// own 99 % interval; nil when none within a factor of 1024 is.
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
  /// The mean of what is left when the fraction `trimming` is cut off either end, with its 99 %
  /// interval by the winsorised variance. NaN for fewer than two values.
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

/// The 99.5 % quantile of Student's t, to 0.6 % from 5 degrees of freedom: Abramowitz and Stegun,
/// Handbook of Mathematical Functions (1964), 26.7.5.
public func studentQuantile(freedom: Int) -> Double {
  let z = 2.5758293035489004
  let n = Double(freedom)
  let z2 = z * z
  let first = z * (z2 + 1) / 4
  let second = z * ((5 * z2 + 16) * z2 + 3) / 96
  let third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384
  return z + first / n + second / (n * n) + third / (n * n * n)
}
