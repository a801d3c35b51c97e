import CCsound
import Synchronization

/// An engine as the audio thread uses it. `LiveEngine` owns all the memory.
struct EngineVoice: BitwiseCopyable, CycleSource {
  typealias Pointer = UnsafeMutablePointer<CSOUND>

  /// Counters that every thread may read.
  struct Counters: ~Copyable {
    let frames = Atomic<Int>(0)
    /// Events that came after their time and were played at once.
    let late = Atomic<Int>(0)
    /// What Csound's perform function returned at the end; 0 before.
    let ending = Atomic<Int32>(0)
  }

  /// How many links a performance can have: enough for several for each control of the largest panels.
  static var linkLimit: Int { 8192 }

  let engine: Pointer
  let ksmps: Int
  let channels: Int
  let inputChannels: Int
  let output: UnsafePointer<Double>
  let input: UnsafeMutablePointer<Double>?
  let sampleRate: Double
  /// The factor for output samples: 1 / 0dbfs.
  let outputScale: Double
  /// The factor for input samples: 0dbfs.
  let inputScale: Double
  let isSampleAccurate: Bool
  let counters: UnsafeMutablePointer<Counters>
  let links: UnsafeMutablePointer<ChannelLink>
  /// The MIDI messages for Csound to read; nil without MIDI.
  let midi: UnsafeMutablePointer<MIDIQueue>?
  /// Where the MIDI goes that Csound sends; nil without MIDI out.
  let sink: UnsafeMutablePointer<MIDISink>?
  /// The recorder of what it does; nil if nothing is recorded.
  let flight: OpaquePointer?
  var linkCount = 0
  /// Frames performed so far.
  var frames = 0
  var inbox: RingReader
  var outbox: RingWriter
  var events: EventHeap
  var adapter: CycleAdapter

  mutating func performCycle() -> Bool {
    takeEvents()
    playEvents()
    for index in 0..<linkCount {
      // One link is resolved in each cycle, so that links without a channel cost next to nothing.
      if frames / ksmps % linkCount == index { links[index].resolve(engine) }
      links[index].beforeCycle()
    }
    sink?.pointee.frame = frames &+ adapter.latency
    if let flight { Vouched.beginCycle(flight) }
    let status = Vouched.perform(engine)
    if let flight { Vouched.endCycle(flight) }
    guard status == 0 else {
      counters.pointee.ending.store(status, ordering: .releasing)
      return false
    }
    for index in 0..<linkCount { links[index].afterCycle() }
    frames &+= ksmps
    counters.pointee.frames.store(frames, ordering: .releasing)
    return true
  }

  /// Where the engine's MIDI goes from now on; nil: nowhere.
  @inline(__always) func sendMIDI(to tape: UnsafeMutablePointer<MIDITape>?) {
    sink?.pointee.tape = tape
  }

  /// Whether its MIDI opcodes hear something, and whether what they send goes somewhere.
  var midiWays: MIDIWays { MIDIWays(input: midi != nil, output: sink != nil) }

  /// Takes the events that other threads have sent, as long as the heap has room.
  @inline(__always) mutating func takeEvents() {
    let size = MemoryLayout<LiveEvent>.stride
    while !events.isFull, let place = inbox.peek(size) {
      let event = place.load(as: LiveEvent.self)
      inbox.advance(size)
      if event.frame == Int.min { play(event, 0) } else { events.insert(event) }
    }
  }

  /// Plays the events that are due in the next cycle.
  @inline(__always) private mutating func playEvents() {
    while let due = events.first, due < frames &+ ksmps {
      let event = events.removeFirst()
      if due < frames { counters.pointee.late.wrappingAdd(1, ordering: .relaxed) }
      play(event, max(0, due &- frames))
    }
  }

  /// Plays an event at frame `offset` of the next cycle.
  @inline(__always) private mutating func play(_ event: LiveEvent, _ offset: Int) {
    switch event.kind {
    case .score:
      var event = event
      if isSampleAccurate { Self.place(&event, offset, ksmps, sampleRate) }
      let fields = UnsafeMutableRawPointer(links + Self.linkLimit)
        .assumingMemoryBound(to: Double.self)
      for index in 0..<Int(event.count) { fields[index] = event.fields[index] }
      Vouched.event(engine, event.letter, fields, Int(event.count))
    case .line:
      if let memory = event.memory {
        Vouched.line(engine, memory.assumingMemoryBound(to: CChar.self))
      }
    case .midi:
      midi?.pointee.append(event.word, Int(event.count))
    case .link:
      if let memory = event.memory, linkCount < Self.linkLimit {
        links[linkCount] = memory.assumingMemoryBound(to: ChannelLink.self).pointee
        links[linkCount].resolve(engine)
        linkCount &+= 1
      }
    case .table:
      if let memory = event.memory {
        Vouched.copy(memory.assumingMemoryBound(to: TableCopy.self), engine)
      }
    case .value:
      event.memory?.assumingMemoryBound(to: ValueCell.self).pointee.set(event.fields[0])
    case .kill:
      Vouched.endNotes(
        of: event.fields[0], event.memory?.assumingMemoryBound(to: CChar.self), engine)
    }
    guard let memory = event.ownedMemory else { return }
    var retired = Retired(kind: event.kind, memory: memory)
    // If there is no room, these bytes are leaked, as the audio thread must not wait.
    _ = outbox.write(&retired, MemoryLayout<Retired>.stride)
  }

  /// Sets p2 for a frame within the next cycle. In `--sample-accurate` performances Csound 6.18 starts a note of the
  /// second half of a cycle a whole cycle late and ends it on time, so such a note is sent a cycle early and longer.
  @inline(__always)
  private static func place(_ event: inout LiveEvent, _ offset: Int, _ ksmps: Int, _ rate: Double) {
    guard event.letter == UInt8(ascii: "i"), event.count >= 3, ksmps > 1 else { return }
    let early = 2 &* offset >= ksmps ? ksmps : 0
    event.fields[1] += (Double(offset &- early) + 0.25) / rate
    if event.fields[2] > 0 { event.fields[2] += Double(early) / rate }
  }
}

/// Memory that the audio thread no longer uses and another thread frees.
struct Retired: BitwiseCopyable {
  var kind: LiveEvent.Kind
  var memory: UnsafeMutableRawPointer
}
