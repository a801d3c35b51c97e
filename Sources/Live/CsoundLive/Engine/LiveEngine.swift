import CCsound
import CsoundHost
import Foundation
import HarnessBase
import Synchronization

/// Whether a piece's MIDI opcodes hear something, and whether what they send goes somewhere.
struct MIDIWays { var input = false, output = false }

/// A Csound engine that an audio thread performs, and everything that engine and audio thread share.
///
/// All other threads may create it, use it and free it, one at a time.
final class LiveEngine: @unchecked Sendable {
  /// The most events that may wait for their time, and the most that may be on their way to the audio thread.
  static let eventLimit = 16384

  let csound: Csound
  let voice: UnsafeMutablePointer<EngineVoice>
  let messages: EngineMessages
  /// Csound's messages while it compiled.
  let beginning: [String]
  /// A sentence that tells what is done differently from what the piece asks; nil if nothing is.
  let remark: String?
  /// The channels that the orchestra had declared before its first cycle.
  let channels: [ChannelDescription]
  private let inbox: MessageRing<LiveEvent>
  private let outbox: MessageRing<Retired>
  private let counters: UnsafeMutablePointer<EngineVoice.Counters>
  private let links: UnsafeMutableRawPointer
  private let midi: UnsafeMutablePointer<MIDIQueue>?
  private let sink: UnsafeMutablePointer<MIDISink>?
  let recorder: FlightRecorder?

  /// Compiles the piece and starts it, before its first cycle. If `sampleRate` is nil, the orchestra's own is used.
  init(_ piece: Piece, sampleRate: Int?, midi ways: MIDIWays) throws(Failure) {
    FloatMode.current = .csound
    guard let inbox = MessageRing<LiveEvent>(Self.eventLimit),
      let outbox = MessageRing<Retired>(Self.eventLimit),
      let messages = EngineMessages()
    else { throw .unavailable("There is no memory left for another performance.") }
    (self.inbox, self.outbox, self.messages) = (inbox, outbox, messages)
    var options = piece.options
    if ways.input { options.append("-M0") }
    if ways.output { options.append("-Q0") }
    if let sampleRate { options.append("--sample-rate=\(sampleRate)") }
    if let ksmps = piece.ksmps { options.append("--ksmps=\(ksmps)") }
    if let plugin = piece.plugin {
      try requireReadableFile(plugin)
      options.append("--opcode-lib=\(plugin.contains("/") ? plugin : "./" + plugin)")
    }
    if piece.isSampleAccurate { options.append("--sample-accurate") }
    let (csound, wishes, recorder) = try Self.compile(
      piece, options, midi: ways.input || ways.output)
    (self.csound, self.recorder) = (csound, recorder)
    remark =
      wishes.realtime
      ? "The piece asks for --realtime, \(Csound.realtimeFault); it plays without."
      : nil
    beginning = csound.messages
    channels = Self.channels(of: csound.engine)
    FloatMode.current = .csound

    counters = .allocate(capacity: 1)
    counters.initialize(to: .init())
    // After the links comes memory for the p-fields of the event that is being played.
    links = .allocate(
      byteCount: EngineVoice.linkLimit * MemoryLayout<ChannelLink>.stride
        + LiveEvent.fieldLimit * MemoryLayout<Double>.stride, alignment: 16)
    midi = ways.input ? .allocate(capacity: 1) : nil
    midi?.initialize(to: MIDIQueue())
    sink = ways.output ? .allocate(capacity: 1) : nil
    sink?.initialize(to: MIDISink())
    voice = .allocate(capacity: 1)
    let engine = csound.engine
    voice.initialize(
      to: EngineVoice(
        engine: engine, ksmps: csound.ksmps, channels: csound.channelCount,
        inputChannels: csound.inputChannelCount, output: UnsafePointer(csoundGetSpout(engine)),
        input: ccs_live_input(engine), sampleRate: csound.sampleRate,
        outputScale: 1 / csound.fullScale, inputScale: csound.fullScale,
        isSampleAccurate: wishes.sampleAccurate, counters: counters,
        links: links.assumingMemoryBound(to: ChannelLink.self), midi: midi, sink: sink,
        flight: recorder?.flight,
        inbox: inbox.ring.reader, outbox: outbox.ring.writer,
        events: EventHeap(capacity: Self.eventLimit),
        adapter: CycleAdapter(ksmps: csound.ksmps, latency: 0)))
    csound.send(messagesTo: EngineMessages.take, Unmanaged.passUnretained(messages).toOpaque())
    if let midi { MIDIInput.connect(engine, midi) }
    if let sink { MIDIInput.connect(engine, sink) }
  }

  private var isClosed = false

  /// Ends Csound on this thread. The engine cannot be performed afterwards.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    csound.keepMessages()
    MIDIInput.disconnect(csound.engine)
    csound.close()
  }

  deinit {
    freeRetired()
    // Events that were sent and never played.
    while let event = inbox.receive() { free(event.ownedMemory) }
    while voice.pointee.events.first != nil { free(voice.pointee.events.removeFirst().ownedMemory) }
    close()
    voice.pointee.events.deallocate()
    voice.deallocate()
    midi?.pointee.deallocate()
    midi?.deallocate()
    sink?.deallocate()
    links.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  private static func compile(
    _ piece: Piece, _ options: [String], midi: Bool
  ) throws(Failure) -> (
    Csound, wishes: (realtime: Bool, sampleAccurate: Bool), FlightRecorder?
  ) {
    try piece.withFile { path throws(Failure) in
      do throws(CsoundError) {
        let csound = try Csound { engine in
          ccs_take_live_audio(engine)
          if midi { MIDIInput.announce(engine) }
          ValueOpcodes.connect(engine)
          piece.register(engine)
        }
        ccs_take_live_audio(csound.engine)
        var wishes = (realtime: false, sampleAccurate: false)
        var recorder: FlightRecorder?
        try csound.compile(path, options: options) {
          wishes = (csound.leaveRealtimeMode(), csound.isSampleAccurate)
          if piece.isRecorded { recorder = FlightRecorder(csound.engine) }
        }
        return (csound, wishes, recorder)
      } catch {
        switch error {
        case .unavailable(let reason): throw .unavailable(reason)
        case .orchestra(_, let message):
          if let file = MissingFile.name(in: message, of: path) {
            throw MissingFile.failure(file, of: piece.name)
          }
          throw .badInput("Csound cannot compile '\(piece.name)': \(message)")
        }
      }
    }
  }

  /// The fraction of the time that each instrument took lately; empty if they are not timed.
  var instrumentLoads: [InstrumentLoad] {
    recorder?.loads().map { InstrumentLoad(name: $0.name, load: $0.load) } ?? []
  }

  /// Frames performed so far.
  var frames: Int { counters.pointee.frames.load(ordering: .acquiring) }
  /// Events that came after their time.
  var lateEvents: Int { counters.pointee.late.load(ordering: .relaxed) }
  /// What Csound returned at its end; 0 while it performs.
  var ending: Int32 { counters.pointee.ending.load(ordering: .acquiring) }

  /// Whether Csound has ended by a jump while the performing thread held its lock. Only that thread can close it then.
  var isLocked: Bool { ending < 0 || ending >= CSOUND_EXITJMP_SUCCESS }

  /// Sends an event to the audio thread. Events of one thread stay in order. If the queue is full, this waits until the
  /// audio thread takes some; returns false once `goesOn` does.
  func send(_ event: LiveEvent, while goesOn: () -> Bool) -> Bool {
    while !inbox.send(event) {
      guard goesOn() else { return false }
      usleep(1000)
    }
    return true
  }

  /// Frees the memory that the audio thread no longer uses.
  func freeRetired() {
    while let retired = outbox.receive() { free(retired.memory) }
  }

  /// Performs on this thread, without output, up to a frame. False if the piece has ended before.
  func perform(until frame: Int) -> Bool {
    FloatMode.current = .csound
    messages.perform(on: pthread_self())
    while voice.pointee.frames < frame {
      guard voice.pointee.performCycle() else { return false }
    }
    return true
  }
}
