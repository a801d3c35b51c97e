/// Decides which requests a server answers.
///
/// - Pages of other sites must not use the server, although a browser would send their requests here. So `Origin` of a
///   WebSocket must be the server's own.
/// - A foreign domain name may resolve to this server (DNS rebinding). So `Host` must be one of the server's own names.
/// - If other computers can reach the server, a browser must show the token once. From then on it shows a cookie.
///
/// The cookie is `SameSite=Lax`: a browser also sends it when the user follows a link from another site. Otherwise such
/// a link to the panel would be refused. This gives other sites no access: a request for a file only reads, and other
/// sites cannot see the answer. Only a WebSocket can change anything. If another site opens one, browsers do not send
/// the `Lax` cookie, and its `Origin` is refused.
package struct Admission: Sendable {
  package enum Verdict: Equatable {
    case granted
    /// The browser has shown the token. It gets the cookie and is redirected to the address without the token.
    case introduced(cookie: String)
    /// The request is refused with this HTTP status and sentence.
    case refused(status: UInt32, reason: String)
  }

  /// The parts of a request that matter here; nil if they were not sent.
  package struct Request {
    package var host, origin, cookies, token: String?

    package init(
      host: String? = nil, origin: String? = nil, cookies: String? = nil, token: String? = nil
    ) {
      (self.host, self.origin, self.cookies, self.token) = (host, origin, cookies, token)
    }
  }

  /// The server's names and addresses, with the port if it is not the scheme's standard port.
  private let hosts: Set<String>
  private let origins: Set<String>
  private let token: String?
  private let cookieName: String

  package init(names: [String], port: Int, isSecure: Bool, token: String? = nil) {
    let standard = isSecure ? 443 : 80
    hosts = Set(names.map { port == standard ? $0 : "\($0):\(port)" })
    origins = Set(hosts.map { "\(isSecure ? "https" : "http")://\($0)" })
    // The port is part of the name, as cookies are shared by all ports of a host.
    (self.token, cookieName) = (token, "opcodekit-panel-\(port)")
  }

  /// The value of the header `Content-Security-Policy`: a page may load from and connect to this server only.
  ///
  /// Not all browsers accept `'self'` for a WebSocket, so the WebSocket's addresses are listed.
  package var contentPolicy: String {
    let sockets = origins.sorted().map { "ws" + $0.dropFirst("http".count) }
    return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
      + " connect-src 'self' \(sockets.joined(separator: " ")); frame-ancestors 'none';"
      + " base-uri 'none'; form-action 'none'"
  }

  package func file(_ request: Request) -> Verdict {
    guard isOwn(request) else { return Self.otherName }
    if let token, let shown = request.token, Self.isSame(shown, token) {
      let secure = "HttpOnly; Secure; SameSite=Lax; Path=/"
      return .introduced(cookie: "\(cookieName)=\(token); \(secure)")
    }
    return isKnown(request) ? .granted : Self.unknown
  }

  package func socket(_ request: Request) -> Verdict {
    guard isOwn(request) else { return Self.otherName }
    guard let origin = request.origin, origins.contains(origin.lowercased()) else {
      return .refused(status: 403, reason: "Only this server's own page may connect.")
    }
    return isKnown(request) ? .granted : Self.unknown
  }

  /// Whether the request names this server in `Host`. For public files this is enough.
  package func isOwn(_ request: Request) -> Bool {
    request.host.map { hosts.contains($0.lowercased()) } ?? false
  }

  private func isKnown(_ request: Request) -> Bool {
    guard let token else { return true }
    return (request.cookies ?? "").split(separator: ";").contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1).map {
        $0.drop { $0 == " " }
      }
      return parts.count == 2 && parts[0] == cookieName && Self.isSame(String(parts[1]), token)
    }
  }

  /// Compares in a time that does not depend on where the texts differ.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    let (a, b) = (Array(first.utf8), Array(second.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static let otherName = Verdict.refused(
    status: 421, reason: "This server has another name.")
  private static let unknown = Verdict.refused(
    status: 403, reason: "Open the address that play has printed: it has a token.")
}
