import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

/// Several clients, and clients that come, go and come back.
@Suite("Clients of a panel", .serialized)
struct ClientTests {
  private static func stage(limits: WebsocketLimits = WebsocketLimits()) throws -> Stage {
    try Stage(AllWidgets.orchestra, AllWidgets.panel, limits: limits, midi: true)
  }

  /// Opens a client that has had the panel and all values.
  private static func client(_ stage: Stage) throws -> RawClient {
    let client = try stage.client()
    let hello = try #require(client.message("hello"))
    #expect(hello["version"] as? Int == 1)
    return client
  }

  private static func value(_ client: RawClient, _ channel: String) throws -> Double {
    while true {
      let values = try #require(client.message("values")?["values"] as? [String: Any])
      if let value = values[channel] as? NSNumber { return value.doubleValue }
    }
  }

  @Test(
    "A client that comes late is told everything; what one sets the others hear, itself it does not"
  )
  func several() throws {
    let stage = try Self.stage()
    let first = try Self.client(stage)
    #expect(try Self.value(first, "tone") == 100)
    first.say(#"{"type":"set","channel":"slider","value":0.5}"#)
    first.say(#"{"type":"set","channel":"tone","value":440,"id":1}"#)
    #expect(first.message("done")?["id"] as? Int == 1)
    try stage.expect("slider", 0.5)
    let second = try Self.client(stage)
    let all = try #require(second.message("values")?["values"] as? [String: Any])
    #expect(all["slider"] as? Double == 0.5 && all["tone"] as? Double == 440)
    #expect(all["knob"] as? Double == 0.5)
    second.say(#"{"type":"set","channel":"tone","value":880}"#)
    #expect(try Self.value(first, "tone") == 880)
    // Beyond its range it is held there, which whoever set it is told.
    second.say(#"{"type":"set","channel":"tone","value":99999}"#)
    #expect(try Self.value(second, "tone") == 20000)
    try stage.expect("tone", 20000)
  }

  @Test("What the orchestra itself changes comes to all pages")
  func fromThePiece() throws {
    let stage = try Self.stage()
    let client = try Self.client(stage)
    try stage.performance.compile("chnset 0.625, \"slider\"")
    var value = try Self.value(client, "slider")
    while value == 0.25 { value = try Self.value(client, "slider") }
    #expect(value == 0.625)
  }

  @Test("Two that hold one key end it when the second lets go; one that vanishes lets go of all")
  func holding() throws {
    let stage = try Self.stage()
    let (first, second) = (try Self.client(stage), try Self.client(stage))
    for client in [first, second] {
      client.say(#"{"type":"key","widget":"keys","key":50,"down":true}"#)
    }
    try stage.expect("notes", 1)
    first.say(#"{"type":"key","widget":"keys","key":50,"down":false,"id":1}"#)
    #expect(first.message("done") != nil)
    usleep(50_000)
    try stage.expect("notes", 1)
    second.say(#"{"type":"key","widget":"piano","key":60,"down":true}"#)
    second.say(#"{"type":"hold","widget":"hold","down":true}"#)
    second.say(#"{"type":"hold","widget":"drone","down":true}"#)
    try stage.expect("midi notes", 1)
    try stage.expect("hold", 1)
    try stage.expect("drones", 1)
    second.vanish()
    for channel in ["notes", "midi notes", "hold", "drones"] { try stage.expect(channel, 0) }
  }

  @Test("A client that is gone without a word is noticed by its silence")
  func silence() throws {
    var limits = WebsocketLimits()
    limits.silence = (ask: 1, cut: 2)
    let stage = try Self.stage(limits: limits)
    let client = try Self.client(stage)
    client.say(#"{"type":"key","widget":"keys","key":50,"down":true}"#)
    try stage.expect("notes", 1)
    // It reads, but answers no ping.
    let begin = Date()
    let ending = client.ending()
    #expect(ending != .text(""))
    #expect(Date().timeIntervalSince(begin) < 10)
    try stage.expect("notes", 0)
  }

  @Test("A tap that is shorter than a k-cycle is not lost")
  func shortTap() throws {
    let orchestra = """
      \(header(ksmps: 4800))
      instr 1
        kheld chnget "hold"
        kcycles init 0
        kcycles = kcycles + kheld
        chnset kcycles, "cycles"
      endin
      """
    var panel = Panel("Slow", from: .file)
    panel.add(PanelWidget(.button, id: "hold", channels: ["hold"]))
    panel.add(PanelWidget(.label, id: "cycles", channels: ["cycles"]))
    let stage = try Stage(orchestra, panel)
    let client = try Self.client(stage)
    try stage.expect("cycles", 0)
    for count in 1...2 {
      client.say(#"{"type":"hold","widget":"hold","down":true}"#)
      client.say(#"{"type":"hold","widget":"hold","down":false}"#)
      try waits { try stage.port.value(of: "cycles") ?? 0 >= Double(count) }
      try stage.expect("hold", 0)
      #expect(try #require(try stage.port.value(of: "cycles")) >= Double(count))
    }
  }

  @Test(
    "A page whose server was away finds it again, with the values of now",
    .inBrowser)
  func reconnecting() throws {
    let stage = try Self.stage()
    let (first, second) = (
      try BrowserPage(stage.server.url), try BrowserPage(stage.server.url)
    )
    try first.click("[data-id=slider] .track", 0.5)
    try second.wait(
      for: "Math.abs(document.querySelector('[data-id=slider] .track').ariaValueNow - 0.5) < 0.01"
    )
    try stage.restartServer {
      try first.wait(for: "document.body.classList.contains('cut-off')")
      try stage.performance.compile("chnset 0.125, \"slider\"")
      try stage.expect("slider", 0.125)
    }
    for page in [first, second] {
      try page.wait(for: "panelConnection.isOpen && panelConnection.value('slider') === 0.125")
    }
    try second.click("[data-id=slider] .track", 0.75)
    try first.wait(for: "Math.abs(panelConnection.value('slider') - 0.75) < 0.01")
    // A page that goes away lets go of what it held.
    try first.mouse("mousePressed", try first.place("[data-id=keys] [data-key='60']", 0.5, 0.85))
    try stage.expect("notes", 1)
    first.close()
    try stage.expect("notes", 0)
  }

  @Test(
    "What a page sets before it has heard the values stays, in the page too",
    .inBrowser)
  func early() throws {
    let stage = try Self.stage()
    let page = try BrowserPage(stage.server.url)
    try page.wait(for: "panelConnection.value('slider') !== undefined")
    // The panel comes first, then its values.
    try page.evaluate(
      "panelConnection.addEventListener('panel', () => panelConnection.set('slider', 0.625))")
    try stage.restartServer {
      try page.wait(for: "document.body.classList.contains('cut-off')")
    }
    try page.wait(for: "panelConnection.isOpen && panelConnection.value('tone') === 100")
    try stage.expect("slider", 0.625)
    usleep(100_000)
    #expect(try page.number("panelConnection.value('slider')") == 0.625)
    // What others set afterwards is heard.
    try stage.performance.compile("chnset 0.375, \"slider\"")
    try page.wait(for: "panelConnection.value('slider') === 0.375")
  }
}
