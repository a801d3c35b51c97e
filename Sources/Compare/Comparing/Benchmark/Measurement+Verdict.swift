import HarnessBase

extension Measurement {
  /// Whether both costs are measurably greater than zero, so that the ratio has a bounded interval.
  public var hasRatio: Bool {
    subject > 0 && rival > 0 && ratio.value > 0 && ratio.low > 0 && ratio.high.isFinite
  }

  /// Whether the rival certainly costs more than the subject. The subject's own cost may be too small to
  /// measure; the ratio then has a lower bound only.
  public var isFaster: Bool { rival > 0 && ratio.low > 1 }

  /// Faster or slower if the interval of the ratio excludes 1; same if the interval includes 1 and is
  /// narrow; otherwise too noisy.
  public var verdict: Verdict {
    if isFaster { return .faster }
    guard hasRatio else { return .tooNoisy }
    if ratio.high < 1 { return .slower }
    return ratio.isPrecise ? .same : .tooNoisy
  }
}
