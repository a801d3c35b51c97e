import Foundation
public import HarnessBase

/// The presets that pages have saved: `PIECE.presets.json` beside `PIECE.csd`, a list of `PanelPreset`.
public struct PresetFile: Sendable {
  public let path: String

  public init(forPiece csd: String) {
    path = URL(fileURLWithPath: csd).deletingPathExtension().path + ".presets.json"
  }

  /// The presets that are there; none where there is no file.
  public func read() throws(Failure) -> [PanelPreset] {
    guard access(path, F_OK) == 0 else { return [] }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.missingInput, "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }
    do {
      return try JSONDecoder().decode([PanelPreset].self, from: data)
    } catch {
      throw Failure(
        .badInput,
        "'\(path)' is no list of presets, each with 'name', 'values' and 'texts'; mend it or move it away."
      )
    }
  }

  /// Writes them; what was there stays until the new file is whole.
  public func write(_ presets: [PanelPreset]) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(presets).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(.unwritableOutput, "'\(path)' cannot be written; the preset was not saved.")
    }
  }
}
