import CsoundLive
import Foundation
import PanelTrials
import Panels
import TestSupport
import Testing

@Suite("Sessions for Open Stage Control", .serialized)
struct StageSessionTests {
  private typealias Object = [String: Any]

  private static func root(_ panel: Panel, presets: [String] = []) throws -> Object {
    let session = StageSession(panel, presets: presets, target: "127.0.0.1:9000")
    let file = try #require(try JSONSerialization.jsonObject(with: session.data) as? Object)
    #expect(file["type"] as? String == "session")
    #expect(file["createdWith"] as? String == "Open Stage Control")
    #expect((file["version"] as? String)?.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    let root = try #require(file["content"] as? Object)
    #expect(root["type"] as? String == "root" && root["id"] as? String == "root")
    return root
  }

  /// All widgets below one.
  private static func all(_ widget: Object) -> [Object] {
    (widget["widgets"] as? [Object] ?? []).flatMap { [$0] + all($0) }
  }

  /// What the documentation of Open Stage Control lists for the types that are used here.
  private static let properties: [String: Set<String>] = {
    let all: Set = [
      "type", "id", "interaction", "comments", "left", "top", "width", "height", "expand",
      "colorWidget", "html", "default", "address", "preArgs", "typeTags", "decimals", "target",
      "bypass", "onValue",
    ]
    let slider: Set = ["range", "logScale", "steps", "doubleTap", "design"]
    return [
      "panel": all.union(["colorBg", "layout", "scroll", "widgets"]),
      "fader": all.union(slider).union(["horizontal"]), "knob": all.union(slider),
      "input": all.union(["numeric"]),
      "button": all.union(["label", "on", "off", "mode"]),
      "dropdown": all.union(["label", "values"]),
      "switch": all.union(["values", "layout", "gridTemplate"]), "text": all,
      "xy": all.union(["rangeX", "rangeY", "logScaleX", "logScaleY", "snap"]),
      "keyboard": all.union(["start", "keys"]),
    ]
  }()

  @Test("Each widget has a type and properties that are documented, an own name, and a target")
  func structure() throws {
    for isPlaced in [false, true] {
      var panel = AllWidgets.panel
      if isPlaced {
        panel.size = PanelSize(1100, 800)
        for place in panel.widgets.indices {
          panel.widgets[place].bounds = PanelBounds(
            Double(place % 5) * 210, Double(place / 5) * 130, 200, 120)
        }
      }
      let widgets = Self.all(try Self.root(panel, presets: ["one", "two"]))
      var names: Set<String> = ["root"]
      for widget in widgets {
        let type = try #require(widget["type"] as? String)
        let name = try #require(widget["id"] as? String)
        #expect(names.insert(name).inserted, "\(name)")
        let unknown = Set(widget.keys).subtracting(try #require(Self.properties[type], "\(type)"))
        #expect(unknown.isEmpty, "\(name): \(unknown)")
        if let address = widget["address"] as? String { #expect(address.hasPrefix("/")) }
        if type != "panel" { #expect(widget["target"] as? [String] == ["127.0.0.1:9000"]) }
        #expect(["address", "bypass"].contains { widget[$0] != nil }, "\(name) sends to its name")
        if let values = widget["values"] as? Object {
          let (labels, all) = (values["labels"] as? [Any], values["values"] as? [Any])
          #expect(labels?.count == all?.count && labels?.isEmpty == false)
        }
      }
      #expect(widgets.contains { $0["left"] != nil } == isPlaced)
      #expect(names.isSuperset(of: ["listen", "record", "pause", "panic", "preset"]))
    }
  }

  @Test("What cannot be sent is told")
  func leftOut() {
    let session = StageSession(AllWidgets.panel, presets: [], target: "127.0.0.1:9000")
    #expect(session.leftOut.map(\.name) == ["keyboard", "table", "console"])
    #expect(session.count == AllWidgets.panel.widgets.count - 3)
  }

  @Test("Score lines become events; what OSC has not stays out")
  func events() {
    #expect(
      StageSession.event(" i 1 0 2.5 ; a note") == #"send('/event', "i", 1.0, 0.0, 2.5)"#)
    #expect(
      StageSession.event(#"i"Le ad" 0 -1 "x""#) == #"send('/event', "i", "Le ad", 0.0, -1.0, "x")"#)
    for line in ["", "a 0 0 3", "i 1 0 [3*2]", "i $N 0 1", "i \"open 0 1"] {
      #expect(StageSession.event(line) == nil, "\(line)")
    }
  }

  @Test("Digits are enough for the range")
  func decimals() {
    #expect(StageSession.decimals(ValueRange(0, 16, step: 1)) == 0)
    #expect(StageSession.decimals(ValueRange()) == 4)
    #expect(StageSession.decimals(ValueRange(20, 20000, curve: .exponential)) == 2)
    #expect(StageSession.decimals(ValueRange(0, 0.001)) == 7)
    #expect(StageSession.decimals(ValueRange(0, 1_000_000)) == 0)
  }

  @Test("What the widgets send sets the piece's channels, with names of any kind")
  func played() throws {
    var panel = AllWidgets.panel
    let odd = ["record", "a[b]", "Cut off", "osc1/level"]
    for name in odd { panel.add(PanelWidget(.slider, channels: [name])) }
    let stage = try OscStage(
      orchestra: AllWidgets.orchestra
        + odd.map { "\nchn_k \"\($0)\", 3" }.joined(), score: "i 1 0 3600", panel: panel)
    defer { stage.close() }
    let client = stage.client()
    var count = 0
    for widget in Self.all(try Self.root(panel)) {
      guard let address = widget["address"] as? String, widget["bypass"] as? Bool != true,
        widget["interaction"] as? Bool != false,
        ["fader", "knob"].contains(
          widget["type"] as? String)
      else { continue }
      let maximum = try #require((widget["range"] as? Object)?["max"] as? Double)
      let before = (widget["preArgs"] as? [String] ?? [])
      client.send(Packet.message(address, before.map { .s($0) } + [.f(Float(maximum))]))
      try stage.expect(before.first ?? String(address.dropFirst()), maximum)
      count += 1
    }
    #expect(count == 13)
  }

  @Test("The scripts are JavaScript, and send what the widget plays", .inBrowser)
  func scripts() throws {
    let page = try BrowserPage("about:blank", waits: false)
    defer { page.close() }
    func sent(_ widget: String, id: String = "this", _ value: String) throws -> String {
      let widgets = Self.all(try Self.root(AllWidgets.panel))
      let one = try #require(widgets.first { $0["id"] as? String == widget })
      let script = try #require(one["onValue"] as? String)
      let names = "'value', 'id', 'send', 'setInterval', 'clearInterval', 'getIndex'"
      let answer = try page.evaluate(
        """
        (() => { const sent = []; const timers = [];
          new Function(\(names), \(StageSession.quoted(script)))(
            \(value), '\(id)', (...all) => sent.push(all.join(' ')),
            (name, call) => timers.push(call), () => {}, id => Number(id.split('/')[1]) - 48);
          timers.forEach(one => one());
          return sent.join(', '); })()
        """)
      return try #require(answer as? String)
    }
    #expect(try sent("listen", "1") == "/subscribe, /subscribe")
    #expect(try sent("listen", "0") == "/unsubscribe")
    #expect(try sent("c-x", "[0.25, 0.5]") == "/channel x 0.25, /channel y 0.5")
    #expect(try sent("c-strike", "1") == "/event i 7 0 0.01")
    #expect(try sent("c-drone", "0") == "/event i -8.1 0 0")
    #expect(try sent("c-keys", id: "c-keys/60", "{12: 1}") == "/event i 5.06 0 -2 60 100")
    #expect(try sent("c-keys", id: "c-keys/60", "{12: 0}") == "/event i -5.06 0 0 60 0")
  }
}
