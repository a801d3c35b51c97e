import Synchronization

/// What the audio thread tells the thread that sends MIDI.
package struct MIDIEntry: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable {
    /// A whole message: `word` and `count` as in `MIDIMessage`.
    case message
    /// A period of the output begins: `frame` is the piece's frame, `length` its frames, 0 in a pause.
    case period
    /// Another version of the piece takes over: what the old one has begun ends.
    case release
  }

  var kind: Kind
  var count: UInt8 = 0
  var word: UInt32 = 0
  /// When it is heard, in nanoseconds of the monotonic clock.
  var time: Int
  var frame = 0
  var length = 0

  package init(
    kind: Kind, count: UInt8 = 0, word: UInt32 = 0, time: Int, frame: Int = 0, length: Int = 0
  ) {
    (self.kind, self.count, self.word) = (kind, count, word)
    (self.time, self.frame, self.length) = (time, frame, length)
  }
}

/// What happened to messages that were not sent. Every thread may read it.
struct MIDICounters: ~Copyable {
  /// Messages for which there was no room, here or in the device.
  let lost = Atomic<Int>(0)
  /// Messages whose data were no MIDI, such as a velocity of 200.
  let faulty = Atomic<Int>(0)
}

/// The audio thread's side of MIDI out: it stamps each message with the time at which its frame is heard.
/// [audio thread: no allocation, no locks]
struct MIDITape: BitwiseCopyable {
  private var writer: RingWriter
  private let counters: UnsafeMutablePointer<MIDICounters>
  private let nanoseconds: Double
  /// The first frame of the period that is being computed, and when it is heard.
  private var frame = 0
  private var time = 0

  init(_ writer: RingWriter, _ counters: UnsafeMutablePointer<MIDICounters>, sampleRate: Double) {
    (self.writer, self.counters, nanoseconds) = (writer, counters, 1e9 / sampleRate)
  }

  /// The duration of `frames` in nanoseconds.
  @inline(__always) func duration(_ frames: Int) -> Int { Int(Double(frames) * nanoseconds) }

  /// Begins a period of `length` frames, 0 in a pause, that is heard at `time`.
  @inline(__always) mutating func begin(_ frame: Int, at time: Int, _ length: Int) {
    (self.frame, self.time) = (frame, time)
    write(MIDIEntry(kind: .period, time: time, frame: frame, length: length))
  }

  /// Another version of the piece takes over in this period, which begins with its frame `frame`.
  @inline(__always) mutating func takeOver(_ frame: Int) {
    self.frame = frame
    write(MIDIEntry(kind: .release, time: time))
  }

  /// Writes a message that belongs to a frame of the piece's output.
  @inline(__always) mutating func write(_ word: UInt32, _ count: Int, at frame: Int) {
    guard word & 0x80 != 0, count == 1 || word & 0x8000 == 0, count < 3 || word & 0x80_0000 == 0
    else {
      counters.pointee.faulty.wrappingAdd(1, ordering: .relaxed)
      return
    }
    write(
      MIDIEntry(
        kind: .message, count: UInt8(truncatingIfNeeded: count), word: word,
        time: time &+ duration(frame &- self.frame)))
  }

  @inline(__always) private mutating func write(_ entry: MIDIEntry) {
    var entry = entry
    if !writer.write(&entry, MemoryLayout<MIDIEntry>.stride), entry.kind == .message {
      counters.pointee.lost.wrappingAdd(1, ordering: .relaxed)
    }
  }
}

/// Where an engine's MIDI out goes. [audio thread: no allocation, no locks]
struct MIDISink: BitwiseCopyable {
  /// Nil: messages are dropped, as those of a new version until it takes over.
  var tape: UnsafeMutablePointer<MIDITape>?
  /// The frame of the output at which the cycle is heard that is being performed.
  var frame = 0
}

@c(csound_live_send_midi) @_noLocks @_noAllocation
func sendMIDI(_ sink: UnsafeMutableRawPointer, _ word: UInt32, _ count: Int) {
  let sink = sink.assumingMemoryBound(to: MIDISink.self)
  sink.pointee.tape?.pointee.write(word, count, at: sink.pointee.frame)
}
