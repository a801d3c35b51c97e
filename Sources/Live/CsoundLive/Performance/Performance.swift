import CCsound
import CRealtime
public import CsoundHost
import Foundation
public import HarnessBase
import Synchronization

/// Plays a piece of Csound: on a sound device, or in real time without one.
///
/// All functions may be called from any thread, and from the listener. `play` starts the piece, also again after its
/// end; `stop` fades out and ends it. The listener is told what happens: one notice at a time, in order, on a thread
/// that nothing else waits for. A busy listener delays only later notices. If more than 10,000 messages of Csound
/// wait, further ones are dropped, and one message says how many.
public final class Performance: Sendable {
  public let piece: Piece
  public let settings: Settings
  private let notifier: Notifier
  private let session = Mutex<Session?>(nil)
  private let bindings = Mutex<[any ChannelBinding]>([])
  /// Held while bindings are set up. Bindings may then call anything but `play`.
  private let settingUp = NSRecursiveLock()
  private let isStarting = Atomic<Bool>(false)

  public init(
    _ piece: Piece, settings: Settings = Settings(),
    listener: @escaping @Sendable (Notice) -> Void = { _ in }
  ) {
    self.piece = piece
    self.settings = settings
    notifier = Notifier(listener)
  }

  deinit { session.withLock { $0 }?.tell(.stop) }

  /// Compiles the piece, opens the devices and plays; does nothing if it plays already. `recording` is the path of a
  /// sound file that records the output from the first frame on.
  @discardableResult
  public func play(recording: String? = nil) throws(Failure) -> Format {
    if current?.isClosingHere == true { throw Self.isBound }
    while true {
      // Before the lock is taken, as bindings that are being cleaned up may wait for it.
      if let current, !current.isRunning { current.joinClosing() }
      settingUp.lock()
      defer { settingUp.unlock() }
      if let current {
        if current.isRunning { return current.format }
        guard current.isClosed else { continue }
      }
      return try begin(recording)
    }
  }

  /// Sets up the bindings and starts a session. [with `settingUp` locked]
  private func begin(_ recording: String?) throws(Failure) -> Format {
    guard !isStarting.exchange(true, ordering: .relaxed) else { throw Self.isBound }
    defer { isStarting.store(false, ordering: .relaxed) }
    var links: [ChannelLink] = []
    if case .channel(let tempo) = settings.clock { links += tempo.setUp(self) }
    var count = 0
    // A binding that is being set up may add others.
    while let binding = bindings.withLock({ count < $0.count ? $0[count] : nil }) {
      links += try binding.setUp(self)
      count += 1
    }
    let new = try Session(
      piece, settings, recording: recording, links: links, notifier: notifier
    ) { [weak self] in self?.cleanUp() }
    session.withLock { $0 = new }
    return new.format
  }

  private static let isBound = Failure(
    .usage, "A binding cannot play the performance that sets it up or cleans it up.")

  private func cleanUp() { bindings.withLock { $0 }.forEach { $0.cleanUp() } }

  /// Adds bindings to channels, for now and for every later `play`. If the piece plays, they are set up at once.
  public func add(_ new: any ChannelBinding...) throws(Failure) {
    settingUp.lock()
    defer { settingUp.unlock() }
    bindings.withLock { $0 += new }
    guard let current, current.isRunning else { return }
    for binding in new { for link in try binding.setUp(self) { try current.link(link) } }
  }

  /// Fades out and pauses the piece where it is.
  public func pause() { current?.tell(.pause) }

  /// Continues after a pause, from the frame where it stopped.
  public func resume() { current?.tell(.resume) }

  /// Fades out and ends; returns when everything is closed. The listener may be told of the end only afterwards.
  public func stop() {
    guard let current else { return }
    current.tell(.stop)
    current.joinClosing()
  }

  /// Begins to fade out and then end, as `stop` does, but returns at once.
  public func requestStop() { current?.tell(.stop) }

  /// Returns when the performance has ended and the listener has been told so. Called from a listener, of this
  /// performance or of another, it returns when everything is closed.
  public func wait() { _ = current?.join() }

  /// Waits as `wait` does, for at most this many seconds. False if it still plays then.
  public func wait(atMost seconds: Double) -> Bool { current?.join(atMost: seconds) ?? true }

  /// Gives up a piece that hangs in a k-cycle: completes its recording. Nothing else is possible then but to end the
  /// program.
  public func abandon() throws(Failure) { try current?.abandon() }

  public var isPlaying: Bool { current?.isRunning ?? false }

  private var current: Session? { session.withLock { $0 } }

  /// The session that plays; throws if none does.
  func live() throws(Failure) -> Session {
    guard let current, current.isRunning else { throw Session.isOver }
    return current
  }

  /// The position, load and levels; nil before the first `play`.
  public var status: Status? { current?.look() }

  /// The format in which it plays; nil while it does not play.
  public var format: Format? { current.flatMap { $0.isRunning ? $0.format : nil } }

  /// The processor time that the audio thread has used, in seconds; nil while nothing plays. Unlike the load it does not
  /// count the time that other programs take.
  package var audioThreadTime: Double? {
    current.flatMap { $0.isRunning ? $0.lookAtThread().last?.ran : nil }
  }

  /// The fraction of the available time that each instrument took lately, the largest first; empty unless the piece
  /// is recorded (`Piece.isRecorded`).
  public var instrumentLoads: [InstrumentLoad] {
    (try? current?.withEngine { $0.instrumentLoads }) ?? []
  }

  /// The lines that took the most of the k-cycles' time lately, the dearest first; empty unless the piece is recorded.
  public var dearestLines: [Flight.Line] {
    (try? current?.withEngine { $0.recorder?.lines() ?? [] }) ?? []
  }

  /// What the piece and the audio thread did in the last `seconds`, at most about ten; nil while nothing plays, or if the
  /// piece is not recorded.
  public func flight(last seconds: Double = 10) -> Flight? {
    current.flatMap { $0.isRunning ? $0.flight(last: seconds) : nil }
  }

  /// The last `count` samples of the output, at most 4096, oldest first: the mean of all channels, full scale at 1.
  /// Fewer if fewer were played since the first call of this function; empty while nothing plays.
  public func recentOutput(_ count: Int) -> [Double] {
    guard let current, current.isRunning else { return [] }
    return current.recentOutput(count)
  }

  /// The frame of the piece for something that happens now, to be used as the `frame` of an event.
  public var frame: Int { frame(at: Int(realtime_now())) }

  /// The frame of the piece for something that happened at `time`, in nanoseconds of the monotonic clock. It is one
  /// period later than the frame that was being computed then, so that events do not come too late.
  public func frame(at time: Int) -> Int {
    guard let current else { return 0 }
    return current.frame(at: time) + current.format.period
  }

  /// The channels that the orchestra had declared when it began; empty before `play`.
  public var channels: [ChannelDescription] {
    (try? current?.withEngine { $0.channels }) ?? []
  }

  /// Whether the piece that plays has a channel of this name, declared or made by a note.
  public func hasChannel(_ name: String) -> Bool {
    (try? live().withEngine { csoundGetChannelDatasize($0.csound.engine, name) > 0 }) ?? false
  }

  /// Sets a string channel. Csound has a lock for each, and allocates memory for a longer text.
  public func setString(_ channel: String, to text: String) throws(Failure) {
    try live().withEngine { $0.setString(channel, to: text) }
  }

  /// Lets another version of the piece take over at the frame where this one is, with a crossfade of 10 ms. The new
  /// version is compiled and performed up to that frame on the calling thread. If it does not compile, this throws and
  /// the old version plays on.
  public func replace(with piece: Piece) throws(Failure) { try live().replace(with: piece) }

  /// Records the output; the format is that of the file's extension.
  public func record(to path: String) throws(Failure) { try live().record(path) }

  /// Why nothing is recorded any more although a recording has not been ended: its file cannot be written, as when the
  /// disk is full. `finishRecording` throws it, too.
  public var recordingFailure: Failure? { current?.recordingFailure }

  /// Ends a recording. Returns its length in frames; nil if there was none.
  @discardableResult
  public func finishRecording() throws(Failure) -> Int? { try live().finishRecording() }
}
