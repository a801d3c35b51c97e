import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

private let orchestra = """
  \(header(ksmps: 32))
  chn_k "a", 3
  chn_k "b", 3
  chn_S "word", 1
  instr 1
    ka chnget "a"
    chnset 2 * ka, "b"
    kheld active 2
    chnset kheld, "held"
  endin
  instr 2
  endin
  """

private var panel: Panel {
  var panel = Panel("Stage", from: .file)
  panel.add(
    PanelWidget(.slider, id: "a", channels: ["a"], ranges: [ValueRange(0, 2, initial: 1)]))
  panel.add(PanelWidget(.meter, channels: ["b"], ranges: [ValueRange(0, 4)]))
  panel.add(PanelWidget(.field, channels: ["word"]))
  var keys = PanelWidget(.keyboard, id: "keys")
  keys.keys = PanelKeys(low: 60, count: 12, instrument: 2)
  panel.add(keys)
  panel.presets = [PanelPreset("Soft", values: ["a": 0.25], texts: ["word": "soft"])]
  return panel
}

@Suite("Record, pause and panic on pages", .serialized)
struct TransportTests {
  private static func isPaused(_ client: RawClient) -> Bool? {
    client.message("transport")?["paused"] as? Bool
  }

  @Test(
    "All pages show the same, also one that comes later; what is refused the asking page is told")
  func several() throws {
    let stage = try Stage(orchestra, panel)
    let (first, second) = (try stage.client(), try stage.client())
    #expect(Self.isPaused(first) == false && Self.isPaused(second) == false)
    first.say(#"{"type":"record","on":true}"#)
    for turn in 0..<3 {
      let client = turn == 0 ? first : turn == 1 ? second : try stage.client()
      let recording = client.message("transport")?["recording"] as? [String: Any]
      #expect(recording?["name"] as? String == "take.wav")
      #expect(recording?["isWhole"] as? Bool == false)
    }
    second.say(#"{"type":"record","on":false}"#)
    let transport = try #require(first.message("transport"))
    #expect(transport["recording"] == nil)
    second.say(#"{"type":"record","on":false}"#)
    #expect(second.message("refused")?["reason"] as? String == "Nothing is being recorded.")
    first.say(#"{"type":"record"}"#)
    #expect(first.message("refused") != nil)
    #expect(stage.transport.recordings == [true, false])
  }

  @Test("In a pause the position stands still, and what is set stays until the piece has it")
  func pause() throws {
    let stage = try Stage(orchestra, panel)
    func look() throws -> Double {
      let status = try #require(stage.performance.status)
      stage.server.show(
        PanelStatus(seconds: status.position, load: 0, xruns: 0, peaks: []))
      return status.position
    }
    let (first, second) = (try stage.client(), try stage.client())
    #expect(Self.isPaused(second) == false)
    // The pages have it too before the pause: a channel that is first asked for in a pause has no value.
    while let message = first.message("values"),
      (message["values"] as? [String: Any])?["b"] as? Double != 2
    {}
    first.say(#"{"type":"pause","on":true}"#)
    try #require(waits { stage.performance.status?.isPaused == true })
    #expect(Self.isPaused(second) == true)
    let before = try look()
    first.say(#"{"type":"set","channel":"a","value":0.5,"id":1}"#)
    #expect(first.message("done") != nil)
    // Longer than a value takes to reach a piece that goes on.
    for _ in 0..<50 {
      usleep(20_000)
      #expect(try look() == before)
    }
    let values = try stage.client().message("values")?["values"] as? [String: Any]
    #expect(values?["a"] as? Double == 0.5 && values?["b"] as? Double == 2, "\(values ?? [:])")
    second.say(#"{"type":"pause","on":false}"#)
    try stage.expect("b", 1)
    #expect(try waits { try look() > before })
  }

  @Test("Panic lets go of held keys and ends notes of events")
  func panic() throws {
    let stage = try Stage(orchestra, panel)
    let client = try stage.client()
    client.say(#"{"type":"key","widget":"keys","key":64,"down":true}"#)
    try stage.performance.send(line: "i 2.5 0 -1")
    try stage.expect("held", 2)
    let other = try stage.client()
    other.say(#"{"type":"panic"}"#)
    try stage.expect("held", 0)
    // The key is free again.
    other.say(#"{"type":"key","widget":"keys","key":64,"down":true}"#)
    try stage.expect("held", 1)
  }

  @Test("A page's panic drops the bundles of OSC that wait, and OSC pauses what pages show")
  func withOsc() throws {
    let stage = try OscStage(hasPage: true)
    let page = try RawClient(panel: stage.page!.port)
    #expect(Self.isPaused(page) == false)
    let osc = stage.client()
    osc.send(Packet.bundle(Packet.tag(in: 0.6), [Packet.message("/level", [.f(0.75)])]))
    usleep(100_000)
    page.say(#"{"type":"panic","id":1}"#)
    #expect(page.message("done") != nil)
    usleep(1_000_000)
    try stage.expect("level", 0.5)
    osc.say("/pause", .i(1))
    #expect(Self.isPaused(page) == true)
    osc.say("/pause", .i(0))
    #expect(Self.isPaused(page) == false)
    osc.say("/pause", .s("on"))
    #expect(osc.error() == "/pause takes 1 or 0.")
  }

  @Test("Going back to the piece's own values, and restoring many values at once")
  func own() throws {
    let last = PanelPreset("yesterday", values: ["a": 2], texts: ["word": "hm"])
    let stage = try Stage(orchestra, panel, takingUp: last)
    try stage.expect("b", 4)
    let (first, second) = (try stage.client(), try stage.client())
    #expect(first.message("taken")?["count"] as? Int == 2)
    #expect(second.message("taken")?["count"] as? Int == 2)
    first.say(#"{"type":"taken","action":"undo"}"#)
    try stage.expect("b", 2)
    #expect(second.message("taken")?["count"] as? Int == 0)
    first.say(
      #"{"type":"restore","values":{"a":1.5,"b":9,"unknown":1},"texts":{"word":"hm","a":"x"}}"#)
    try stage.expect("b", 3)
    #expect(second.message("values") != nil)
  }

  // MARK: In the browser

  @Test(
    "Buttons, by pointer and by keyboard; they follow other pages, and wait while it is away",
    .inBrowser)
  func buttons() throws {
    let stage = try Stage(orchestra, panel)
    let page = try BrowserPage(stage.server.url, width: 390)
    try page.wait(for: "!document.getElementById('record').hidden")
    try page.click("#record")
    try page.wait(for: "document.getElementById('recording').textContent.includes('take.wav')")
    #expect(stage.transport.recordings == [true])
    let other = try stage.client()
    other.say(#"{"type":"record","on":false}"#)
    try page.wait(for: "document.getElementById('record').ariaPressed === 'false'")
    #expect(try page.text("document.getElementById('recording').textContent") == "")
    try page.click("#more")
    try page.click("#trace")
    try page.wait(for: "document.body.textContent.includes('The trace is in /tmp/a.trace.json.')")
    try page.focus("#pause")
    try page.key(" ")
    try page.wait(for: "document.getElementById('pause').ariaPressed === 'true'")
    #expect(stage.transport.state.isPaused)
    try page.key("Enter")
    try page.wait(for: "document.getElementById('pause').ariaPressed === 'false'")
    try stage.performance.send(line: "i 2 0 -1")
    try stage.expect("held", 1)
    try page.focus("#panic")
    try page.key("Enter")
    try stage.expect("held", 0)
    // Nothing is wider than the telephone, and a finger hits each button.
    #expect(try page.number("document.documentElement.scrollWidth") == 390)
    for id in ["record", "pause", "trace", "panic"] {
      let height = try page.number("document.getElementById('\(id)').offsetHeight")
      #expect(try #require(height) >= 44)
    }
    try stage.restartServer {
      try page.wait(for: "document.getElementById('panic').disabled")
    }
    try page.wait(for: "!document.getElementById('panic').disabled")
    #expect(page.complaints.allSatisfy { $0.contains("WebSocket") }, "\(page.complaints)")
  }

  @Test(
    "The page says what was taken up; Undo takes back a preset and the piece's own values",
    .inBrowser)
  func undo() throws {
    let last = PanelPreset("2026-11-25T20:00:00Z", values: ["a": 2], texts: ["word": "hm"])
    let stage = try Stage(orchestra, panel, takingUp: last)
    let page = try BrowserPage(stage.server.url)
    let text = "document.querySelector('#taken p').textContent"
    try page.wait(for: "\(text).startsWith('2 values of the last time')")
    try page.wait(for: "panelConnection.value('a') === 2")
    try page.click("#own")
    try stage.expect("b", 2)
    try page.wait(
      for: "document.getElementById('taken').hidden && panelConnection.value('a') === 1")
    try page.evaluate("panelConnection.preset('Soft', 'recall')")
    try stage.expect("b", 0.5)
    try page.wait(for: "panelConnection.value('word') === 'soft'")
    try page.click("#undo")
    try stage.expect("b", 2)
    try page.wait(for: "panelConnection.value('word') === ''")
    try page.click("#undo")
    try stage.expect("b", 4)
    try page.wait(for: "panelConnection.value('word') === 'hm'")
    #expect(try page.text("document.getElementById('state').textContent") == "connected")
  }
}
