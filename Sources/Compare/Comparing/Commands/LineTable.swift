import CommandKit
import HarnessBase

extension LineProfile {
  private func percent(_ instructions: Double) -> String {
    (100 * instructions / self.instructions).formatted(1)
  }

  /// The most lines that are shown.
  private static let most = 40

  /// The lines in the order of the source, each with what the kit's code in it and calls take.
  var text: String {
    let shown = lines.prefix(Self.most).sorted {
      ($0.file == nil ? 1 : 0, $0.file ?? "", $0.line) < (
        $1.file == nil ? 1 : 0, $1.file ?? "", $1.line
      )
    }
    let files = Set(lines.compactMap(\.file))
    var rows = [["%", "per call"] + (samplesPerCall == nil ? [] : ["per sample"])]
    rows[0] += ["runs as", "because of", "gains %", "line"]
    func figures(_ count: Double) -> [String] {
      [percent(count), count.formatted(1)]
        + (samplesPerCall.map { [(count / Double($0)).formatted(2)] } ?? [])
    }
    for line in shown {
      let name = files.count > 1 ? (line.file.map { "\(Project.short($0).fileName):" } ?? "") : ""
      let source =
        line.file == nil
        ? "the call itself, and what was moved out of loops"
        : "\(name)\(line.line)  \(line.text.prefix(70))"
      let why = [line.reason?.word ?? "", line.checks > 0 ? "checks" : ""].filter { !$0.isEmpty }
      rows.append(
        figures(line.instructions) + [
          line.form, why.joined(separator: ", "),
          line.gain >= 0.001 * instructions ? percent(line.gain) : "", source,
        ])
      rows += line.parts.map { figures($0.instructions) + ["", "", "", "    of it \($0.name)"] }
    }
    let rest = lines.dropFirst(Self.most)
    let more =
      rest.isEmpty
      ? ""
      : "\n… and \(rest.count.counted("more line")), \(percent(rest.reduce(0) { $0 + $1.instructions })) %"
    let place = files.count == 1 ? ", in \(Project.short(files.first!))" : ""
    return """
      \(opcode) \(rates), ksmps \(ksmps): \(instructions.formatted(1)) instructions in a call\(place); \
      \((100 * accounted).formatted(1)) % accounted for

      \(Table(rows: rows, alignment: Array(repeating: .right, count: samplesPerCall == nil ? 2 : 3)).text)\(more)
      """ + explanations
  }

  /// A sentence for each reason in the table.
  private var explanations: String {
    var sentences: [String] = []
    for line in lines.prefix(Self.most) {
      guard let reason = line.reason else { continue }
      let sentence = "\(reason.word): \(reason.sentence)"
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
    if lines.contains(where: { $0.checks > 0 }) {
      sentences.append(
        "checks: an index or a whole number is compared with its range; min, max, & and &+ need no check."
      )
    }
    return sentences.isEmpty ? "" : "\n\n" + sentences.joined(separator: "\n")
  }

  /// What leaving lines out saves.
  var removalText: String? {
    guard let removals else { return nil }
    let rows = removals.map { removal in
      let others = removal.changed.map(String.init).joined(separator: ", ")
      return [
        (100 * removal.share).formatted(1), removal.saved.map { (100 * $0).formatted(1) } ?? "",
        removal.verdict.rawValue + (removal.reason.map { ": \($0)" } ?? "")
          + (removal.isReplaced ? ", with 0.5 as its value" : ""), others,
        "\(removal.line)  \(removal.text.prefix(60))",
      ]
    }
    return Table(
      rows: [["%", "saved %", "verdict", "lines that changed", "line"]] + rows,
      alignment: [.right, .right]
    ).text
  }
}

extension LineProfile.Line {
  /// How its instructions work, in a word or two.
  fileprivate var form: String {
    guard let lanes else { return "" }
    return lanes == 1 ? "scalar" : isMixed ? "part vector" : "vectors of \(lanes)"
  }
}

extension String {
  fileprivate var fileName: Substring { split(separator: "/").last ?? "" }
}
