/// The verdict of an interval on a speed: of a subject relative to its rival, or of the present
/// relative to a reference.
public enum Verdict: String, Codable, Sendable {
  /// The whole interval is on one side of 1; for a change, beyond the threshold.
  case faster, slower
  /// The interval contains 1 and its half-width is at most `precision` times the ratio; for a change,
  /// the whole interval is within the threshold.
  case same
  case tooNoisy = "too noisy to tell"

  /// The widest relative half-interval that still gives a verdict.
  public static let precision = 0.02
}

extension Estimate {
  /// Whether the interval is narrow enough for a verdict.
  public var isPrecise: Bool { halfWidth <= Verdict.precision * value }

  /// Whether the interval contains a ratio.
  public func contains(_ ratio: Double) -> Bool { low <= ratio && ratio <= high }
}
