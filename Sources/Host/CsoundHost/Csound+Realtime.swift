import CCsound

extension Csound {
  /// Takes `--realtime` back where a CSD or an option asks for it; whether one did. [before the start]
  public func leaveRealtimeMode() -> Bool {
    var parameters = CSOUND_PARAMS()
    csoundGetParams(engine, &parameters)
    guard parameters.realtime_mode != 0 else { return false }
    parameters.realtime_mode = 0
    csoundSetParams(engine, &parameters)
    return true
  }
}
