import CCsound
import CsoundHost
import Foundation
import HarnessBase
import Synchronization

/// A Csound engine that is performed by an audio thread, and everything the two of them share.
///
/// Made, freed and talked to on any other thread; one after the other.
final class LiveEngine: @unchecked Sendable {
  /// Events that may wait for their time, and messages on their way to the audio thread.
  static let eventLimit = 16384

  let csound: Csound
  let voice: UnsafeMutablePointer<EngineVoice>
  let messages: EngineMessages
  /// What Csound said while it compiled.
  let beginning: [String]
  /// What is done otherwise than the piece asks, in a sentence; nil where nothing is.
  let remark: String?
  /// What the orchestra had declared before its first cycle.
  let channels: [ChannelDescription]
  private let inbox: MessageRing<LiveEvent>
  private let outbox: MessageRing<Retired>
  private let counters: UnsafeMutablePointer<EngineVoice.Counters>
  private let links: UnsafeMutableRawPointer
  private let midi: UnsafeMutablePointer<MIDIQueue>?
  private let meter: InstrumentMeter?

  /// Compiles the piece and starts it: its first cycle is still to come. `sampleRate` nil leaves the
  /// orchestra's own.
  init(_ piece: Piece, sampleRate: Int?, midi wantsMIDI: Bool) throws(Failure) {
    FloatMode.current = .csound
    guard let inbox = MessageRing<LiveEvent>(Self.eventLimit),
      let outbox = MessageRing<Retired>(Self.eventLimit),
      let messages = EngineMessages()
    else { throw Failure(.unavailable, "There is no memory left for another performance.") }
    (self.inbox, self.outbox, self.messages) = (inbox, outbox, messages)
    var options = piece.options + (wantsMIDI ? ["-M0"] : [])
    if let sampleRate { options.append("--sample-rate=\(sampleRate)") }
    if let ksmps = piece.ksmps { options.append("--ksmps=\(ksmps)") }
    if let plugin = piece.plugin {
      try requireReadableFile(plugin)
      options.append("--opcode-lib=\(plugin.contains("/") ? plugin : "./" + plugin)")
    }
    if piece.isSampleAccurate { options.append("--sample-accurate") }
    let (csound, wantsRealtime, meter) = try Self.compile(piece, options, midi: wantsMIDI)
    (self.csound, self.meter) = (csound, meter)
    remark =
      wantsRealtime
      ? "The piece asks for --realtime, in which Csound 6.18 crashes or ends at once; it plays without."
      : nil
    beginning = csound.messages
    channels = Self.channels(of: csound.engine)
    FloatMode.current = .csound

    counters = .allocate(capacity: 1)
    counters.initialize(to: .init())
    // Behind the links lie the fields of the event that is being played.
    links = .allocate(
      byteCount: EngineVoice.linkLimit * MemoryLayout<ChannelLink>.stride
        + LiveEvent.fieldLimit * MemoryLayout<Double>.stride, alignment: 16)
    midi = wantsMIDI ? .allocate(capacity: 1) : nil
    midi?.initialize(to: MIDIQueue())
    voice = .allocate(capacity: 1)
    let engine = csound.engine
    voice.initialize(
      to: EngineVoice(
        engine: engine, ksmps: csound.ksmps, channels: csound.channelCount,
        inputChannels: csound.inputChannelCount, output: UnsafePointer(csoundGetSpout(engine)),
        // With buffers of its own, Csound fills spin from this one.
        input: csoundGetInputBuffer(engine), sampleRate: csound.sampleRate,
        outputScale: 1 / csound.fullScale, inputScale: csound.fullScale,
        isSampleAccurate: piece.isSampleAccurate, counters: counters,
        links: links.assumingMemoryBound(to: ChannelLink.self), midi: midi,
        meter: meter?.voice(
          cyclesPerLook: Int(csound.sampleRate / Double(2 * csound.ksmps))),
        inbox: inbox.ring.reader, outbox: outbox.ring.writer,
        events: EventHeap(capacity: Self.eventLimit),
        adapter: CycleAdapter(ksmps: csound.ksmps, latency: 0)))
    csound.send(messagesTo: EngineMessages.take, Unmanaged.passUnretained(messages).toOpaque())
    if let midi { MIDIInput.connect(engine, midi) }
  }

  private var isClosed = false

  /// Ends Csound on this thread; nothing is performed afterwards.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    csound.keepMessages()
    if frames == 0 { meter?.giveBack() }
    MIDIInput.disconnect(csound.engine)
    csound.close()
  }

  deinit {
    freeRetired()
    // What was sent and never played.
    while let event = inbox.receive() { free(event.memory) }
    while voice.pointee.events.first != nil { free(voice.pointee.events.removeFirst().memory) }
    close()
    voice.pointee.events.deallocate()
    voice.deallocate()
    midi?.pointee.deallocate()
    midi?.deallocate()
    links.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  private static func compile(
    _ piece: Piece, _ options: [String], midi: Bool
  ) throws(Failure) -> (Csound, wantsRealtime: Bool, InstrumentMeter?) {
    try piece.withFile { path throws(Failure) in
      do throws(CsoundError) {
        let csound = try Csound { engine in
          // Buffers of one cycle.
          csoundSetHostImplementedAudioIO(engine, 1, 1)
          if midi { MIDIInput.announce(engine) }
          ValueOpcodes.connect(engine)
          piece.register(engine)
        }
        csoundSetHostImplementedAudioIO(csound.engine, 1, 1)
        var wantsRealtime = false
        var meter: InstrumentMeter?
        try csound.compile(path, options: options) {
          wantsRealtime = csound.leaveRealtimeMode()
          if piece.timesInstruments { meter = InstrumentMeter(csound.engine) }
        }
        return (csound, wantsRealtime, meter)
      } catch {
        switch error {
        case .unavailable(let reason): throw Failure(.unavailable, reason)
        case .orchestra(_, let message):
          throw Failure(.badInput, "Csound cannot compile '\(piece.name)': \(message)")
        }
      }
    }
  }

  /// The part of the time each instrument took of late; none where they are not timed.
  var instrumentLoads: [InstrumentLoad] {
    meter?.loads(cycle: Double(csound.ksmps) / csound.sampleRate) ?? []
  }

  /// Frames performed so far.
  var frames: Int { counters.pointee.frames.load(ordering: .acquiring) }
  /// Events that came after their time.
  var lateEvents: Int { counters.pointee.late.load(ordering: .relaxed) }
  /// What Csound returned at its end; 0 while it goes on.
  var ending: Int32 { counters.pointee.ending.load(ordering: .acquiring) }

  /// Whether Csound ended by a jump and holds its lock for the thread that performed: only that may end it.
  var isLocked: Bool { ending < 0 || ending >= CSOUND_EXITJMP_SUCCESS }

  /// Hands an event to the audio thread. Events of one thread stay in their order. Where the audio thread has
  /// not yet taken thousands of them, this waits for it, unless it has ended. Returns false then.
  func send(_ event: LiveEvent, while goesOn: () -> Bool) -> Bool {
    while !inbox.send(event) {
      guard goesOn() else { return false }
      usleep(1000)
    }
    return true
  }

  /// Frees what the audio thread is done with.
  func freeRetired() {
    while let retired = outbox.receive() { free(retired.memory) }
  }

  /// Performs on this thread, unheard, until so many frames are done. False when the piece has ended before.
  func perform(until frame: Int) -> Bool {
    FloatMode.current = .csound
    messages.perform(on: pthread_self())
    while voice.pointee.frames < frame {
      guard voice.pointee.performCycle() else { return false }
    }
    return true
  }
}
