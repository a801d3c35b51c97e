import CommandKit
import Comparing

/// What the rivals cost in Csound 7.0 beside Csound 6.18, from two runs of `bench` at usual rates, one after the other on
/// one machine.
package struct SpeedOnSeven {
  private let six, seven: BenchExport

  package init(six: BenchExport, seven: BenchExport) {
    self.six = six
    self.seven = seven
  }

  /// A line for each pair, those first whose rivals have gained most; then how many have changed.
  package var text: String {
    var table = MarkdownTable([
      "rival", "opcode", "rates", "per", "rival ns in 6.18", "in 7.0", "in 7.0 it is",
      "opcode's times as fast in 6.18", "in 7.0",
    ])
    var counts: [String: Int] = [:]
    for line in lines {
      counts[line.word, default: 0] += 1
      table.add([
        "`\(line.now.rival)`", line.now.subject, line.now.rates, line.now.unit,
        Self.text(line.before.rivalNanoseconds), Self.text(line.now.rivalNanoseconds), line.word,
        Self.text(line.before.ratio?.value), Self.text(line.now.ratio?.value),
      ])
    }
    let words = ["faster", "as fast", "slower", "too noisy to tell"].map {
      "\($0) \(counts[$0] ?? 0)"
    }
    return table.text + "\nOf \(lines.count) rivals in 7.0: \(words.joined(separator: ", ")).\n"
  }

  private struct Line {
    var before, now: BenchExport.Row
    /// The rival's time in 7.0 divided by that in 6.18, and the same for its ratio to the opcode of the pack; the second is
    /// nil if a ratio is too noisy.
    var time: Double
    var ratio: Double?

    /// What both tell. Another speed of the machine changes the times, and Csound's longer way to an opcode changes the
    /// ratio; neither changes both.
    var word: String {
      guard let ratio else { return "too noisy to tell" }
      let (least, most) = (min(time, ratio), max(time, ratio))
      return least > 1.2 ? "slower" : most < 1 / 1.2 ? "faster" : "as fast"
    }
  }

  private var lines: [Line] {
    let before = Dictionary(six.rows.map { (Self.place($0), $0) }) { first, _ in first }
    let lines = seven.rows.compactMap { now -> Line? in
      guard let old = before[Self.place(now)], let then = old.rivalNanoseconds,
        let time = now.rivalNanoseconds, then > 0, time > 0
      else { return nil }
      var ratio: Double?
      if let before = old.ratio?.value, let after = now.ratio?.value { ratio = after / before }
      return Line(before: old, now: now, time: time / then, ratio: ratio)
    }
    return lines.sorted { $0.time < $1.time }
  }

  private static func place(_ row: BenchExport.Row) -> [String] {
    [row.pairing, row.rates, "\(row.ksmps)", "\(row.isSilence)"]
  }

  private static func text(_ number: Double?) -> String { number?.formatted(2) ?? "–" }
}
