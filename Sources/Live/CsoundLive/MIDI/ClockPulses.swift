/// The tempo of a MIDI clock that is sent.
public enum ClockTempo: Sendable {
  /// The tempo of a map whose beat 0 is the piece's first frame.
  case map(TempoMap)
  /// The value of a channel, in quarter notes a minute; 0 and less: the clock stands still.
  case channel(ObservedValue)
}

/// Computes the pulses of a MIDI clock, 24 for a quarter note, with start, stop and continue.
package struct ClockPulses {
  private let tempo: ClockTempo
  private let sampleRate: Double
  /// The number of the pulse that comes next.
  private var pulse = 0
  /// For a tempo of a channel: the pulses at the end of the last period, with their fraction.
  private var passed = 0.0
  private var isRunning = false
  /// Frames of the piece up to which pulses were computed.
  private var reached = 0

  package init(_ tempo: ClockTempo, sampleRate: Double) {
    (self.tempo, self.sampleRate) = (tempo, sampleRate)
  }

  /// The messages of a period: its pulses, before them start or continue, and stop if the piece pauses.
  mutating func pulses(in period: MIDIEntry) -> [MIDIEntry] {
    guard period.length > 0 else {
      defer { isRunning = false }
      return isRunning ? [Self.entry(0xFC, period.time)] : []
    }
    var entries: [MIDIEntry] = []
    if !isRunning {
      entries.append(Self.entry(pulse == 0 ? 0xFA : 0xFB, period.time))
      isRunning = true
    }
    let last = period.frame + period.length
    // Pulses are counted, so that none is sent twice or left out where periods do not join.
    switch tempo {
    case .map(let map):
      while true {
        let frame = map.frame(atBeat: Double(pulse) / 24, sampleRate: sampleRate)
        guard frame < last else { break }
        entries.append(pulse(at: frame, period))
      }
    case .channel(let value):
      let length = Double(max(0, last - reached))
      let perFrame = max(0, min(value.value, 1000)) * 24 / 60 / sampleRate
      let sum = passed + length * perFrame
      while perFrame > 0, Double(pulse) < sum {
        let frame = last - Int((sum - Double(pulse)) / perFrame)
        entries.append(pulse(at: frame, period))
      }
      passed = sum
    }
    reached = max(reached, last)
    return entries
  }

  private mutating func pulse(at frame: Int, _ period: MIDIEntry) -> MIDIEntry {
    pulse += 1
    let offset = Double(max(0, frame - period.frame)) / sampleRate
    return Self.entry(0xF8, period.time + Int(offset * 1e9))
  }

  /// The messages at the end of the piece.
  mutating func end() -> [MIDIMessage] {
    defer { isRunning = false }
    return isRunning ? [MIDIMessage(word: 0xFC, count: 1)] : []
  }

  private static func entry(_ status: UInt8, _ time: Int) -> MIDIEntry {
    MIDIEntry(kind: .message, count: 1, word: UInt32(status), time: time)
  }
}
