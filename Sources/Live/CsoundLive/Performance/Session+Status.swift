import CFlight
import CRealtime
import CsoundHost
import Synchronization

extension Session {
  /// The last `count` samples of the output.
  func recentOutput(_ count: Int) -> [Double] { status.pointee.trace.last(count) }

  /// What the engine that plays and the audio thread did in the last `seconds`; nil if that is not recorded.
  func flight(last seconds: Double) -> Flight? {
    try? withEngine { engine in
      guard let recorder = engine.recorder else { return nil }
      let begin = Double(realtime_now()) * 1e-9 - seconds
      var number: UInt64 = 0
      var flight = Flight(
        sampleRate: format.sampleRate, ksmps: engine.csound.ksmps,
        events: recorder.events(from: &number).filter { $0.end > begin })
      (flight.period, flight.buffer) = (format.period, format.buffer)
      (flight.cyclesPerSample, flight.thread) = (recorder.cyclesPerSample, lookAtThread())
      flight.lines = recorder.lines()
      flight.periods = [flight_period](unsafeUninitializedCapacity: Int(flight_periods)) {
        $1 = flight_read_periods(status.pointee.tape, $0.baseAddress, Int(flight_periods))
      }.filter { Double($0.end) * 1e-9 > begin }
      return flight
    }
  }

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
