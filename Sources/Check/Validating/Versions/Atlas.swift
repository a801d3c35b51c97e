import CommandKit
import Foundation
import HarnessBase
import Rendering

/// A page of opcodes with what several runs of `versions` found about each, one column of steps from a Csound to another.
package struct Atlas {
  let steps: [VersionsExport]
  /// The opcodes, each with its findings in each step, by the step's index.
  private let opcodes: [(name: String, findings: [[VersionFinding]])]
  /// The directory of the page, to which paths are relative.
  private let directory: String

  /// - Parameters:
  ///   - paths: files that `versions --json` has written, in the order of the steps.
  ///   - history: a clone of Csound's sources, in which to look for commits that name a changed opcode.
  package init(
    readingFrom paths: [String], directory: String, history: String? = nil
  ) throws(Failure) {
    var steps: [VersionsExport] = []
    for path in paths {
      do throws(Failure) {
        steps.append(try DataFile.read(VersionsExport.self, from: path, as: "results of versions"))
      } catch {
        guard error.kind == .badInput else { throw error }
        throw .badInput(
          "'\(path)' has no results of versions: write them with versions --json FILE.")
      }
    }
    if let history {
      for step in steps.indices {
        let log = try VersionHistory(in: history, since: steps[step].first)
        for index in steps[step].overloads.indices
        where ![.new, .gone].contains(steps[step].overloads[index].verdict) {
          let commits = log.commits(naming: steps[step].overloads[index].opcode)
          if !commits.isEmpty { steps[step].overloads[index].commits = commits }
        }
      }
    }
    let findings = steps.map { Dictionary(grouping: $0.all, by: \.opcode) }
    opcodes = Set(findings.flatMap(\.keys))
      .sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
      .map { name in (name, findings.map { $0[name] ?? [] }) }
    (self.steps, self.directory) = (steps, directory)
  }

  /// How many opcodes there are, and how many change in some step.
  var summary: String {
    let changed = opcodes.count { $0.findings.contains { Self.gravest($0)?.isChange == true } }
    return
      "\(opcodes.count.counted("opcode")) in \(steps.count.counted("step")), \(changed) of them changed"
  }

  /// The recorded steps: from one release to another, then the smaller steps between them.
  package static func recorded(in kit: String) throws(Failure) -> [String] {
    let directory = kit + "/Benchmarks/builtins/versions"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      throw .missingInput("'\(directory)' has no results; give atlas those of versions.")
    }
    return names.sorted().map { "\(directory)/\($0)" }
  }

  /// The findings of the recorded step between two Csounds, by opcode; nil if it was not recorded.
  static func recorded(
    _ first: CsoundLibrary, _ second: CsoundLibrary, in kit: String
  ) throws(Failure) -> [String: [VersionFinding]]? {
    guard let paths = try? recorded(in: kit) else { return nil }
    let step = try Atlas(readingFrom: paths, directory: kit).steps.first {
      $0.first.title == first.title && $0.second.title == second.title
    }
    return step.map { Dictionary(grouping: $0.all, by: \.opcode) }
  }

  /// A Markdown table of how many overloads of the first step have each verdict.
  package var counts: String {
    let all = steps[0].all
    var table = MarkdownTable(["verdict", "opcodes", "overloads"])
    for verdict in VersionVerdict.allCases {
      let found = all.filter { $0.verdict == verdict }
      guard !found.isEmpty else { continue }
      table.add([verdict.rawValue, "\(Set(found.map(\.opcode)).count)", "\(found.count)"])
    }
    return table.text
  }

  /// A Markdown table of the overloads that change in the first step, the gravest first, with the gravest verdict about
  /// their opcodes in each of the other steps.
  package var changes: String {
    var table = MarkdownTable(
      ["opcode", "verdict", "null depth", "where"] + steps.dropFirst().map(Self.title))
    let changed = opcodes.flatMap { opcode in
      opcode.findings[0].filter { $0.verdict.isChange && $0.verdict != .new }.map { finding in
        (finding, opcode.findings.dropFirst().map(Self.gravest))
      }
    }
    for verdict in VersionVerdict.allCases {
      for (finding, others) in changed where finding.verdict == verdict {
        let cells = finding.cells
        let commits = (finding.commits ?? []).prefix(1).map { "; Csound's commit \($0)" }.joined()
        table.add(
          ["`\(cells[1])`", cells[0], cells[2], cells[3] + commits]
            + others.map { $0?.isChange == true ? $0!.rawValue : "" })
      }
    }
    return table.text
  }

  /// The opcodes that only the second Csound of the first step has.
  package var news: String {
    opcodes.filter { Self.gravest($0.findings[0]) == .new }.map { "`\($0.name)`" }
      .joined(separator: ", ")
  }

  /// The gravest verdict about an opcode's overloads; nil if there is none.
  private static func gravest(_ findings: [VersionFinding]) -> VersionVerdict? {
    findings.map(\.verdict).min()
  }

  private static func title(_ step: VersionsExport) -> String {
    "\(step.first.title) → \(step.second.title)"
  }

  var text: String {
    var page = Page("What changed in Csound's opcodes")
    page.add("<style>\(Self.style)</style>")
    page.add(heading: page.title, level: 1)
    page.add(
      prose: "\(summary). Each overload was called in both Csounds of a step, with the same noise.")
    let verdicts = VersionVerdict.allCases.filter { verdict in
      opcodes.contains { $0.findings.contains { Self.gravest($0) == verdict } }
    }
    page.add(
      table: ["opcodes"] + steps.map(Self.title), numbers: Set(1...steps.count),
      verdicts.map { verdict in
        ["<span class=\"\(Self.style(of: verdict))\">\(verdict.rawValue)</span>"]
          + steps.indices.map { step in
            "\(opcodes.count { Self.gravest($0.findings[step]) == verdict })"
          }
      })
    page.add(
      """
      <p class="search"><label>Opcode <input id="name" type="search"/></label>
      <label>Verdict <select id="verdict"><option value="">any</option><option value="change">any change</option>\
      \(verdicts.map { "<option>\($0.rawValue)</option>" }.joined())</select></label>
      <span id="count" class="faint" role="status"></span></p>
      """)
    for opcode in opcodes { add(opcode.name, opcode.findings, to: &page) }
    page.add("<script>\(Self.script)</script>")
    return page.text
  }

  private func add(_ name: String, _ findings: [[VersionFinding]], to page: inout Page) {
    let verdicts = findings.map(Self.gravest)
    let words = zip(steps, verdicts).map { step, verdict in
      // A step may have been about other opcodes only.
      "<span class=\"\(Self.style(of: verdict ?? .notPlayed))\" title=\"\(Self.title(step).escaped)\">"
        + "\(verdict?.rawValue ?? "–")</span>"
    }
    let all = Set(
      verdicts.compactMap(\.self).flatMap { $0.isChange ? [$0.rawValue, "change"] : [$0.rawValue] })
    page.add(
      "<details class=\"opcode\" data-name=\"\(name.escaped)\" data-verdicts=\"|\(all.sorted().joined(separator: "|"))|\">"
        + "<summary><code>\(name.escaped)</code> \(words.joined(separator: " "))</summary>")
    for (step, found) in zip(steps, findings) where !found.isEmpty {
      page.add("<h3>\(Self.title(step).escaped)</h3><ul>")
      for finding in found { add(finding, to: &page) }
      page.add("</ul>")
    }
    page.add("</details>")
  }

  private func add(_ finding: VersionFinding, to page: inout Page) {
    let cells = finding.cells
    let words = [cells[2], cells[3]].filter { !$0.isEmpty }.joined(separator: "; ")
    page.add(
      "<li><code>\(finding.title.escaped)</code> <span class=\"\(Self.style(of: finding.verdict))\">"
        + "\(finding.verdict.rawValue)</span> \(words.escaped)")
    for commit in finding.commits ?? [] {
      page.add("<div class=\"faint\">Csound's commit \(commit.escaped)</div>")
    }
    if !finding.values.isEmpty { page.add("<div class=\"faint\">\(finding.values.escaped)</div>") }
    for file in [finding.orchestra, finding.test].compactMap(\.self) {
      page.add(
        "<div><a href=\"\(link(file))\">\((file as NSString).lastPathComponent.escaped)</a></div>")
    }
    if finding.levels.count == 3 { page.add(Self.picture(finding.levels)) }
    for (sound, name) in zip(finding.sounds, ["before", "after"]) {
      page.add(
        "<label class=\"sound\">\(name) <audio controls=\"controls\" preload=\"none\" src=\"\(link(sound))\"></audio></label>"
      )
    }
    page.add("</li>")
  }

  /// The address of a file beside or below the page; that of the file itself if it is elsewhere.
  private func link(_ path: String) -> String {
    let relative =
      path.hasPrefix(directory + "/")
      ? String(path.dropFirst(directory.count + 1)) : "file://" + path
    return (relative.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? relative)
      .escaped
  }

  /// The levels of both sounds and of their difference over time, from -120 dB up to the loudest.
  private static func picture(_ levels: [[Int]]) -> String {
    let curves = zip(levels, ["before", "after", "difference"]).map { levels, name in
      let points = levels.enumerated().map { "\(4 * $0),\(-$1 / 2)" }.joined(separator: " ")
      return "<polyline class=\"\(name)\" points=\"\(points)\"><title>\(name)</title></polyline>"
    }
    return """
      <svg class="levels" viewBox="-2 -2 388 64" role="img" aria-label="Levels over time">\(curves.joined())</svg>
      <div class="faint"><span class="before">before</span>, <span class="after">after</span>, \
      <span class="difference">difference</span>: 0 to -120 dB below the loudest</div>
      """
  }

  private static func style(of verdict: VersionVerdict) -> String {
    verdict.isBad ? "verdict bad" : verdict.isChange ? "verdict change" : "verdict"
  }

  private static let style = """
    .verdict { color: var(--faint); white-space: nowrap; font-size: 13px; padding: 0 .3rem; }
    .bad { color: var(--curve-2); font-weight: 600; } .change { color: var(--curve-1); }
    .wide th { white-space: normal; } .opcode { margin: .15rem 0; border-bottom: 1px solid var(--rule); }
    .opcode ul { padding-left: 1.1rem; } .opcode li { margin: .4rem 0; overflow-wrap: anywhere; }
    .search { position: sticky; top: 0; background: var(--paper); padding: .5rem 0; }
    .search input, .search select { font: inherit; max-width: 11rem; }
    .levels { width: 100%; max-width: 388px; height: 64px; fill: none; stroke-width: 1.3; background: var(--tint); }
    .levels .before { stroke: var(--curve-1); } .levels .after { stroke: var(--curve-4); } .levels .difference { stroke: var(--curve-2); }
    span.before { color: var(--curve-1); } span.after { color: var(--curve-4); } span.difference { color: var(--curve-2); }
    .sound { display: inline-flex; align-items: center; gap: .4rem; margin-right: 1rem; } audio { height: 2rem; max-width: 15rem; }
    """

  // No sign of markup is in it, so that the page is XML, too.
  private static let script = """
    const rows = [...document.querySelectorAll(".opcode")], field = document.getElementById("name"),
      choice = document.getElementById("verdict"), count = document.getElementById("count");
    function search() {
      let shown = 0;
      for (const row of rows) {
        const isNamed = row.dataset.name.toLowerCase().includes(field.value.trim().toLowerCase());
        row.hidden = isNamed ? !row.dataset.verdicts.includes(choice.value + "|") : true;
        if (!row.hidden) shown++;
      }
      count.textContent = shown + " of " + rows.length;
    }
    field.oninput = choice.onchange = search;
    search();
    """
}
