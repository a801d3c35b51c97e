import Foundation

/// The sockets of this network that listen on a port, as the kernel lists them, such as `tcp 0100007F` for 127.0.0.1 and
/// `udp6` with 32 digits for an address of IPv6.
public func listeners(on port: Int) throws -> [String] {
  try ["tcp", "tcp6", "udp", "udp6"].flatMap { kind in
    try String(contentsOfFile: "/proc/net/\(kind)", encoding: .utf8).split(separator: "\n")
      .dropFirst().compactMap { line in
        let fields = line.split(separator: " ")
        let local = fields[1].split(separator: ":")
        // 10 is a TCP socket that listens, 7 a UDP socket without a peer.
        guard ["0A", "07"].contains(fields[3]), Int(local[1], radix: 16) == port else { return nil }
        return "\(kind) \(local[0])"
      }
  }
}

/// A port that nobody listens on.
public func freePort() -> Int {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      _ = bind(descriptor, $0, length)
      _ = getsockname(descriptor, $0, &length)
    }
  }
  return Int(UInt16(bigEndian: address.sin_port))
}
