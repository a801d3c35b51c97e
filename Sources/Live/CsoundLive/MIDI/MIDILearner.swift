import Synchronization

/// A controller map that learns: a channel is bound to the next controller that is moved.
///
/// It takes messages on the MIDI thread and wishes on any thread but the audio thread.
public final class MIDILearner: Sendable {
  private struct State {
    var map: ControllerMap
    var wish: ChannelWish?
    /// The last value of each controller of each channel since the wish; channel and number are 7 bits each.
    var heard: [Int: UInt8] = [:]

    mutating func hear(_ message: MIDIMessage) -> ControllerMap.Entry? {
      guard let wish, message.status & 0xF0 == 0xB0, message.first < 120 else { return nil }
      let place = Int(message.status & 0x0F) << 7 | Int(message.first)
      // The fine half of a controller whose coarse half is there moves first.
      if 32...63 ~= message.first, heard[place - 32] != nil { return nil }
      guard let last = heard.updateValue(message.second, forKey: place), last != message.second
      else { return nil }
      self.wish = nil
      return map.bind(message.first, to: wish)
    }
  }

  private let state: Mutex<State>
  private let learned: @Sendable (ControllerMap.Entry, ControllerMap) -> Void

  /// `learned` is called on the MIDI thread for each new binding, before it sets its first value, with the new entry
  /// and the whole map.
  public init(
    _ map: ControllerMap = ControllerMap(),
    learned: @escaping @Sendable (ControllerMap.Entry, ControllerMap) -> Void = { _, _ in }
  ) {
    state = Mutex(State(map: map))
    self.learned = learned
  }

  public var map: ControllerMap { state.withLock { $0.map } }

  /// The channel that waits for a controller; nil if none does.
  public var wish: ChannelWish? { state.withLock { $0.wish } }

  /// Binds a channel to the controller that is moved next; replaces an earlier wish. Nil: stops waiting.
  public func learn(_ wish: ChannelWish?) {
    state.withLock { state in
      state.wish = wish
      state.heard = [:]
    }
  }

  /// Removes the binding of a channel. False if it has none.
  public func forget(_ channel: String) -> Bool { state.withLock { $0.map.free(channel) } }

  /// Takes a message: binds its controller if a channel waits for one, then sets the controller's channels. Returns the
  /// entries of those channels.
  ///
  /// A controller counts as moved once it has sent two different values, as some devices repeat their values all the
  /// time. Controllers from 120 on are not learned: they are commands to a whole MIDI channel.
  @discardableResult
  public func take(_ message: MIDIMessage) -> [ControllerMap.Entry] {
    let (new, map) = state.withLock { state in
      let new = state.hear(message)
      return (new, state.map)
    }
    if let new { learned(new, map) }
    return map.take(message)
  }
}
