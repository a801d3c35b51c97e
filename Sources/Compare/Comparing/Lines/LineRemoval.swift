import HarnessBase

/// What leaving out a line saves, beside what the profile says of it.
package struct LineRemoval: Codable, Sendable {
  package enum Verdict: String, Codable, Sendable {
    /// The rest of the opcode costs the same without the line.
    case agrees
    /// The rest costs less: what only this line used is left out, too.
    case more = "saves more"
    /// The rest costs more: its code is another without the line.
    case less = "saves less"
    case notRemovable = "cannot be left out"
  }

  package var file: String
  package var line: Int
  package var text: String
  /// The line's part of all instructions, and the part that is saved without it, 0 to 1.
  package var share: Double
  package var saved: Double?
  /// Other lines that cost another number of instructions without it, the most changed first.
  package var changed: [Int] = []
  /// Whether a declaration was left with the value 0.5, because the opcode does not build without it.
  package var isReplaced = false
  package var verdict: Verdict
  package var reason: String?

  /// The largest difference between share and saving that agrees.
  static let tolerance = 0.03

  init(_ line: LineProfile.Line, of profile: LineProfile) {
    (file, self.line, text) = (line.file ?? "", line.line, line.text)
    share = line.instructions / profile.instructions
    verdict = .notRemovable
  }

  /// Compares a profile with that of the opcode without the line.
  mutating func judge(_ profile: LineProfile, without: LineProfile) {
    let saved = 1 - without.instructions / profile.instructions
    self.saved = saved
    reason = nil
    verdict = abs(saved - share) <= Self.tolerance ? .agrees : saved > share ? .more : .less
    guard verdict != .agrees else { return }
    func counts(_ profile: LineProfile) -> [Int: Double] {
      Dictionary(
        profile.lines.filter { $0.file == file }.map { ($0.line, $0.instructions) },
        uniquingKeysWith: +)
    }
    let after = counts(without)
    let changes = counts(profile).map { ($0.key, ($0.value - (after[$0.key] ?? 0)).magnitude) }
    changed = changes.filter { $0.0 != line && $0.1 >= 0.01 * profile.instructions }
      .sorted { $0.1 > $1.1 }.prefix(4).map(\.0).sorted()
  }
}
