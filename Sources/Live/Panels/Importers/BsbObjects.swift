import Foundation

/// Turns the objects of a `<bsbPanel>` into widgets.
struct BsbObjects {
  var panel: Panel
  private let orchestra: String
  /// The numbers of the tables that the score makes.
  private let scoreTables: [Int]
  /// The widget of each object by its uuid, for the presets.
  private var widgets: [String: PanelWidget] = [:]

  init(_ panel: Panel, csd: String) {
    self.panel = panel
    orchestra = CsdSection.inside("CsInstruments", of: csd) ?? ""
    scoreTables = Self.tables(inScore: CsdSection.inside("CsScore", of: csd) ?? "")
  }

  /// The numbers of a score's `f` lines.
  private static func tables(inScore score: String) -> [Int] {
    var numbers: [Int] = []
    for line in score.split(whereSeparator: \.isNewline) {
      let text = line.drop(while: \.isWhitespace)
      guard text.first == "f" else { continue }
      let number = text.dropFirst().split(separator: " ").first.flatMap { Int32($0) } ?? 0
      if number > 0 { numbers.append(Int(number)) }
    }
    return numbers
  }

  mutating func add(_ object: BsbElement) {
    let type = object.attributes["type"] ?? ""
    guard var widget = widget(of: object, type) else { return }
    noteReserved(widget.channels)
    // In CsoundQt such a button opens a dialogue or starts the piece; here it would do nothing.
    if type == "BSBButton", widget.channels.contains(where: Self.isReserved) { return }
    if let width = object.number("width"), let height = object.number("height"), width > 0,
      height > 0
    {
      widget.bounds = PanelBounds(object.number("x") ?? 0, object.number("y") ?? 0, width, height)
    }
    widget.color = object.color("color")
    widget.background = object.color("bgcolor")
    widget.fontSize = object.number("fontsize")
    if let controller = object.number("midicc"), let channel = object.number("midichan"),
      channel > 0
    {
      widget.midi = PanelController(
        channel: Int(whole: channel), controller: Int(whole: controller))
    }
    if !object.isTrue("visible"), object.child("visible") != nil {
      widget.bounds = nil
      widget.group = panel.hiddenGroup("Hidden")
    }
    let id = (object.text("uuid") ?? "").trimmingCharacters(in: ["{", "}"])
    widgets[object.text("uuid") ?? ""] = widget
    widget.id = id
    panel.add(widget)
  }

  /// Channels that mean something to CsoundQt itself.
  private static let reserved = [
    "_Play", "_Stop", "_Pause", "_Render", "_SetPreset", "_SetPresetIndex", "_GetPresetName",
    "_GetPresetNumber", "_MouseX", "_MouseY", "_MouseRelX", "_MouseRelY", "_MouseBut1",
    "_MouseBut2",
  ]

  private static func isReserved(_ name: String) -> Bool {
    isFile(name) || reserved.contains(name)
  }

  private static func isFile(_ name: String) -> Bool {
    name.hasPrefix("_Browse") || name.hasPrefix("_MBrowse")
  }

  private mutating func noteReserved(_ names: [String]) {
    for name in names where Self.isReserved(name) {
      if Self.isFile(name) {
        panel.leaveOut("_Browse", reason: "No file is chosen; its path is typed.")
      } else {
        panel.leaveOut(name, reason: "Its function in CsoundQt is not available here.")
      }
    }
  }

  private mutating func widget(of object: BsbElement, _ type: String) -> PanelWidget? {
    switch type {
    case "BSBHSlider", "BSBVSlider":
      var made = valuator(object, .slider)
      made.isVertical =
        (object.number("height") ?? 0) > (object.number("width") ?? 0) || type == "BSBVSlider"
      return made
    case "BSBKnob": return valuator(object, .knob)
    case "BSBSpinBox", "BSBScrollNumber": return valuator(object, .number)
    case "BSBCheckBox": return checkBox(object)
    case "BSBButton": return button(object)
    case "BSBDropdown": return dropdown(object)
    case "BSBController": return controller(object)
    case "BSBLabel": return text(object, .text)
    case "BSBDisplay": return text(object, channel(object).isEmpty ? .text : .label)
    case "BSBLineEdit": return text(object, .field)
    case "BSBGraph", "BSBTableDisplay": return table(object)
    case "BSBScope": return PanelWidget(.scope)
    case "BSBConsole": return PanelWidget(.console)
    default:
      panel.leaveOut(type)
      return nil
    }
  }

  private func channel(_ object: BsbElement, _ field: String = "objectName") -> [String] {
    [object.text(field) ?? ""].filter { !$0.isEmpty }
  }

  private func valuator(_ object: BsbElement, _ kind: WidgetKind) -> PanelWidget {
    var range = ValueRange(
      object.number("minimum") ?? 0, object.number("maximum") ?? 1, initial: object.number("value"))
    if let step = object.number("resolution"), step > 0 { range.step = step }
    return PanelWidget(kind, channels: channel(object), ranges: [range])
  }

  private func checkBox(_ object: BsbElement) -> PanelWidget {
    var made = PanelWidget(.switch, label: object.text("label") ?? "", channels: channel(object))
    made.on = object.number("pressedValue") ?? 1
    made.ranges = [ValueRange(0, made.on, initial: object.isTrue("selected") ? made.on : 0)]
    return made
  }

  private func button(_ object: BsbElement) -> PanelWidget {
    let (type, isLatch) = (object.text("type") ?? "value", object.isTrue("latch"))
    var made = PanelWidget(isLatch ? .switch : .button, label: object.text("text") ?? "")
    if type.hasSuffix("event") {
      made.press = (object.text("eventLine") ?? "").split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      // A held note ends when the latch is released.
      made.release = isLatch ? made.press.compactMap(Self.end) : []
      if !isLatch { made.kind = .event }
    }
    made.channels = channel(object)
    if !made.channels.isEmpty && made.kind == .event { made.kind = .button }
    made.on = object.number("pressedValue") ?? 1
    made.ranges = [
      ValueRange(0, made.on, initial: isLatch && object.isTrue("latched") ? made.on : 0)
    ]
    return made
  }

  /// The line that ends the held note of an `i` line whose p3 is below 0; nil for other lines.
  private static func end(of line: String) -> String? {
    let text = line.drop(while: { $0 == " " })
    let fields = text.dropFirst().split(separator: " ")
    guard text.first == "i", fields.count >= 3, let length = Double(fields[2]), length < 0 else {
      return nil
    }
    return fields[0].hasPrefix("\"") ? "i \"-\(fields[0].dropFirst()) 0 0" : "i -\(fields[0]) 0 0"
  }

  private func dropdown(_ object: BsbElement) -> PanelWidget {
    var made = PanelWidget(.menu, channels: channel(object))
    let items = object.child("bsbDropdownItemList")?.children ?? []
    made.options = items.enumerated().map { index, item in
      PanelOption(item.text("name") ?? "\(index)", Double(index))
    }
    made.ranges = [
      ValueRange(0, Double(max(0, items.count - 1)), initial: object.number("selectedIndex") ?? 0)
    ]
    return made
  }

  /// The types `line`, `fill` and `llif` have one channel, along their longer side: a slider, or a meter if the
  /// orchestra writes the channel. Other types, such as crosses and points, are pads with two channels.
  private func controller(_ object: BsbElement) -> PanelWidget? {
    let names = [object.text("objectName") ?? "", object.text("objectName2") ?? ""]
    let ranges = ["x", "y"].map { axis in
      ValueRange(
        object.number(axis + "Min") ?? 0, object.number(axis + "Max") ?? 1,
        initial: object.number(axis + "Value"))
    }
    let type = object.text("type") ?? ""
    guard ["fill", "llif", "line"].contains(type) else {
      return PanelWidget(.pad, channels: names, ranges: ranges)
    }
    let isVertical = (object.number("height") ?? 0) > (object.number("width") ?? 0)
    var axis = isVertical ? 1 : 0
    if names[axis].isEmpty { axis = 1 - axis }
    let isShown = orchestra.contains("outvalue") && isWritten(names[axis])
    var made = PanelWidget(
      isShown ? .meter : .slider, channels: [names[axis]].filter { !$0.isEmpty },
      ranges: [ranges[axis]])
    made.isVertical = isVertical
    made.isReadOnly = isShown
    if type == "llif" {
      let range = made.ranges[0]
      (made.ranges[0].minimum, made.ranges[0].maximum) = (range.maximum, range.minimum)
    }
    return made
  }

  /// Whether the orchestra writes this channel with `outvalue` or `chnset`.
  private func isWritten(_ name: String) -> Bool {
    guard !name.isEmpty else { return false }
    return orchestra.split { $0.isNewline }.contains { line in
      line.contains("\"\(name)\"") && (line.contains("outvalue") || line.contains("chnset"))
    }
  }

  private func text(_ object: BsbElement, _ kind: WidgetKind) -> PanelWidget {
    var made = PanelWidget(kind, channels: kind == .text ? [] : channel(object))
    made.text = object.text("label") ?? ""
    if kind == .label { made.precision = object.number("precision").map { max(0, Int(whole: $0)) } }
    return made
  }

  /// A graph shows one of the score's tables, chosen by its index among them. If the graph has a channel, that holds
  /// the index.
  private mutating func table(_ object: BsbElement) -> PanelWidget {
    var made = PanelWidget(.table)
    made.isReadOnly = true
    let place = min(max(0, Int(whole: object.number("value") ?? 0)), max(0, scoreTables.count - 1))
    guard let channel = channel(object).first, !scoreTables.isEmpty else {
      made.tables = scoreTables.isEmpty ? [] : [scoreTables[place]]
      return made
    }
    made.tables = scoreTables
    made.channels = ["", "", "", channel]
    made.ranges =
      Array(repeating: ValueRange(), count: 3)
      + [ValueRange(0, Double(max(1, scoreTables.count - 1)), initial: Double(place), step: 1)]
    return made
  }

  // MARK: Presets

  /// Reads the section `<bsbPresets>`: values of objects by uuid. Mode 1 is the first channel, 2 the second, 4 a text.
  mutating func addPresets(of csd: String) {
    guard let section = CsdSection.whole("bsbPresets", of: csd) else { return }
    for preset in BsbElement.elements(of: section).root.children where preset.name == "preset" {
      let number = preset.attributes["number"] ?? "\(panel.presets.count)"
      let name = preset.attributes["name"] ?? ""
      var made = PanelPreset(name.isEmpty ? number : name)
      for value in preset.children where value.name == "value" {
        guard let widget = widgets[value.attributes["id"] ?? ""] else { continue }
        let mode = Int(value.attributes["mode"] ?? "") ?? 1
        if mode == 4 {
          if widget.kind == .field, let name = widget.channels.first {
            made.texts[name] = value.content
          }
        } else if mode == 1 || mode == 2, let name = widget.channels.dropFirst(mode - 1).first,
          !name.isEmpty,
          let number = Double(finite: value.content)
        {
          made.values[name] = number
        }
      }
      panel.presets.append(made)
    }
  }
}
