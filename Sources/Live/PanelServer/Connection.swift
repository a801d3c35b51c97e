/// One client's WebSocket.
final class Connection {
  /// Counts the connections of a server; never given twice.
  let number: Int
  let socket: OpaquePointer
  /// Of a message that is still coming in pieces.
  var partial: [UInt8] = []
  var allowance: Allowance

  init(_ number: Int, _ socket: OpaquePointer, _ limits: WebsocketLimits) {
    (self.number, self.socket) = (number, socket)
    allowance = Allowance(perSecond: limits.messagesPerSecond)
  }
}

/// What clients may do to the server.
package struct WebsocketLimits: Sendable {
  /// Bytes of one message.
  package var messageSize = 16384
  package var messagesPerSecond = 2000.0
  package var connections = 64
  /// Connections that are no WebSocket: beyond so many, the one that has been idle longest is closed.
  package var waiting = 32
  /// Seconds of silence after which a client is asked whether it is there, and cut off.
  package var silence = (ask: 3, cut: 8)

  package init() {}
}

/// How many messages may still come: so many a second, and as many at once after a second's rest.
package struct Allowance {
  private let perSecond: Double
  private var left: Double
  private var time: Double?

  package init(perSecond: Double) {
    self.perSecond = perSecond
    left = perSecond
  }

  /// Takes one at a time in seconds; false where none is left.
  package mutating func take(at now: Double) -> Bool {
    if let time { left = min(perSecond, left + max(0, now - time) * perSecond) }
    time = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
