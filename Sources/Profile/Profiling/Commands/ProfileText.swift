import CommandKit
import Foundation
import HarnessBase

extension SampledProfile {
  func text(top count: Int) -> String {
    func percent(_ count: Int) -> String {
      (Double(count) / Double(max(1, samples)) * 100).formatted(1)
    }
    let clock =
      event.hasPrefix("cycles") ? "" : "; this machine lets perf count no cycles of the processor"
    let header = """
      \(path): \(soundSeconds.formatted(2)) s of sound
      \(samples) samples in the k-cycles by perf's \(event)\(clock); \(otherSamples) before and after \
      are left out
      """
    let cells = rows.prefix(count).map { row in
      [
        percent(row.samples), "\(row.samples)", row.opcodes ?? "",
        String(row.function.prefix(60)), row.object,
      ]
    }
    let rest = rows.dropFirst(count)
    let more =
      rest.isEmpty
      ? ""
      : "\n… and \(rest.count.counted("more function")), \(percent(rest.reduce(0) { $0 + $1.samples })) %"
    return header + "\n\n"
      + Table(
        rows: [["%", "samples", "opcode", "function", "in"]] + cells, alignment: [.right, .right]
      ).text + more
  }
}

extension Profile {
  func text(top count: Int) -> String {
    [
      header,
      table("line", lines, top: count) { row in
        let file = row.file.map { $0 == path ? "" : ($0 as NSString).lastPathComponent + ":" } ?? ""
        return [file + "\(row.line ?? 0)", String((row.text ?? "").prefix(70))]
      },
      table("opcode", opcodes, top: count) { [$0.name] },
      instrumentTable,
      engineText,
    ].joined(separator: "\n\n")
  }

  private var header: String {
    let worst = load.worst / deadline
    let late =
      load.lateCycles == 0
      ? "none late"
      : "\(load.lateCycles) late, hidden by a buffer of \(Int((load.largestBacklog * sampleRate).rounded(.up))) samples"
    let timed =
      tracing.timedShare == 1
      ? "every call timed"
      : "calls timed in \((tracing.timedShare * 100).formatted(1)) % of the k-cycles, drawn at random"
    let disturbed =
      load.disturbedCycles == 0
      ? "" : "; \(load.disturbedCycles) disturbed by other work on the machine are left out"
    let cost = (tracing.overhead * 100).formatted(1)
    let slowdown = (1 + tracing.slowdown).formatted(2)
    let identical =
      tracing.isBitIdentical
      ? "the same samples with and without" : "the samples differ from render to render"
    return """
      \(path): \(soundSeconds.formatted(2)) s of sound, \(sampleRate.formatted(0)) Hz, ksmps \(ksmps), \
      rendered in \(load.seconds.formatted(3)) s, \(speed.formatted(1)) × real time
      k-cycles: \(load.cycles) of \((deadline * 1e3).formatted(3)) ms; longest \
      \((load.worst * 1e3).formatted(3)) ms, \((worst * 100).formatted(0)) % of its time, at \
      \((Double(load.worstCycle) * deadline).formatted(2)) s; \(late)\(disturbed)
      trace: \(tracing.renders.counted("render")), \(timed), which cost \(cost) % (rendering took \(slowdown) \
      times as long), \((accounted * 100).formatted(1)) % accounted for, \(identical)
      """
  }

  private func percent(_ seconds: Double) -> String {
    (seconds / wholeSeconds * 100).formatted(1)
  }

  private func table(
    _ name: String, _ rows: [Row], top count: Int, _ last: (Row) -> [String]
  ) -> String {
    let headings = [
      "own %", "± %", "own ms", "total ms", "calls", "ns/call", "ns/sample", "worst µs", "init ms",
      name,
    ].filter { $0 != "± %" || name == "line" }
    let shown = rows.prefix(count)
    let cells = shown.map { row in
      [
        percent(row.ownSeconds)
      ] + (name == "line" ? [row.doubt.map { ($0 * 100).formatted(1) } ?? "?"] : []) + [
        (row.ownSeconds * 1e3).formatted(2), (row.total * 1e3).formatted(2), "\(row.passes)",
        row.passes == 0 ? "" : (row.seconds / Double(row.passes) * 1e9).formatted(1),
        row.samples == 0 ? "" : (row.seconds / Double(row.samples) * 1e9).formatted(2),
        (row.worst * 1e6).formatted(1), (row.initSeconds * 1e3).formatted(2),
      ] + last(row)
    }
    let rest = rows.dropFirst(count)
    let more =
      rest.isEmpty
      ? ""
      : "\n… and \(rest.count.counted("more \(name)")), \(percent(rest.reduce(0) { $0 + $1.ownSeconds })) %"
    return Table(
      rows: [headings] + cells,
      alignment: Array(repeating: .right, count: headings.count - (name == "line" ? 0 : 1))
    ).text + more
  }

  private var instrumentTable: String {
    let headings = [
      "total %", "total ms", "own ms", "init ms", "notes", "at a time", "worst µs", "of its time",
      "instrument",
    ]
    let cells = instruments.map { row in
      [
        percent(row.total), (row.total * 1e3).formatted(2), (row.ownSeconds * 1e3).formatted(2),
        (row.initSeconds * 1e3).formatted(2), row.notes.map(String.init) ?? "",
        row.mostNotes.map(String.init) ?? "", (row.worst * 1e6).formatted(1),
        "\((row.worst / deadline * 100).formatted(0)) %", row.name,
      ]
    }
    return Table(
      rows: [headings] + cells, alignment: Array(repeating: .right, count: headings.count - 1)
    ).text
  }

  /// The time that the orchestra takes before its first k-cycle.
  private var startText: String {
    let seconds = lines.reduce(0) { $0 + $1.startSeconds }
    guard let longest = lines.max(by: { $0.startSeconds < $1.startSeconds }), seconds >= 0.5e-3
    else { return "" }
    let file =
      longest.file.map { $0 == path ? "" : ($0 as NSString).lastPathComponent + ":" } ?? ""
    return ": \((seconds * 1e3).formatted(1)) ms of it in lines, the most,"
      + " \((longest.startSeconds * 1e3).formatted(1)) ms, in \(file)\(longest.line ?? 0)"
  }

  private var engineText: String {
    "Csound itself: events and notes \(percent(engine.events)) %, between notes"
      + " \(percent(engine.notes)) %, output \(percent(engine.output)) %."
      + " Compiling and starting took \((startSeconds * 1e3).formatted(0)) ms, which is not in these sums"
      + startText + "."
  }
}

extension RemovalTrial {
  static let explanation = """
    As it is and without each line, in turns of some k-cycles: what is saved against the line's part by \
    the profile, with what it calls. Init passes are in neither; a line's last values stay for the others.
    """

  var text: String { Self.explanation + "\n\n" + tableText }

  var tableText: String {
    func percent(_ part: Double?) -> String { part.map { ($0 * 100).formatted(1) } ?? "" }
    let headings = [
      "profile %", "± %", "saved %", "± %", "difference", "in proportion", "verdict", "line",
    ]
    let cells = rows.map { row in
      let name = row.file.map { $0 == path ? "" : ($0 as NSString).lastPathComponent + ":" } ?? ""
      return [
        percent(row.share), row.doubt == nil ? "?" : percent(row.doubt), percent(row.saved?.middle),
        percent(row.saved?.margin), percent(row.saved.map { row.share - $0.middle }),
        percent(row.savedInProportion),
        row.verdict.rawValue + (row.reason.map { ": " + $0 } ?? ""), "\(name)\(row.line)",
        String(row.text.prefix(60)),
      ]
    }
    let all = together.map {
      "\nAll these lines of instruments left out at once save \(percent($0)) %; one at a time,"
        + " added up, \(percent(sum)) %."
    }
    return """
      \(path): \(soundSeconds.formatted(2)) s of sound, \(turns.counted("turn")) in \
      \(renders.counted("render"))

      \(Table(rows: [headings] + cells, alignment: Array(repeating: .right, count: 6)).text)\(all ?? "")
      """
  }
}
