import CommandKit
import Comparing
import HarnessBase
import PluginBuilding
import Rendering

/// The report's first page: the opcodes, and every run of `bench` with its table and charts.
struct IndexPage {
  var manuals: [Manual]
  var runs: [BenchRun]
  /// Where the pictures were measured.
  var provenance: Provenance
  /// Whether there is a page of sound.
  var hasSound: Bool

  func text(_ gnuplot: Gnuplot) throws(Failure) -> String {
    var page = Page("OpcodeKit: report")
    var figures = Figures(gnuplot: gnuplot, prefix: "run")
    let known = Set(manuals.map(\.name))
    page.add(heading: "OpcodeKit: report", level: 1)
    page.add(
      prose: "Measured \(provenance.date) on \(provenance.processor), Csound \(provenance.csound),"
        + " \(provenance.compiler)\(provenance.commit.map { ", commit `\($0)`" } ?? "").",
      faint: true)
    page.add(heading: "Opcodes")
    page.add(
      table: ["opcode", "what it does"],
      manuals.map {
        [
          "<a class=\"name\" href=\"\($0.name.escaped).html\">\($0.name.escaped)</a>",
          $0.summary.escaped,
        ]
      })
    if hasSound {
      page.add(
        "<p><a href=\"how-it-sounds.html\">How it sounds</a>: pictures and sounds of <span class=\"code\">iquality</span></p>"
      )
    }
    if runs.isEmpty {
      page.add(heading: "Speed")
      page.add(prose: "There is no run of bench; `./opcodekit bench` makes one.")
    }
    for (index, run) in runs.enumerated() {
      let rows = run.results.rows.filter { known.contains($0.subject) }
      page.add(heading: "Speed: \(run.name)")
      page.add(prose: run.provenance, faint: true)
      guard !rows.isEmpty else {
        page.add(prose: "This run has no row of the opcodes of this report.")
        continue
      }
      if let (chart, ksmps) = run.ratioChart(rows) {
        figures.add(
          chart, to: &page,
          "How many times as fast as the rival at ksmps \(ksmps), with \(run.intervals).")
      }
      for (quantity, title) in [
        (BenchRun.Quantity.ksmps, "Cost against ksmps"), (.instances, "Cost against instances"),
      ] {
        let panels = run.costCharts(rows, against: quantity)
        guard !panels.isEmpty else { continue }
        page.add(heading: title, level: 3)
        page.add(
          prose:
            "What one more call costs; at the pair's first rates.",
          faint: true)
        figures.add(panels: panels, to: &page)
      }
      page.add(folded: "All \(rows.count) rows", isOpen: index == 0) {
        $0.add(rows, linking: known)
      }
    }
    return try figures.drawn(in: page.text)
  }
}
