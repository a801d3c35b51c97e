import CCsound
import Synchronization

/// What the audio thread has of an engine. Nothing here is owned: `LiveEngine` is the owner.
struct EngineVoice: BitwiseCopyable, CycleSource {
  typealias Pointer = UnsafeMutablePointer<CSOUND>

  /// Seen by every thread.
  struct Counters: ~Copyable {
    let frames = Atomic<Int>(0)
    /// Events that came after their time, and were played at once.
    let late = Atomic<Int>(0)
    /// What Csound's performing function returned at the end.
    let ending = Atomic<Int32>(0)
    /// Links that found their channel of another type.
    let mistyped = Atomic<Int>(0)
  }

  /// How many links a performance can have: some for each control of the largest panels.
  static var linkLimit: Int { 8192 }

  let engine: Pointer
  let ksmps: Int
  let channels: Int
  let inputChannels: Int
  let output: UnsafePointer<Double>
  let input: UnsafeMutablePointer<Double>?
  let sampleRate: Double
  /// One over 0dbfs, and 0dbfs.
  let outputScale: Double
  let inputScale: Double
  let isSampleAccurate: Bool
  let counters: UnsafeMutablePointer<Counters>
  let links: UnsafeMutablePointer<ChannelLink>
  /// Where MIDI waits for Csound to ask for it; nil without MIDI.
  let midi: UnsafeMutablePointer<MIDIQueue>?
  /// Nil where no instruments are timed.
  var meter: MeterVoice?
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
    var index = 0
    while index < linkCount {
      // One channel a cycle is looked for, so that those without one cost next to nothing.
      if frames / ksmps % linkCount == index { links[index].resolve(engine) }
      links[index].beforeCycle()
      index &+= 1
    }
    meter?.begin()
    let status = Vouched.perform(engine)
    meter?.end()
    guard status == 0 else {
      counters.pointee.ending.store(status, ordering: .releasing)
      return false
    }
    index = 0
    while index < linkCount {
      links[index].afterCycle()
      index &+= 1
    }
    frames &+= ksmps
    counters.pointee.frames.store(frames, ordering: .releasing)
    return true
  }

  /// Takes what other threads have sent, as far as there is room for it.
  @inline(__always) mutating func takeEvents() {
    let size = MemoryLayout<LiveEvent>.stride
    while !events.isFull, let place = inbox.peek(size) {
      let event = place.load(as: LiveEvent.self)
      inbox.advance(size)
      if event.frame == Int.min { play(event, 0) } else { events.insert(event) }
    }
  }

  /// Plays what is due in the next cycle.
  @inline(__always) private mutating func playEvents() {
    while let due = events.first, due < frames &+ ksmps {
      let event = events.removeFirst()
      if due < frames { counters.pointee.late.wrappingAdd(1, ordering: .relaxed) }
      play(event, max(0, due &- frames))
    }
  }

  /// `offset` is the frame of the next cycle at which it is to happen.
  @inline(__always) private mutating func play(_ event: LiveEvent, _ offset: Int) {
    switch event.kind {
    case .score:
      var event = event
      if isSampleAccurate { Self.place(&event, offset, ksmps, sampleRate) }
      let fields = UnsafeMutableRawPointer(links + Self.linkLimit)
        .assumingMemoryBound(to: Double.self)
      var index = 0
      while index < Int(event.count) {
        fields[index] = event.fields[index]
        index &+= 1
      }
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
    }
    guard let memory = event.memory else { return }
    var retired = Retired(kind: event.kind, memory: memory)
    // Rather a few bytes that stay than a wait.
    _ = outbox.write(&retired, MemoryLayout<Retired>.stride)
  }

  /// In `--sample-accurate` performances Csound 6.18 begins what comes in the second half of a cycle a whole cycle
  /// late and ends it on time: such an event is told to begin a cycle early.
  @inline(__always)
  private static func place(_ event: inout LiveEvent, _ offset: Int, _ ksmps: Int, _ rate: Double) {
    guard event.letter == UInt8(ascii: "i"), event.count >= 3, ksmps > 1 else { return }
    let early = 2 &* offset >= ksmps ? ksmps : 0
    event.fields[1] += (Double(offset &- early) + 0.25) / rate
    if event.fields[2] > 0 { event.fields[2] += Double(early) / rate }
  }
}

/// What the audio thread is done with, and another thread frees.
struct Retired: BitwiseCopyable {
  var kind: LiveEvent.Kind
  var memory: UnsafeMutableRawPointer
}
