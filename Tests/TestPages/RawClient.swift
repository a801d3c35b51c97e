import Foundation
public import HarnessBase

/// A panel's client without a browser, for tests. It keeps no rule that it is not told to keep.
public final class RawClient {
  private let descriptor: Int32
  private var input: [UInt8] = []
  /// Of the last answer, by their names in lower case.
  public private(set) var headers: [String: String] = [:]

  public init(port: Int) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    func connects() -> Bool {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }
    // The server may only just be starting.
    let end = ContinuousClock.now + .seconds(30)
    while !connects() {
      precondition(ContinuousClock.now < end, "Nobody listens on port \(port).")
      usleep(2000)
    }
    var isPrompt: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isPrompt, socklen_t(MemoryLayout<Int32>.size))
    var wait = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
  }

  /// A client that is connected to the panel at this port.
  public convenience init(panel port: Int) throws(Failure) {
    self.init(port: port)
    let status = open(port: port)
    guard status == 101 else {
      throw .internalFault("A client is not connected, but has the answer \(status).")
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Goes without a farewell.
  public func vanish() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  public func limitReceiving(to bytes: Int32) {
    var bytes = bytes
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    input += piece[..<count]
    return true
  }

  /// The next `count` bytes, fewer if the connection ends before.
  public func read(_ count: Int) -> [UInt8] {
    while input.count < count, fill() {}
    defer { input.removeFirst(min(count, input.count)) }
    return Array(input.prefix(count))
  }

  /// Asks for a path with these headers; the status of the answer, 0 where there is none.
  public func request(
    _ path: String, _ headers: [String: String], method: String = "GET", body: [UInt8] = []
  ) -> Int {
    let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    send(Array("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n".utf8) + body)
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = input.indices.first(where: { input[$0...].starts(with: end) }) {
        let head = String(decoding: input[..<range], as: UTF8.self)
        input.removeSubrange(..<(range + 4))
        for line in head.split(separator: "\r\n").dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          self.headers[parts[0].lowercased()] = parts.last.map { String($0.drop { $0 == " " }) }
        }
        return Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
      }
      guard fill() else { return 0 }
    }
  }

  /// Asks for a WebSocket; 101 where it is open.
  public func open(
    port: Int, origin: String? = nil, host: String? = nil,
    protocolName: String? = "opcodekit-panel-1", path: String = "/socket"
  ) -> Int {
    var headers = [
      "Host": host ?? "localhost:\(port)", "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    ]
    headers["Sec-WebSocket-Protocol"] = protocolName
    headers["Origin"] = origin ?? "http://localhost:\(port)"
    if origin == "" { headers["Origin"] = nil }
    return request(path, headers)
  }

  /// Sends a frame: 1 text, 2 binary, 9 ping, 10 pong. `length` may lie.
  @discardableResult
  public func frame(
    _ opcode: UInt8 = 1, _ payload: [UInt8], length: Int? = nil, isMasked: Bool = true
  )
    -> Bool
  {
    let count = length ?? payload.count
    var bytes = [0x80 | opcode]
    let mask: UInt8 = isMasked ? 0x80 : 0
    if count < 126 {
      bytes.append(mask | UInt8(count))
    } else if count < 65536 {
      bytes += [mask | 126, UInt8(count >> 8), UInt8(count & 255)]
    } else {
      bytes.append(mask | 127)
      withUnsafeBytes(of: UInt64(count).bigEndian) { bytes.append(contentsOf: $0) }
    }
    // A mask of zeros changes nothing.
    return send(bytes + (isMasked ? [0, 0, 0, 0] : []) + payload)
  }

  @discardableResult
  public func say(_ json: String) -> Bool { frame(1, Array(json.utf8)) }

  public enum Event: Equatable {
    case text(String)
    case closed(code: Int)
    case gone
  }

  /// Whether pings are answered, as by a browser, while `next` waits.
  public var answersPings = false

  /// The next message, or how the connection ended.
  public func next() -> Event {
    while true {
      if let event = parse() { return event }
      guard fill() else { return .gone }
    }
  }

  private func parse() -> Event? {
    while input.count >= 2 {
      var (length, start) = (Int(input[1] & 127), 2)
      if length == 126 {
        guard input.count >= 4 else { return nil }
        (length, start) = (Int(input[2]) << 8 | Int(input[3]), 4)
      } else if length == 127 {
        guard input.count >= 10 else { return nil }
        (length, start) = (input[2..<10].reduce(0) { $0 << 8 | Int($1) }, 10)
      }
      guard input.count >= start + length else { return nil }
      let (opcode, payload) = (input[0] & 15, Array(input[start..<start + length]))
      input.removeSubrange(..<(start + length))
      switch opcode {
      case 1: return .text(String(decoding: payload, as: UTF8.self))
      case 9 where answersPings: frame(10, payload)
      case 8: return .closed(code: payload.count > 1 ? Int(payload[0]) << 8 | Int(payload[1]) : 0)
      default: continue
      }
    }
    return nil
  }

  /// The next message of a type, as JSON, or the next of which a condition holds; nil where the connection ends before.
  public func message(_ type: String, where holds: ([String: Any]) -> Bool = { _ in true })
    -> [String: Any]?
  {
    while case .text(let text) = next() {
      if let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
        object["type"] as? String == type, holds(object)
      {
        return object
      }
    }
    return nil
  }

  /// How the connection ends, whatever comes before.
  public func ending() -> Event {
    while true {
      let event = next()
      if case .text = event { continue }
      return event
    }
  }
}
