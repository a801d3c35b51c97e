import Foundation
public import HarnessBase

/// Which MIDI controllers set which channels, and how.
///
/// It also takes messages while nothing plays: the channels have the last values when the piece begins.
public struct ControllerMap: Sendable {
  /// How a controller's positions are spread over a channel's range.
  public enum Curve: String, Sendable {
    case linear = "lin"
    /// Equal steps are equal ratios, as for frequencies. Both ends must be above 0.
    case exponential = "exp"
  }

  /// One controller and its channel.
  public struct Entry: Sendable {
    public let controller: UInt8
    /// The MIDI channel it must come from, 1 to 16; 0: any.
    public let midiChannel: Int
    public let value: ControlValue
    public let range: ClosedRange<Double>
    public let curve: Curve

    /// The entry as text, as `ControllerMap` reads it.
    public var text: String {
      let ends = [range.lowerBound, range.upperBound].map {
        $0 == $0.rounded() && abs($0) < 1e15 ? "\(Int($0))" : "\($0)"
      }
      let isPlain = value.name.allSatisfy { !$0.isWhitespace && !":=,\"".contains($0) }
      let name = isPlain ? value.name : "\"\(value.name)\""
      let source = midiChannel == 0 ? "\(controller)" : "\(controller)@\(midiChannel)"
      return "\(source)=\(name):\(ends[0])..\(ends[1]):\(curve.rawValue)"
    }

    /// The channel's value for a controller's position from 0 to 127.
    public func scaled(_ position: UInt8) -> Double {
      let part = Double(position) / 127
      switch curve {
      case .linear: return range.lowerBound + part * (range.upperBound - range.lowerBound)
      case .exponential: return range.lowerBound * pow(range.upperBound / range.lowerBound, part)
      }
    }
  }

  public private(set) var entries: [Entry]

  /// A map of no controllers.
  public init() { entries = [] }

  /// Reads a text such as `74=cutoff:20..20000:exp,1=depth`: for each entry the controller, the channel, its range
  /// (0..1 unless given) and its curve (linear unless given). `74@2` is controller 74 on MIDI channel 2 only. A
  /// channel's name with blanks, colons or commas is written in quotes.
  public init(_ text: String) throws(Failure) {
    var entries: [Entry] = []
    for part in Self.parts(text) {
      let pattern =
        /\s*(\d+)(?:@(\d+))?=("[^"]+"|[^:=\s"]+)(?::([-+.\deE]+?)\.\.([-+.\deE]+))?(?::(lin|exp))?\s*/
      guard let match = part.wholeMatch(of: pattern), let controller = UInt8(match.1),
        controller < 128, let midiChannel = match.2.map({ Int($0) }) ?? 0,
        match.2 == nil || (1...16).contains(midiChannel)
      else { throw Self.misread(part) }
      let (low, high) = (
        match.4.map { Double($0) } ?? 0, match.5.map { Double($0) } ?? 1
      )
      let curve = match.6.flatMap { Curve(rawValue: String($0)) } ?? .linear
      guard let low, let high, low < high, curve == .linear || low > 0 else {
        throw Self.misread(part)
      }
      entries.append(
        Entry(
          controller: controller, midiChannel: midiChannel,
          value: ControlValue(match.3.trimmingCharacters(in: ["\""])),
          range: low...high,
          curve: curve))
    }
    self.entries = entries
  }

  /// Binds a controller, on one MIDI channel or, with 0, on any, to a channel. Earlier entries for this controller or
  /// for this channel are removed.
  @discardableResult
  public mutating func bind(
    _ controller: UInt8, midiChannel: Int = 0, to wish: ChannelWish
  ) -> Entry {
    let entry = Entry(
      controller: controller, midiChannel: midiChannel, value: ControlValue(wish.channel),
      range: wish.range, curve: wish.curve)
    bind(entry)
    return entry
  }

  /// Adds an entry. Earlier ones for its controller or for its channel are removed.
  public mutating func bind(_ entry: Entry) {
    entries.removeAll { old in
      let isSame =
        old.controller == entry.controller
        && (entry.midiChannel == 0 || old.midiChannel == 0 || old.midiChannel == entry.midiChannel)
      return isSame || old.value.name == entry.value.name
    }
    entries.append(entry)
  }

  /// Removes the entry of a channel. False if it has none.
  public mutating func free(_ channel: String) -> Bool {
    defer { entries.removeAll { $0.value.name == channel } }
    return entries.contains { $0.value.name == channel }
  }

  /// The parts of a text between commas, except for commas in quotes.
  private static func parts(_ text: String) -> [Substring] {
    var isQuoted = false
    return text.split(omittingEmptySubsequences: false) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
  }

  private static func misread(_ part: Substring) -> Failure {
    Failure.usage(
      "'\(part)' is no controller of a channel; write such as 74=cutoff:20..20000:exp: a controller from 0 to 127,"
        + " a channel, its range from low to high, lin or exp, which needs a range above 0.")
  }

  /// Sets the channels of a controller's message, and returns their entries. Ignores other messages.
  @discardableResult
  public func take(_ message: MIDIMessage) -> [Entry] {
    guard message.status & 0xF0 == 0xB0 else { return [] }
    let midiChannel = Int(message.status & 0x0F) + 1
    let set = entries.filter { entry in
      entry.controller == message.first
        && (entry.midiChannel == 0 || entry.midiChannel == midiChannel)
    }
    for entry in set { entry.value.value = entry.scaled(message.second) }
    return set
  }
}
