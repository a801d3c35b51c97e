import Foundation

extension StageSession {
  /// The addresses of messages that set no channel.
  private static let taken: Set<String> = [
    "channel", "error", "event", "note", "panic", "pause", "preset", "record", "subscribe",
    "unsubscribe",
  ]

  /// The widgets of the session for one of the panel, without names, places and targets; none if it has no counterpart.
  mutating func parts(of widget: PanelWidget) -> [[String: Any]] {
    // A control with a place often has its name in a text beside it.
    let isNamed = !widget.label.isEmpty || hasPlaces
    let label = Self.escaped(isNamed ? widget.label : widget.channels.first ?? "")
    switch widget.kind {
    case .slider, .meter: return faders(widget, [label])
    case .range: return faders(widget, label.isEmpty ? [] : ["\(label) from", "to"])
    case .surface:
      guard !widget.channels.isEmpty else {
        leaveOut(widget, "Its tables have no OSC address.")
        return []
      }
      return faders(widget, [label])
    case .knob:
      var part = value(widget, 0, "knob")
      part["html"] = label
      return [part]
    case .number:
      var part = value(widget, 0, "input")
      part["numeric"] = true
      // An input has no range; the piece limits what is typed.
      for name in ["range", "logScale", "steps", "doubleTap"] { part[name] = nil }
      part["html"] = label
      return [part]
    case .pad: return [pad(widget, label)]
    case .button, .momentary, .switch, .event: return button(widget).map { [$0] } ?? []
    case .menu, .radio: return [choice(widget, label)]
    case .label: return [osc(widget, 0, ["type": "text", "html": label])]
    case .text:
      let text = Self.literal(widget.text ?? widget.label)
      return [["type": "text", "bypass": true, "default": text]]
    case .field, .file:
      // A text that is a number is rounded to the decimals.
      let rest: [String: Any] = [
        "type": "input", "typeTags": "s", "decimals": 15, "html": label,
        "default": Self.literal(widget.text ?? "", isTyped: true),
      ]
      return [osc(widget, 0, rest)]
    case .keyboard: return keyboard(widget).map { [$0] } ?? []
    case .panel: return [["type": "panel", "bypass": true, "interaction": false]]
    case .table, .scope, .spectrum, .console:
      leaveOut(widget, "What it shows is not sent by OSC.")
      return []
    }
  }

  /// The widget with the address of a channel. A name that is an address of its own, or a pattern, is sent as an
  /// argument of `/channel`; then the widget does not follow the piece.
  private func osc(_ widget: PanelWidget, _ index: Int, _ rest: [String: Any]) -> [String: Any] {
    guard index < widget.channels.count, !widget.channels[index].isEmpty else {
      return rest.merging(["bypass": true]) { $1 }
    }
    let channel = widget.channels[index]
    var part = rest
    if Self.taken.contains(channel) || channel.contains(where: { "#*,?[]{}".contains($0) }) {
      part["address"] = "/channel"
      part["preArgs"] = [channel]
    } else {
      part["address"] = "/" + channel
    }
    return part
  }

  /// A widget that moves along the range of a channel.
  private func value(_ widget: PanelWidget, _ index: Int, _ type: String) -> [String: Any] {
    let range = widget.range(index)
    var part: [String: Any] = [
      "type": type, "decimals": Self.decimals(range), "doubleTap": true,
      "range": ["min": range.minimum, "max": range.maximum],
      "logScale": range.curve == .exponential,
    ]
    if let initial = range.initial { part["default"] = initial }
    let steps = range.step > 0 ? abs(range.maximum - range.minimum) / range.step : 0
    // Values with a step; the last one may be short of the maximum.
    if steps >= 1, steps <= 200 {
      let sign = range.maximum < range.minimum ? -1.0 : 1
      let scale = pow(10, Double(Self.decimals(range)))
      part["steps"] =
        (0...Int(steps + 1e-9)).map { place in
          let value = range.minimum + sign * Double(place) * range.step
          return (value * scale).rounded() / scale
        }
    }
    if widget.isReadOnly || widget.kind == .meter { part["interaction"] = false }
    return osc(widget, index, part)
  }

  /// Digits after the point, enough for ten thousand positions in the range and for its step.
  package static func decimals(_ range: ValueRange) -> Int {
    if range.step > 0, range.step == range.step.rounded(), range.minimum == range.minimum.rounded()
    {
      return 0
    }
    var smallest =
      range.curve == .exponential
      ? min(abs(range.minimum), abs(range.maximum)) / 1000
      : abs(range.maximum - range.minimum) / 10_000
    if range.step > 0 { smallest = min(smallest, range.step / 1000) }
    return smallest > 0 ? min(9, max(0, Int((-log10(smallest)).rounded(.up)))) : 9
  }

  private func faders(_ widget: PanelWidget, _ labels: [String]) -> [[String: Any]] {
    widget.channels.indices.map { index in
      var part = value(widget, index, "fader")
      part["horizontal"] = widget.kind != .surface && !widget.isVertical
      part["design"] = widget.kind == .slider ? "default" : "compact"
      if index < labels.count { part["html"] = labels[index] }
      if widget.isReversed {
        let range = widget.range(index)
        part["range"] = ["min": range.maximum, "max": range.minimum]
      }
      return part
    }
  }

  /// A pad sends two channels by a script; it does not follow the piece.
  private func pad(_ widget: PanelWidget, _ label: String) -> [String: Any] {
    var part: [String: Any] = ["type": "xy", "bypass": true, "html": label, "snap": true]
    var script: [String] = []
    for (index, axis) in ["X", "Y"].enumerated() where index < widget.channels.count {
      let range = widget.range(index)
      part["range" + axis] = ["min": range.minimum, "max": range.maximum]
      part["logScale" + axis] = range.curve == .exponential
      let channel = widget.channels[index]
      guard !channel.isEmpty else { continue }
      script.append("send('/channel', \(Self.quoted(channel)), value[\(index)])")
    }
    if let x = widget.range(0).initial, let y = widget.range(1).initial {
      part["default"] = [x, y]
    }
    part["decimals"] = max(Self.decimals(widget.range(0)), Self.decimals(widget.range(1)))
    part["onValue"] = script.joined(separator: "; ")
    return part
  }

  private mutating func button(_ widget: PanelWidget) -> [String: Any]? {
    let caption = widget.options.first?.label ?? widget.label
    var part: [String: Any] = [
      "type": "button",
      "label": Self.literal(caption.isEmpty ? widget.channels.first ?? "" : caption),
      "on": Self.sent(widget.on), "off": Self.sent(widget.off),
    ]
    switch widget.kind {
    case .switch: part["mode"] = "toggle"
    case .momentary:
      part["mode"] = "tap"
      part["on"] = 1
    case .event where widget.release.isEmpty: part["mode"] = "tap"
    default: part["mode"] = "push"
    }
    if widget.kind == .event { (part["on"], part["off"]) = (1, 0) }
    let press = widget.press.compactMap(Self.event)
    let release = widget.release.compactMap(Self.event)
    if press.count < widget.press.count || release.count < widget.release.count {
      leaveOut(widget, "Its score lines cannot be sent by OSC.")
      if widget.channels.allSatisfy(\.isEmpty) { return nil }
    }
    if !press.isEmpty || !release.isEmpty {
      part["decimals"] = 6
      part["onValue"] =
        "if (value == \(widget.kind == .event ? 1 : Self.sent(widget.on))) { \(press.joined(separator: "; ")) }"
        + " else { \(release.joined(separator: "; ")) }"
    }
    return osc(widget, 0, part)
  }

  /// The script that sends a score line; nil for a line of other statements, or with macros and expressions.
  package static func event(_ line: String) -> String? {
    let fields = line.drop(while: \.isWhitespace)
    guard let letter = fields.first, "ife".contains(letter) else { return nil }
    var arguments: [String] = []
    var rest = fields.dropFirst()
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first, first != ";" else { break }
      if first == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
        arguments.append(quoted(String(rest[rest.index(after: rest.startIndex)..<end])))
        rest = rest[rest.index(after: end)...]
      } else {
        let field = rest.prefix { !$0.isWhitespace && $0 != ";" }
        guard let number = Double(field), number.isFinite else { return nil }
        arguments.append("\(number)")
        rest = rest.dropFirst(field.count)
      }
    }
    return "send(" + (["'/event'", quoted(String(letter))] + arguments).joined(separator: ", ")
      + ")"
  }

  /// A text as JavaScript writes it.
  package static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  private func choice(_ widget: PanelWidget, _ label: String) -> [String: Any] {
    let isText = widget.options.contains { $0.text != nil }
    let numbers = widget.options.map { Self.sent($0.value) }
    let values: [Any] = isText ? widget.options.map { $0.text ?? "" } : numbers
    let isMenu = widget.kind == .menu
    // The labels of a switch are HTML, those in a list are not.
    let labels = widget.options.map { isMenu ? Self.literal($0.label) : Self.escaped($0.label) }
    var part: [String: Any] = [
      "type": isMenu ? "dropdown" : "switch", "html": label,
      "values": ["labels": labels, "values": values] as [String: Any],
    ]
    if isMenu { part["label"] = "%key" }
    if isText { part["typeTags"] = "s" } else { part["decimals"] = 6 }
    if let initial = widget.range(0).initial, !isText { part["default"] = Self.sent(initial) }
    if widget.kind == .radio, let columns = widget.columns {
      part["layout"] = "grid"
      part["gridTemplate"] = columns
    }
    return osc(widget, 0, part)
  }

  /// Keys that play notes of an instrument, as a page does.
  private mutating func keyboard(_ widget: PanelWidget) -> [String: Any]? {
    let keys = widget.keys ?? PanelKeys()
    guard let instrument = keys.instrument else {
      leaveOut(widget, "Its keys are MIDI notes, which are not played by OSC.")
      return nil
    }
    let script =
      "var key = parseInt(id.split('/').pop()); var note = \(instrument) + key / 1000;"
      + " if (value[getIndex(id)]) send('/event', 'i', note, 0, -2, key, \(keys.velocity));"
      + " else send('/event', 'i', -note, 0, 0, key, 0)"
    return [
      "type": "keyboard", "bypass": true, "decimals": 6, "start": keys.low,
      "keys": keys.count, "onValue": script,
    ]
  }
}
