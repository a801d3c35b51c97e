import Foundation
import HarnessBase

/// Opcodes that are not played in test orchestras, each with a reason, read from a JSON file.
struct UnplayedOpcodes: Sendable {
  private struct Group: Decodable {
    /// Names of opcodes, separated by spaces; a final `*` matches any ending.
    var opcodes: String
    var reason: String
  }

  private var reasons: [String: String] = [:]
  /// Beginnings of names.
  private var beginnings: [(beginning: String, reason: String)] = []

  init(readingFrom path: String) throws(Failure) {
    let groups = try DataFile.read(
      [Group].self, from: path,
      as: "a list of opcodes that are not played, JSON objects with opcodes and reason")
    for group in groups {
      for name in group.opcodes.split(separator: " ").map(String.init) {
        if name.hasSuffix("*") {
          beginnings.append((String(name.dropLast()), group.reason))
        } else {
          reasons[name] = group.reason
        }
      }
    }
  }

  /// Why an opcode is not played; nil if it is.
  func reason(_ opcode: String) -> String? {
    reasons[opcode] ?? beginnings.first { opcode.hasPrefix($0.beginning) }?.reason
  }
}
