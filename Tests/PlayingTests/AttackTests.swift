import TestPages
import Foundation
import HarnessBase
import Panels
import Playing
import TestSupport
import Testing

/// Requests and clients that the server must refuse, and stay as it was.
@Suite("Attacks on a panel", .serialized)
final class AttackTests {
  let stage: Stage
  private var random = SeededGenerator(seed: 34)
  var port: Int { stage.server.port }

  init() throws {
    var limits = WebsocketLimits()
    limits.messagesPerSecond = 500
    limits.connections = 8
    limits.silence = (ask: 1, cut: 2)
    stage = try Stage(AllWidgets.orchestra, AllWidgets.panel, limits: limits, midi: true)
  }

  /// That a client of good manners is still served, and the piece still hears it.
  private func expectService(location: SourceLocation = #_sourceLocation) throws {
    let client = try stage.client()
    let value = Double.random(in: 0...1, using: &random)
    client.say("{\"type\":\"set\",\"channel\":\"slider\",\"value\":\(value),\"id\":1}")
    #expect(client.message("done") != nil, sourceLocation: location)
    try stage.expect("slider", value, location: location)
    #expect(stage.performance.status?.xruns == 0, sourceLocation: location)
  }

  @Test("A page from elsewhere, and none, cannot connect")
  func origin() throws {
    for origin in [
      "", "null", "http://evil.example", "http://localhost:\(port + 1)",
      "https://localhost:\(port)",
      "http://localhost:\(port).evil.example", "http://localhost", "file://",
    ] {
      #expect(RawClient(port: port).open(port: port, origin: origin) == 403, "\(origin)")
    }
    #expect(RawClient(port: port).open(port: port, origin: "http://127.0.0.1:\(port)") == 101)
    try expectService()
  }

  @Test("A name that was made to lead here is not this server's, for pages and for connections")
  func host() throws {
    for host in ["evil.example", "evil.example:\(port)", "localhost", "localhost:\(port + 1)", ""] {
      #expect(RawClient(port: port).request("/", ["Host": host]) == 421, "\(host)")
      #expect(
        RawClient(port: port).open(port: port, origin: "http://\(host)", host: host) == 421,
        "\(host)")
    }
    #expect(RawClient(port: port).request("/", ["Host": "localhost:\(port)"]) == 200)
    #expect(RawClient(port: port).request("/", ["Host": "127.0.0.1:\(port)"]) == 200)
    try expectService()
  }

  @Test("There are no files but the page's, and no protocol but its own")
  func requests() throws {
    let good = ["Host": "localhost:\(port)"]
    for path in ["/etc/passwd", "/../../etc/passwd", "/%2e%2e/etc/passwd", "/main.js/"] {
      #expect([0, 403, 404].contains(RawClient(port: port).request(path, good)), "\(path)")
    }
    #expect(RawClient(port: port).open(port: port, protocolName: nil) != 101)
    #expect(RawClient(port: port).open(port: port, protocolName: "chat") != 101)
    #expect(RawClient(port: port).open(port: port, path: "/evil") == 404)
    let long = RawClient(port: port)
    #expect(
      long.request("/", ["Host": "localhost:\(port)", "X": String(repeating: "x", count: 99999)])
        != 200)
    let garbage = RawClient(port: port)
    garbage.send((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) })
    try expectService()
  }

  @Test(
    "Connections that ask for nothing, or never to the end, keep nobody out",
    arguments: ["", "GET / HT"])
  func idleness(beginning: String) throws {
    let page = try stage.client()
    #expect(page.message("hello") != nil)
    let idle = (0..<150).map { _ in RawClient(port: port) }
    idle.forEach { $0.send(Array(beginning.utf8)) }
    for _ in 0..<5 {
      let start = Date()
      #expect(RawClient(port: port).request("/", ["Host": "localhost:\(port)"]) == 200)
      try expectService()
      // Before the server cuts off what is idle, which takes ten seconds.
      #expect(Date().timeIntervalSince(start) < 8)
    }
    // Who is connected stays so.
    page.say(#"{"type":"release","id":1}"#)
    #expect(page.message("done") != nil)
    idle.forEach { $0.vanish() }
  }

  @Test("Long cookies of other services on this computer keep nobody out")
  func cookies() throws {
    for length in [600, 5000, 16000] {
      let cookies = (0..<length / 100).map { "service\($0)=\(String(repeating: "x", count: 85))" }
      let headers = ["Host": "localhost:\(port)", "Cookie": cookies.joined(separator: "; ")]
      #expect(RawClient(port: port).request("/", headers) == 200, "\(length)")
    }
    let token = PanelAccess.newToken()
    let admission = Admission(names: ["host"], port: 1, isSecure: true, token: token)
    #expect(
      admission.file(
        .init(
          host: "host:1",
          cookies: "a=\(String(repeating: "x", count: 5000)); opcodekit-panel-1=\(token)"))
        == .granted)
  }

  @Test(
    "A message that is too long, in one piece, in many or by its word alone, ends the connection")
  func oversized() throws {
    let whole = try stage.client()
    whole.frame(1, [UInt8](repeating: 32, count: 70000))
    #expect(whole.ending() == .closed(code: 1009))
    let lying = try stage.client()
    lying.frame(1, [UInt8](repeating: 32, count: 100), length: 1 << 40)
    #expect(lying.ending() == .closed(code: 1009))
    let pieces = try stage.client()
    pieces.send([0x01, 0x80 | 126, 0x20, 0, 0, 0, 0, 0] + [UInt8](repeating: 32, count: 0x2000))
    for _ in 0..<8 {
      pieces.send([0x00, 0x80 | 126, 0x20, 0, 0, 0, 0, 0] + [UInt8](repeating: 32, count: 0x2000))
    }
    #expect(pieces.ending() == .closed(code: 1009))
    try expectService()
  }

  @Test(
    "What is no message is refused with a sentence; what is no frame of text ends the connection")
  func malformed() throws {
    let talker = try stage.client()
    for text in [
      "", "x", "{}", "[]", "null", #"{"type":"set"}"#, #"{"type":"set","channel":"slider"}"#,
      #"{"type":"set","channel":"slider","value":"1"}"#, #"{"type":"compile","text":"endin"}"#,
      #"{"type":"set","channel":"slider","value":1e999}"#, String(repeating: "[", count: 9000),
      #"{"type":"set","channel":"no such","value":1}"#,
      #"{"type":"set","channel":"shown","value":1}"#,
      #"{"type":"press","widget":"slider"}"#, #"{"type":"choose","widget":"wave","choice":-1}"#,
      #"{"type":"choose","widget":"wave","choice":3}"#,
      #"{"type":"hold","widget":"drone\ni 7 0 1","down":true}"#,
      #"{"type":"key","widget":"keys","key":9999,"down":true}"#,
    ] {
      talker.say(text)
      let reason = try #require(talker.message("refused")?["reason"] as? String, "\(text)")
      #expect(reason.hasSuffix("."))
    }
    let binary = try stage.client()
    binary.frame(2, [1, 2, 3])
    #expect(binary.ending() == .closed(code: 1003))
    let wrongText = try stage.client()
    wrongText.frame(1, [0xC3, 0x28, 0xFF])
    #expect(wrongText.ending() != .closed(code: 1000))
    let unmasked = try stage.client()
    unmasked.frame(1, Array("{}".utf8), isMasked: false)
    let unknown = try stage.client()
    unknown.frame(11, [])
    try expectService()
  }

  @Test("Who sends too much, and one client too many, are cut off")
  func floods() throws {
    let flood = try stage.client()
    for number in 0..<2000 {
      guard flood.say("{\"type\":\"set\",\"channel\":\"knob\",\"value\":0.\(number)}") else {
        break
      }
    }
    #expect(flood.ending() == .closed(code: 1008))
    flood.vanish()
    usleep(200_000)
    let crowd = try (0..<8).map { _ in try stage.client() }
    #expect(crowd.allSatisfy { $0.message("hello") != nil })
    let late = RawClient(port: port)
    _ = late.open(port: port)
    #expect(late.message("hello") == nil)
    crowd.forEach { $0.vanish() }
    usleep(100_000)
    try expectService()
  }

  @Test(
    "Nothing is kept for a client that reads nothing: others go on, and it has the latest when it reads"
  )
  func slowness() throws {
    let slow = RawClient(port: port)
    slow.limitReceiving(to: 4096)
    #expect(slow.open(port: port) == 101)
    let quick = try stage.client()
    let text = String(repeating: "x", count: 8000)
    let begin = Date()
    for number in 0..<200 {
      quick.say(
        "{\"type\":\"text\",\"channel\":\"name\",\"text\":\"\(number)\(text)\",\"id\":\(number)}")
      #expect(quick.message("done") != nil)
    }
    quick.say(#"{"type":"set","channel":"slider","value":0.875}"#)
    try stage.expect("slider", 0.875)
    let seconds = Date().timeIntervalSince(begin)
    var latest: Double?
    var texts: [String] = []
    while latest != 0.875, case .text(let message) = slow.next() {
      let object = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any]
      if let value = (object?["values"] as? [String: Any])?["slider"] as? Double { latest = value }
      if let text = (object?["texts"] as? [String: Any])?["name"] as? String { texts.append(text) }
    }
    #expect(latest == 0.875)
    #expect(texts.last == "199" + text)
    // The latest of each tick at most, not all that there were.
    #expect(Double(texts.count) <= 60 * seconds + 5)
  }
}
