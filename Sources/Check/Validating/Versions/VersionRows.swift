import HarnessBase
import Rendering

extension VersionFinding {
  /// The verdict, the overload, the greatest null depth and where it differs.
  var cells: [String] {
    var words = [place]
    if [.different, .sampleAccurate].contains(verdict),
      let frame = decisive.compactMap(\.firstFrame).min()
    {
      words.append("from frame \(frame) on")
    }
    if let message { words.append(message) }
    if bytes.count == 2, bytes.min()! > 0, bytes.max()! > max(2 * bytes.min()!, bytes.min()! + 1024)
    {
      words.append("a note takes \(bytes[0]) → \(bytes[1]) bytes")
    }
    if costChanges {
      words.append(
        "\(instructions[0].formatted(1)) → \(instructions[1].formatted(1)) instructions a sample")
    }
    return [
      verdict.rawValue, title, nullDepth.map { "\($0.formatted(0)) dB" } ?? "",
      words.filter { !$0.isEmpty }.joined(separator: "; "),
    ]
  }
}

extension PieceFinding {
  var cells: [String] {
    var words: [String] = []
    if let firstSecond { words.append("from \(firstSecond.formatted(3)) s on") }
    if let message = comparison.message { words.append(message) }
    if comparison.verdict.isChange, lines.isEmpty {
      words.append("no line has an opcode that is known to differ")
    }
    return [
      comparison.verdict.rawValue, path,
      comparison.nullDepth.map { "\($0.formatted(0)) dB" } ?? "", words.joined(separator: "; "),
    ]
  }
}

extension PieceFinding.Line {
  /// The line with what differs in it.
  var report: String {
    let opcodes = findings.map { finding in
      [finding.title + ":", finding.verdict.rawValue, finding.cells[2], finding.cells[3]]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    return "  line \(number): \(text)\n" + opcodes.map { "    \($0)" }.joined(separator: "\n")
  }
}

/// The results of `versions`, in JSON.
struct VersionsExport: Codable {
  var first, second: CsoundLibrary
  var overloads: [VersionFinding] = []
  var pieces: [PieceFinding] = []
  /// In a record: the overloads that have not changed, by verdict.
  var unchanged: [String: [String]]?

  /// What there is to keep: what has changed, without sounds and pictures, and the names of the others.
  var record: VersionsExport {
    var record = VersionsExport(first: first.withoutPlace, second: second.withoutPlace)
    record.unchanged = unchanged ?? [:]
    for var finding in overloads {
      guard finding.verdict.isChange else {
        record.unchanged![finding.verdict.rawValue, default: []].append(finding.title)
        continue
      }
      (finding.orchestra, finding.test, finding.sounds, finding.levels) =
        (nil, nil, [], [])
      record.overloads.append(finding)
    }
    return record
  }

  /// All overloads, each with at least its verdict.
  var all: [VersionFinding] {
    overloads
      + (unchanged ?? [:]).sorted { $0.key < $1.key }.flatMap { verdict, titles in
        titles.map { title in
          VersionFinding(
            opcode: String(title.prefix { $0 != " " }),
            verdict: VersionVerdict(rawValue: verdict) ?? .notPlayed)
        }
      }
  }
}
