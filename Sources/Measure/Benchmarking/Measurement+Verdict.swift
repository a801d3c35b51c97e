import Statistics

extension Measurement {
  /// Whether both costs can be told from nothing, so that they have a ratio.
  public var hasRatio: Bool {
    subject > 0 && rival > 0 && ratio.value > 0 && ratio.low > 0 && ratio.high.isFinite
  }

  /// Whether the rival is known to cost more than the subject, whose own cost may be too little to be told
  /// from nothing: the ratio then has a lower bound only.
  public var isFaster: Bool { rival > 0 && ratio.low > 1 }

  /// Faster or slower when the interval leaves 1 out; same when it is narrow; else too noisy to tell.
  public var verdict: Verdict {
    if isFaster { return .faster }
    guard hasRatio else { return .tooNoisy }
    if ratio.high < 1 { return .slower }
    return ratio.isPrecise ? .same : .tooNoisy
  }
}
