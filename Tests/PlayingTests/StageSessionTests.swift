import CsoundLive
import TestPages
import Foundation
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

  /// What Open Stage Control knows of the properties that are used here: the kind of the value, or the values there are.
  private enum Form: Equatable {
    case text, number, flag, object, list, any
    case one([String])

    func takes(_ value: Any) -> Bool {
      switch self {
      case .text: value is String
      case .number: value is Double
      case .flag: value is Bool
      case .object: value is Object
      case .list: value is [Any]
      case .any: true
      case .one(let values): (value as? String).map(values.contains) ?? false
      }
    }
  }

  /// The properties of each type, from the functions `defaults` in `src/client/widgets` of Open Stage Control 1.30.3.
  /// It drops a property that a type does not have, and takes an unknown type for a fader.
  private static let properties: [String: [String: Form]] = {
    let all: [String: Form] = [
      "type": .text, "id": .text, "interaction": .flag, "comments": .text, "left": .number,
      "top": .number, "width": .number, "height": .number, "expand": .flag, "colorText": .text,
      "colorWidget": .text, "colorFill": .text, "alphaFillOff": .number, "html": .text,
      "css": .text, "default": .any, "address": .text, "preArgs": .list, "decimals": .number,
      "target": .list, "bypass": .flag, "onValue": .text,
    ]
    func type(_ own: [String: Form]) -> [String: Form] { all.merging(own) { $1 } }
    let slider: [String: Form] = [
      "typeTags": .text, "range": .object, "logScale": .flag, "steps": .list, "doubleTap": .flag,
    ]
    let layouts = ["default", "vertical", "horizontal", "grid"]
    return [
      "panel": type([
        "colorBg": .text, "layout": .one(layouts), "scroll": .flag, "widgets": .list,
      ]),
      "fader": type(slider).merging([
        "horizontal": .flag, "design": .one(["default", "round", "compact"]),
      ]) { $1 },
      "knob": type(slider),
      "input": type(["typeTags": .text, "numeric": .flag]),
      "button": type([
        "typeTags": .text, "label": .text, "on": .any, "off": .any,
        "mode": .one(["toggle", "push", "momentary", "tap"]),
      ]),
      "dropdown": type(["typeTags": .text, "label": .text, "values": .object]),
      "switch": type([
        "typeTags": .text, "values": .object, "layout": .one(["vertical", "horizontal", "grid"]),
        "gridTemplate": .number,
      ]),
      "text": all,
      "xy": type([
        "typeTags": .text, "rangeX": .object, "rangeY": .object, "logScaleX": .flag,
        "logScaleY": .flag, "snap": .flag,
      ]),
      "keyboard": type(["typeTags": .text, "start": .number, "keys": .number]),
    ]
  }()

  @Test("Each widget has a type, properties and values that there are, an own name, and a target")
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
        let properties = try #require(Self.properties[type], "\(type)")
        for (property, value) in widget {
          #expect(properties[property]?.takes(value) == true, "\(name): \(property) \(value)")
        }
        for property in ["range", "rangeX", "rangeY"] {
          guard let range = widget[property] as? Object else { continue }
          #expect(Set(range.keys) == ["min", "max"] && range.values.allSatisfy { $0 is Double })
        }
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

  /// The widgets of a session by their names.
  private static func widgets(_ panel: Panel, presets: [String] = []) throws -> [String: Object] {
    let all = Self.all(try root(panel, presets: presets))
    return Dictionary(all.map { ($0["id"] as? String ?? "", $0) }) { $1 }
  }

  @Test("A label never hides its control: it lies above it, beside it, or is left out")
  func labels() throws {
    var panel = Panel("Labels", from: .file)
    panel.size = PanelSize(600, 400)
    func add(_ kind: WidgetKind, _ id: String, _ label: String, _ width: Double, _ height: Double) {
      panel.add(
        PanelWidget(
          kind, id: id, label: label, channels: [id], bounds: PanelBounds(0, 0, width, height)))
    }
    add(.slider, "high", "High", 200, 60)
    add(.slider, "low", "Low", 200, 25)
    add(.slider, "narrow", "Narrow", 40, 25)
    add(.knob, "small", "Small", 40, 40)
    add(.knob, "large", "Large", 60, 80)
    add(.menu, "bare", "", 100, 60)
    let widgets = try Self.widgets(panel)
    func look(_ name: String) -> [String?] {
      ["html", "css"].map { widgets["c-" + name]?[$0] as? String }
    }
    #expect(look("high") == ["High", ".html {line-height: 18rem;}"])
    let beside = "& {flex-direction: row;}\n.html {line-height: 25.0rem; padding: 0 6rem;}"
    #expect(look("low") == ["Low", beside])
    for name in ["narrow", "small", "bare"] { #expect(look(name) == [nil, nil], "\(name)") }
    #expect(look("large") == ["Large", ".html {line-height: 18rem;}"])
    // Without places there is room, and no other text says what a control is.
    panel.size = nil
    #expect(try Self.widgets(panel)["c-bare"]?["html"] as? String == "bare")
  }

  @Test("Texts can be read on what lies behind them")
  func inks() throws {
    var panel = Panel("Inks", from: .file)
    panel.size = PanelSize(600, 400)
    panel.background = PanelColor(230, 225, 210)
    var box = PanelGroup(.box, id: "dark", label: "Dark", bounds: PanelBounds(0, 0, 100, 100))
    box.color = PanelColor(20, 20, 40)
    panel.groups.append(box)
    (box.id, box.bounds) = ("odd", PanelBounds(0, 0, -10, -10))
    panel.groups.append(box)
    for (id, x) in [("in", 10.0), ("out", 300)] {
      panel.add(
        PanelWidget(.knob, id: id, label: id, channels: [id], bounds: PanelBounds(x, 10, 60, 80)))
    }
    var title = PanelWidget(.text, id: "title", bounds: PanelBounds(300, 200, 100, 30))
    (title.text, title.background, title.fontSize) = ("+6", PanelColor(0, 0, 80), 20)
    panel.add(title)
    let widgets = try Self.widgets(panel)
    func ink(_ name: String) -> String? { widgets[name]?["colorText"] as? String }
    #expect(["controls", "c-out"].map(ink) == ["#000000", "#000000"])
    #expect(["box-dark", "c-in", "c-title"].map(ink) == ["#ffffff", "#ffffff", "#ffffff"])
    #expect(widgets["c-title"]?["colorFill"] as? String == "#000050")
    #expect(widgets["c-title"]?["css"] as? String == "font-size: 20.0rem;")
    panel.background = nil
    #expect(try Self.widgets(panel)["c-out"]?["colorText"] == nil)
  }

  @Test("Texts that Open Stage Control would compute, draw or read as numbers stay texts")
  func literals() throws {
    let space = "\u{FEFF}"
    for (text, literal) in [
      ("Cutoff", "Cutoff"), ("0.125", "0.125" + space), ("true", "true" + space),
      ("auto", "auto" + space), ("+6 dB", "+6 dB"), ("@{x.y}", "@\(space){x.y}"),
      ("JS{1}", "JS\(space){1}"), ("^play", "^\(space)play"), ("a {b}", "a {b}"),
    ] { #expect(StageSession.literal(text) == literal) }
    #expect(StageSession.literal("12 #{1}", isTyped: true) == "12 #\(space){1}")
    #expect(StageSession.literal("12", isTyped: true) == "12")
    #expect(StageSession.escaped("<b> & ^c") == "&lt;b&gt; &amp; ^\(space)c")
  }

  @Test("Lists show the names of their choices; values are those that come back as 32 bits")
  func choices() throws {
    var panel = Panel("Choices", from: .file)
    var menu = PanelWidget(
      .menu, id: "menu", channels: ["menu"], ranges: [ValueRange(initial: 0.1)])
    menu.options = [PanelOption("<a>", 0.1), PanelOption("b", 2)]
    var radio = menu
    (radio.id, radio.kind, radio.channels) = ("radio", .radio, ["radio"])
    var button = PanelWidget(.switch, id: "on", channels: ["on"])
    button.on = 0.3
    button.press = ["i 1 0 1"]
    button.off = 1e300
    for widget in [menu, radio, button] { panel.add(widget) }
    let widgets = try Self.widgets(panel, presets: ["one"])
    func values(_ name: String, _ key: String) -> [Any]? {
      (widgets[name]?["values"] as? Object)?[key] as? [Any]
    }
    #expect(widgets["c-menu"]?["label"] as? String == "%key")
    #expect(values("c-menu", "labels") as? [String] == ["<a>", "b"])
    #expect(values("c-radio", "labels") as? [String] == ["&lt;a&gt;", "b"])
    // The text of the file, as Foundation reads the last digit of such a number wrong.
    let file = String(
      decoding: StageSession(panel, presets: [], target: "").data, as: UTF8.self)
    #expect(file.matches(of: /0\.10000000149011612[,\s]/).count == 4)
    #expect(file.contains("\"on\" : \(Double(Float(0.3)))") && file.contains("\"off\" : 1e+300"))
    let script = widgets["c-on"]?["onValue"] as? String
    #expect(script?.contains("value == \(Double(Float(0.3)))") == true)
    // The list of presets shows its name before a choice.
    #expect(widgets["preset"]?["label"] as? String == "Preset: %key")
    #expect(widgets["preset"]?["default"] as? String == " ")
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
