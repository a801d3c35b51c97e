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
}
