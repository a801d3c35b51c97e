/// Makes of the messages of an MPE controller (MIDI Polyphonic Expression, MMA and AMEI M1-100-UM) those that Csound's
/// MIDI opcodes understand in each note: there a note's bend, pressure and controllers are those of its channel.
///
/// A zone has a master channel, 1 or 16, and member channels, on each of which one note sounds at a time. What comes on
/// the master channel is for all notes of the zone: it is sent on to each member. Until the controller says otherwise,
/// channel 1 is the master and 2 to 16 are its members.
public struct MPEMap: Sendable {
  /// One channel, and what was last received on it.
  private struct Channel {
    /// From -1 to 1.
    var bend = 0.0
    /// Nil before the first.
    var pressure: UInt8?
    /// Controller 74, from 0 to 127.
    var timbre: UInt8 = 64
    /// The registered parameter that data are for; nil for none.
    var parameter: (high: UInt8, low: UInt8)?
  }

  private struct Zone {
    let master: Int
    var memberCount: Int
    /// Semitones.
    var masterRange = 2.0
    var memberRange = 48.0

    var members: Range<Int> { master == 1 ? 2..<2 + memberCount : 16 - memberCount..<16 }
  }

  /// Semitones.
  private let range: Double
  private var channels = Array(repeating: Channel(), count: 17)
  private var zones = [Zone(master: 1, memberCount: 15), Zone(master: 16, memberCount: 0)]

  /// `range` is the bend in semitones that the piece gives a full pitch wheel, as in `pchbend 0, 48`.
  public init(range: Double) { self.range = range }

  /// The messages to send in place of this one.
  public mutating func take(_ message: MIDIMessage) -> [MIDIMessage] {
    guard let channel = message.channel, let place = zone(of: channel) else { return [message] }
    if message.isController, let taken = takeParameter(message, channel) { return taken }
    return take(message, channel, zones[place])
  }

  private func zone(of channel: Int) -> Int? {
    zones.firstIndex { $0.memberCount > 0 && $0.master == channel || $0.members.contains(channel) }
      // A zone that is off can be turned on.
      ?? zones.firstIndex { $0.master == channel }
  }

  // MARK: Registered parameters

  /// Configuration messages and bend ranges end here; nil for other messages.
  private mutating func takeParameter(_ message: MIDIMessage, _ channel: Int) -> [MIDIMessage]? {
    switch message.first {
    case 98, 99:
      channels[channel].parameter = nil
      return nil
    case 101:
      channels[channel].parameter = (message.second, channels[channel].parameter?.low ?? 127)
      return []
    case 100:
      channels[channel].parameter = (channels[channel].parameter?.high ?? 127, message.second)
      return []
    case 6, 38:
      guard let parameter = channels[channel].parameter else { return nil }
      // Of the range's hundredths nothing is made.
      if message.first == 6, parameter.high == 0 {
        if parameter.low == 0 { setRange(Double(message.second), channel) }
        if parameter.low == 6 { configure(channel, Int(message.second)) }
      }
      return []
    default: return nil
    }
  }

  private mutating func setRange(_ semitones: Double, _ channel: Int) {
    guard let place = zone(of: channel), semitones <= 96 else { return }
    let range = channel == zones[place].master ? \Zone.masterRange : \Zone.memberRange
    zones[place][keyPath: range] = semitones
  }

  /// The zones may not overlap: the one that was configured last stays whole.
  private mutating func configure(_ master: Int, _ count: Int) {
    guard let place = zones.firstIndex(where: { $0.master == master }), count <= 15 else { return }
    zones[place] = Zone(master: master, memberCount: count)
    let other = 1 - place
    zones[other].memberCount = min(zones[other].memberCount, max(0, 14 - count))
  }

  // MARK: The zone's messages

  /// What comes on the master channel is sent there, too, and then to each member.
  private mutating func take(_ message: MIDIMessage, _ channel: Int, _ zone: Zone) -> [MIDIMessage]
  {
    let isMaster = channel == zone.master
    let members = isMaster ? Array(zone.members) : [channel]
    let own = isMaster ? [message] : []
    switch message.status & 0xF0 {
    case 0xE0:
      channels[channel].bend = message.bend
      return own + members.map { bend(of: $0, zone) }
    case 0xD0:
      channels[channel].pressure = message.first
      return own + members.map { pressure(of: $0, zone) }
    case 0xB0 where message.first == 74:
      channels[channel].timbre = message.second
      return own + members.map { timbre(of: $0, zone) }
    case 0xB0 where isMaster, 0xC0 where isMaster:
      return own + members.map { message.moved(to: $0) }
    case 0x90 where !isMaster && message.second > 0 && channels[channel].pressure == nil:
      // Csound begins with full pressure.
      channels[channel].pressure = 0
      return [pressure(of: channel, zone), message]
    default: return [message]
    }
  }

  /// The bends of the note and of the zone together.
  private func bend(of member: Int, _ zone: Zone) -> MIDIMessage {
    let semitones =
      channels[member].bend * zone.memberRange + channels[zone.master].bend * zone.masterRange
    return .bend(semitones / range, channel: member)
  }

  /// The larger one of the note's and the zone's.
  private func pressure(of member: Int, _ zone: Zone) -> MIDIMessage {
    .pressure(
      max(channels[member].pressure ?? 0, channels[zone.master].pressure ?? 0), channel: member)
  }

  /// Both together, from their rest at 64.
  private func timbre(of member: Int, _ zone: Zone) -> MIDIMessage {
    let sum = Int(channels[member].timbre) + Int(channels[zone.master].timbre) - 64
    return .controller(74, UInt8(min(max(sum, 0), 127)), channel: member)
  }
}

extension MIDIMessage {
  fileprivate var isController: Bool { status & 0xF0 == 0xB0 }

  /// The position of a pitch wheel, from -1 to 1.
  fileprivate var bend: Double {
    let position = Double(Int(second & 0x7F) << 7 | Int(first & 0x7F)) - 8192
    return position < 0 ? position / 8192 : position / 8191
  }

  /// A pitch wheel from -1 to 1; beyond that it is limited.
  fileprivate static func bend(_ value: Double, channel: Int) -> MIDIMessage {
    let limited = min(max(value, -1), 1)
    let position = 8192 + Int((limited * (limited < 0 ? 8192 : 8191)).rounded())
    return MIDIMessage(
      word: 0xE0 | UInt32(channel - 1) | UInt32(position & 0x7F) << 8 | UInt32(position >> 7) << 16,
      count: 3)
  }

  fileprivate static func pressure(_ value: UInt8, channel: Int) -> MIDIMessage {
    MIDIMessage(word: 0xD0 | UInt32(channel - 1) | UInt32(value & 0x7F) << 8, count: 2)
  }

  fileprivate func moved(to channel: Int) -> MIDIMessage {
    MIDIMessage(word: word & ~0x0F | UInt32(channel - 1), count: count)
  }
}
