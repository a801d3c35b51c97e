import CRealtime
import CsoundLive
import Panels

/// A message of a bundle that waits for its time.
struct OscWaiting {
  /// When it is due, in nanoseconds of the monotonic clock.
  let due: Int
  let address: String
  let request: OscRequest
  let peer: OscPeer
  /// Whether the audio thread has it already, as an event at its frame.
  var isSent = false

  /// The most nanoseconds that a message may wait, and the most messages that may.
  static let horizon = 60_000_000_000
  static let limit = 4096
  /// How long before it is due a message goes to the audio thread, in nanoseconds.
  private static let lead = 100_000_000

  /// When something is to be done for it.
  var wakes: Int { isSent ? due : due - Self.lead }
}

/// Carries out what messages ask for.
extension OscServer {
  /// When a request is carried out.
  enum Moment {
    case now
    /// Ahead of time, at this frame of the piece.
    case frame(Int)
    /// The audio thread has just done it.
    case done
  }

  // MARK: Bundles with a time

  func queue(_ new: OscWaiting) {
    let place = waiting.lastIndex { $0.wakes <= new.wakes }.map { $0 + 1 } ?? 0
    waiting.insert(new, at: place)
  }

  func carryOutDue() {
    while let first = waiting.first, first.wakes <= Int(realtime_now()) {
      var next = waiting.removeFirst()
      attempt(next.address, next.peer) {
        if next.isSent {
          return try carryOut(next.request, by: next.peer, next.request.isTimed ? .done : .now)
        }
        if next.request.isTimed {
          try carryOut(next.request, by: next.peer, .frame(clock.frame(at: next.due)))
        }
        next.isSent = true
        if !next.request.isEvent { queue(next) }
      }
    }
  }

  // MARK: Requests

  func carryOut(_ request: OscRequest, by peer: OscPeer, _ moment: Moment) throws {
    var frame: Int?
    if case .frame(let given) = moment { frame = given }
    switch request {
    case .set(let channel, let value):
      try desk.inTurn {
        guard knows(channel) else {
          throw OscRefusal("The piece has no channel '\(channel)'.", .unknown)
        }
        try set(channel, to: value, by: client(of: peer), moment)
      }
    case .setMatching(let address, let value):
      try desk.inTurn {
        try set(channels(at: address), to: value, by: client(of: peer), moment)
      }
    case .event(let letter, let fields): try piece.performance.send(letter, fields, at: frame)
    case .line(let line): try piece.performance.send(line: line, at: frame)
    case .preset(let name, let seconds): try desk.inTurn { try desk.recall(name, within: seconds) }
    case .presetNumber(let number): try desk.inTurn { _ = try desk.recall(number: number) }
    case .record(let isOn): try desk.record(isOn) { [self] in refuseLater($0, "/record", peer) }
    case .trace:
      try desk.trace { [self] result in
        switch result {
        case .success(let path):
          _ = send(OscMessage(address: "/trace", arguments: [.text(path)]), to: peer)
        case .failure(let failure): refuseLater(failure, "/trace", peer)
        }
      }
    case .pause(let isOn): try desk.pause(isOn)
    case .panic:
      try desk.inTurn { try desk.panic() }
      // Before the messages that came after it.
      dropAfterPanic()
    case .subscribe(let port): try subscribe(peer, port: port)
    case .unsubscribe: unsubscribe(peer)
    case .error: break
    }
  }

  // MARK: Channels, during a turn

  private func knows(_ channel: String) -> Bool {
    desk.state.place(of: channel) != nil || desk.others.place(of: channel) != nil
      || piece.performance.hasChannel(channel)
  }

  /// The channels that an address names: one itself, or else those that it matches as a pattern.
  private func channels(at address: String) throws(OscRefusal) -> [String] {
    for name in [String(address.dropFirst()), address] where knows(name) { return [name] }
    guard OscPattern.isPattern(address) else {
      if address.contains(where: { "]}".contains($0) }) {
        throw OscRefusal(
          "'\(address)' is no pattern of OSC 1.0: a bracket is closed that was not opened.")
      }
      throw OscRefusal("Nothing has the address '\(address)'.", .unknown)
    }
    guard let pattern = OscPattern(address) else {
      throw OscRefusal("'\(address)' is no pattern of OSC 1.0: a bracket is open.")
    }
    let names = desk.state.channels.map(\.name) + desk.others.channels.map(\.name)
    let matching = names.filter { pattern.matches(Self.address(of: $0)) }
    guard !matching.isEmpty else {
      throw OscRefusal("No channel matches the address '\(address)'.", .unknown)
    }
    return matching
  }

  /// The address of a channel.
  static func address(of channel: String) -> String {
    channel.hasPrefix("/") ? channel : "/" + channel
  }

  /// Sets channels of which some may have another type; fails if all have.
  private func set(
    _ channels: [String], to value: OscMessage.Argument, by client: Int, _ moment: Moment
  ) throws {
    var (refusal, count) = (OscRefusal?.none, 0)
    for channel in channels {
      do {
        try set(channel, to: value, by: client, moment)
        count += 1
      } catch let error as OscRefusal where error.kind == .wrongType {
        refusal = refusal ?? error
      }
    }
    if count == 0, let refusal { throw refusal }
  }

  private func set(
    _ channel: String, to value: OscMessage.Argument, by client: Int, _ moment: Moment
  ) throws {
    switch value {
    case .number(let number) where number.isFinite:
      try set(channel, to: number, by: client, moment)
    case .text(let text): try set(channel, to: text, by: client, moment)
    default:
      throw OscRefusal("'\(channel)' takes a finite number or a text (types i, h, f, d, T, F, s).")
    }
  }

  private func set(_ channel: String, to value: Double, by client: Int, _ moment: Moment) throws {
    let place = desk.state.place(of: channel)
    let entry =
      place.map { desk.state.channels[$0] }
      ?? desk.others.place(of: channel).map { desk.others.channels[$0] }
    let declared = declared[channel]
    guard entry?.isText != true, declared?.kind ?? .control == .control else {
      throw OscRefusal("'\(channel)' takes a text (type s), not a number.")
    }
    // A range that nothing tells is the importer's guess, which bounds the page's slider only.
    let isGuess = place == nil || desk.panel.source == .channels
    let bounds = isGuess ? declared?.range : entry?.bounds
    let admitted = bounds?.nearest(to: value) ?? value
    if desk.momentary.contains(channel) {
      // Pressed for one k-cycle; the release of a button elsewhere means nothing.
      if case .frame = moment { return }
      return admitted > 0 ? try piece.press(channel) : ()
    }
    switch moment {
    case .frame(let frame): return try piece.set(channel, to: admitted, at: frame)
    case .now: try piece.set(channel, to: admitted)
    case .done: break
    }
    try note(channel, .number(admitted), by: admitted == value ? client : 0)
  }

  private func set(_ channel: String, to text: String, by client: Int, _ moment: Moment) throws {
    // The audio thread cannot set texts; they are set when they are due.
    if case .frame = moment { return }
    let value = ChannelValue.text(text)
    let isText =
      desk.state.place(of: channel, for: value) != nil
      || desk.others.place(of: channel, for: value) != nil || declared[channel]?.kind == .string
    // A channel that the piece has made while it plays is asked for.
    guard try isText || piece.text(of: channel) != nil else {
      throw OscRefusal("'\(channel)' takes a number, not a text (type s).")
    }
    try piece.set(channel, to: text)
    try note(channel, value, by: client)
  }

  /// Notes that a channel of the piece was set.
  private func note(_ channel: String, _ value: ChannelValue, by author: Int) throws {
    if let place = desk.state.place(of: channel, for: value) {
      return try desk.note(place, value, by: author)
    }
    let other = desk.others.place(of: channel)
    // The performance itself keeps the number of a channel that nothing names, but no text.
    if other != nil || value.isText { values.set(channel, to: value) }
    if let other { desk.others.set(other, to: value, by: author, at: desk.now) }
  }
}

extension OscRequest {
  /// Whether the audio thread can do it at a frame.
  var isTimed: Bool {
    switch self {
    case .event, .line, .set, .setMatching: true
    default: false
    }
  }
}
