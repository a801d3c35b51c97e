import Foundation

extension Estimate {
  /// The geometric mean of independent estimates of positive quantities. Their intervals are combined as
  /// logarithms, like those of a quotient. NaN for an empty list.
  public init(geometricMeanOf estimates: [Estimate]) {
    let count = Double(estimates.count)
    func mean(_ part: (Estimate) -> Double) -> Double {
      estimates.reduce(0) { $0 + part($1) } / count
    }
    let value = exp(mean { log($0.value) })
    let below = mean { pow(log($0.value / $0.low), 2) }
    let above = mean { pow(log($0.high / $0.value), 2) }
    self.init(
      value: value, low: value * exp(-(below / count).squareRoot()),
      high: value * exp((above / count).squareRoot()))
  }
}
