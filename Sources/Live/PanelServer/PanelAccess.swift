import Foundation
public import HarnessBase

/// Who may reach a panel.
public struct PanelAccess: Sendable {
  /// Names and addresses that browsers reach it by; the first is told.
  package var names: [String]
  /// What a browser must have been given once; nil where this computer alone can connect.
  package var token: String?
  package var certificate: PanelCertificate?

  /// Browsers of this computer.
  public static let thisComputer = PanelAccess(
    names: ["localhost", "127.0.0.1"], token: nil, certificate: nil)

  /// Browsers of the local network too, such as a phone's: encrypted, and only for who knows a token that is made
  /// anew each time.
  public static func localNetwork() throws(Failure) -> PanelAccess {
    let addresses = localAddresses()
    guard !addresses.isEmpty else {
      throw Failure(
        .unavailable,
        "This computer has no address in a local network; without --lan the panel is for this computer."
      )
    }
    let host = ProcessInfo.processInfo.hostName.lowercased()
    let names = addresses + [host, host + ".local", "localhost", "127.0.0.1"]
    return try PanelAccess(
      names: names, token: newToken(), certificate: PanelCertificate.forNames(names))
  }

  /// 128 bits nobody can guess, in hexadecimal.
  package static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// IPv4 addresses of interfaces that are up and lead elsewhere.
  private static func localAddresses() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var addresses: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
        entry.ifa_flags & UInt32(IFF_UP) != 0
      else { continue }
      var text = [CChar](repeating: 0, count: 64)
      guard
        getnameinfo(
          address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, socklen_t(text.count), nil, 0,
          NI_NUMERICHOST) == 0
      else { continue }
      addresses.append(
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return addresses
  }
}
