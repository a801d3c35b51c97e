import Foundation

extension Estimate {
  /// Whether the interval is positive and finite, and contains the value.
  package var isBounded: Bool { low > 0 && low <= value && value <= high && high.isFinite }

  /// The quotient of two independent estimates of positive quantities. Their intervals are combined as
  /// logarithms, whose difference is the logarithm of the quotient. The lower limit uses the numerator's
  /// lower and the denominator's upper limit, the upper limit the other two: Zou and Donner,
  /// "Construction of confidence limits about effect measures: a general approach", Statistics in
  /// Medicine 27 (2008), doi:10.1002/sim.3095.
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

  /// The verdict on a change of cost, for a threshold such as 0.05 for 5 %. Slower if the whole interval
  /// is above 1 + threshold; faster if it is below 1 / (1 + threshold); same if it is between the two.
  /// An interval that contains one of these limits is too noisy.
  public func verdict(beyond threshold: Double) -> Verdict {
    let most = 1 + threshold
    if low > most { return .slower }
    if high < 1 / most { return .faster }
    return low >= 1 / most && high <= most ? .same : .tooNoisy
  }
}
