import Foundation

/// Packets as OSC 1.0 describes them, written without the library that reads them.
package enum Packet {
  package enum Argument {
    case i(Int32), h(Int64), f(Float), d(Double), s(String), t(Bool), other(Character, [UInt8])
  }

  private static func padded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8) + [0]
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  package static func message(_ address: String, _ arguments: [Argument] = []) -> [UInt8] {
    var (types, data) = (",", [UInt8]())
    for argument in arguments {
      switch argument {
      case .i(let number): (types, data) = (types + "i", data + big(number))
      case .h(let number): (types, data) = (types + "h", data + big(number))
      case .f(let number): (types, data) = (types + "f", data + big(number.bitPattern))
      case .d(let number): (types, data) = (types + "d", data + big(number.bitPattern))
      case .s(let text): (types, data) = (types + "s", data + padded(text))
      case .t(let isTrue): types += isTrue ? "T" : "F"
      case .other(let type, let bytes): (types, data) = (types + String(type), data + bytes)
      }
    }
    return padded(address) + padded(types) + data
  }

  package static func bundle(_ tag: UInt64, _ elements: [[UInt8]]) -> [UInt8] {
    padded("#bundle") + big(tag) + elements.flatMap { big(Int32($0.count)) + $0 }
  }

  /// The time tag of a moment, `seconds` from now.
  package static func tag(in seconds: Double) -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now =
      (UInt64(time.tv_sec) + 2_208_988_800) << 32
      + (UInt64(time.tv_nsec) << 32) / 1_000_000_000
    return now.advanced(by: Int(seconds * 4_294_967_296))
  }
}

/// Another program that speaks OSC.
package final class OscClient {
  package struct Message: Equatable {
    package var address: String
    package var number: Double?
    package var texts: [String] = []

    package init(address: String, number: Double? = nil, texts: [String] = []) {
      (self.address, self.number, self.texts) = (address, number, texts)
    }
  }

  private let descriptor: CInt
  private let server: sockaddr_in

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  /// `own` is the port it has itself; 0: any.
  package init(to port: Int, own: Int = 0) {
    server = Self.address(port)
    descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
    var address = Self.address(own)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(status == 0)
  }

  deinit { close(descriptor) }

  package var port: Int {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  package func send(_ packet: [UInt8]) {
    _ = withUnsafePointer(to: server) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  package func say(_ address: String, _ arguments: Packet.Argument...) {
    send(Packet.message(address, arguments))
  }

  /// The next message; nil if none comes within the thirty seconds that a busy machine may need, or other ones.
  package func next(within seconds: Double = 30) -> Message? {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, CInt(1000 * seconds)) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    var rest = buffer[..<count]
    func text() -> String {
      let bytes = rest.prefix { $0 != 0 }
      rest = rest.dropFirst((bytes.count / 4 + 1) * 4)
      return String(decoding: bytes, as: UTF8.self)
    }
    var message = Message(address: text())
    for type in text().dropFirst() {
      if type == "s" {
        message.texts.append(text())
      } else {
        let bits = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        message.number = Double(Float(bitPattern: bits))
        rest = rest.dropFirst(4)
      }
    }
    return message
  }

  /// Whether no message comes for 0.4 s.
  package var isSilent: Bool { next(within: 0.4) == nil }

  /// The next message and all that follow it, until none comes for 0.4 s.
  package func all() -> [Message] {
    var messages = next().map { [$0] } ?? []
    while !messages.isEmpty, let message = next(within: 0.4) { messages.append(message) }
    return messages
  }

  /// Forgets what has come, until nothing comes for 0.4 s.
  package func skip() { while !isSilent {} }

  /// Whether these messages come, in any order and among others.
  package func hears(_ messages: Message...) -> Bool {
    var missing = messages
    while !missing.isEmpty, let message = next() { missing.removeAll { $0 == message } }
    return missing.isEmpty
  }

  /// The text of the next error; nil if none comes.
  package func error() -> String? {
    while let message = next() { if message.address == "/error" { return message.texts.last } }
    return nil
  }
}
