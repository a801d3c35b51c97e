/// Which requests a server answers.
///
/// A page from elsewhere may not talk to it, though the browser would carry its requests here: `Origin` must be
/// the page's own. A name that somebody else's DNS leads here is not its name: `Host` must be one of its own.
package struct Admission: Sendable {
  package enum Verdict: Equatable {
    case granted
    /// With an HTTP status and a sentence.
    case refused(status: UInt32, reason: String)
  }

  /// Names and addresses it is reached by, with the port where it is not the scheme's own.
  package let hosts: Set<String>
  private let origins: Set<String>

  package init(names: [String], port: Int, isSecure: Bool) {
    let standard = isSecure ? 443 : 80
    hosts = Set(names.map { port == standard ? $0 : "\($0):\(port)" })
    origins = Set(hosts.map { "\(isSecure ? "https" : "http")://\($0)" })
  }

  package func page(host: String?) -> Verdict {
    guard let host, hosts.contains(host.lowercased()) else {
      return .refused(status: 421, reason: "This server has another name.")
    }
    return .granted
  }

  package func socket(host: String?, origin: String?) -> Verdict {
    let verdict = page(host: host)
    guard verdict == .granted else { return verdict }
    guard let origin, origins.contains(origin.lowercased()) else {
      return .refused(status: 403, reason: "Only this server's own page may connect.")
    }
    return .granted
  }
}
