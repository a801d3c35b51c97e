import Foundation

extension Estimate {
  /// Whether the interval is one of positive, finite numbers.
  package var isBounded: Bool { low > 0 && low <= value && value <= high && high.isFinite }

  /// The quotient of two independent estimates of positive quantities. Their intervals are combined
  /// in logarithms, where the quotient is a difference, each limit from those limits of the two that
  /// lie towards it: Zou and Donner, "Construction of confidence limits about effect measures: a
  /// general approach", Statistics in Medicine 27 (2008), doi:10.1002/sim.3095.
  public init(dividing numerator: Estimate, by denominator: Estimate) {
    func distance(_ first: Double, _ second: Double) -> Double { log(first) - log(second) }
    let below = hypot(
      distance(numerator.value, numerator.low), distance(denominator.high, denominator.value))
    let above = hypot(
      distance(numerator.high, numerator.value), distance(denominator.value, denominator.low))
    let value = numerator.value / denominator.value
    self.init(value: value, low: value * exp(-below), high: value * exp(above))
  }

  /// The estimate of the reciprocal.
  public var reciprocal: Estimate { Estimate(value: 1 / value, low: 1 / high, high: 1 / low) }

  /// What the interval of a change of cost says about a threshold, 0.05 for 5 %: slower where all of
  /// it lies above 1 + threshold, faster where all of it lies below the reciprocal of that, same
  /// where all of it lies between the two. An interval that holds one of the two says nothing.
  public func verdict(beyond threshold: Double) -> Verdict {
    let most = 1 + threshold
    if low > most { return .slower }
    if high < 1 / most { return .faster }
    return low >= 1 / most && high <= most ? .same : .tooNoisy
  }
}
