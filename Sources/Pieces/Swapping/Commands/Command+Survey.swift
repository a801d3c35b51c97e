import CommandKit
import Foundation
import HarnessBase
import Rendering

extension Command {
  static let survey = Command(
    name: "dev survey", operands: "DIR …",
    summary: "Swap Csound's opcodes for the pack's in all pieces below directories, and compare.",
    options: SwapOptions.all(timeLimit: 30) + [SwapOptions.jobs, .plugin, .toolCsound, .json]
      + Shard.options
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw Failure(
        .usage, "survey needs a directory with CSDs; see ./opcodekit dev survey --help.")
    }
    let pieces = try PieceFiles.all(arguments.operands)
    var survey = Survey(
      try SwapOptions.counterparts(arguments), SwapOptions.settings(arguments))
    survey.jobs =
      arguments[SwapOptions.jobs] ?? ProcessInfo.processInfo.activeProcessorCount
    let run = try SharedRun(arguments, SurveyReport(), units: pieces.map(Project.short))
    let numbers = run.numbers(of: pieces)
    return try run.finish { () throws(Failure) in
      _ = try survey.survey(run.own.map { pieces[$0] }) { piece in
        run.found(piece, unit: numbers[piece.path]!)
      } leftOut: {
        run.foundNothing()
      }
    }
  }
}

struct SurveyReport: SharedReport {
  static var command: String { "dev survey" }
  static var things: String { "pieces" }
  static var numbersRows: Bool { false }

  func heading(part: String, units: Int) -> String? { SurveyLine.heading }

  func row(_ piece: SurveyedPiece) -> String? { SurveyLine(piece).text }

  func conclude(
    _ results: [SurveyedPiece], units: Int, _ exports: Exports
  ) throws(Failure) -> ExitCode {
    print("\n" + SurveyTables(results, pieces: units).text)
    try exports[.json]?.write(results)
    return results.contains { $0.verdict.isMiss } ? .checkFailed : .success
  }
}

/// The result for a piece in one line with fixed column widths, because it is printed before the
/// others are known.
private struct SurveyLine {
  let text: String

  static let heading = row("verdict", "null dB", "peak error", "opcodes", "piece")

  init(_ piece: SurveyedPiece) {
    let isIdentical = piece.verdict == .identical
    var lines = [
      Self.row(
        piece.verdict.rawValue, isIdentical ? "-inf" : piece.nullDepthDecibels?.formatted(1) ?? "",
        isIdentical ? "-inf" : piece.peakErrorDecibels?.formatted(1) ?? "",
        piece.opcodes.joined(separator: " "), Project.short(piece.path))
    ]
    // Csound's messages can be long, so only the last 300 characters are printed; the JSON has all.
    if let reason = piece.reason { lines.append("  " + reason.suffix(300)) }
    for one in piece.alone ?? [] where one.verdict.isMiss {
      let depth = one.nullDepthDecibels.map { " \($0.formatted(1)) dB" } ?? ""
      lines.append("  \(one.opcodes[0]) alone: \(one.verdict.rawValue)\(depth)")
    }
    text = lines.joined(separator: "\n")
  }

  private static func row(
    _ verdict: String, _ depth: String, _ peak: String, _ opcodes: String, _ piece: String
  ) -> String {
    func padding(_ word: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - word.count))
    }
    return [
      verdict + padding(verdict, 15), padding(depth, 7) + depth, padding(peak, 10) + peak,
      opcodes + padding(opcodes, 24), piece,
    ].joined(separator: "  ")
  }
}

/// How many pieces have each verdict, in total and by opcode.
private struct SurveyTables {
  let text: String

  init(_ results: [SurveyedPiece], pieces: Int) {
    let verdicts = SurveyedPiece.Verdict.allCases.filter { verdict in
      results.contains { piece in
        piece.verdict == verdict || piece.opcodes.contains { piece.verdict(on: $0) == verdict }
      }
    }
    let opcodes = Set(results.flatMap(\.opcodes)).sorted()
    func counts(_ name: String, _ verdict: (SurveyedPiece) -> SurveyedPiece.Verdict?) -> [String] {
      let found = results.compactMap(verdict)
      return [name, "\(found.count)"]
        + verdicts.map { verdict in
          let count = found.count { $0 == verdict }
          return count == 0 ? "" : "\(count)"
        }
    }
    let rows =
      [["opcode", "pieces"] + verdicts.map(\.rawValue)]
      + opcodes.map { opcode in
        counts(opcode) { $0.opcodes.contains(opcode) ? $0.verdict(on: opcode) : nil }
      } + [counts("all") { $0.verdict }]
    let table = Table(
      rows: rows, alignment: [.left] + Array(repeating: .right, count: verdicts.count + 1))
    let misses = results.count { $0.verdict.isMiss }
    text = """
      \(table.text)

      \(pieces) piece\(pieces == 1 ? "" : "s"), \(results.count) with an opcode that can be swapped, \(misses) \
      miss\(misses == 1 ? "" : "es").
      """
  }
}
