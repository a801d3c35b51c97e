public import HarnessBase

/// Reads a panel out of a piece.
///
/// It does not fail if it cannot read a widget: the widget goes into the panel's `leftOut`.
public protocol PanelImporter: Sendable {
  /// The panel of a CSD, with `title` unless the CSD has a title of its own; nil if the CSD has no such panel.
  static func panel(of csd: String, title: String) throws(Failure) -> Panel?
}
