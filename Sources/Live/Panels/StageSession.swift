import Foundation

/// A panel as a session of Open Stage Control, which plays the piece by OSC (`play --osc`).
///
/// A session is JSON: a root container with widgets, each of which sends its value to an address and shows what it
/// receives there. The session has a bar with buttons for the whole performance, and below it the panel's controls:
/// where the panel has them if it has places, otherwise one after the other.
public struct StageSession {
  /// What a widget of the panel has no counterpart for, with its name and the reason.
  public private(set) var leftOut: [LeftOut] = []
  /// How many controls of the panel the session has.
  public private(set) var count = 0
  private let panel: Panel
  private let presets: [String]
  /// Where the piece receives OSC, such as `127.0.0.1:9000`.
  private let target: String
  private var widgets: [[String: Any]] = []
  private var names: Set<String> = []
  /// The rectangles that are drawn below later controls, in drawing order.
  private var grounds: [(bounds: PanelBounds, color: PanelColor)] = []

  /// The version of Open Stage Control whose format this is; a newer one converts the file.
  static let version = "1.24.3"

  /// `presets` are the names of those that are saved beside the piece, too.
  public init(_ panel: Panel, presets: [String], target: String) {
    (self.panel, self.presets, self.target) = (panel, presets, target)
    for group in boxes {
      guard let color = group.color, let bounds = placed(group.bounds, in: group.parent) else {
        continue
      }
      grounds.append((bounds, color))
    }
    for widget in panel.widgets { add(widget) }
  }

  /// The session file.
  public var data: Data {
    let root: [String: Any] = [
      "type": "root", "id": "root", "layout": "vertical", "widgets": [bar, controls],
    ]
    let session: [String: Any] = [
      "createdWith": "Open Stage Control", "version": Self.version, "type": "session",
      "content": root,
    ]
    // Values are texts and finite numbers, which can always be encoded.
    let data = try? JSONSerialization.data(
      withJSONObject: session, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return data ?? Data()
  }

  // MARK: The bar

  private var bar: [String: Any] {
    let listen =
      "if (value) { send('/subscribe'); setInterval('listen', () => send('/subscribe'), 20000) }"
      + " else { clearInterval('listen'); send('/unsubscribe') }"
    var buttons: [[String: Any]] = [
      [
        "type": "button", "id": "listen", "label": "Listen", "mode": "toggle", "bypass": true,
        "onValue": listen, "target": targets, "width": 100,
        "comments": "While it is on, the controls follow the piece.",
      ],
      button("record", "Record", ["mode": "toggle", "typeTags": "i"]),
      button("pause", "Pause", ["mode": "toggle", "typeTags": "i"]),
      button("panic", "Panic", ["mode": "momentary"]),
    ]
    if !presets.isEmpty {
      buttons.append(
        [
          "type": "dropdown", "id": "preset", "address": "/preset", "typeTags": "s",
          "label": "Preset: %key", "target": targets, "width": 200,
          // No preset has this name: the list then shows its label, and no choice.
          "default": " ",
          "values": ["labels": presets, "values": presets],
        ])
    }
    return [
      "type": "panel", "id": "bar", "layout": "horizontal", "height": 50, "bypass": true,
      "scroll": true, "widgets": buttons,
    ]
  }

  private func button(_ name: String, _ label: String, _ rest: [String: Any]) -> [String: Any] {
    let own: [String: Any] = [
      "type": "button", "id": name, "label": label, "address": "/" + name,
      "target": targets, "width": 100,
    ]
    return own.merging(rest) { $1 }
  }

  private var targets: [String] { [target] }

  // MARK: The controls

  private var controls: [String: Any] {
    var own: [String: Any] = [
      "type": "panel", "id": "controls", "expand": true, "bypass": true, "scroll": true,
      "layout": "default", "widgets": groups + widgets,
    ]
    if let color = panel.background {
      own["colorBg"] = color.text
      own["colorText"] = Self.ink(on: color)
    }
    return own
  }

  /// Frames behind the controls, for boxes with a place.
  private var groups: [[String: Any]] {
    boxes.compactMap { group in
      guard let bounds = placed(group.bounds, in: group.parent) else { return nil }
      var own: [String: Any] = [
        "type": "panel", "id": "box-\(group.id)", "bypass": true, "interaction": false,
        "html": Self.escaped(group.label),
      ]
      if let color = group.color {
        own["colorBg"] = color.text
        own["colorText"] = Self.ink(on: color)
      }
      return own.merging(Self.geometry(bounds)) { $1 }
    }
  }

  private var boxes: [PanelGroup] { hasPlaces ? panel.groups.filter { $0.kind == .box } : [] }

  /// Whether the controls lie where the panel has them. Pages that are shown in turn would cover each other.
  var hasPlaces: Bool {
    panel.size != nil && !panel.groups.contains { $0.kind == .tabs }
      && panel.widgets.allSatisfy { $0.bounds != nil }
  }

  /// Bounds in the whole session: windows are shown one below the other.
  private func placed(_ bounds: PanelBounds?, in group: String?) -> PanelBounds? {
    guard var bounds else { return nil }
    var name = group
    while let id = name, let group = panel.groups.first(where: { $0.id == id }) {
      if group.kind == .window {
        let windows = panel.groups.filter { $0.kind == .window }
        for window in windows.prefix(while: { $0.id != id }) {
          bounds.y += (window.bounds?.height ?? 0) + 20
        }
      }
      name = group.parent
    }
    return bounds
  }

  private static func geometry(_ bounds: PanelBounds) -> [String: Any] {
    [
      "left": bounds.x, "top": bounds.y, "width": bounds.width,
      "height": bounds.height,
    ]
  }

  private mutating func add(_ widget: PanelWidget) {
    let parts = parts(of: widget)
    guard !parts.isEmpty else { return }
    count += 1
    let bounds = hasPlaces ? placed(widget.bounds, in: widget.group) : nil
    for (index, part) in parts.enumerated() {
      var own = part
      own["id"] = name(widget, index)
      own["target"] = targets
      if let bounds {
        // Several parts of a widget lie side by side.
        var place = bounds
        place.width = bounds.width / Double(parts.count)
        place.x += Double(index) * place.width
        own.merge(Self.geometry(place)) { $1 }
        Self.fitLabel(of: &own, in: place)
      } else {
        own.merge(Self.size(of: widget)) { $1 }
      }
      own.merge(Self.colors(of: widget, on: ground(of: bounds))) { $1 }
      widgets.append(own)
    }
    if widget.kind == .panel, let bounds, let color = widget.background {
      grounds.append((bounds, color))
    }
  }

  /// The colour behind a control; nil: that of Open Stage Control.
  private func ground(of bounds: PanelBounds?) -> PanelColor? {
    guard let bounds else { return panel.background }
    let (x, y) = (bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
    let below = grounds.last { ground, color in
      color.alpha > 0.5 && x >= ground.x && x <= ground.x + ground.width && y >= ground.y
        && y <= ground.y + ground.height
    }
    return below?.color ?? panel.background
  }

  /// A name that no other widget of the session has, from the channel's or the widget's.
  private mutating func name(_ widget: PanelWidget, _ index: Int) -> String {
    let channel = index < widget.channels.count ? widget.channels[index] : ""
    let wanted = (channel.isEmpty ? widget.id : channel).replacing(/[^A-Za-z0-9_-]/, with: "_")
    var (name, number) = ("c-" + wanted, 2)
    while !names.insert(name).inserted {
      name = "c-\(wanted)-\(number)"
      number += 1
    }
    return name
  }

  /// The size of a control without a place.
  private static func size(of widget: PanelWidget) -> [String: Any] {
    let (width, height) =
      switch widget.kind {
      case .slider, .meter, .range: widget.isVertical ? (80.0, 200.0) : (240, 60)
      case .pad: (200, 200)
      case .keyboard: (600, 120)
      case .surface: (50, 200)
      case .radio: (120, Double(30 * max(2, widget.options.count + 1)))
      case .text, .panel: (200, 50)
      case .field, .file, .menu: (200, 60)
      default: (100, 100)
      }
    return ["width": width, "height": height]
  }

  mutating func leaveOut(_ widget: PanelWidget, _ reason: String) {
    leftOut.note(widget.kind.rawValue, reason)
  }
}
