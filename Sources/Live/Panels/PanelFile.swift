public import HarnessBase

/// A panel's own file: `PIECE.panel.json` beside `PIECE.csd`.
public struct PanelFile: Sendable {
  private let file: PieceFile<Panel>
  public var path: String { file.path }

  public init(forPiece csd: String) { file = PieceFile("panel", "panel", forPiece: csd) }

  /// The panel; nil if there is no file.
  public func read() throws(Failure) -> Panel? {
    guard let panel = try file.read() else { return nil }
    guard panel.version <= Panel.currentVersion, panel.version > 0 else {
      throw .badInput(
        "'\(path)' is of version \(panel.version); this program reads version \(Panel.currentVersion)."
      )
    }
    return panel
  }

  /// Fails if there is a file that holds no panel of any version, such as one that is half written.
  package func requireWhole() throws(Failure) { _ = try file.read() }

  /// Writes a panel. An existing file stays as it is until the new one is complete.
  public func write(_ panel: Panel) throws(Failure) { try file.write(panel) }
}
