import CommandKit
import Comparing

/// What each `iquality` of the pack's opcodes costs, from the rows at ksmps 64 of the pairs in the group `quality`.
package struct QualityCosts {
  /// How many times as much as quality 0 quality 2 may cost, which is a goal of the pack.
  private static let goal = 3.0

  private typealias Row = BenchExport.Row

  private let rows: [Row]
  private let pairings: [Pairing]

  /// `pairings` say how the opcodes are called.
  package init(_ run: BenchExport, _ pairings: [Pairing]) {
    rows = run.rows.filter {
      $0.group == "quality" && $0.ksmps == 64 && $0.instances == 1 && !$0.isSilence
    }
    self.pairings = pairings
  }

  /// One call, with its rows at the qualities 0, 1 and 2.
  private struct Line {
    var first: Row
    var qualities: [Row?]

    /// How many times as much as quality 0 quality 2 costs.
    var growth: Double? {
      let costs = qualities.map { $0?.subjectNanoseconds }
      guard let plain = costs[0], let best = costs[2] else { return nil }
      return best / plain
    }
  }

  private var lines: [Line] {
    rows.firstOfEach { "\($0.pairing) \(Self.form($0))" }.map { row in
      let form = Self.form(row)
      let own = rows.filter { $0.pairing == row.pairing && Self.form($0) == form }
      let qualities = (0...2).map { quality in
        own.first { $0.rates.hasSuffix("iquality \(quality)") }
      }
      return Line(first: row, qualities: qualities)
    }
  }

  /// What precedes `iquality` in the name of a rate combination.
  private static func form(_ row: Row) -> String { row.rates.replacing(/iquality \d$/, with: "") }

  /// A line for each call, then which opcodes keep to the goal.
  package var text: String {
    let qualities = (0...2).map { "iquality \($0)" }
    let table = MarkdownTable(
      ["call", "rival"] + qualities + ["2 beside 0"],
      lines.map { line in
        ["`\(call(line.first))`", "`\(line.first.rival)`"] + line.qualities.map(Self.cost)
          + [line.growth?.formatted(2) ?? "–"]
      })
    return table.text + "\n" + standing
  }

  private static func cost(_ row: Row?) -> String {
    guard let row, let nanoseconds = row.subjectNanoseconds else { return "–" }
    return "\(nanoseconds.formatted(2)) (\(row.clearRatio?.formatted(2) ?? "–"))"
  }

  /// The call as in the pairing's file, without outputs and with the letters of these rates.
  private func call(_ row: Row) -> String {
    let pairing = pairings.first { $0.name == row.pairing }
    guard let pairing, let pattern = pairing.pattern,
      let rates = pairing.rates.first(where: { $0.name == row.rates })
    else { return row.subject }
    let code = pattern.call(at: rates).text.replacing("$QUALITY", with: "iquality")
    guard let start = code.firstRange(of: row.subject) else { return row.subject }
    return String(code[start.lowerBound...])
  }

  private var standing: String {
    var (keep, miss): ([String], [String]) = ([], [])
    let opcodes = Dictionary(grouping: lines, by: \.first.subject).sorted { $0.key < $1.key }
    for (opcode, own) in opcodes {
      let growths = own.compactMap(\.growth)
      guard let most = growths.max() else { continue }
      if most <= Self.goal { keep.append(opcode) } else { miss.append(opcode) }
    }
    func names(_ opcodes: [String]) -> String {
      opcodes.isEmpty ? "none" : opcodes.joined(separator: ", ")
    }
    return """
      The goal is that iquality 2 costs at most \(Int(Self.goal)) times as much as iquality 0.
      Opcodes that keep to it: \(names(keep)).
      Opcodes that do not: \(names(miss)).

      """
  }
}
