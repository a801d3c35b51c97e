/// Which requests a server answers.
///
/// A page from elsewhere may not talk to it, though the browser would carry its requests here: `Origin` must be
/// the page's own. A name that somebody else's DNS leads here is not its name: `Host` must be one of its own. Where
/// other computers can reach it, a browser must have shown the token once, and shows it as a cookie from then on.
///
/// The cookie is `SameSite=Lax`: a browser sends it also when a link on another site leads here, else the panel's own
/// address would be refused there. That gives another site nothing. All that a request of a file does is read,
/// other sites cannot see the answer, and what acts is a WebSocket: browsers send no `Lax` cookie with one that
/// another site opens, and its `Origin` is refused.
package struct Admission: Sendable {
  package enum Verdict: Equatable {
    case granted
    /// The browser has shown the token: it gets the cookie, and an address without the token.
    case introduced(cookie: String)
    /// With an HTTP status and a sentence.
    case refused(status: UInt32, reason: String)
  }

  /// What a browser has sent.
  package struct Request {
    package var host, origin, cookies, token: String?

    package init(
      host: String? = nil, origin: String? = nil, cookies: String? = nil, token: String? = nil
    ) {
      (self.host, self.origin, self.cookies, self.token) = (host, origin, cookies, token)
    }
  }

  /// Names and addresses it is reached by, with the port where it is not the scheme's own.
  private let hosts: Set<String>
  private let origins: Set<String>
  private let token: String?
  private let cookieName: String

  package init(names: [String], port: Int, isSecure: Bool, token: String? = nil) {
    let standard = isSecure ? 443 : 80
    hosts = Set(names.map { port == standard ? $0 : "\($0):\(port)" })
    origins = Set(hosts.map { "\(isSecure ? "https" : "http")://\($0)" })
    // Cookies do not tell ports apart.
    (self.token, cookieName) = (token, "opcodekit-panel-\(port)")
  }

  /// What a page may load and connect to, as the header `Content-Security-Policy` says it: this server's own.
  ///
  /// Not all browsers take `'self'` for a WebSocket, so its addresses are named.
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

  /// Whether the request is for this server by its name; what anybody may have needs no more.
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

  /// In a time that does not tell how much of it is right.
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
