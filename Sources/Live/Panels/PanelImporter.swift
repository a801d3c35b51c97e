public import HarnessBase

/// Reads a panel out of a piece.
///
/// It never fails over one widget: what it cannot read goes into the panel's `leftOut`.
public protocol PanelImporter: Sendable {
  /// The panel of a CSD, called `title`; nil where the CSD has no such section or calls no such opcode.
  static func panel(of csd: String, title: String) throws(Failure) -> Panel?
}
