import Foundation
import HarnessBase

/// A JSON file beside a piece, such as `PIECE.panel.json` beside `PIECE.csd`.
struct PieceFile<Contents: Codable>: Sendable {
  let path: String
  /// What the file holds, for messages: "panel".
  private let name: String

  init(_ kind: String, _ name: String, forPiece csd: String) {
    path = URL(fileURLWithPath: OrchestraAndScore.stem(of: csd)).path + ".\(kind).json"
    self.name = name
  }

  /// The file's contents; nil if there is no file.
  func read() throws(Failure) -> Contents? {
    guard access(path, F_OK) == 0 else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .missingInput("'\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }
    do {
      return try JSONDecoder().decode(Contents.self, from: data)
    } catch let error as DecodingError {
      throw .badInput("'\(path)' is no \(name): \(error.sentence) Mend it or move it away.")
    } catch {
      throw .badInput("'\(path)' is no \(name); mend it or move it away.")
    }
  }

  /// Writes the file. An existing one stays as it is until the new one is complete. With `isDurable` it returns when the
  /// disk has it.
  func write(_ contents: Contents, isDurable: Bool = false) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let file = try OutputFile(path)
    do {
      try file.write(encoder.encode(contents), isDurable: isDurable)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .internalFault("'\(path)' cannot be written as JSON: \(error).")
    }
  }
}

extension KeyedDecodingContainer {
  /// The value of a key; nil if the key is missing or its value is null.
  subscript<Value: Decodable>(key: Key) -> Value? {
    get throws { try decodeIfPresent(Value.self, forKey: key) }
  }
}
