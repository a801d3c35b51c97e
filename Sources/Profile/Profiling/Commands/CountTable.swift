import CommandKit
import HarnessBase

extension CountedProfile {
  /// The tables of `profile --counts`.
  func text(top count: Int) -> String {
    [
      header,
      table("line", lines, top: count) { row in
        let file = row.file.map { $0 == path ? "" : ($0.split(separator: "/").last ?? "") + ":" }
        return ["\(file ?? "")\(row.line ?? 0)", String((row.text ?? "").prefix(70))]
      },
      table("opcode", opcodes, top: count) { [$0.name] },
      instrumentTable,
      "Csound itself: \(percent(engine)) %, \(engine) instructions, "
        + "\((Double(engine) / Double(cycles)).formatted(1)) in a k-cycle.",
    ].joined(separator: "\n\n")
  }

  private var header: String {
    let samples = Double(cycles * ksmps)
    let identical =
      isBitIdentical ? "the same samples as" : "the samples differ from those of a render"
    return """
      \(path): \(soundSeconds.formatted(2)) s of sound, \(sampleRate.formatted(0)) Hz, ksmps \(ksmps)
      k-cycles: \(cycles), \(instructions) instructions, \
      \((Double(instructions) / samples).formatted(1)) for each sample time
      counts: every call, under valgrind's Callgrind, \((accounted * 100).formatted(1)) % accounted \
      for, \(identical) without it
      """
  }

  private var whole: Int { lines.reduce(engine) { $0 + $1.own + $1.initOwn } }

  private func percent(_ count: Int) -> String {
    (Double(count) / Double(whole) * 100).formatted(1)
  }

  private func table(
    _ name: String, _ rows: [Row], top count: Int, _ last: (Row) -> [String]
  ) -> String {
    let headings = ["own %", "own", "total", "calls", "per call", "per sample", "init", name]
    func each(_ sum: Int, _ count: Int, _ decimals: Int) -> String {
      count == 0 ? "" : (Double(sum) / Double(count)).formatted(decimals)
    }
    let cells = rows.prefix(count).map { row in
      [
        percent(row.own + row.initOwn), "\(row.own + row.initOwn)", "\(row.total)",
        "\(row.passes)", each(row.own, row.passes, 1), each(row.own, row.samples, 2),
        "\(row.initOwn)",
      ] + last(row)
    }
    let rest = rows.dropFirst(count).reduce(0) { $0 + $1.own + $1.initOwn }
    let more =
      rows.count <= count
      ? "" : "\n… and \((rows.count - count).counted("more \(name)")), \(percent(rest)) %"
    return Table(
      rows: [headings] + cells,
      alignment: Array(repeating: .right, count: headings.count - (name == "line" ? 0 : 1))
    ).text + more
  }

  private var instrumentTable: String {
    let headings = ["total %", "total", "own", "init", "notes", "at a time", "instrument"]
    let cells = instruments.map { row in
      [
        percent(row.total), "\(row.total)", "\(row.own + row.initOwn)", "\(row.initOwn)",
        row.notes.map(String.init) ?? "", row.mostNotes.map(String.init) ?? "", row.name,
      ]
    }
    return Table(
      rows: [headings] + cells, alignment: Array(repeating: .right, count: headings.count - 1)
    ).text
  }
}
