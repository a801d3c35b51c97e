import TestPages
import Foundation
import HarnessBase
import Panels
@testable import Playing
import TestSupport
import Testing

@Suite("Presets and switches of a panel", .serialized)
struct PresetTests {
  private static func stage() throws -> (Stage, PresetFile) {
    let file = PresetFile(forPiece: try temporaryDirectory() + "/presets.csd")
    var panel = Panel("Presets", from: .file)
    panel.add(PanelWidget(.slider, channels: ["a"], ranges: [ValueRange(0, 2)]))
    panel.add(PanelWidget(.meter, channels: ["b"]))
    panel.add(PanelWidget(.field, channels: ["word"]))
    for name in ["one", "two"] {
      var widget = PanelWidget(.switch, id: name, channels: [name])
      widget.exclusive = "which"
      panel.add(widget)
    }
    panel.presets = [
      PanelPreset("Own", values: ["a": 5, "b": 1, "unknown": 1], texts: ["word": "hm"])
    ]
    return (try Stage(panel, presets: file), file)
  }

  private static func names(_ client: RawClient) throws -> [String] {
    try #require(client.message("presets")?["names"] as? [String])
  }

  @Test(
    "A preset of the source sets what can be set, within its range; what is only shown it leaves alone"
  )
  func recall() throws {
    let (stage, _) = try Self.stage()
    let client = try stage.client()
    #expect(try Self.names(client) == ["Own"])
    client.say(#"{"type":"preset","preset":"Own","action":"recall"}"#)
    try stage.expect("a", 2)
    try stage.expect("b", 0)
    // All pages show which one it was.
    #expect(client.message("presets")?["chosen"] as? String == "Own")
    client.say(#"{"type":"preset","preset":"Other","action":"recall"}"#)
    #expect(client.message("refused")?["reason"] as? String == "There is no preset 'Other'.")
  }

  @Test(
    "A saved preset is in the file beside the piece, known to all pages, wins over the source's, and goes again"
  )
  func saving() throws {
    let (stage, file) = try Self.stage()
    let (first, second) = (try stage.client(), try stage.client())
    #expect(try Self.names(second) == ["Own"])
    first.say(#"{"type":"set","channel":"a","value":0.5}"#)
    first.say(#"{"type":"preset","preset":"Mine","action":"save","id":1}"#)
    #expect(first.message("done") != nil)
    let message = try #require(second.message("presets"))
    #expect(message["names"] as? [String] == ["Own", "Mine"])
    #expect(message["chosen"] as? String == "Mine")
    let saved = try file.read()
    #expect(saved.map(\.name) == ["Mine"] && saved[0].values["a"] == 0.5)
    first.say(#"{"type":"set","channel":"a","value":1}"#)
    first.say(#"{"type":"preset","preset":"Mine","action":"recall"}"#)
    try stage.expect("a", 0.5)
    first.say(#"{"type":"preset","preset":"Own","action":"delete"}"#)
    let reason = first.message("refused")?["reason"] as? String
    #expect(reason == "No preset 'Own' was saved; those of the piece itself stay.")
    // What another program has saved meanwhile stays.
    try file.write(saved + [PanelPreset("Theirs", values: ["a": 2])])
    first.say(#"{"type":"preset","preset":"Mine","action":"save","id":3}"#)
    #expect(second.message("presets")?["names"] as? [String] == ["Own", "Theirs", "Mine"])
    try file.write(saved)
    first.say(#"{"type":"preset","preset":"Mine","action":"delete","id":2}"#)
    let last = try #require(second.message("presets"))
    #expect(last["names"] as? [String] == ["Own"] && last["chosen"] == nil)
    let rest = try file.read()
    #expect(rest.isEmpty)
  }

  @Test(
    "A preset is reached within seconds: controls move steadily, the rest changes at once; what is set stays"
  )
  func morphs() throws {
    let (stage, _) = try Self.stage()
    let client = try stage.client()
    client.say(#"{"type":"set","channel":"a","value":0,"id":1}"#)
    #expect(client.message("done") != nil)
    try stage.expect("a", 0)
    let begin = ContinuousClock.now
    client.say(#"{"type":"preset","preset":"Own","action":"recall","seconds":2,"id":2}"#)
    #expect(client.message("done") != nil)
    var last = 0.0
    var between = 0
    while last < 2, ContinuousClock.now < begin + .seconds(20) {
      let value = try #require(try stage.port.value(of: "a"))
      #expect(value >= last)
      if value > last, value < 2 { between += 1 }
      last = value
      usleep(5000)
    }
    #expect(last == 2 && between > 20, "\(between)")
    #expect(begin.duration(to: .now) >= .seconds(1.9))
    // A control that is moved meanwhile is left alone, and a panic stops all.
    client.say(#"{"type":"set","channel":"a","value":0,"id":3}"#)
    client.say(#"{"type":"preset","preset":"Own","action":"recall","seconds":30}"#)
    client.say(#"{"type":"set","channel":"a","value":1.5,"id":4}"#)
    #expect(client.message("done") != nil)
    usleep(700_000)
    #expect(try stage.port.value(of: "a") == 1.5)
    client.say(#"{"type":"preset","preset":"Own","action":"recall","seconds":1}"#)
    client.say(#"{"type":"panic","id":5}"#)
    #expect(client.message("done") != nil)
    usleep(1_200_000)
    let stopped = try #require(try stage.port.value(of: "a"))
    #expect(stopped < 2)
    // So is one that a MIDI controller moves.
    client.say(#"{"type":"preset","preset":"Own","action":"recall","seconds":30,"id":6}"#)
    #expect(client.message("done") != nil)
    stage.server.desk.mailbox.put(set: "a")
    usleep(200_000)
    let held = try stage.port.value(of: "a")
    usleep(300_000)
    #expect(try stage.port.value(of: "a") == held)
  }

  @Test(
    "The page asks before it replaces a preset; undo brings back the switch that was on", .inBrowser
  )
  func page() throws {
    let (stage, file) = try Self.stage()
    let page = try BrowserPage(stage.server.url)
    try page.wait(for: "document.getElementById('presets').options.length > 1")
    for answer in [false, true] {
      try page.evaluate(
        "window.prompt = () => 'Own'; window.confirm = text => { window.asked = text; return \(answer); }"
      )
      try page.click("#save")
      #expect(try page.text("window.asked") == "Replace the preset 'Own'?")
      try page.evaluate(
        "panelConnection.set('a', \(answer ? 1 : 0.5)); panelConnection.answered()")
      #expect(try file.read().map(\.name) == (answer ? ["Own"] : []))
    }
    for id in ["one", "two"] {
      try page.click("[data-id=\(id)] button")
      try stage.expect(id, 1)
    }
    try stage.expect("one", 0)
    try page.wait(for: "panelConnection.value('one') === 0")
    try page.click("#undo")
    try stage.expect("one", 1)
    try stage.expect("two", 0)
  }

  @Test("Of a file that is no list of presets what can be read is used, and the file is kept")
  func broken() throws {
    let csd = try temporaryDirectory() + "/presets.csd"
    let file = PresetFile(forPiece: csd)
    let aside = String(csd.dropLast("csd".count)) + "presets.unreadable"
    let half = #"[{"name":"{\"A","values":{"a":0.5}},{"values":1},{"name":"B"},{"name":"C","val"#
    for (text, names, place) in [
      ("{}", [], aside + ".json"), (half, ["{\"A", "B"], aside + "-2.json"),
    ] {
      try text.save(to: file.path)
      let failure = try #require(throws: Failure.self) { try Presets(file) }
      let (presets, sentence) = try Presets.mending(file, failure)
      #expect(presets.names(beside: Panel("", from: .file)) == names)
      #expect(sentence.contains("\(file.path)") && sentence.hasSuffix("kept as '\(place)'."))
      #expect(try String(file: place) == text)
      #expect(try file.read().map(\.name) == names)
    }
  }

  @Test(
    "A name that cannot be read as it is, is refused", arguments: ["a\0b", "\u{202E}evil", "a\nb"])
  func names(name: String) throws {
    let (stage, file) = try Self.stage()
    let client = try stage.client()
    let text = try #require(String(data: JSONEncoder().encode(name), encoding: .utf8))
    client.say(#"{"type":"preset","preset":\#(text),"action":"save","id":1}"#)
    let reason = client.message("refused")?["reason"] as? String
    #expect(reason?.hasPrefix("A preset's name has no control characters") == true)
    #expect(try file.read().isEmpty)
  }

  @Test("Of switches that exclude one another the last one switched on is on alone")
  func exclusive() throws {
    let (stage, _) = try Self.stage()
    let client = try stage.client()
    client.say(#"{"type":"choose","widget":"one","choice":1}"#)
    try stage.expect("one", 1)
    client.say(#"{"type":"choose","widget":"two","choice":1}"#)
    try stage.expect("two", 1)
    try stage.expect("one", 0)
    client.say(#"{"type":"choose","widget":"two","choice":0}"#)
    try stage.expect("two", 0)
    try stage.expect("one", 0)
  }
}
