import CCsound
import CRealtime
import Foundation
public import HarnessBase
import Synchronization

/// A piece of Csound that plays: on a sound device, or by the clock without one.
///
/// All functions may be called from any thread, and from the listener. `play` begins, and begins again after an end;
/// `stop` fades out and ends. What happens meanwhile is told to the listener: one notice after the other, in their
/// order, on a thread that nothing else waits for. A listener that is busy delays later notices and nothing else;
/// beyond 10,000 messages that wait, messages of Csound are left out, which one message says.
public final class Performance: Sendable {
  public let piece: Piece
  public let settings: Settings
  private let notifier: Notifier
  private let session = Mutex<Session?>(nil)
  private let bindings = Mutex<[any ChannelBinding]>([])
  /// Held while bindings are set up, which may call anything but `play`.
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

  /// Compiles the piece, opens the devices and plays; where it plays already nothing happens. `recording` is
  /// a file that gets all of it, from the first frame on.
  @discardableResult
  public func play(recording: String? = nil) throws(Failure) -> Format {
    try requireNotClosingHere()
    while true {
      // Not with the lock: bindings that are cleaned up may wait for it.
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

  /// [with `settingUp`]
  private func begin(_ recording: String?) throws(Failure) -> Format {
    guard !isStarting.exchange(true, ordering: .relaxed) else { throw Self.isBound }
    defer { isStarting.store(false, ordering: .relaxed) }
    var links: [ChannelLink] = []
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

  private func requireNotClosingHere() throws(Failure) {
    if current?.isClosingHere == true { throw Self.isBound }
  }

  private static let isBound = Failure(
    .usage, "A binding cannot play the performance that sets it up or cleans it up.")

  private func cleanUp() { bindings.withLock { $0 }.forEach { $0.cleanUp() } }

  /// Ties something to channels, for this performance and those to come. While it plays it is set up at once.
  public func add(_ new: any ChannelBinding...) throws(Failure) {
    settingUp.lock()
    defer { settingUp.unlock() }
    bindings.withLock { $0 += new }
    guard let current, current.isRunning else { return }
    for binding in new { for link in try binding.setUp(self) { try current.link(link) } }
  }

  /// Fades out and keeps the piece where it is.
  public func pause() { current?.tell(.pause) }

  /// Goes on after a pause, from the frame where it stopped.
  public func resume() { current?.tell(.resume) }

  /// Fades out and ends; returns when everything is closed. The listener may be told of the end only afterwards.
  public func stop() {
    guard let current else { return }
    current.tell(.stop)
    current.joinClosing()
  }

  /// Begins to fade out, to end then; returns at once.
  public func requestStop() { current?.tell(.stop) }

  /// Returns when the performance has ended and the listener has been told so. Called from a listener, of this
  /// performance or of another, it returns when everything is closed.
  public func wait() { _ = current?.join() }

  /// Waits as `wait` does, so many seconds at most. False where it still plays.
  public func wait(atMost seconds: Double) -> Bool { current?.join(atMost: seconds) ?? true }

  /// Gives up a piece that does not come back from a k-cycle: its recording is completed, nothing else can be done
  /// but to end the program.
  public func abandon() throws(Failure) { try current?.abandon() }

  public var isPlaying: Bool { current?.isRunning ?? false }

  private var current: Session? { session.withLock { $0 } }

  /// The session that plays.
  func live() throws(Failure) -> Session {
    guard let current, current.isRunning else { throw Session.isOver }
    return current
  }

  /// Where it is; nil before the first `play`.
  public var status: Status? { current?.look() }

  /// How it plays; nil while nothing does.
  public var format: Format? { current.flatMap { $0.isRunning ? $0.format : nil } }

  /// The part of the time there is that each instrument took of late, the most first; none where the piece does not ask
  /// for it (`Piece.timesInstruments`).
  public var instrumentLoads: [InstrumentLoad] {
    (try? current?.withEngine { $0.instrumentLoads }) ?? []
  }

  /// The last samples that went out, the mean of all channels, full scale at 1, the oldest first: `count` of them,
  /// at most 4096, or as many as were played since the first call; none while nothing plays.
  public func recentOutput(_ count: Int) -> [Double] {
    guard let current, current.isRunning else { return [] }
    return current.recentOutput(count)
  }

  /// The frame of the piece for what happens now; events with a time are counted in these.
  public var frame: Int { frame(at: Int(realtime_now())) }

  /// The frame of the piece for something that happened at `time`, in nanoseconds of the monotonic clock: all
  /// that happens is heard one period later, so that nothing is heard too late.
  public func frame(at time: Int) -> Int {
    guard let current else { return 0 }
    return current.frame(at: time) + current.format.period
  }

  /// The channels that the orchestra had declared when it began; none before `play`.
  public var channels: [ChannelDescription] {
    (try? current?.withEngine { $0.channels }) ?? []
  }

  /// Whether the piece that plays has a channel of this name, declared or made by a note.
  public func hasChannel(_ name: String) -> Bool {
    (try? live().withEngine { csoundGetChannelDatasize($0.csound.engine, name) > 0 }) ?? false
  }

  /// Sets a string channel. Csound has its own lock for each, and allocates for a longer text.
  public func setString(_ channel: String, to text: String) throws(Failure) {
    try live().withEngine { $0.setString(channel, to: text) }
  }

  /// Lets another version of the piece take over at the frame where this one is, in a crossfade of 10 ms. It is
  /// compiled and performed up to there on the calling thread; where it does not compile, this one plays on.
  public func replace(with piece: Piece) throws(Failure) { try live().replace(with: piece) }

  /// Records what is played; the format is that of the file's extension.
  public func record(to path: String) throws(Failure) { try live().record(path) }

  /// Ends a recording; how many frames it has, nil where there was none.
  @discardableResult
  public func finishRecording() throws(Failure) -> Int? { try live().finishRecording() }
}
