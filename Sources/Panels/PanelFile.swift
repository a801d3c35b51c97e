import Foundation
public import HarnessBase

/// The panel in a file of its own beside a piece: `PIECE.panel.json` beside `PIECE.csd`.
public enum PanelFile {
  public static func path(forPiece csd: String) -> String {
    URL(fileURLWithPath: csd).deletingPathExtension().path + ".panel.json"
  }

  /// The panel beside a piece; nil where there is none.
  public static func read(forPiece csd: String) throws(Failure) -> Panel? {
    let path = path(forPiece: csd)
    guard access(path, F_OK) == 0 else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.missingInput, "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }
    do {
      let panel = try JSONDecoder().decode(Panel.self, from: data)
      guard panel.version <= Panel.currentVersion, panel.version > 0 else {
        throw Failure(
          .badInput,
          "'\(path)' is of version \(panel.version); this program reads version \(Panel.currentVersion)."
        )
      }
      return panel
    } catch let error as Failure {
      throw error
    } catch let error as DecodingError {
      throw Failure(.badInput, "'\(path)' is no panel: \(sentence(error))")
    } catch {
      throw Failure(.badInput, "'\(path)' is no panel.")
    }
  }

  /// Writes a panel beside a piece; what was there stays until the new one is whole.
  public static func write(_ panel: Panel, forPiece csd: String) throws(Failure) {
    let path = path(forPiece: csd)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(panel).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(.unwritableOutput, "'\(path)' cannot be written.")
    }
  }

  private static func sentence(_ error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
      let keys = context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
      return keys.isEmpty ? "" : " at \(keys.joined(separator: " "))"
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "'\(key.stringValue)' is missing\(place(context))."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "a value is of another kind than it must be\(place(context))."
    case .dataCorrupted(let context):
      return "what is there cannot be read\(place(context)): \(context.debugDescription)"
    @unknown default: return "it cannot be read."
    }
  }
}
