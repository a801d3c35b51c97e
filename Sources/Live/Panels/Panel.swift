/// A control panel as data: what the page in the browser shows, whatever it was read from.
///
/// As JSON it is what the server sends to every page and what `PIECE.panel.json` beside a piece holds. All keys but
/// `version`, and `id` and `kind` of a widget or a group, may be left out there. Numbers are JSON numbers;
/// names of kinds are those of the enumerations.
public struct Panel: Codable, Sendable, Equatable {
  /// The version of this format; a file with a greater one is refused.
  public static let currentVersion = 1

  public var version: Int
  /// What the page is called.
  public var title: String
  public var source: PanelSource
  /// The panel's size in the source's pixels, where its widgets have bounds; nil: as large as they need.
  public var size: PanelSize?
  public var background: PanelColor?
  /// In the order they are shown in; a group stands before those in it, and lies below widgets unless it is `above` one.
  public var groups: [PanelGroup]
  /// In the order they are shown in, and reached by the Tab key. Later ones lie on top.
  public var widgets: [PanelWidget]
  public var presets: [PanelPreset]
  /// What the source has and this panel lacks, in the words of an importer.
  public var leftOut: [LeftOut]

  public init(_ title: String, from source: PanelSource) {
    version = Self.currentVersion
    (self.title, self.source) = (title, source)
    (groups, widgets, presets, leftOut) = ([], [], [], [])
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    version = try values.decode(Int.self, forKey: .version)
    title = try values.decodeIfPresent(String.self, forKey: .title) ?? ""
    source = try values.decodeIfPresent(PanelSource.self, forKey: .source) ?? .file
    size = try values.decodeIfPresent(PanelSize.self, forKey: .size)
    background = try values.decodeIfPresent(PanelColor.self, forKey: .background)
    groups = try values.decodeIfPresent([PanelGroup].self, forKey: .groups) ?? []
    widgets = try values.decodeIfPresent([PanelWidget].self, forKey: .widgets) ?? []
    presets = try values.decodeIfPresent([PanelPreset].self, forKey: .presets) ?? []
    leftOut = try values.decodeIfPresent([LeftOut].self, forKey: .leftOut) ?? []
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
  /// What it is called there, such as `BSBGraph` or `identchannel`.
  public var name: String
  /// How often it was met.
  public var count: Int
  /// Why, or what it would have done: a sentence without a name; may be empty.
  public var reason: String

  public init(_ name: String, count: Int = 1, reason: String = "") {
    (self.name, self.count, self.reason) = (name, count, reason)
  }
}

extension Panel {
  /// Notes that something was left out; the same name and reason are counted.
  public mutating func leaveOut(_ name: String, reason: String = "") {
    if let index = leftOut.firstIndex(where: { $0.name == name && $0.reason == reason }) {
      leftOut[index].count += 1
    } else {
      leftOut.append(LeftOut(name, reason: reason))
    }
  }

  /// Adds a widget under an identifier of its own, made of the kind and a number where it has none yet, and
  /// without numbers that are infinite or `nan`.
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
