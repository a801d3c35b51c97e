import Synchronization

extension Session {
  /// The last `count` samples of the output.
  func recentOutput(_ count: Int) -> [Double] { status.pointee.trace.last(count) }

  /// The position, load and levels; `peaks` and `load` are since the last call.
  func look() -> Status {
    let status = status
    let frames = status.pointee.frames.load(ordering: .acquiring)
    let worst = status.pointee.worst.exchange(0, ordering: .relaxed)
    let second = Double(format.period) / format.sampleRate * 1e9
    let isPaused = status.pointee.isPaused.load(ordering: .acquiring)
    return Status(
      seconds: Double(frames) / format.sampleRate,
      position: Double(status.pointee.anchor.frame) / format.sampleRate,
      isPaused: isPaused,
      xruns: status.pointee.xruns.load(ordering: .relaxed), load: Double(worst) / second,
      worstLoad: Double(status.pointee.worstEver.load(ordering: .relaxed)) / second,
      meanLoad: Double(status.pointee.busy.load(ordering: .relaxed))
        / (Double(max(1, frames)) / format.sampleRate * 1e9),
      latePeriods: status.pointee.late.load(ordering: .relaxed),
      peaks: (0..<format.channels).map {
        (status.pointee.peaks + $0).pointee.exchange(0, ordering: .relaxed)
      },
      clipped: status.pointee.clipped.load(ordering: .relaxed),
      notFinite: status.pointee.notFinite.load(ordering: .relaxed),
      lateEvents: state.withLock { $0.engine.lateEvents },
      unsentMIDI: midiOutput.map { $0.unsent.lost + $0.unsent.faulty } ?? 0)
  }
}
