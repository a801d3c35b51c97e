import CCsound

extension Csound {
  /// Turns off `--realtime` if the CSD or an option has turned it on. To be called before the start.
  ///
  /// - Returns: whether it was on.
  public func leaveRealtimeMode() -> Bool {
    var parameters = CSOUND_PARAMS()
    csoundGetParams(engine, &parameters)
    guard parameters.realtime_mode != 0 else { return false }
    parameters.realtime_mode = 0
    csoundSetParams(engine, &parameters)
    return true
  }

  /// Whether the CSD or an option has asked for `--sample-accurate`. To be called before the start.
  public var isSampleAccurate: Bool {
    var parameters = CSOUND_PARAMS()
    csoundGetParams(engine, &parameters)
    return parameters.sample_accurate != 0
  }
}
