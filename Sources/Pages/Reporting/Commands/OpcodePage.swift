import CommandKit
import Comparing
import Foundation
import HarnessBase
import PluginBuilding

/// The page of one opcode: its manual, what was measured of it, how fast it is, its orchestra.
struct OpcodePage {
  var manual: Manual
  var examples: [Example]
  var builtins: [String]
  /// What was measured of it.
  var portraits: [Portraits.Item]
  var runs: [BenchRun]

  func text(_ gnuplot: Gnuplot) throws(Failure) -> String {
    var page = Page(manual.name)
    page.add("<p class=\"faint\"><a href=\"index.html\">All opcodes</a></p>")
    page.add(heading: manual.name, level: 1)
    page.add(prose: manual.summary + ".")
    addManual(to: &page)
    var figures = Figures(gnuplot: gnuplot, prefix: manual.name)
    page.add(heading: "Measured")
    for form in manual.forms { addMeasured(form, to: &page, &figures) }
    for item in portraits where item.kind == .contrast {
      page.add(heading: item.subject, level: 3)
      for line in item.details { page.add(prose: line, faint: true) }
      addPictures(item, to: &page, &figures)
    }
    addSpeed(to: &page, &figures)
    if !examples.isEmpty { page.add(heading: "Orchestra") }
    for example in examples {
      if let item = portraits.first(where: { $0.subject == example.path }) {
        addPictures(item, to: &page, &figures)
      }
      page.add(folded: example.path) { $0.add(code: example.text) }
    }
    if !builtins.isEmpty {
      page.add(heading: "See also")
      page.add(prose: "Csound's \(builtins.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    return try figures.drawn(in: page.text)
  }

  private func addManual(to page: inout Page) {
    let syntax =
      manual.forms.map(\.syntax.text) + manual.descriptions.flatMap(\.otherSyntax)
    page.add(code: syntax.joined(separator: "\n"))
    page.add(heading: "Description")
    for description in manual.descriptions {
      for block in description.comment.blocks {
        switch block {
        case .prose(let words): page.add(prose: words)
        case .verbatim(let lines): page.add(code: lines.joined(separator: "\n"))
        case .list(let items):
          page.add("<ul>\(items.map { "<li>\($0.escapedProse)</li>" }.joined())</ul>")
        }
      }
      let path = description.path.replacing(Project.root + "/", with: "")
      page.add(prose: "From `\(path)`.", faint: true)
    }
    page.add(heading: "Arguments")
    for form in manual.forms {
      if manual.forms.count > 1 { page.add(code: form.syntax.text) }
      page.add(
        table: ["argument", "rate", "left out", "what it is"],
        form.arguments.map { argument in
          [
            "<span class=\"code\">\(argument.names.escaped)</span>",
            argument.rates + (argument.isOutput ? ", output" : ""),
            argument.fallback.map { String(format: "%g", $0) } ?? "",
            (argument.text ?? "Not described.").escapedProse,
          ]
        })
    }
  }

  private func addMeasured(
    _ form: Manual.Form, to page: inout Page, _ figures: inout Figures
  ) {
    let items = portraits.filter { $0.form == form.syntax.text }
    guard let first = items.first else {
      page.add(prose: "`\(form.syntax.text)`: \(form.reasonNotDrawn)")
      return
    }
    page.add(heading: first.subject, level: 3)
    for line in first.details { page.add(prose: "`\(line)`", faint: true) }
    for item in items { addPictures(item, to: &page, &figures) }
  }

  /// The pictures of one measurement, or the reason why there are none.
  private func addPictures(
    _ item: Portraits.Item, to page: inout Page, _ figures: inout Figures
  ) {
    if case .failure(let failure) = item.result {
      page.add(prose: "Not measured: \(failure.message)")
    }
    for (chart, caption) in item.charts {
      if let chart {
        figures.add(chart, to: &page, caption)
      } else {
        page.add(prose: caption, faint: true)
      }
    }
  }

  private func addSpeed(to page: inout Page, _ figures: inout Figures) {
    let own = runs.lazy.map { run in (run, run.results.rows.filter { $0.subject == manual.name }) }
      .first { !$0.1.isEmpty }
    guard let (run, rows) = own else { return }
    page.add(heading: "Speed")
    page.add(prose: "From `\(run.name)`: \(run.provenance).", faint: true)
    let panels = run.costCharts(rows, against: .ksmps)
    figures.add(panels: panels, to: &page)
    page.add(rows, linking: [])
  }
}

extension Portraits.Item {
  /// What there is to draw, with captions; only a sentence where nothing is drawn. Empty if it was not measured.
  var charts: [(chart: Chart?, caption: String)] {
    guard case .success(let portrait) = result else { return [] }
    let waveform = Chart(x: .linear("s"), y: .linear(""), portrait.waveform)
    func spectrum(span: Double) -> Chart {
      Chart(x: .frequency, y: .decibels(span: span), portrait.spectrum)
    }
    switch kind {
    case .response:
      return [
        (
          waveform,
          "Impulse response: to one sample of 0.001 of full scale in every audio input, divided by it."
        ),
        (
          spectrum(span: 100),
          "Frequency response: the spectrum of the impulse response, means over 1/48 octave."
        ),
      ]
    case .sine:
      let caption =
        "What it makes of a sine of full scale at 997 Hz in every audio input, half a second on."
      return [(waveform, caption)]
    case .generated:
      // A constant has no spectrum but that of how it began.
      let hasSpectrum = portrait.spectrum.contains { $0.y.contains { $0 > -100 } }
      return [
        (waveform, "Waveform: how it begins."),
        hasSpectrum
          ? (
            spectrum(span: 160), "Spectrum of its first 2.7 s: a sine has its level in dBFS."
          ) : (nil, "From 20 Hz up its spectrum lies below -100 dBFS: not drawn."),
      ]
    case .sound:
      return [(waveform, "What the orchestra plays.")]
    case .contrast:
      let depth = portrait.nullDepth ?? .nan
      var chart = spectrum(span: 400)
      chart.background = 1
      let caption =
        depth == -.infinity
        ? "Spectra of both; the sounds are identical, so there is no difference to draw."
        : "Spectra of both and of their difference, dBFS of a sine; null depth \(depth.decibels) dB."
      return [(chart, caption)]
    }
  }
}

extension Manual.Form {
  /// Why there is no picture of it.
  fileprivate var reasonNotDrawn: String {
    let outputs = arguments.filter(\.isOutput).map(\.rates)
    if arguments.contains(where: { $0.rates.contains("a[]") }) {
      return "channels in an array, each like the form with one channel; not drawn."
    }
    if arguments.contains(where: { $0.rates.contains("f") }) {
      return "has a spectral signal, which has no frequency response of its own; not drawn."
    }
    if outputs.contains(where: { $0.contains("a") }) {
      return "cannot be called with numbers, strings and tables alone; not drawn."
    }
    return "has no audio output, so no waveform and no frequency response; not drawn."
  }
}

/// The pictures of a page, drawn by one run of gnuplot when the page is finished.
struct Figures {
  let gnuplot: Gnuplot
  let prefix: String
  var drawings: [any Drawing] = []

  /// What stands in the page until the picture is there.
  private func place(_ index: Int) -> String { "<!-- picture \(index) -->" }

  mutating func add(_ drawing: any Drawing, to page: inout Page, _ caption: String) {
    if let chart = drawing as? Chart, chart.isEmpty {
      page.add(prose: "\(caption) It is silent: there is nothing to draw.", faint: true)
      return
    }
    drawings.append(drawing)
    page.add(picture: place(drawings.count - 1), caption: caption)
  }

  /// Small charts side by side.
  mutating func add(panels: [(title: String, chart: Chart)], to page: inout Page) {
    let shown = panels.filter { !$0.chart.isEmpty }
    guard !shown.isEmpty else { return }
    page.add("<div class=\"panels\">")
    for panel in shown { add(panel.chart, to: &page, panel.title) }
    page.add("</div>")
  }

  /// The page with its pictures.
  func drawn(in text: String) throws(Failure) -> String {
    var text = text
    for (index, picture) in try gnuplot.svg(drawings, prefix: prefix).enumerated() {
      text = text.replacing(place(index), with: picture, maxReplacements: 1)
    }
    return text
  }
}
