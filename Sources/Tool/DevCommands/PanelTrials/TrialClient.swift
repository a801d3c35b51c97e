import Foundation
import HarnessBase

/// A panel's client without a browser, for `ClientTrial`: it sends messages and waits for their answers.
final class TrialClient {
  private let descriptor: Int32
  private var input: [UInt8] = []

  /// Opens a WebSocket to the panel server at this port of this computer.
  init(port: Int) throws(Failure) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var isPrompt: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isPrompt, socklen_t(MemoryLayout<Int32>.size))
    var wait = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    let request = """
      GET /socket HTTP/1.1\r
      Host: localhost:\(port)\r
      Origin: http://localhost:\(port)\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Protocol: opcodekit-panel-1\r
      \r

      """
    let end = Array("\r\n\r\n".utf8)
    guard status == 0, send(Array(request.utf8)) else { throw Self.lost }
    while true {
      if let place = input.indices.first(where: { input[$0...].starts(with: end) }) {
        guard input.starts(with: Array("HTTP/1.1 101".utf8)) else { throw Self.lost }
        input.removeSubrange(..<(place + end.count))
        return
      }
      try fill()
    }
  }

  deinit { close(descriptor) }

  private static let lost = Failure(.internalFault, "A client of the trial lost its connection.")

  private func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) == $0.count
    }
  }

  private func fill() throws(Failure) {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { throw Self.lost }
    input += piece[..<count]
  }

  /// Sends a message of fewer than 126 bytes. The protocol requires a mask; one of zeros leaves the bytes as they are.
  func say(_ json: String) throws(Failure) {
    let payload = Array(json.utf8)
    guard send([0x81, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload) else { throw Self.lost }
  }

  /// Reads messages until the one that answers the message `id`; answers pings meanwhile.
  func waitUntilDone(_ id: Int) throws(Failure) {
    struct Message: Decodable {
      var type: String
      var id: Int?
    }
    while true {
      while let (opcode, payload) = parse() {
        if opcode == 9 { _ = send([0x8A, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload) }
        guard opcode == 1 else { continue }
        let message = try? JSONDecoder().decode(Message.self, from: Data(payload))
        if message?.type == "done", message?.id == id { return }
      }
      try fill()
    }
  }

  private func parse() -> (opcode: UInt8, payload: [UInt8])? {
    guard input.count >= 2 else { return nil }
    var (length, start) = (Int(input[1] & 127), 2)
    if length == 126 {
      guard input.count >= 4 else { return nil }
      (length, start) = (Int(input[2]) << 8 | Int(input[3]), 4)
    } else if length == 127 {
      guard input.count >= 10 else { return nil }
      (length, start) = (input[2..<10].reduce(0) { $0 << 8 | Int($1) }, 10)
    }
    guard input.count >= start + length else { return nil }
    defer { input.removeSubrange(..<(start + length)) }
    return (input[0] & 15, Array(input[start..<start + length]))
  }
}
