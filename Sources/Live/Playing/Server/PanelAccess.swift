import Foundation
public import HarnessBase

/// Who may reach a panel.
public struct PanelAccess: Sendable {
  /// Names and addresses by which browsers reach the panel; the first is used in its URL.
  package var names: [String]
  /// The token that a browser must show once; nil if only this computer can connect.
  package var token: String?
  package var certificate: PanelCertificate?
  /// Where the token is kept while the piece plays; nil: nowhere.
  package var keptToken: KeptToken?

  /// Only browsers on this computer.
  public static let thisComputer = PanelAccess(
    names: ["localhost", "127.0.0.1"], token: nil, certificate: nil)

  /// Also browsers in the local network, such as a phone's: encrypted, and only with a token. It is new each time, unless
  /// the last run of the piece has crashed. Throws if there is no local network or no certificate can be made.
  public static func localNetwork(forPiece csd: String) throws(Failure) -> PanelAccess {
    let addresses = localAddresses()
    guard !addresses.isEmpty else {
      throw .unavailable(
        "This computer has no address in a local network; without --lan the panel is for this computer."
      )
    }
    let host = ProcessInfo.processInfo.hostName.lowercased()
    let names = addresses + [host, host + ".local", "localhost", "127.0.0.1"]
    // This makes the directory, too.
    let certificate = try PanelCertificate.forNames(names)
    let kept = KeptToken(forPiece: csd)
    return PanelAccess(
      names: names, token: kept.take(), certificate: certificate, keptToken: kept)
  }

  /// 128 random bits in hexadecimal.
  package static func newToken() -> String {
    (0..<2).map { _ in String(format: "%016lx", UInt64.random(in: 0 ... .max)) }.joined()
  }

  /// The IPv4 addresses of all network interfaces that are up, except loopback.
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
      let name = numericName(of: address, socklen_t(MemoryLayout<sockaddr_in>.size))
      if let name { addresses.append(name.0) }
    }
    return addresses
  }
}
