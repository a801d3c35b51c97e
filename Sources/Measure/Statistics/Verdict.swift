/// What an interval says about a speed: of a subject beside its rival, or now beside what it was.
public enum Verdict: String, Codable, Sendable {
  /// The whole interval is on one side of 1, of a change beyond its threshold.
  case faster, slower
  /// The interval holds 1 and is no wider than `precision` either side; of a change, all of it is
  /// within the threshold.
  case same
  case tooNoisy = "too noisy to tell"

  /// Half the width of an interval, as a fraction of its ratio, that tells a difference worth having.
  public static let precision = 0.02
}

extension Estimate {
  /// Whether the interval is as narrow as a verdict needs.
  public var isPrecise: Bool { halfWidth <= Verdict.precision * value }

  /// Whether the interval holds a ratio.
  public func contains(_ ratio: Double) -> Bool { low <= ratio && ratio <= high }
}
