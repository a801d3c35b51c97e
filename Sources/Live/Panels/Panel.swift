/// A control panel as data: what the page in the browser shows, whatever source it was read from.
///
/// The server sends it to every page as JSON, and the file `PIECE.panel.json` beside a piece holds the same. Required
/// there are `version`; `id` and `kind` of each widget and group; `label` of each option; `name` of each preset; all
/// keys of sizes, bounds, controllers and entries of `leftOut`. Kinds are written as the enumerations' cases.
public struct Panel: Codable, Sendable, Equatable {
  /// The version of this format. A file with a higher version is refused.
  public static let currentVersion = 1

  public var version: Int
  /// The page's title.
  public var title: String
  public var source: PanelSource
  /// The panel's size in the source's pixels, if its widgets have bounds; nil: as large as they need.
  public var size: PanelSize?
  public var background: PanelColor?
  /// In the order they are drawn; a group comes before the groups in it. A group lies below the widgets unless its
  /// `above` names one.
  public var groups: [PanelGroup]
  /// In the order in which the page shows them and the Tab key reaches them. Later ones lie on top.
  public var widgets: [PanelWidget]
  public var presets: [PanelPreset]
  /// What the source has but this panel does not, as the importer found.
  public var leftOut: [LeftOut]

  public init(_ title: String, from source: PanelSource) {
    version = Self.currentVersion
    (self.title, self.source) = (title, source)
    (groups, widgets, presets, leftOut) = ([], [], [], [])
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    version = try values.decode(Int.self, forKey: .version)
    (title, source) = try (values[.title] ?? "", values[.source] ?? .file)
    (size, background) = try (values[.size], values[.background])
    (groups, widgets) = try (values[.groups] ?? [], values[.widgets] ?? [])
    (presets, leftOut) = try (values[.presets] ?? [], values[.leftOut] ?? [])
  }
}

/// What a panel was read from.
public enum PanelSource: String, Codable, CaseIterable, Sendable {
  /// `PIECE.panel.json` beside the piece.
  case file
  /// The section `<Cabbage>`.
  case cabbage
  /// The section `<bsbPanel>`.
  case bsbPanel
  /// The FL opcodes that the piece has called.
  case fltk
  /// Hints of `chn_k` and `chnexport`, and the channels that the orchestra names.
  case channels
}

/// Something of the source that the panel does not have.
public struct LeftOut: Codable, Sendable, Equatable {
  /// Its name in the source, such as `BSBGraph` or `identchannel`.
  public var name: String
  /// How often it occurs.
  public var count: Int
  /// Why it is left out, or what it would have done, as a sentence without its name; may be empty.
  public var reason: String

  public init(_ name: String, count: Int = 1, reason: String = "") {
    (self.name, self.count, self.reason) = (name, count, reason)
  }
}

extension [LeftOut] {
  /// Notes that something was left out. If an entry with the same name and reason exists, its count grows by 1.
  mutating func note(_ name: String, _ reason: String) {
    if let index = firstIndex(where: { $0.name == name && $0.reason == reason }) {
      self[index].count += 1
    } else {
      append(LeftOut(name, reason: reason))
    }
  }
}

extension Panel {
  /// Notes that something was left out.
  public mutating func leaveOut(_ name: String, reason: String = "") { leftOut.note(name, reason) }

  /// The window for controls that are hidden at first and that the piece would show while it plays.
  mutating func hiddenGroup(_ label: String) -> String {
    if !groups.contains(where: { $0.id == "hidden" }) {
      groups.append(PanelGroup(.window, id: "hidden", label: label))
    }
    return "hidden"
  }

  /// Adds a widget and returns its identifier. If the widget has none, it becomes the kind and a number; if its own is
  /// taken, a number is appended. Numbers that are infinite or NaN are replaced.
  @discardableResult
  public mutating func add(_ widget: PanelWidget) -> String {
    var widget = widget
    widget.keepFinite()
    let taken = Set(widgets.map(\.id))
    if widget.id.isEmpty || taken.contains(widget.id) {
      let base = widget.id.isEmpty ? widget.kind.rawValue : widget.id
      var number = widgets.count + 1
      while taken.contains("\(base)-\(number)") { number += 1 }
      widget.id = "\(base)-\(number)"
    }
    widgets.append(widget)
    return widget.id
  }
}
