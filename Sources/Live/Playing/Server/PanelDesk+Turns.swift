import Foundation

/// The calls of the server, each a turn on the server's thread.
extension PanelDesk {
  func opened(_ connection: Int) { inTurn { open(connection) } }
  func closed(_ connection: Int) { inTurn { close(connection) } }
  /// Takes a whole message. If it returns a sentence, the connection is closed with that reason.
  func received(_ message: Data, from connection: Int) -> String? {
    inTurn { receive(message, from: connection) }
  }
  /// The next message for a connection, asked for when the connection can send it; nil: there is none.
  func message(for connection: Int) -> String? { inTurn { nextMessage(for: connection) } }
  /// Called `ticksPerSecond` times a second. Returns the connections for which there are messages.
  func tick() -> [Int] { inTurn { lookAround() } }
}
