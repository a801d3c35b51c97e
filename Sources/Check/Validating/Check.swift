import Probing
import Linting

/// One check of the catalogue.
public struct Check: Sendable {
  /// The name, which never changes; it begins with the group, such as `edges-in-place`.
  public let id: String
  /// What a correct opcode does, in one sentence.
  public let sentence: String
  /// The lowest level, from 1 to 10, at which the check runs.
  public let level: Int
  let examine: @Sendable (Examination) throws(Outcome) -> Void

  init(
    _ id: String, _ sentence: String, level: Int = 1,
    _ examine: @escaping @Sendable (Examination) throws(Outcome) -> Void
  ) {
    self.id = id
    self.sentence = sentence
    self.level = level
    self.examine = examine
  }

  /// The group: the part of the id before the first hyphen.
  public var group: String { String(id.prefix { $0 != "-" }) }

  /// Whether it watches the heap or the calls of its process, or is about what a process keeps, so that it must have one
  /// to itself.
  var isAlone: Bool { ["realtime", "fuzz"].contains(group) || Self.alone.contains(id) }

  private static let alone: Set = [
    "life-leak-notes", "life-leak-reinit", "life-leak-performance", "life-leak-reset",
    "life-failed-reinit", "life-changed-reinit", "edges-heap-overrun", "arguments-deleted-table",
    "arguments-long-array", "arguments-array-changes", "arguments-strange-string",
    "invariance-repeat", "invariance-engine-history", "life-reset", "life-two-engines",
    "life-threads",
  ]

  public static let catalogue: [Check] =
    render + edges + outputs + invariance + life + state + history + numbers + stability
    + realTime + arguments + counts + fuzz
}

/// A check is encoded as its id.
extension Check: RawRepresentable, Codable {
  public var rawValue: String { id }
  public init?(rawValue id: String) {
    guard let check = Self.catalogue.first(where: { $0.id == id }) else { return nil }
    self = check
  }
}
