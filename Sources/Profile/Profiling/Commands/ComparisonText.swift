import CommandKit
import HarnessBase

extension ProfileComparison {
  /// The sentence about the whole, and the tables of what changed.
  func text(top count: Int) -> String {
    [
      heading, table("instrument", instruments, top: count), table("opcode", opcodes, top: count),
      table("line", lines, top: count),
    ].joined(separator: "\n\n")
  }

  private var heading: String {
    let verdict =
      switch whole.verdict {
      case .slower: "dearer by more than \((threshold * 100).formatted(1)) %"
      case .faster: "cheaper by more than \((threshold * 100).formatted(1)) %"
      case .same: "within \((threshold * 100).formatted(1)) %"
      case .tooNoisy: "too noisy to tell"
      }
    let measure = isCounted ? "instructions" : "time, \(rounds.counted("round"))"
    return """
      \(now) against \(before) (\(measure)): \(Self.percent(whole.part)) %\(margin(whole)), \(verdict)
      """
  }

  private static func percent(_ part: Double) -> String {
    (part < 0 ? "" : "+") + (part * 100).formatted(2)
  }

  private func margin(_ change: Change) -> String {
    guard !isCounted, let ratio = change.ratio else { return "" }
    return " (\(Self.percent(ratio.low - 1)) to \(Self.percent(ratio.high - 1)) %)"
  }

  private func table(_ name: String, _ all: [Change], top count: Int) -> String {
    let rows = all.filter { $0.verdict == .slower || $0.verdict == .faster }
    guard !rows.isEmpty else { return "No \(name) became dearer or cheaper." }
    let cells = rows.prefix(count).map { row in
      let word =
        row.before == nil
        ? "new" : row.now == nil ? "gone" : row.verdict == .slower ? "dearer" : "cheaper"
      let change = row.ratio.map { "\(Self.percent($0.value - 1))\(margin(row))" } ?? ""
      let place = row.lineNow ?? row.lineBefore
      return [
        Self.percent(row.part), change, word,
        (place.map { "\($0)  " } ?? "") + String(row.name.prefix(70)),
      ]
    }
    let rest = rows.count - cells.count
    return Table(
      rows: [["of all %", "change %", "", name]] + cells, alignment: [.right, .right]
    ).text + (rest > 0 ? "\n… and \(rest.counted("more \(name)"))" : "")
  }
}
