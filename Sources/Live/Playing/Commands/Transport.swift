import CsoundLive
import Foundation
import HarnessBase
import Synchronization

/// Recording and pausing of a run of `play`, for pages and OSC.
final class Transport: PanelTransport {
  private let csd: String
  private let performance: Performance
  private let screen: Screen
  private let current = Mutex(TransportState())
  /// Why the last recording beside the piece that failed has ended; nil if none has failed.
  let lost = Mutex<Failure?>(nil)
  /// Held while a recording begins or ends.
  private let recording = Mutex<Void>(())

  let files: TraceFiles

  init(_ csd: String, _ performance: Performance, _ screen: Screen) {
    files = TraceFiles(piece: csd, performance: performance)
    (self.csd, self.performance, self.screen) = (csd, performance, screen)
  }

  var state: TransportState { current.withLock { $0 } }

  /// Notes that the whole performance, which has just begun, is recorded in a file.
  func recordsAll(in path: String) {
    let name = (path as NSString).lastPathComponent
    current.withLock { $0.recording = .init(name, isWhole: true) }
  }

  /// Begins to record beside the piece, in a file with the time in its name, or ends that recording.
  func record(_ isOn: Bool) throws(Failure) {
    try recording.withLock { _ throws(Failure) in
      let now = state.recording
      if let now, now.isWhole {
        throw .usage("--record already records all of it, into '\(now.name)'.")
      }
      if isOn, let now { throw .usage("It is being recorded already, into '\(now.name)'.") }
      if isOn { try begin() } else { try end() }
    }
  }

  /// Ends a recording that fails while it goes on, as when the disk is full. Returns a sentence that says so; nil: all
  /// is well. The failure of one of the whole performance comes again at its end.
  func failure() -> String? {
    guard let now = state.recording, let failure = performance.recordingFailure else { return nil }
    if now.isWhole {
      current.withLock { $0.recording = nil }
    } else {
      lost.withLock { $0 = failure }
      try? record(false)
    }
    return "Nothing is recorded any more. \(failure.message)\n"
  }

  private func begin() throws(Failure) {
    let time = DateFormatter()
    time.locale = Locale(identifier: "en_US_POSIX")
    time.dateFormat = "yyyy-MM-dd-HHmmss"
    let base = URL(fileURLWithPath: OrchestraAndScore.stem(of: csd)).path
    let path = "\(base)-\(time.string(from: Date())).wav"
    guard !FileManager.default.fileExists(atPath: path) else {
      throw .usage("'\(path)' exists already; begin a second later.")
    }
    try performance.record(to: path)
    current.withLock { $0.recording = .init((path as NSString).lastPathComponent) }
    screen.say("Recording to '\(path)'.\n")
  }

  private func end() throws(Failure) {
    let name = state.recording?.name
    let folder = URL(fileURLWithPath: OrchestraAndScore.stem(of: csd)).deletingLastPathComponent()
    current.withLock { state in
      state.recording = nil
      // Also one that lacks something can be fetched.
      if let name { state.take = folder.appendingPathComponent(name).path }
    }
    guard let frames = try performance.finishRecording() else {
      throw .usage("Nothing is being recorded.")
    }
    let seconds = Double(frames) / (performance.format?.sampleRate ?? 1)
    screen.say("The recording ends after \(seconds.formatted(1)) s.\n")
  }

  func trace() throws(Failure) -> String {
    let (path, sentence) = try files.write()
    screen.say(sentence + "\n")
    return path
  }

  func pause(_ isOn: Bool) {
    current.withLock { state in
      guard state.isPaused != isOn else { return }
      state.isPaused = isOn
      if isOn { performance.pause() } else { performance.resume() }
    }
  }
}
