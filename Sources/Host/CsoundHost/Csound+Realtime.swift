import CCsound

extension Csound {
  /// Turns off `--realtime` if the CSD or an option has turned it on. To be called before the start.
  ///
  /// - Returns: whether it was on.
  public func leaveRealtimeMode() -> Bool { ccs_leave_realtime_mode(engine) != 0 }

  /// Why a piece plays without `--realtime`, as the end of a sentence that begins "--realtime, ".
  public static let realtimeFault = CCS_REALTIME_FAULT
}
