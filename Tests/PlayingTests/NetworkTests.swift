import CsoundLive
import TestPages
import Foundation
import HarnessBase
import Panels
import Playing
import TestSupport
import Testing

@Suite("A panel for the local network")
struct NetworkTests {
  private static func certificate(in directory: String) throws -> PanelCertificate {
    try PanelCertificate.forNames(["127.0.0.1", "localhost"], in: directory)
  }

  /// With a certificate in a directory, and a token.
  private static func access(in directory: ScratchDirectory) throws -> PanelAccess {
    var access = PanelAccess.thisComputer
    access.certificate = try certificate(in: directory.path)
    access.token = PanelAccess.newToken()
    return access
  }

  @Test(
    "A certificate is kept for the same names, made anew for others, and its key is this user's alone"
  )
  func certificate() throws {
    let directory = try ScratchDirectory("certificate")
    defer { directory.remove() }
    let first = try Self.certificate(in: directory.path)
    let text = try String(file: first.certificatePath)
    #expect(text.contains("BEGIN CERTIFICATE") && !text.contains("PRIVATE"))
    let mode =
      try FileManager.default.attributesOfItem(atPath: first.keyPath)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let again = try Self.certificate(in: directory.path)
    #expect(try String(file: again.certificatePath) == text)
    let other = try PanelCertificate.forNames(["10.1.2.3"], in: directory.path)
    #expect(try String(file: other.certificatePath) != text)
  }

  @Test("Without a token a panel listens on this computer only, with one at every address")
  func listening() throws {
    let directory = try ScratchDirectory("certificate")
    defer { directory.remove() }
    let network = try Self.access(in: directory)
    for (access, address, socket) in [
      (PanelAccess.thisComputer, "127.0.0.1", "tcp 0100007F"), (network, "0.0.0.0", "tcp 00000000"),
    ] {
      let stage = try Stage(AllWidgets.orchestra, AllWidgets.panel, access: access)
      #expect(try listeners(on: stage.server.port) == [socket])
      #expect(stage.server.address == address)
    }
  }

  @Test(
    "A browser that has the address gets the panel, encrypted, and its address loses the token; one without gets nothing",
    .inBrowser)
  func browser() throws {
    let directory = try ScratchDirectory("certificate")
    defer { directory.remove() }
    let access = try Self.access(in: directory)
    let stage = try Stage(AllWidgets.orchestra, AllWidgets.panel, access: access, midi: true)
    let stranger = try BrowserPage(
      "https://localhost:\(stage.server.port)/", ignoresCertificate: true, waits: false)
    try stranger.wait(for: "document.body && document.body.textContent.includes('token')")
    #expect(
      try stranger.text(
        "fetch('/main.js').then(answer => String(answer.status))") == "403")
    let page = try BrowserPage(stage.server.url, ignoresCertificate: true)
    #expect(try page.text("location.href") == "https://localhost:\(stage.server.port)/")
    #expect(try page.text("document.cookie") == "")
    #expect(try page.evaluate("isSecureContext") as? Bool == true)
    try page.click("[data-id=slider] .track", 0.75)
    try stage.expect("slider", 0.75, within: 0.01)
    #expect(
      try page.text("fetch('/certificate').then(answer => answer.text())")?
        .contains("BEGIN CERTIFICATE") == true)
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }

  @Test(
    "A link on another site leads to the panel, and no page of another site can connect", .inBrowser
  )
  func otherSite() throws {
    let directory = try ScratchDirectory("certificate")
    defer { directory.remove() }
    let access = try Self.access(in: directory)
    let stage = try Stage(AllWidgets.orchestra, AllWidgets.panel, access: access)
    let page = try BrowserPage(
      "data:text/html,<a href='\(stage.server.url)' style='font-size: 9em'>panel</a>",
      ignoresCertificate: true, waits: false)
    try page.wait(for: "document.querySelector('a')")
    try page.click("a", 0.2)
    try page.wait(for: "document.querySelectorAll('.widget').length > 0 && panelConnection.isOpen")
    #expect(try page.text("location.href") == "https://localhost:\(stage.server.port)/")
    // With the cookie in the browser, from a page that is none of the server's.
    let other = try BrowserPage("data:text/html,other", ignoresCertificate: true, waits: false)
    let attempt = """
      new Promise(tell => {
        const socket = new WebSocket('wss://localhost:\(stage.server.port)/socket', 'opcodekit-panel-1');
        socket.onopen = () => tell('open');
        socket.onclose = () => tell('refused');
      })
      """
    #expect(try other.text(attempt) == "refused")
  }

  @Test("A page of the server's may connect to nothing but the server", .inBrowser)
  func contentPolicy() throws {
    let stage = try Stage(AllWidgets.orchestra, AllWidgets.panel)
    let page = try BrowserPage(stage.server.url)
    #expect(page.complaints.isEmpty, "\(page.complaints)")
    let attempt = """
      new Promise(tell => {
        document.addEventListener('securitypolicyviolation', event => tell(event.effectiveDirective));
        const socket = new WebSocket('ws://localhost:1/');
        socket.onclose = () => setTimeout(() => tell('tried'), 500);
      })
      """
    #expect(try page.text(attempt) == "connect-src")
    for path in ["/", "/main.js", "/nothing"] {
      let client = RawClient(port: stage.server.port)
      _ = client.request(path, ["Host": "localhost:\(stage.server.port)"])
      let policy = client.headers["content-security-policy"] ?? ""
      #expect(policy.contains("connect-src 'self' ws://127.0.0.1:\(stage.server.port)"), "\(path)")
      #expect(!policy.contains("ws: ") && !policy.contains("ws:;"))
      #expect(client.headers["x-content-type-options"] == "nosniff")
    }
  }
}
