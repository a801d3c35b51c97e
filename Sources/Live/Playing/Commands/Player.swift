import CommandKit
import CsoundLive
import Foundation
import HarnessBase
import Synchronization

/// One run of `play`: from the first frame to the summary.
final class Player: Sendable {
  private let name: String
  private let piece: Piece
  private let recording: String?
  private let duration: Double?
  private let settings: Settings
  private let performance: Performance
  private let ending: Ending
  private let panel: PlayPanel?
  private let showsLoads: Bool

  /// How the performance ended, as its listener was told.
  private final class Ending: Sendable {
    let result = Mutex<(LoopEnding, Failure?)?>(nil)
    /// The first file that the version that plays asked for and Csound did not find.
    let missing = Mutex<String?>(nil)
    let screen = Screen()
  }

  init(
    _ name: String, _ piece: Piece, _ settings: Settings, recording: String?, duration: Double?,
    panel: PlayPanel?, showsLoads: Bool
  ) {
    let ending = Ending()
    (self.name, self.piece, self.recording, self.duration) = (name, piece, recording, duration)
    (self.settings, self.ending, self.panel) = (settings, ending, panel)
    self.showsLoads = showsLoads
    performance = Performance(piece, settings: settings) { notice in
      if case .message(let message) = notice {
        panel?.say(message.text)
        if let file = MissingFile.name(in: message.text, of: name) {
          ending.missing.withLock { $0 = $0 ?? file }
        }
      }
      switch notice {
      case .message(let message) where message.kind != .normal: ending.screen.quote(message.text)
      case .ended(let kind, let failure): ending.result.withLock { $0 = (kind, failure) }
      case .started(let format): ending.screen.start(format, settings)
      default: break
      }
    }
  }

  /// `midi` is the name of a MIDI source; `map` says which of its controllers set channels; `clock` is the channel that
  /// has the tempo of its clock, nil: none; `mpe` is the bend in semitones that the piece gives a full pitch wheel, nil:
  /// the source is no MPE controller.
  func run(
    midi: String?, _ map: ControllerMap, clock: String?, mpe: Double?
  ) throws(Failure) -> ExitCode {
    Interruption.begin()
    var controllers: Controllers?
    var port: MIDIPort?
    if let midi {
      let all = try Controllers(map, of: name, performance, ending.screen) { [panel] in
        panel?.note($0, $1)
      }
      controllers = all
      let follower = try clock.map { name throws(Failure) in try ClockFollower(name, performance) }
      // Only the port's thread uses them.
      nonisolated(unsafe) var zones = mpe.map(MPEMap.init)
      port = try MIDIPort(midi) { [performance, panel] message, time in
        if follower?.take(message, at: time) == true { return }
        all.take(message)
        if let program = message.program, panel?.choose(program: program) == true { return }
        // Messages before or after the performance are dropped.
        let frame = performance.frame(at: time)
        for message in zones?.take(message) ?? [message] {
          try? performance.send(midi: message, at: frame)
        }
      }
    }
    defer { port?.close() }
    let transport = Transport(name, performance, ending.screen)
    let openings = try panel?.open(performance, controllers, transport) {
      [ending] in ending.screen.say($0)
    }
    defer { panel?.close() }
    try performance.play(recording: recording)
    if let recording { transport.recordsAll(in: recording) }
    if let panel, let openings {
      ending.screen.say(openings)
      try panel.refine(performance)
      if let beginning = panel.beginning() {
        ending.screen.say(beginning)
        panel.say(beginning)
      }
    }
    let lines = LineReader(name, performance, controllers, transport, ending.screen) { [panel] in
      panel?.note($0, $1)
    }
    lines.start()
    var watches = (OrchestraAndScore.source(of: name)?.files ?? [name]).map(FileWatch.init)
    var dropouts = DropoutWatch(transport.files) { [ending, panel] in
      ending.screen.say($0 + "\n")
      panel?.say($0)
    }
    var dearest = DearestLines(piece: name)
    var stopping: Date?
    // A page shows meters; a terminal shows the status ten times a second.
    let interval = panel == nil && duration == nil ? 0.1 : 0.05
    while !performance.wait(atMost: interval) {
      if let stopping, Date().timeIntervalSince(stopping) > 3 {
        ending.screen.clear()
        try performance.abandon()
        throw .crashed(
          "\(name): the piece hangs: a k-cycle, or the sound device, has not come back for three seconds."
        )
      }
      guard stopping == nil, let status = performance.status else { continue }
      dearest.look(performance)
      ending.screen.show(status, dearest.lines.first)
      if let failure = transport.failure() {
        ending.screen.say(failure)
        panel?.say(failure)
      }
      panel?.show(status, showsLoads ? performance.instrumentLoads : [], dearest.lines)
      dropouts.look(status)
      if Interruption.hasHappened || lines.isAskedToEnd
        || duration.map({ status.seconds >= $0 }) == true
      {
        stopping = Date()
        performance.requestStop()
      } else if watches.indices.count(where: { watches[$0].hasChanged }) > 0 {
        reload()
      }
    }
    ending.screen.clear()
    return try finish(transport)
  }

  /// Compiles the file again on a thread of its own; if that fails, the old version plays on.
  private func reload() {
    Thread { [self] in
      let before = ending.missing.withLock { missing in
        defer { missing = nil }
        return missing
      }
      do throws(Failure) {
        try OrchestraAndScore.source(of: name)?.write()
        try performance.replace(with: piece)
        do throws(Failure) {
          try panel?.refine(performance)
          ending.screen.say("\(name): the new version plays.\n")
          panel?.show(nil)
        } catch {
          let problem = "\(name): the new version plays; its panel is as it was. \(error.message)"
          ending.screen.say(problem + "\n")
          panel?.show(problem)
        }
      } catch {
        ending.missing.withLock { $0 = before }
        let problem = "\(name): the old version plays on. \(error.message)"
        ending.screen.say(problem + "\n")
        panel?.show(problem)
      }
    }.start()
  }

  private func finish(_ transport: Transport) throws(Failure) -> ExitCode {
    let (kind, failure) = ending.result.withLock { $0 }!
    guard let status = performance.status else {
      throw .internalFault("The performance has no status.")
    }
    print(ending.screen.summary(name, status))
    if let failure = failure ?? transport.lost.withLock({ $0 }) { throw failure }
    if status.notFinite > 0 {
      printError(
        "opcodekit: \(name): \(status.notFinite) samples are NaN or infinite; they were silenced.")
    }
    if status.unsentMIDI > 0 {
      printError(
        "opcodekit: \(name): not sent by MIDI out: \(status.unsentMIDI.counted("message")). The receiver took no more, or"
          + " the data were not within 0 to 127.")
    }
    if kind == .stopped, Interruption.hasHappened {
      let file = recording.map { " '\($0)' is complete up to there." } ?? ""
      throw .interrupted("stopped after \(status.seconds.formatted(2)) s.\(file)")
    }
    if let missing = ending.missing.withLock({ $0 }) {
      throw MissingFile.failure(missing, of: name)
    }
    return status.notFinite > 0 ? .checkFailed : .success
  }
}

/// Notices that a file was saved, also if the editor replaces it with a new file.
struct FileWatch {
  private let path: String
  private var last, pending: FileStamp?
  private var looked = Date()

  init(_ path: String) {
    self.path = path
    last = FileStamp(path)
  }

  /// Whether the file was saved since the last time: true once for each save, after writing has ended. Looks at most
  /// ten times a second.
  var hasChanged: Bool {
    mutating get {
      guard Date().timeIntervalSince(looked) >= 0.1 else { return false }
      looked = Date()
      guard let now = FileStamp(path), now != last, now.bytes != 0 else { return false }
      guard now == pending else {
        pending = now
        return false
      }
      last = now
      return true
    }
  }
}
