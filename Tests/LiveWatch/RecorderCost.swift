import CCsound
import CFlight
import CsoundHost
import Foundation

/// Prints what the flight recorder costs: two engines play a piece in turns, one of them recorded; processor time, and
/// how many samples differ.
func measureRecorder(_ piece: String, ksmps: String, rounds: Int) throws {
  var recorder: FlightRecorder?
  func engine(_ isRecorded: Bool) throws -> Csound {
    FloatMode.current = .csound
    let csound = try Csound()
    try csound.compile(piece, options: ["-m0", "--ksmps=" + ksmps]) {
      if isRecorded { recorder = FlightRecorder(csound.engine) }
    }
    FloatMode.current = .csound
    return csound
  }
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  var changes: [Double] = []
  var (cycles, differing) = (0, 0)
  for _ in 0..<rounds {
    let engines = try [engine(true), engine(false)]
    let (count, flight) = (64 * engines[0].output.count, recorder!.flight)
    var sounds = [[Double]](repeating: Array(repeating: 0, count: count), count: 2)
    var (seconds, goesOn) = ([0.0, 0.0], true)
    var turn = 0
    while goesOn {
      // The order changes, as the second finds other caches.
      for index in turn.isMultiple(of: 2) ? [0, 1] : [1, 0] {
        let begin = now()
        goesOn = perform(engines[index], index == 0 ? flight : nil, &sounds[index]) && goesOn
        seconds[index] += now() - begin
      }
      if sounds[0] != sounds[1] { differing += zip(sounds[0], sounds[1]).count { $0 != $1 } }
      cycles += 64
      turn += 1
    }
    changes.append(seconds[0] / seconds[1] - 1)
  }
  changes.sort()
  print(
    String(
      format:
        "%@ ksmps %@: %+.2f %% (%+.2f to %+.2f of %d rounds), %d k-cycles, %d samples differ, %@",
      (piece as NSString).lastPathComponent, ksmps, 100 * changes[rounds / 2], 100 * changes.first!,
      100 * changes.last!, rounds, cycles, differing,
      "passes recorded in one k-cycle of \(recorder!.cyclesPerSample)"))
}

/// 64 k-cycles or the last ones; false after the last.
private func perform(_ csound: Csound, _ flight: OpaquePointer?, _ sound: inout [Double]) -> Bool {
  let (engine, output) = (csound.engine, csound.output)
  return sound.withUnsafeMutableBufferPointer { sound in
    for cycle in 0..<64 {
      if let flight { flight_begin_cycle(flight) }
      let hasEnded = csoundPerformKsmps(engine) != 0
      if let flight { flight_end_cycle(flight) }
      if hasEnded { return false }
      memcpy(sound.baseAddress! + cycle * output.count, output.baseAddress!, 8 * output.count)
    }
    return true
  }
}
