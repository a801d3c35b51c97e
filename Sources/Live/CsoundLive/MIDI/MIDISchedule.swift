/// The messages that wait to be sent, in the order of their times, and what they have begun.
package struct MIDISchedule {
  private var waiting: [MIDIEntry] = []
  /// The notes that sound at the receiver, as channel * 128 + key.
  private var sounding: Set<Int> = []
  /// The channels whose hold pedal is down, from 0.
  private var held: Set<Int> = []
  private var clock: ClockPulses?
  private var isPaused = false

  /// `clock` is nil if no clock is sent.
  package init(clock: ClockPulses? = nil) { self.clock = clock }

  /// When the next message is to be sent, in nanoseconds of the monotonic clock; nil if none waits.
  package var next: Int? { waiting.first?.time }

  /// Takes what the audio thread has written. Entries of one time stay in order.
  package mutating func take(_ entry: MIDIEntry) {
    guard entry.kind == .period else { return insert(entry) }
    let pauses = entry.length == 0
    if pauses, !isPaused { insert(MIDIEntry(kind: .release, time: entry.time)) }
    isPaused = pauses
    for pulse in clock?.pulses(in: entry) ?? [] { insert(pulse) }
  }

  private mutating func insert(_ entry: MIDIEntry) {
    let place = waiting.lastIndex { $0.time <= entry.time }.map { $0 + 1 } ?? 0
    waiting.insert(entry, at: place)
  }

  /// Removes and returns the messages that are due at `time`.
  package mutating func messages(until time: Int) -> [MIDIMessage] {
    let count = waiting.firstIndex { $0.time > time } ?? waiting.count
    var messages: [MIDIMessage] = []
    for entry in waiting.prefix(count) {
      if entry.kind == .release {
        messages += release()
      } else {
        let message = MIDIMessage(word: entry.word, count: Int(entry.count))
        note(message)
        messages.append(message)
      }
    }
    waiting.removeFirst(count)
    return messages
  }

  /// The messages that end all: what waits, the notes and pedals that are left, and the clock.
  package mutating func end() -> [MIDIMessage] {
    messages(until: .max) + release() + (clock?.end() ?? [])
  }

  /// The messages that end the notes that sound and lift the pedals that are down.
  private mutating func release() -> [MIDIMessage] {
    defer { (sounding, held) = ([], []) }
    return sounding.sorted().map { .noteOff(UInt8($0 % 128), channel: $0 / 128 + 1) }
      + held.sorted().map { .controller(64, 0, channel: $0 + 1) }
  }

  private mutating func note(_ message: MIDIMessage) {
    guard let channel = message.channel.map({ $0 - 1 }) else { return }
    let key = channel * 128 + Int(message.first)
    switch (message.status & 0xF0, message.first) {
    case (0x90, _) where message.second > 0: sounding.insert(key)
    case (0x80, _), (0x90, _): sounding.remove(key)
    case (0xB0, 64) where message.second >= 64: held.insert(channel)
    case (0xB0, 64): held.remove(channel)
    case (0xB0, 120), (0xB0, 123): sounding = sounding.filter { $0 / 128 != channel }
    default: break
    }
  }
}
