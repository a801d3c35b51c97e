import CommandKit
import Foundation
import HarnessBase
import Panels
import Rendering
import Swapping

extension Command {
  private static let sound = Option(
    name: "duration", value: "SECONDS", takes: .number(0.01...3600),
    help: "Play this many seconds of each piece, two or three times; 1 unless given.")

  private static let pages = Option(
    name: "pages",
    help: "Also check each page on a phone, a tablet and a desk, light and dark.")
  private static let pictures = Option(
    name: "pictures", value: "DIR",
    help: "Check the pages, and write a picture of each to this directory.")

  static let panels = Command(
    name: "dev panels", operands: "DIR …",
    summary: "Read the control panel of every piece below directories, and try its controls.",
    options: [sound, pages, pictures, .toolCsound, .timeLimit(20), .json] + Shard.options
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw Failure(
        .usage, "panels needs a piece or a directory with CSDs; see ./opcodekit dev panels --help.")
    }
    let pieces = try PieceFiles.all(arguments.operands)
    var survey = PanelSurvey(worker: [Project.executable, "worker"])
    survey.duration = arguments[sound] ?? survey.duration
    survey.timeLimit = arguments[.timeLimit]
    survey.pictures = arguments[pictures]
    survey.checksPages = arguments[pages] || survey.pictures != nil
    if let folder = survey.pictures {
      try makeDirectory(folder)
    }
    survey.folders = PieceFiles.folders(arguments.operands)
    SwapOptions.sayConfinement()
    let run = try SharedRun(arguments, PanelReport(), units: pieces.map(Project.short))
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

struct PanelReport: SharedReport {
  static var command: String { "dev panels" }
  static var things: String { "pieces" }
  static var numbersRows: Bool { false }

  func row(_ piece: SurveyedPanel) -> String? { PanelLine(piece).text }

  func conclude(
    _ results: [SurveyedPanel], units: Int, _ exports: Exports
  ) throws(Failure) -> ExitCode {
    print("\n" + PanelTables(results, pieces: units).text)
    try exports[.json]?.write(results)
    return results.allSatisfy {
      $0.failure == nil && $0.take?.deaf.isEmpty != false && $0.reach?.covered.isEmpty != false
        && $0.pages?.allSatisfy { $0.faults == 0 } != false
    }
      ? .success : .checkFailed
  }
}

/// The result for a piece in one line, and which of its controls do not work.
private struct PanelLine {
  let text: String

  init(_ piece: SurveyedPanel) {
    let name = Project.short(piece.path)
    guard let take = piece.take else {
      text = "\(name): \(piece.failure ?? "")"
      return
    }
    if let reason = take.skipped {
      text = "\(name): \(take.source.rawValue), skipped: \(reason)"
      return
    }
    if let refusal = take.refusal {
      text = "\(name): \(take.source.rawValue), does not start: \(refusal.suffix(200))"
      return
    }
    let widgets = take.widgets.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    var parts = [
      "\(take.source.rawValue), \(widgets)",
      "\(take.working) of \(take.controls) controls taken",
      take.responds ? "heard" : take.repeats ? "not heard" : "does not repeat",
    ]
    if !take.sounds { parts.append("silent") }
    if !take.deaf.isEmpty { parts.append("not taken: \(take.deaf.joined(separator: ", "))") }
    if let reach = piece.reach {
      let reached = reach.controls - reach.covered.count
      parts.append("\(reached) of \(reach.controls) controls reachable")
      if !reach.covered.isEmpty {
        parts.append("covered: \(reach.covered.joined(separator: ", "))")
      }
    }
    for page in piece.pages ?? [] where page.faults > 0 {
      let faults = page.counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
      parts.append("at \(page.view): \(faults.joined(separator: ", "))")
    }
    if let failure = piece.reachFailure { parts.append("reach not checked: \(failure)") }
    if !take.leftOut.isEmpty {
      parts.append(
        "left out: " + take.leftOut.map { "\($0.count) \($0.name)" }.joined(separator: ", "))
    }
    text = "\(name): " + parts.joined(separator: "; ")
  }
}

/// How many pieces have a panel from each source, and the results.
private struct PanelTables {
  let text: String

  init(_ results: [SurveyedPanel], pieces: Int) {
    let takes = results.compactMap(\.take)
    let sources = PanelSource.allCases.filter { source in takes.contains { $0.source == source } }
    func row(_ name: String, _ takes: [PanelTake]) -> [String] {
      let playing = takes.filter { $0.seconds > 0 }
      let whole = playing.filter(\.deaf.isEmpty)
      return [
        name, "\(takes.count)", "\(playing.count)", "\(whole.count)",
        "\(playing.reduce(0) { $0 + $1.controls })", "\(playing.reduce(0) { $0 + $1.working })",
        "\(playing.count(where: \.pressesKeys))", "\(playing.count(where: \.sounds))",
        "\(playing.count(where: \.responds))",
      ]
    }
    let rows =
      [
        [
          "source", "pieces", "play", "all taken", "controls", "taken", "keys", "sound", "heard",
        ]
      ]
      + sources.map { source in row(source.rawValue, takes.filter { $0.source == source }) }
      + [row("all", takes)]
    var omitted: [String: Int] = [:]
    for left in takes.flatMap(\.leftOut) {
      omitted["\(left.name): \(left.reason)", default: 0] += left.count
    }
    let list = omitted.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20)
      .map { ["\($0.value)", $0.key] }
    let failed = results.count { $0.failure != nil }
    let skipped = takes.count { $0.skipped != nil }
    text = """
      \(Table(rows: rows, alignment: [.left] + Array(repeating: .right, count: 8)).text)

      Most often left out:
      \(Table(rows: list, alignment: [.right, .left]).text)

      \(Self.reach(results))
      \(Self.pages(results))\
      \(pieces) piece\(pieces == 1 ? "" : "s"), \(results.count) with a panel, \(skipped) skipped, \
      \(failed) crashed or hung.
      """
  }

  /// The faults of all pages in each window; empty if none was checked.
  private static func pages(_ results: [SurveyedPanel]) -> String {
    let pages = results.flatMap { $0.pages ?? [] }
    guard let first = pages.first else { return "" }
    let rows =
      [["window", "pages", "texts", "controls"] + first.counts.map(\.name)]
      + PageView.all.map { view in
        let these = pages.filter { $0.view == view }
        return [
          "\(view)", "\(these.count)", "\(these.reduce(0) { $0 + $1.texts })",
          "\(these.reduce(0) { $0 + $1.controls })",
        ]
          + first.counts.indices.map { place in
            "\(these.reduce(0) { $0 + $1.counts[place].count })"
          }
      }
    let columns = Array(repeating: Columns.Alignment.right, count: rows[0].count - 1)
    return "\n\(Table(rows: rows, alignment: [.left] + columns).text)\n\n"
  }

  private static func reach(_ results: [SurveyedPanel]) -> String {
    guard Browser.path != nil else {
      return
        "Whether a pointer reaches the controls was not checked: chromium-headless-shell is missing."
    }
    let reaches = results.compactMap(\.reach)
    let controls = reaches.reduce(0) { $0 + $1.controls }
    let covered = reaches.reduce(0) { $0 + $1.covered.count }
    return "\(controls - covered) of \(controls) controls reachable by a pointer in the browser;"
      + " \(reaches.count { !$0.covered.isEmpty }) of \(reaches.count) panels have some that are not."
  }
}
