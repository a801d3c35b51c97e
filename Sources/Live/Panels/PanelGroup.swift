/// Widgets that belong together.
public struct PanelGroup: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable {
    /// A window: bounds inside it count from its upper left corner. Windows are shown one below the other.
    case window
    /// A frame with a title around its widgets.
    case box
    /// Pages, one of which is shown at a time: its groups are of kind `page`.
    case tabs
    /// One page of `tabs`; its label is on the tab.
    case page
  }

  /// Unique among the panel's groups.
  public var id: String
  public var kind: Kind
  /// Its title; may be empty.
  public var label: String
  /// The identifier of the group it is in; nil: the panel itself.
  public var parent: String?
  /// Where it lies; for a window only width and height are used. Nil: laid out automatically.
  public var bounds: PanelBounds?
  public var color: PanelColor?
  /// The identifier of the widget that the group lies directly above. Nil: it lies below all widgets that are not in a
  /// group. Groups with the same `above` are drawn in their order. A group's own widgets lie above the group.
  public var above: String?

  public init(
    _ kind: Kind, id: String, label: String = "", parent: String? = nil, bounds: PanelBounds? = nil
  ) {
    (self.kind, self.id, self.label, self.parent) = (kind, id, label, parent)
    self.bounds = bounds
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    kind = try values.decode(Kind.self, forKey: .kind)
    (label, parent) = try (values[.label] ?? "", values[.parent])
    (bounds, color, above) = try (values[.bounds], values[.color], values[.above])
  }
}
