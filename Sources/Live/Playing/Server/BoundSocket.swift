import Foundation

/// A socket that is bound to a numeric IP address of this computer. Whoever has it closes its descriptor.
struct BoundSocket {
  /// The system's reason not to bind it; nil: the text is no numeric address.
  struct Refusal: Error { var reason: String? }

  let descriptor: CInt
  /// The address and the port, read back from the socket.
  let address: String
  let port: Int
  let isV6: Bool

  /// Binds to a port, 0 for any free one. A stream socket then listens, and accepting never waits.
  init(_ wanted: String, port: Int, _ type: __socket_type) throws(Refusal) {
    var wish = addrinfo()
    wish.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    wish.ai_socktype = Int32(type.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(wanted, "\(port)", &wish, &found) == 0, let info = found?.pointee else {
      throw Refusal()
    }
    defer { freeaddrinfo(found) }
    isV6 = info.ai_family == AF_INET6
    let isStream = type == SOCK_STREAM
    let kind = type.rawValue | SOCK_CLOEXEC.rawValue | (isStream ? SOCK_NONBLOCK.rawValue : 0)
    descriptor = socket(info.ai_family, CInt(kind), 0)
    // A server that starts again may take the port although connections of the last one linger.
    var isOn: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    guard descriptor >= 0,
      !isStream || setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, size) == 0,
      bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
      !isStream || listen(descriptor, SOMAXCONN) == 0,
      let (address, port) = Self.name(of: descriptor)
    else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw Refusal(reason: reason)
    }
    (self.address, self.port) = (address, port)
  }

  private static func name(of descriptor: CInt) -> (String, Int)? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        getsockname(descriptor, place, &size) == 0 ? numericName(of: place, size) : nil
      }
    }
  }
}

/// The IP address and the port of a socket's address.
func numericName(of address: UnsafePointer<sockaddr>, _ size: socklen_t) -> (String, Int)? {
  var (host, service) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
  let status = getnameinfo(
    address, size, &host, socklen_t(host.count), &service, socklen_t(service.count),
    NI_NUMERICHOST | NI_NUMERICSERV)
  return status == 0 ? Int(String(ofC: service)).map { (String(ofC: host), $0) } : nil
}

extension String {
  /// The text of a C string.
  init(ofC characters: [CChar]) {
    self.init(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
