import Foundation

/// The calls of the server, each a turn.
extension PanelDesk: WebsocketHandler {
  func opened(_ connection: Int) { inTurn { open(connection) } }
  func closed(_ connection: Int) { inTurn { close(connection) } }
  func received(_ message: Data, from connection: Int) -> String? {
    inTurn { receive(message, from: connection) }
  }
  func message(for connection: Int) -> String? { inTurn { nextMessage(for: connection) } }
  func tick() -> [Int] { inTurn { lookAround() } }
}
