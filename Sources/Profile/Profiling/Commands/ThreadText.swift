import CommandKit
import HarnessBase

extension ThreadTable {
  func text(top count: Int) -> String {
    func percent(_ part: Double, _ whole: Double) -> String {
      (100 * part / max(1e-12, whole)).formatted(1)
    }
    let one = rows[0]
    let cells = rows.map { row in
      [
        "\(row.threads)", row.median.formatted(3),
        "\(row.seconds.first!.formatted(3))–\(row.seconds.last!.formatted(3))",
        (soundSeconds / row.median).formatted(1), (one.median / row.median).formatted(2),
        percent(row.inNotes, 1), percent(1 - row.inNotes, 1),
        row.isIdentical ? "the same" : "others",
      ]
    }
    let renders = one.seconds.count.counted("render")
    return """
      \(path): \(soundSeconds.formatted(2)) s of sound, \(sampleRate.formatted(0)) Hz, ksmps \(ksmps); \
      \(renders) by each number of threads, in turns

      \(Table(
        rows: [
          [
            "threads", "median s", "range", "× real time", "× one thread", "in notes %",
            "waiting and Csound %", "samples",
          ]
        ] + cells, alignment: Array(repeating: .right, count: 7)).text)

      \(verdict)

      \(sideBySide(top: count, percent))
      """
  }

  private var verdict: String {
    let (one, best) = (rows[0], rows.min { $0.median < $1.median }!)
    if best.threads == 1 { return "The piece is fastest by one thread." }
    let isClear = best.seconds.last! < one.seconds.first!
    return isClear
      ? "The piece is fastest by \(best.threads) threads: \((one.median / best.median).formatted(2)) times as fast as by one."
      : "By \(best.threads) threads the median is lowest, but the ranges of \(best.threads) and of one overlap: too noisy to tell."
  }

  private func sideBySide(top count: Int, _ percent: (Double, Double) -> String) -> String {
    guard chain.chain > 0 else { return "No notes were played." }
    func parts(_ parts: [ThreadsTake.Part], _ name: (ThreadsTake.Part) -> String) -> String {
      let shown = parts.prefix(count).filter { $0.chain > 0 || $0.all != nil }
      let hasAll = shown.first?.all != nil
      return Table(
        rows: [["chain %"] + (hasAll ? ["all %"] : []) + [hasAll ? "instrument" : "line"]]
          + shown.map { part in
            [percent(part.chain, chain.chain)] + (part.all.map { [percent($0, chain.notes)] } ?? [])
              + [name(part)]
          }, alignment: Array(repeating: .right, count: hasAll ? 2 : 1)
      ).text
    }
    let shared = chain.shared.prefix(8).map {
      "\($0.name) (\($0.instruments.joined(separator: ", ")))"
    }
    let order =
      shared.isEmpty
      ? "No notes must wait for others."
      : "Notes wait for one another where their instruments use: \(shared.joined(separator: ", "))."
    return """
      Side by side, by Csound's rules for -j: notes take \(chain.notes.formatted(3)) s of the k-cycles' \
      \(chain.cycles.formatted(3)) s, and those that must follow one another \(chain.chain.formatted(3)) s. \
      So notes can be at most \((chain.notes / chain.chain).formatted(2)) times as fast. \(order)

      \(parts(chain.instruments) { $0.name })

      \(parts(chain.lines) { "\($0.line) \($0.name)" })
      """
  }
}
