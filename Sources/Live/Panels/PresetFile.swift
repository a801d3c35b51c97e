public import HarnessBase

/// The presets that pages have saved: `PIECE.presets.json` beside `PIECE.csd`, a list of `PanelPreset`.
public struct PresetFile: Sendable {
  private let file: PieceFile<[PanelPreset]>
  public var path: String { file.path }

  public init(forPiece csd: String) {
    file = PieceFile("presets", "list of presets", forPiece: csd)
  }

  /// The presets that are there; none where there is no file.
  public func read() throws(Failure) -> [PanelPreset] { try file.read() ?? [] }

  /// Writes them; what was there stays until the new file is whole.
  public func write(_ presets: [PanelPreset]) throws(Failure) { try file.write(presets) }
}
