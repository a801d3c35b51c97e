import Foundation
public import HarnessBase

/// Which MIDI controllers set which channels, and how.
///
/// It takes messages also while nothing plays: channels then have the last values when it begins.
public struct ControllerMap: Sendable {
  /// How a channel's value goes from the one end of its range to the other.
  public enum Curve: String, Sendable {
    case linear = "lin"
    /// In equal ratios, as frequencies are heard; both ends must be above 0.
    case exponential = "exp"
  }

  /// One controller and its channel.
  public struct Entry: Sendable {
    public let controller: UInt8
    public let value: ControlValue
    public let range: ClosedRange<Double>
    public let curve: Curve

    /// As `ControllerMap` reads it.
    public var text: String {
      let ends = [range.lowerBound, range.upperBound].map {
        $0 == $0.rounded() && abs($0) < 1e15 ? "\(Int($0))" : "\($0)"
      }
      let isPlain = value.name.allSatisfy { !$0.isWhitespace && !":=,\"".contains($0) }
      let name = isPlain ? value.name : "\"\(value.name)\""
      return "\(controller)=\(name):\(ends[0])..\(ends[1]):\(curve.rawValue)"
    }

    /// The channel's value for a controller's, 0 to 127.
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

  /// Reads such as `74=cutoff:20..20000:exp,1=depth`: controller and channel, its range, 0..1 unless given, and
  /// its curve, linear unless given. A channel's name that has blanks, colons or commas stands in quotes.
  public init(_ text: String) throws(Failure) {
    var entries: [Entry] = []
    for part in Self.parts(text) {
      let pattern =
        /\s*(\d+)=("[^"]+"|[^:=\s"]+)(?::([-+.\deE]+?)\.\.([-+.\deE]+))?(?::(lin|exp))?\s*/
      guard let match = part.wholeMatch(of: pattern), let controller = UInt8(match.1),
        controller < 128
      else { throw Self.misread(part) }
      let (low, high) = (
        match.3.map { Double($0) } ?? 0, match.4.map { Double($0) } ?? 1
      )
      let curve = match.5.flatMap { Curve(rawValue: String($0)) } ?? .linear
      guard let low, let high, low < high, curve == .linear || low > 0 else {
        throw Self.misread(part)
      }
      entries.append(
        Entry(
          controller: controller, value: ControlValue(match.2.trimmingCharacters(in: ["\""])),
          range: low...high,
          curve: curve))
    }
    self.entries = entries
  }

  /// Lets a controller set a channel; it no longer sets another, and no other sets this one.
  public mutating func bind(_ controller: UInt8, to wish: ChannelWish) -> Entry {
    let entry = Entry(
      controller: controller, value: ControlValue(wish.channel), range: wish.range,
      curve: wish.curve)
    entries.removeAll { $0.controller == controller || $0.value.name == wish.channel }
    entries.append(entry)
    return entry
  }

  /// Frees a channel from its controller. False where it has none.
  public mutating func free(_ channel: String) -> Bool {
    defer { entries.removeAll { $0.value.name == channel } }
    return entries.contains { $0.value.name == channel }
  }

  /// What commas outside quotes are between.
  private static func parts(_ text: String) -> [Substring] {
    var isQuoted = false
    return text.split(omittingEmptySubsequences: false) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
  }

  private static func misread(_ part: Substring) -> Failure {
    Failure(
      .usage,
      "'\(part)' is no controller of a channel; write such as 74=cutoff:20..20000:exp: a controller from 0 to 127,"
        + " a channel, its range from low to high, lin or exp, which needs a range above 0.")
  }

  /// Sets the channels of a controller's message; others are passed over.
  public func take(_ message: MIDIMessage) {
    guard message.status & 0xF0 == 0xB0 else { return }
    for entry in entries where entry.controller == message.first {
      entry.value.value = entry.scaled(message.second)
    }
  }
}
