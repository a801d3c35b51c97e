import Foundation
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

  /// The presets that can be read where the file as a whole cannot: of its outermost objects those that are whole.
  package func readable() -> [PanelPreset] {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    var (depth, begin, isText, isEscaped) = (0, 0, false, false)
    var found: [PanelPreset] = []
    for (place, byte) in data.enumerated() {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText:
        if depth == 0 { begin = place }
        depth += 1
      case UInt8(ascii: "}") where !isText && depth > 0:
        depth -= 1
        if depth == 0,
          let preset = try? JSONDecoder().decode(PanelPreset.self, from: data[begin...place])
        {
          found.append(preset)
        }
      default: break
      }
    }
    return found
  }

  /// Writes the presets. An existing file stays as it is until the new one is complete.
  public func write(_ presets: [PanelPreset]) throws(Failure) { try file.write(presets) }
}
