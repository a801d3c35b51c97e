import Foundation
import HarnessBase
import Linting

/// What a type letter does not say about one argument of an opcode.
public struct ArgumentData: Codable, Equatable, Sendable {
  public var name: String?
  /// A value at which the opcode does its ordinary work.
  public var typical: Double?
  /// The documented range.
  public var low: Double?
  public var high: Double?
  /// The argument is the number of a table: its size, GEN routine and arguments, as `ftgen` takes
  /// them after the time, such as `8192, 10, 1`.
  public var table: String?
  /// An ordinary string, and another one that it can change to in performance.
  public var string: String?
  public var otherString: String?
  /// The elements of an array.
  public var array: [Double]?
  /// An audio argument that is a control, at its typical value.
  package var isControl: Bool { typical != nil }
}

/// What is known about the arguments of opcodes: a JSON file beside them.
public struct ArgumentFile: Codable, Sendable {
  package struct Entry: Codable, Sendable {
    /// One for each input, in order; those left out at the end are not known.
    package var inputs: [ArgumentData] = []
    /// How many outputs it is called with, where it takes any number.
    package var outputs: Int?
    /// Lines for the orchestra's header, such as `zakinit 8, 8`.
    package var header: [String]?
  }

  /// By an opcode's name, or that of one overload, which wins.
  private var entries: [String: Entry] = [:]

  public init() {}

  public init(readingFrom path: String) throws(Failure) {
    try requireReadableFile(path)
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      entries = try JSONDecoder().decode([String: Entry].self, from: data)
    } catch {
      throw Failure(
        .badInput,
        "'\(path)' is no argument file: \(ArgumentFile.reason(error)) It is a JSON object of opcode"
          + " names, each with a list 'inputs' of objects with name, typical, low, high, table,"
          + " string or array.")
    }
  }

  package static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return error.localizedDescription }
    switch error {
    case .keyNotFound(let key, _): return "the field '\(key.stringValue)' is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return "'\(path)' has a value of the wrong kind."
    case .dataCorrupted(let context): return context.debugDescription
    @unknown default: return error.localizedDescription
    }
  }

  /// What is known of a signature; of an unknown opcode, nothing.
  package func entry(_ signature: Signature) -> Entry {
    entries[signature.name] ?? entries[signature.opcode] ?? Entry()
  }

  /// The same entries under other names too.
  package mutating func copy(_ name: String, to other: String) {
    for (key, entry) in entries where key == name || key.hasPrefix(name + ".") {
      entries[other + key.dropFirst(name.count)] = entry
    }
  }
}
