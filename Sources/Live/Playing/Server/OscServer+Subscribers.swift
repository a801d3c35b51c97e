/// A program that is sent the values of channels.
struct OscSubscriber {
  /// Where values are sent to, and who asked for it.
  let peer: OscPeer
  let source: OscPeer
  /// Its number as the author of changes, below 0.
  let client: Int
  /// When it is forgotten unless it subscribes again, in seconds of the monotonic clock.
  var end: Double
  /// The last changes that it was sent, of channels with widgets and of others, and the number of those channels.
  var changes = (state: 0, others: 0)
  var channelsNumber = 0

  static let limit = 16
  /// The most messages that it is sent at once, 60 times a second.
  static let batch = 100
}

extension OscServer {
  /// The number of a sender as the author of changes; 0 if it is no subscriber.
  func client(of peer: OscPeer) -> Int {
    subscribers.first { $0.source == peer }?.client ?? 0
  }

  /// Sends all values, and from now on those that change, until a minute has passed.
  func subscribe(_ source: OscPeer, port: Int?) throws(OscRefusal) {
    var peer = source
    if let port { peer.port = UInt16(port) }
    lose([peer])
    guard subscribers.count < OscSubscriber.limit else {
      throw OscRefusal("There are \(OscSubscriber.limit) subscribers already.", .tooMany)
    }
    lastClient -= 1
    subscribers.append(
      OscSubscriber(peer: peer, source: source, client: lastClient, end: seconds + lease))
    watch()
  }

  func unsubscribe(_ source: OscPeer) {
    subscribers.removeAll { $0.source == source }
    watch()
  }

  /// Forgets subscribers that cannot be reached.
  func lose(_ peers: [OscPeer]) {
    guard !peers.isEmpty else { return }
    subscribers.removeAll { peers.contains($0.peer) }
    watch()
  }

  private func watch() { desk.inTurn { desk.isWatched = !subscribers.isEmpty } }

  /// Sends subscribers what has changed. [during a turn]
  func tellSubscribers() {
    let now = seconds
    for index in subscribers.indices where !tell(&subscribers[index]) {
      subscribers[index].end = -.infinity
    }
    subscribers.removeAll { $0.end < now }
    desk.isWatched = !subscribers.isEmpty
  }

  /// Sends the latest values of channels that have changed, those first that changed first. False if that failed.
  private func tell(_ subscriber: inout OscSubscriber) -> Bool {
    if subscriber.channelsNumber != desk.channelsNumber {
      (subscriber.channelsNumber, subscriber.changes) = (desk.channelsNumber, (0, 0))
    }
    var room = OscSubscriber.batch
    guard tell(desk.state, &subscriber.changes.state, subscriber, &room) else { return false }
    return tell(desk.others, &subscriber.changes.others, subscriber, &room)
  }

  private func tell(
    _ state: PanelState, _ change: inout Int, _ subscriber: OscSubscriber, _ room: inout Int
  ) -> Bool {
    let news = state.news(since: change, for: subscriber.client).sorted { $0.change < $1.change }
    for channel in news {
      guard room > 0 else { return true }
      guard let value = channel.value else { continue }
      let argument = value.text.map { .text($0) } ?? OscMessage.Argument.number(value.number ?? 0)
      let message = OscMessage(address: Self.address(of: channel.name), arguments: [argument])
      switch send(message, to: subscriber.peer) {
      case .sent: break
      case .full: return true
      case .failed: return false
      }
      room -= 1
      change = channel.change
    }
    change = state.lastChange
    return true
  }
}
