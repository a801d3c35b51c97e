import CommandKit
import CsoundHost
import CsoundLive
import Foundation
import HarnessBase
import Synchronization

/// Writes what a piece has done in the last ten seconds beside it: a trace, folded stacks, and these for speedscope.
struct TraceFiles {
  static let seconds = 10.0
  /// Held while files are written, whose names may be the same in a second.
  private static let writing = Mutex<Void>(())

  let piece: String
  let performance: Performance

  /// Writes them. Returns the path of the trace, and a sentence.
  func write() throws(Failure) -> (path: String, sentence: String) {
    guard let record = performance.flight(last: Self.seconds) else {
      throw .unavailable("There is no record of the piece: it does not play.")
    }
    return try write(withLines(record))
  }

  fileprivate func withLines(_ record: Flight) -> Flight {
    var flight = record
    flight.findLines(in: (try? String(contentsOfFile: piece, encoding: .isoLatin1)) ?? "")
    return flight
  }

  fileprivate func write(
    _ flight: Flight, remark: String? = nil
  ) throws(Failure) -> (path: String, sentence: String) {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyyMMdd-HHmmss"
    let path = "\(OrchestraAndScore.stem(of: piece))-\(format.string(from: Date()))"
    let name = (OrchestraAndScore.told(piece) as NSString).lastPathComponent
    let stacks = flight.stacks
    let speedscope = try ResultsText.of(stacks.speedscope(name))
    try Self.writing.withLock { _ throws(Failure) in
      try OutputFile(path + ".folded").write(Data(stacks.folded.utf8))
      try OutputFile(path + ".speedscope.json").write(Data(speedscope.utf8))
      try OutputFile(path + ".trace.json").write(flight.trace(of: piece, remark: remark))
    }
    let grain =
      flight.cyclesPerSample == 1
      ? ""
      : " It has lines in one k-cycle of \(flight.cyclesPerSample) only: passes are so short that recording all of them would cost more than 3 %."
    return (
      path + ".trace.json",
      "The last \(flight.seconds.rounded().formatted(0)) s are in \(path).trace.json.\(grain)"
    )
  }
}

/// The three dearest lines of a piece now.
struct DearestLines {
  let piece: String
  private(set) var lines: [Flight.Line] = []
  private var seen: [Flight.Line] = []

  init(piece: String) { self.piece = piece }

  /// To be called twenty times a second. Reads the piece only when its lines' shares are known anew.
  mutating func look(_ performance: Performance) {
    let now = Array(performance.dearestLines.prefix(3))
    guard now != seen else { return }
    seen = now
    var flight = Flight(sampleRate: 1, ksmps: 1, events: [])
    flight.lines = now
    flight.findLines(in: (try? String(contentsOfFile: piece, encoding: .isoLatin1)) ?? "")
    lines = flight.lines
  }
}

/// Says the likely cause of a dropout, and writes what happened before it.
struct DropoutWatch {
  /// The most files. There is at most one in the seconds that each covers.
  private static let most = 20

  private let files: TraceFiles
  private let say: @Sendable (String) -> Void
  private var xruns = 0
  private var written: Date?
  private var count = 0

  init(_ files: TraceFiles, say: @escaping @Sendable (String) -> Void) {
    (self.files, self.say) = (files, say)
  }

  /// To be called twenty times a second.
  mutating func look(_ status: Status) {
    guard status.xruns > xruns else { return }
    let isFirst = written.map { Date().timeIntervalSince($0) >= TraceFiles.seconds } ?? true
    // The period after the dropout must be in the record, which tells that there was one.
    guard isFirst, count < Self.most,
      let record = files.performance.flight(last: TraceFiles.seconds), record.cause != nil
    else { return }
    xruns = status.xruns
    written = Date()
    count += 1
    let (files, say) = (files, say)
    let time = (status.seconds * 10).rounded(.down) / 10
    Thread {
      let flight = files.withLines(record)
      let cause = flight.cause?.sentence ?? ""
      let sentence = "\(files.piece): dropout before \(time.formatted(1)) s: \(cause)"
      do throws(Failure) {
        say("\(sentence) \(try files.write(flight, remark: sentence).sentence)")
      } catch {
        say("\(sentence) \(error.message)")
      }
    }.start()
  }
}
