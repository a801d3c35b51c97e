/// One client's WebSocket.
final class Connection {
  /// The connection's number in this server; never used twice.
  let number: Int
  let socket: OpaquePointer
  /// The bytes so far of a message that arrives in pieces.
  var partial: [UInt8] = []
  var allowance: Allowance

  init(_ number: Int, _ socket: OpaquePointer, _ limits: WebsocketLimits) {
    (self.number, self.socket) = (number, socket)
    allowance = Allowance(perSecond: limits.messagesPerSecond)
  }
}

/// Limits for clients.
package struct WebsocketLimits: Sendable {
  /// The most bytes of one message.
  package var messageSize = 65536
  package var messagesPerSecond = 2000.0
  package var connections = 64
  /// The most connections that are not a WebSocket. If there are more, the one that has been idle longest is closed.
  package var waiting = 32
  /// Seconds of silence after which a client is sent a ping (`ask`), and after which it is disconnected (`cut`).
  package var silence = (ask: 3, cut: 8)

  package init() {}
}

/// A rate limit: at most `perSecond` messages a second, and as many at once after a pause of one second.
package struct Allowance {
  private let perSecond: Double
  private var left: Double
  private var time: Double?

  package init(perSecond: Double) {
    self.perSecond = perSecond
    left = perSecond
  }

  /// Counts a message that arrives at `now`, in seconds; false if the limit is exceeded.
  package mutating func take(at now: Double) -> Bool {
    if let time { left = min(perSecond, left + max(0, now - time) * perSecond) }
    time = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
