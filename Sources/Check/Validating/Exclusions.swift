import Probing
import Foundation
import HarnessBase
import Linting

/// Checks that are not run, each with a reason, read from a JSON file.
public struct Exclusions: Sendable {
  public struct Entry: Codable, Sendable {
    /// The name of an opcode or of an overload; a final `*` matches any ending.
    public var opcode: String
    /// A check's id, a group's name, or the beginning of an id followed by `*`.
    public var check: String
    public var reason: String
  }

  private var entries: [Entry] = []

  public init() {}

  public init(readingFrom path: String) throws(Failure) {
    entries = try DataFile.read(
      [Entry].self, from: path,
      as: "an exclusion file, a JSON list of objects with opcode, check and reason")
    for entry in entries {
      guard !entry.reason.trimmingCharacters(in: .whitespaces).isEmpty else {
        throw .badInput(
          "'\(path)' excludes '\(entry.check)' of '\(entry.opcode)' without a reason; give one.")
      }
      guard Check.catalogue.contains(where: { Self.matches(entry.check, $0) }) else {
        throw .badInput(
          "'\(path)' excludes '\(entry.check)', which is no check; ./opcodekit validate --list names"
            + " them.")
      }
    }
  }

  private static func matches(_ pattern: String, _ check: Check) -> Bool {
    pattern == check.group || matches(pattern, check.id)
  }

  private static func matches(_ pattern: String, _ word: String) -> Bool {
    pattern.hasSuffix("*") ? word.hasPrefix(pattern.dropLast()) : word == pattern
  }

  /// The reason why a check is not run for a signature; nil if it is run.
  func reason(_ check: Check, _ signature: Signature) -> String? {
    entries.first {
      Self.matches($0.check, check)
        && (Self.matches($0.opcode, signature.opcode) || Self.matches($0.opcode, signature.name))
    }?.reason
  }
}
