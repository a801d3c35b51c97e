import Foundation
public import HarnessBase

/// Reads the section `<Cabbage>`, as Cabbage 2 writes it; the JSON of Cabbage 3 has the same widgets by longer names.
///
/// | widget | becomes |
/// |---|---|
/// | `rslider`, `encoder` | knob |
/// | `hslider`, `vslider` | slider |
/// | `nslider`, `numberbox` | number |
/// | `hrange`, `vrange` | range |
/// | `xypad` | pad |
/// | `button` | switch, or with `latched(0)` button |
/// | `checkbox` | switch |
/// | `combobox`, `optionbutton`, `listbox` | menu |
/// | `label` | text |
/// | `groupbox`, and others with children | box; one that is hidden at first, a window of its own |
/// | `image`, `line` | rectangle |
/// | `keyboard` | keyboard of MIDI notes |
/// | `gentable` | table |
/// | `filebutton`, `texteditor` | file, field |
/// | `hmeter`, `vmeter` | meter |
/// | `signaldisplay`, `fftdisplay` | scope, spectrum of the output |
/// | `csoundoutput` | console |
///
/// Left out: `identchannel` (how a widget looks cannot change while the piece plays), pictures, tables of a
/// sound file, presets in files of their own.
public enum CabbageImporter {
  /// The panel of a CSD, with `title` unless the CSD has a title of its own; nil if the CSD has no such panel.
  public static func panel(of csd: String, title: String) throws(Failure) -> Panel? {
    let widgets = try widgets(of: csd)
    guard !widgets.isEmpty else { return nil }
    var reader = CabbageReader(panel: Panel(title, from: .cabbage))
    for widget in widgets { reader.read(widget, in: .init()) }
    return reader.panel
  }

  /// The widgets of the section as they are written; none without a section.
  static func widgets(of csd: String) throws(Failure) -> [CabbageWidget] {
    guard let section = CsdSection.inside("Cabbage", of: csd) else { return [] }
    return CabbageJson.isWritten(in: section)
      ? try CabbageJson.widgets(of: section) : CabbageText.widgets(of: section)
  }
}

private struct CabbageReader {
  var panel: Panel

  /// Where widgets are read into: a group, nil for the panel itself, and the group's origin in its window in pixels.
  struct Place {
    var group: String?
    var x = 0.0
    var y = 0.0
  }

  mutating func read(_ widget: CabbageWidget, in place: Place) {
    if widget.identifiers["identchannel"] != nil {
      panel.leaveOut(
        "identchannel", reason: "How a widget looks cannot change while the piece plays.")
    }
    let array = widget.identifiers["widgetarray"] ?? []
    if let name = array.first?.written, let count = array.dropFirst().first?.number {
      for number in 1...max(1, Int(whole: min(count, 500))) {
        var one = widget
        for identifier in ["widgetarray", "bounds", "pos"] { one.identifiers[identifier] = nil }
        one.identifiers["channel"] = [.text("\(name)\(number)")]
        read(one, in: place)
      }
      return
    }
    switch widget.type {
    case "form": readForm(widget)
    case _ where !widget.children.isEmpty || widget.type == "groupbox": readGroup(widget, in: place)
    default:
      guard var made = made(of: widget, in: place) else { return }
      let isAway = isHidden(widget) && !made.channels.isEmpty
      made.group = isAway ? panel.hiddenGroup("Hidden at first") : place.group
      made.bounds = isAway ? nil : bounds(of: widget, in: place)
      (made.color, made.background) = (widget.color("fontcolour"), widget.color("colour"))
      made.midi = controller(of: widget)
      panel.add(made)
    }
  }

  private func controller(of widget: CabbageWidget) -> PanelController? {
    let written = widget.identifiers["midictrl"] ?? widget.identifiers["midctrl"]
    let numbers = written?.compactMap(\.number) ?? []
    guard numbers.count >= 2 else { return nil }
    return PanelController(
      channel: Int(whole: numbers[0].rounded()), controller: Int(whole: numbers[1].rounded()))
  }

  private mutating func readForm(_ widget: CabbageWidget) {
    let (size, caption) = (widget.numbers("size"), widget.texts("caption").first ?? "")
    if size.count >= 2 { panel.size = PanelSize(size[0], size[1]) }
    if !caption.isEmpty { panel.title = caption }
    panel.background = widget.color("colour")
  }

  // MARK: Groups

  private mutating func readGroup(_ widget: CabbageWidget, in place: Place) {
    let isWindow = isHidden(widget) || widget.numbers("popup").first == 1
    let bounds = bounds(of: widget, in: place)
    let label = widget.texts("text").first ?? ""
    let id = "group-\(panel.groups.count + 1)"
    var group = PanelGroup(
      isWindow ? .window : .box, id: id, label: label, parent: isWindow ? nil : place.group,
      bounds: bounds)
    group.color = widget.color("colour")
    // What is declared later lies on top, so the group lies above the last widget before it.
    group.above = isWindow ? nil : panel.widgets.last?.id
    panel.groups.append(group)
    var inner = Place(group: id)
    if !isWindow { (inner.x, inner.y) = (bounds?.x ?? place.x, bounds?.y ?? place.y) }
    for child in widget.children { read(child, in: inner) }
  }

  private func isHidden(_ widget: CabbageWidget) -> Bool { widget.numbers("visible").first == 0 }

  private func bounds(of widget: CabbageWidget, in place: Place) -> PanelBounds? {
    guard var bounds = widget.bounds, bounds.width > 0, bounds.height > 0 else { return nil }
    (bounds.x, bounds.y) = (place.x + bounds.x, place.y + bounds.y)
    return bounds
  }

  // MARK: Widgets

  private mutating func made(of widget: CabbageWidget, in place: Place) -> PanelWidget? {
    // `rslider2` and similar types differ in looks only.
    switch widget.type.last == "2" ? String(widget.type.dropLast()) : widget.type {
    case "rslider", "encoder": valuator(widget, .knob)
    case "hslider": valuator(widget, .slider)
    case "vslider": valuator(widget, .slider, isVertical: true)
    case "nslider", "numberbox": valuator(widget, .number)
    case "hrange": pair(widget)
    case "vrange": pair(widget, isVertical: true)
    case "xypad": pad(widget)
    case "button", "checkbox": button(widget)
    case "combobox", "optionbutton", "listbox": menu(widget)
    case "label": text(widget)
    case "image", "line": rectangle(widget)
    case "keyboard": keyboard(widget)
    case "gentable": table(widget)
    case "filebutton": stringEntry(widget, .file)
    case "texteditor", "textbox": stringEntry(widget, .field)
    case "hmeter": valuator(widget, .meter)
    case "vmeter", "meter": valuator(widget, .meter, isVertical: true)
    case "signaldisplay", "fftdisplay": display(widget)
    case "csoundoutput": PanelWidget(.console)
    default: leftOut(widget)
    }
  }

  private mutating func leftOut(_ widget: CabbageWidget) -> PanelWidget? {
    let reason =
      switch widget.type {
      case "soundfiler": "The sound of a file is not drawn."
      case "infobutton": "It opens another page."
      case "snapshot", "presetbutton": "Its presets are in a separate file, which is not read."
      default: ""
      }
    panel.leaveOut(widget.type, reason: reason)
    return nil
  }

  private func label(of widget: CabbageWidget) -> String {
    widget.texts("text").first ?? widget.texts("caption").first ?? ""
  }

  private func channel(of widget: CabbageWidget) -> [String] {
    Array(widget.texts("channel").filter { !$0.isEmpty }.prefix(1))
  }

  /// `range(minimum, maximum, value, skew, increment)`, or `min`, `max` and `value` by themselves.
  private func range(of widget: CabbageWidget, _ name: String = "range") -> ValueRange {
    let parts = (widget.identifiers[name] ?? []).map(\.number)
    func part(_ index: Int) -> Double? { index < parts.count ? parts[index] : nil }
    var range = ValueRange(
      part(0) ?? widget.numbers("min").first ?? 0, part(1) ?? widget.numbers("max").first ?? 1)
    range.initial = widget.numbers("value").first ?? part(2) ?? range.minimum
    range.step = max(0, part(4) ?? 0)
    if let skew = part(3), skew > 0, skew != 1 { (range.curve, range.skew) = (.skew, skew) }
    return range
  }

  /// A widget with the label and the first channel; nil without a channel.
  private mutating func control(
    _ widget: CabbageWidget, _ kind: WidgetKind, _ range: ValueRange? = nil
  ) -> PanelWidget? {
    let made = PanelWidget(
      kind, label: label(of: widget), channels: channel(of: widget),
      ranges: range.map { [$0] } ?? [])
    guard made.channels.isEmpty else { return made }
    panel.leaveOut(widget.type, reason: "It has no channel.")
    return nil
  }

  private mutating func valuator(
    _ widget: CabbageWidget, _ kind: WidgetKind, isVertical: Bool = false
  ) -> PanelWidget? {
    guard var made = control(widget, kind, range(of: widget)) else { return nil }
    made.isVertical = isVertical
    made.isReadOnly = kind == .meter || widget.numbers("active").first == 0
    return made
  }

  /// `range(minimum, maximum, low:high, skew, increment)`.
  private func pair(_ widget: CabbageWidget, isVertical: Bool = false) -> PanelWidget? {
    var range = range(of: widget)
    let written = (widget.identifiers["range"] ?? []).dropFirst(2).first?.written ?? ""
    let ends = written.split(separator: ":").compactMap { Double(finite: $0) }
    var ranges = [range, range]
    range.initial = nil
    ranges[0].initial = ends.first ?? range.minimum
    ranges[1].initial = ends.count > 1 ? ends[1] : range.maximum
    var made = PanelWidget(
      .range, label: label(of: widget), channels: widget.texts("channel"), ranges: ranges)
    made.isVertical = isVertical
    return made.channels.count == 2 ? made : nil
  }

  private func pad(_ widget: CabbageWidget) -> PanelWidget? {
    let made = PanelWidget(
      .pad, label: label(of: widget), channels: widget.texts("channel"),
      ranges: [range(of: widget, "rangex"), range(of: widget, "rangey")])
    return made.channels.count == 2 ? made : nil
  }

  private mutating func button(_ widget: CabbageWidget) -> PanelWidget? {
    let isButton = widget.type.hasPrefix("button")
    let isHeld = isButton && widget.numbers("latched").first == 0
    let range = ValueRange(initial: widget.numbers("value").first ?? 0)
    var made = control(widget, isHeld ? .button : .switch, range)
    if isButton {
      made?.options = widget.texts("text").prefix(2).map { PanelOption($0) }
    } else {
      made?.isReadOnly = widget.numbers("active").first == 0
    }
    made?.exclusive = widget.texts("radiogroup").first
    return made
  }

  private mutating func menu(_ widget: CabbageWidget) -> PanelWidget? {
    let items = widget.texts("items").isEmpty ? widget.texts("text") : widget.texts("items")
    if widget.identifiers["populate"] != nil {
      panel.leaveOut(widget.type, reason: "Its choices are the files of a folder.")
      return nil
    }
    let isText = widget.texts("channeltype").first == "string"
    let first = widget.numbers("first").first ?? 1
    var made = control(
      widget, .menu,
      ValueRange(
        first, first + Double(max(1, items.count) - 1),
        initial: widget.numbers("value").first ?? first))
    made?.label = widget.texts("caption").first ?? ""
    made?.options = items.enumerated().map { index, item in
      PanelOption(item, first + Double(index), text: isText ? item : nil)
    }
    return made
  }

  private func text(_ widget: CabbageWidget) -> PanelWidget? {
    var made = PanelWidget(.text)
    made.text = label(of: widget)
    if let height = widget.numbers("bounds").dropFirst(3).first {
      made.fontSize = max(8, height * 0.8)
    }
    return made
  }

  private mutating func rectangle(_ widget: CabbageWidget) -> PanelWidget? {
    if let file = widget.texts("file").first, !file.isEmpty {
      panel.leaveOut(widget.type, reason: "Pictures are not shown.")
    }
    return PanelWidget(.panel)
  }

  /// A keyboard with as many keys, from 13 to 73, as fit into its width at 16 pixels for a white key.
  private func keyboard(_ widget: CabbageWidget) -> PanelWidget? {
    let width = widget.numbers("bounds").dropFirst(2).first ?? widget.numbers("size").first ?? 400
    var made = PanelWidget(.keyboard)
    let count = min(73, max(13, Int(whole: width / 16) * 12 / 7))
    made.keys = PanelKeys(low: count > 37 ? 36 : 48, count: count)
    return made
  }

  private func table(_ widget: CabbageWidget) -> PanelWidget? {
    var made = PanelWidget(.table, label: label(of: widget))
    made.tables = (widget.numbers("tablenumber") + widget.numbers("tablenumbers")).map {
      Int(whole: $0)
    }
    made.isReadOnly = true
    return made
  }

  private mutating func stringEntry(_ widget: CabbageWidget, _ kind: WidgetKind) -> PanelWidget? {
    guard var made = control(widget, kind) else { return nil }
    if kind == .field { (made.text, made.label) = (made.label, "") }
    made.isReadOnly = widget.numbers("readonly").first == 1
    return made
  }

  private mutating func display(_ widget: CabbageWidget) -> PanelWidget? {
    panel.leaveOut(
      widget.type, reason: "The output is shown in place of a signal inside the piece.")
    let type = widget.texts("displaytype").first ?? (widget.type == "fftdisplay" ? "spectro" : "")
    return PanelWidget(type.hasPrefix("spectro") ? .spectrum : .scope)
  }
}
