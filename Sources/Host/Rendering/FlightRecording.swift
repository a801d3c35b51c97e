import CFlight
import CsoundHost
import Foundation
import HarnessBase

/// Records what a whole render does, for `render --trace`.
struct FlightRecording {
  /// The most events that are kept, the last ones: about 600 MB of text.
  private static let most = 4_000_000
  /// k-cycles between two readings of the recorder's ring.
  private static let cyclesPerReading = 256

  private let csound: Csound
  private let recorder: FlightRecorder
  private var number: UInt64 = 0
  private var cycles = 0
  private var events: [Flight.Event] = []

  /// `csound` is compiled and not started.
  init(_ csound: Csound) throws(CsoundError) {
    guard let recorder = FlightRecorder(csound.engine, flight_whole) else {
      throw .unavailable("There is no memory for a trace.")
    }
    (self.csound, self.recorder) = (csound, recorder)
  }

  mutating func performKsmps() -> Bool {
    let goesOn = recorder.performKsmps(csound)
    cycles += 1
    if cycles.isMultiple(of: Self.cyclesPerReading) { read() }
    return goesOn
  }

  private mutating func read() {
    events += recorder.events(from: &number)
    if events.count > Self.most { events.removeFirst(events.count - Self.most / 2) }
  }

  mutating func write(to file: OutputFile, of piece: String) throws(Failure) {
    read()
    var flight = Flight(sampleRate: csound.sampleRate, ksmps: csound.ksmps, events: events)
    flight.findLines(in: (try? String(contentsOfFile: piece, encoding: .isoLatin1)) ?? "")
    try file.write(flight.trace(of: piece))
  }
}
