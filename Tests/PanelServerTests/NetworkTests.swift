import Browsing
import CsoundLive
import Foundation
import HarnessBase
import PanelServer
import Panels
import Testing

@Suite("A panel for the local network")
struct NetworkTests {
  private static func certificate(in directory: String) throws -> PanelCertificate {
    try PanelCertificate.forNames(["127.0.0.1", "localhost"], in: directory)
  }

  @Test(
    "A certificate is kept for the same names, made anew for others, and its key is this user's alone"
  )
  func certificate() throws {
    let directory = try ScratchDirectory("certificate")
    defer { directory.remove() }
    let first = try Self.certificate(in: directory.path)
    let text = try String(contentsOfFile: first.certificatePath, encoding: .utf8)
    #expect(text.contains("BEGIN CERTIFICATE") && !text.contains("PRIVATE"))
    let mode =
      try FileManager.default.attributesOfItem(atPath: first.keyPath)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let again = try Self.certificate(in: directory.path)
    #expect(try String(contentsOfFile: again.certificatePath, encoding: .utf8) == text)
    let other = try PanelCertificate.forNames(["10.1.2.3"], in: directory.path)
    #expect(try String(contentsOfFile: other.certificatePath, encoding: .utf8) != text)
  }

  @Test(
    "A browser that has the address gets the panel, encrypted, and its address loses the token; one without gets nothing",
    .inBrowser)
  func browser() throws {
    let directory = try ScratchDirectory("certificate")
    defer { directory.remove() }
    var access = PanelAccess.thisComputer
    access.certificate = try Self.certificate(in: directory.path)
    access.token = PanelAccess.newToken()
    let stage = try Stage(AllWidgets.orchestra, AllWidgets.panel, access: access, midi: true)
    defer { stage.close() }
    let stranger = try BrowserPage(
      "https://localhost:\(stage.server.port)/", ignoresCertificate: true, waits: false)
    defer { stranger.close() }
    try stranger.wait(for: "document.body && document.body.textContent.includes('token')")
    #expect(
      try stranger.text(
        "fetch('/main.js').then(answer => String(answer.status))") == "403")
    let page = try BrowserPage(stage.server.url, ignoresCertificate: true)
    defer { page.close() }
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
}
