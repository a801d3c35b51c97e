import Statistics

extension Measurement {
  /// Whether both costs can be told from nothing, so that they have a ratio.
  public var hasRatio: Bool {
    subject > 0 && rival > 0 && ratio.value > 0 && ratio.low > 0 && ratio.high.isFinite
  }

  /// Faster or slower when the interval leaves 1 out; same when it is narrow; else too noisy to tell.
  public var verdict: Verdict {
    guard hasRatio else { return .tooNoisy }
    if ratio.low > 1 { return .faster }
    if ratio.high < 1 { return .slower }
    return ratio.isPrecise ? .same : .tooNoisy
  }
}
