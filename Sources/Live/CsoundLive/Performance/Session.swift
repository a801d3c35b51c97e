import CRealtime
import CsoundHost
import Foundation
import HarnessBase
import Synchronization

/// One performance from its first frame to its last: devices, audio thread, and the thread that supervises them.
final class Session: Sendable {
  struct State {
    /// The engine that events go to.
    var engine: LiveEngine
    var commandsSent = 0
    var recorder: Recorder?
    var xruns = 0
    var closed = false
    /// The links to channels, kept for a new version of the piece.
    var links: [ChannelLink] = []
    /// The instruments that events and lines have started.
    var played: Set<PlayedInstrument> = []
  }

  let format: Format
  let midiOutput: MIDIOutput?
  private let setup: Mutex<Setup>
  let state: Mutex<State>
  private let engines: EngineList
  private let commands: MessageRing<LoopCommand>
  private let retired: MessageRing<UnsafeMutableRawPointer>
  nonisolated(unsafe) let status: UnsafeMutablePointer<LoopStatus>
  nonisolated(unsafe) private let loop: UnsafeMutablePointer<AudioLoop>
  private let thread: AudioThread
  /// The audio thread's time at the last looks, more than ten seconds.
  private let looks = Mutex<[ThreadTime]>([])
  private static let mostLooks = 256
  private let notifier: Notifier
  /// Called when everything is closed, before those who wait for that continue.
  private let cleanUp: @Sendable () -> Void
  /// Held while a new version of the piece takes over, so that only one does at a time.
  private let replacing = Mutex<Void>(())
  /// The supervising thread while it calls `cleanUp`; otherwise 0.
  private let closer = Atomic<UInt>(0)
  /// Signalled when everything is closed.
  private let closed = DispatchSemaphore(value: 0)
  /// Signalled when the listener has been told of the end.
  private let told = DispatchSemaphore(value: 0)

  /// Seconds of a fade: short, but without a click.
  private static let fade = 0.01

  /// Opens everything and begins to play.
  init(
    _ piece: Piece, _ settings: Settings, recording: String?, links: [ChannelLink],
    notifier: Notifier, cleanUp: @escaping @Sendable () -> Void
  ) throws(Failure) {
    try Self.check(links.count)
    midiOutput = try settings.midiOutput.map { name throws(Failure) in
      try MIDIOutput(name, clock: settings.clock)
    }
    let setup = try Setup(piece, settings)
    var recorder: Recorder?
    if let recording {
      do throws(Failure) {
        recorder = try Recorder(
          recording, sampleRate: setup.engine.csound.sampleRate, channels: setup.channels)
      } catch {
        setup.close()
        throw error
      }
    }
    guard let commands = MessageRing<LoopCommand>(64),
      let retired = MessageRing<UnsafeMutableRawPointer>(64)
    else { throw .unavailable("There is no memory left for another performance.") }
    let voice = setup.engine.voice
    let channels = setup.channels
    let fadeLength = max(1, Int(Self.fade * voice.pointee.sampleRate))
    midiOutput?.start(
      sampleRate: voice.pointee.sampleRate, priority: max(0, settings.priority - 1))
    status = .allocate(capacity: 1)
    status.initialize(to: LoopStatus(channels: channels))
    loop = .allocate(capacity: 1)
    loop.initialize(
      to: AudioLoop(
        playback: setup.playback, capture: setup.capture, sampleRate: voice.pointee.sampleRate,
        period: setup.period, channels: channels, fadeLength: fadeLength, status: status,
        memory: .init(
          period: setup.period, channels: channels, heard: setup.capture?.channels ?? 0,
          fed: setup.inputChannelLimit), midi: midiOutput?.tape, commands: commands.ring.reader,
        retired: retired.ring.writer, tape: recorder?.tape, current: voice, gain: fadeLength))
    (self.commands, self.retired) = (commands, retired)
    (self.notifier, self.cleanUp) = (notifier, cleanUp)
    state = Mutex(State(engine: setup.engine, recorder: recorder, links: links))
    let engines = EngineList(setup.engine)
    self.engines = engines
    for link in links { Self.send(link, to: setup.engine) { true } }
    for line in setup.engine.beginning {
      notifier.tell(.message(CsoundMessage(kind: .normal, text: line + "\n")))
    }
    if let remark = setup.engine.remark {
      notifier.tell(.message(CsoundMessage(kind: .warning, text: remark + "\n")))
    }
    thread = AudioThread(loop, setup.engine.messages, priority: settings.priority) {
      engines.closeLocked()
    }
    format = Format(
      sampleRate: voice.pointee.sampleRate, otherSampleRate: setup.otherSampleRate,
      ksmps: voice.pointee.ksmps, channels: channels, inputChannels: setup.capture?.channels ?? 0,
      sampleFormat: setup.playback?.format, period: setup.period,
      buffer: setup.playback?.buffer ?? 0,
      roundTrip: setup.capture == nil
        ? nil
        : AudioLoop.prefill(setup.playback, setup.capture) + voice.pointee.adapter.latency,
      priorityRefusal: nil)
    self.setup = Mutex(setup)
    Thread { [self] in lookAfter() }.start()
  }

  var isRunning: Bool { thread.isRunning }
  var audioThread: pthread_t { thread.number }

  /// Whether the calling thread is the one that closes this session, which cannot wait for itself.
  var isClosingHere: Bool { closer.load(ordering: .acquiring) == UInt(pthread_self()) }

  var isClosed: Bool {
    guard closed.wait(timeout: .now()) == .success else { return false }
    closed.signal()
    return true
  }

  /// Waits until everything is closed.
  func joinClosing() {
    guard !isClosingHere else { return }
    closed.wait()
    closed.signal()
  }

  /// Waits until everything is closed and the listener has been told so, at most `seconds`. False if it still runs
  /// then. A listener cannot wait for a listener: called from one, this returns when everything is closed.
  func join(atMost seconds: Double? = nil) -> Bool {
    guard !isClosingHere else { return true }
    let end = Notifier.isListening ? closed : told
    guard end.wait(timeout: seconds.map { .now() + $0 } ?? .distantFuture) == .success else {
      return false
    }
    end.signal()
    return true
  }

  /// Calls `body` with the engine that plays and keeps the engine alive meanwhile.
  func withEngine<Result>(_ body: (LiveEngine) throws(Failure) -> Result) throws(Failure) -> Result
  {
    let engine = state.withLock { $0.closed ? nil : $0.engine }
    // If the piece has ended itself, no thread but the audio thread can ever get Csound's lock again.
    guard let engine, !engine.isLocked else { throw Self.isOver }
    return try body(engine)
  }

  static let isOver = Failure(.usage, "The performance has ended; play starts it again.")

  // MARK: Commands to the audio thread

  /// Sends a command. With `waits`, returns when the audio thread has taken it.
  func tell(_ kind: LoopCommand.Kind, _ memory: UnsafeMutableRawPointer? = nil, waits: Bool = false)
  {
    let number = state.withLock { state in
      while !commands.send(LoopCommand(kind: kind, memory: memory)), thread.isRunning {
        usleep(1000)
      }
      state.commandsSent += 1
      return state.commandsSent
    }
    while waits, thread.isRunning, status.pointee.commands.load(ordering: .acquiring) < number {
      usleep(1000)
    }
  }

  /// Also supervises another engine: passes on its messages and frees what it no longer uses.
  func adopt(_ engine: LiveEngine) { engines.add(engine) }

  func dismiss(_ engine: LiveEngine) { engines.remove(engine.voice) }

  /// Whether the audio thread may still perform an engine.
  func performs(_ engine: LiveEngine) -> Bool {
    isRunning && engines.contains(engine)
  }

  /// Sends an event to the engine that plays, and returns that engine. If that fails, the event's memory is freed.
  @discardableResult
  func send(_ event: LiveEvent) throws(Failure) -> LiveEngine {
    if let instrument = PlayedInstrument(event) {
      state.withLock { if $0.played.count < 4096 { $0.played.insert(instrument) } }
    }
    do throws(Failure) {
      return try withEngine { engine throws(Failure) in
        guard engine.send(event, while: { thread.isRunning }) else { throw Self.isOver }
        return engine
      }
    } catch {
      free(event.ownedMemory)
      throw error
    }
  }

  /// The instruments that events and lines have started.
  var playedInstruments: Set<PlayedInstrument> { state.withLock { $0.played } }

  /// Links a channel, in this version of the piece and in those to come.
  func link(_ link: ChannelLink) throws(Failure) {
    let engine = try state.withLock { state throws(Failure) in
      try Self.check(state.links.count + 1)
      state.links.append(link)
      return state.engine
    }
    Self.send(link, to: engine) { thread.isRunning }
  }

  private static func check(_ count: Int) throws(Failure) {
    guard count <= EngineVoice.linkLimit else {
      throw .usage(
        "A performance has at most \(EngineVoice.linkLimit) links to channels; there is no room for more."
      )
    }
  }

  private static func send(_ link: ChannelLink, to engine: LiveEngine, _ goesOn: () -> Bool) {
    let copy = malloc(MemoryLayout<ChannelLink>.stride)!
    copy.assumingMemoryBound(to: ChannelLink.self).initialize(to: link)
    if !engine.send(LiveEvent(kind: .link, memory: copy), while: goesOn) { free(copy) }
  }

  /// The frame of the piece that is being computed at `time`, in nanoseconds of the monotonic clock.
  func frame(at time: Int) -> Int {
    let anchor = status.pointee.anchor
    guard anchor.time > 0 else { return 0 }
    let elapsed = max(0, Double(time - anchor.time)) * 1e-9
    return anchor.frame + Int(elapsed * format.sampleRate)
  }

  // MARK: Another version of the piece

  /// Compiles a piece, performs it without output up to the frame where this one is, and lets it take over there.
  func replace(with piece: Piece) throws(Failure) {
    try replacing.withLock { _ throws(Failure) in try takeOver(piece) }
    notifier.tell(.replaced)
  }

  private func takeOver(_ piece: Piece) throws(Failure) {
    let setup = setup.withLock { $0 }
    let engine = try LiveEngine(
      piece, sampleRate: Int(format.sampleRate), midi: setup.engine.voice.pointee.midiWays)
    try setup.requireFit(of: engine)
    if setup.playback == nil, engine.voice.pointee.channels > format.channels {
      throw .badInput(
        "The new version has \(engine.voice.pointee.channels) channels and the one that plays"
          + " \(format.channels); stop and play it anew.")
    }
    setup.adapt(engine)
    let links = state.withLock { $0.links }
    for link in links { Self.send(link, to: engine) { true } }
    // Frames, enough for the command to reach the audio thread in time.
    let ahead = 2 * format.period + Int(0.02 * format.sampleRate)
    // With an input the new engine must begin with a period, so that both engines get the same input.
    let (period, ksmps) = (format.period, engine.voice.pointee.ksmps)
    let step =
      format.roundTrip == nil
      ? 1 : period * ksmps / (ksmps - CycleAdapter.latency(ksmps: ksmps, period: period))
    func meeting() -> Int { (frame(at: Int(realtime_now())) + ahead + step - 1) / step * step }
    while thread.isRunning, engine.frames < meeting() || engine.frames % step != 0 {
      let goal = min(meeting(), engine.frames + Int(format.sampleRate))
      guard engine.perform(until: goal) else {
        throw .badInput("The new version ends before it is where the old one is.")
      }
    }
    guard thread.isRunning else { throw Self.isOver }
    // From here on the audio thread performs the engine.
    engines.add(engine)
    engine.messages.perform(on: thread.number)
    tell(.replace, UnsafeMutableRawPointer(engine.voice))
    // What was linked while the new engine was compiled and caught up.
    let missed = state.withLock { state in
      state.engine = engine
      return Array(state.links.dropFirst(links.count))
    }
    for link in missed { Self.send(link, to: engine) { thread.isRunning } }
    self.setup.withLock { $0.engine = engine }
  }

  // MARK: Recording

  func record(_ path: String) throws(Failure) {
    let recorder = try Recorder(path, sampleRate: format.sampleRate, channels: format.channels)
    let old = replaceRecorder(by: recorder)
    tell(.record, UnsafeMutableRawPointer(recorder.tape), waits: true)
    status.pointee.unrecorded.store(0, ordering: .relaxed)
    if let old { _ = try old.finish() }
    // The performance may have ended before the recording began.
    if !thread.isRunning { _ = try finishRecording() }
  }

  /// Ends the recording. Returns its length in frames; nil if there is none.
  func finishRecording() throws(Failure) -> Int? {
    guard let recorder = replaceRecorder() else { return nil }
    tell(.record, nil, waits: true)
    // Taken also when the recording cannot be completed: the next one begins at 0.
    let lost = status.pointee.unrecorded.exchange(0, ordering: .relaxed)
    let frames = try recorder.finish()
    if lost > 0 { throw Recorder.incomplete(lost, format.period) }
    return frames
  }

  private func replaceRecorder(by other: Recorder? = nil) -> Recorder? {
    state.withLock { state in
      defer { state.recorder = other }
      return state.recorder
    }
  }

  var recordingFailure: Failure? { state.withLock { $0.recorder }?.failure }

  /// Completes the recording of a piece that hangs in a k-cycle, so that nothing writes to the recording any more.
  func abandon() throws(Failure) {
    // Ends the notes that sound.
    midiOutput?.close()
    _ = try replaceRecorder()?.finish()
  }

  // MARK: Supervision

  private func lookAfter() {
    var format = format
    format.priorityRefusal = thread.priorityRefusal
    notifier.tell(.started(format))
    while !thread.join(atMost: 0.05) { report() }
    report()
    let ending = LoopEnding(rawValue: status.pointee.ending.load(ordering: .acquiring)) ?? .failed
    var failure = failure(of: ending)
    do throws(Failure) { _ = try finishRecording() } catch { failure = failure ?? error }
    close()
    notifier.tell(.ended(ending, failure)) { [told] in told.signal() }
    closed.signal()
  }

  private func failure(of ending: LoopEnding) -> Failure? {
    switch ending {
    case .unplugged: return Failure(.unavailable, "The sound device was unplugged.")
    case .failed:
      let error = status.pointee.error.load(ordering: .relaxed)
      return Failure.unavailable(
        "The sound device no longer takes sound: \(Stream.reason(error)). Has its sound server ended?"
      )
    case .finished:
      let code = state.withLock { $0.engine.ending }
      return code < 0
        ? Failure(.badInput, "Csound ended the performance with error \(code).") : nil
    case .none, .stopped: return nil
    }
  }

  /// Looks at the audio thread; returns all looks that are kept.
  func lookAtThread() -> [ThreadTime] {
    looks.withLock { looks in
      if let time = thread.time { looks.append(time) }
      if looks.count > Self.mostLooks { looks.removeFirst() }
      return looks
    }
  }

  /// Passes on messages and xruns, and frees what is no longer used.
  private func report() {
    _ = lookAtThread()
    let newXruns = state.withLock { state in
      let xruns = status.pointee.xruns.load(ordering: .relaxed)
      defer { state.xruns = xruns }
      return xruns - state.xruns
    }
    for engine in engines.all {
      engine.messages.drain().forEach { notifier.tell(.message($0)) }
      engine.freeRetired()
    }
    if newXruns > 0 { notifier.tell(.xruns(newXruns)) }
    while let voice = retired.receive() {
      engines.remove(voice.assumingMemoryBound(to: EngineVoice.self))
    }
  }

  private func close() {
    setup.withLock { $0.close() }
    midiOutput?.close()
    state.withLock { $0.closed = true }
    closer.store(UInt(pthread_self()), ordering: .releasing)
    cleanUp()
    closer.store(0, ordering: .releasing)
  }

  deinit {
    loop.pointee.memory.deallocate()
    loop.deallocate()
    status.deinitialize(count: 1)
    status.deallocate()
  }
}
