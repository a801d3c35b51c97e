public import HarnessBase

/// The presets that pages have saved: `PIECE.presets.json` beside `PIECE.csd`, a list of `PanelPreset`.
public struct PresetFile: Sendable {
  private let file: PieceFile<[PanelPreset]>
  public var path: String { file.path }

  public init(forPiece csd: String) {
    file = PieceFile("presets", "list of presets", forPiece: csd)
  }

  /// The saved presets; empty if there is no file.
  public func read() throws(Failure) -> [PanelPreset] { try file.read() ?? [] }

  /// Writes the presets. An existing file stays as it is until the new one is complete.
  public func write(_ presets: [PanelPreset]) throws(Failure) { try file.write(presets) }
}
