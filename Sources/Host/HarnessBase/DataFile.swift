import Foundation

/// Reads JSON files, most of which people write or change by hand.
public enum DataFile {
  /// Reads a JSON file.
  ///
  /// - Parameters:
  ///   - kind: what messages call the file, such as `a pairing`.
  ///   - keys: the allowed keys: those of the outermost object under the empty string, those of an
  ///     object (or an array of objects) in it under its key. Any other key is an error, because it
  ///     is probably misspelt. Without `keys`, unknown keys are ignored.
  public static func read<Content: Decodable>(
    _ type: Content.Type, from path: String, as kind: String, keys: [String: [String]]? = nil
  ) throws(Failure) -> Content {
    try requireReadableFile(path)
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let content = try JSONDecoder().decode(type, from: data)
      if let keys, let key = try unknownKey(in: data, keys) {
        throw Failure.badInput("'\(path)' is not \(kind): it has an unknown key '\(key)'.")
      }
      return content
    } catch let error as Failure {
      throw error
    } catch let error as DecodingError {
      throw Failure.badInput("'\(path)' is not \(kind): \(error.sentence)")
    } catch {
      throw .missingInput("'\(path)' cannot be read: \(error.localizedDescription)")
    }
  }

  private static func unknownKey(in data: Data, _ known: [String: [String]]) throws -> String? {
    let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    for (place, keys) in known.sorted(by: { $0.key < $1.key }) {
      let part = place.isEmpty ? whole : whole[place] ?? [:]
      for object in part as? [[String: Any]] ?? [part as? [String: Any] ?? [:]] {
        for key in object.keys.sorted() where !keys.contains(key) { return key }
      }
    }
    return nil
  }
}

extension DecodingError {
  /// What is wrong in the file and where, in one sentence.
  package var sentence: String {
    func place(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
    return switch self {
    case .keyNotFound(let key, let context):
      "'\(place(context.codingPath + [key]))' is missing."
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "it is not valid JSON: \(context.parserMessage ?? context.debugDescription)"
    case .typeMismatch(_, let context) where context.codingPath.isEmpty: context.debugDescription
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      "'\(place(context.codingPath))': \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }
}

extension DecodingError.Context {
  /// What the JSON parser said, with line and column.
  fileprivate var parserMessage: String? {
    (underlyingError as NSError?)?.userInfo["NSDebugDescription"] as? String
  }
}
