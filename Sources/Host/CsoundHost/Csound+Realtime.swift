import CCsound

extension Csound {
  /// Turns off `--realtime` if the CSD or an option has turned it on. To be called before the start.
  ///
  /// - Returns: whether it was on.
  public func leaveRealtimeMode() -> Bool { ccs_leave_realtime_mode(engine) != 0 }

  /// Why a piece plays without `--realtime`, as the end of a sentence that begins "--realtime, ".
  public static let realtimeFault = CCS_REALTIME_FAULT

  /// Whether the CSD or an option has asked for `--sample-accurate`. To be called before the start.
  public var isSampleAccurate: Bool { ccs_is_sample_accurate(engine) != 0 }
}
