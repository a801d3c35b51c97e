import CommandKit
import Foundation
import HarnessBase

/// The report's page of sound: pictures of what the argument `iquality` does, and sounds to hear.
struct SoundPage {
  let trial: SoundTrial

  /// The page; the sounds go into the directory.
  func text(
    _ gnuplot: Gnuplot, soundsIn directory: String, progress: (String) -> Void
  ) throws(Failure) -> String {
    var page = Page("How it sounds")
    var figures = Figures(gnuplot: gnuplot, prefix: "sound")
    page.add("<p class=\"faint\"><a href=\"index.html\">All opcodes</a></p>")
    page.add(heading: "How it sounds", level: 1)
    page.add(
      prose:
        "Some opcodes of the pack have an argument `iquality`. With 0 they sound as the opcodes of Csound that"
        + " they replace; with 1 and 2 they are in tune and make fewer aliases.")
    page.add(heading: "Hear it")
    for demo in SoundDemo.all {
      progress(demo.title)
      let files = try demo.write(to: directory, with: trial)
      page.add(heading: demo.title, level: 3)
      page.add(prose: demo.advice, faint: true)
      for (name, file) in [
        (demo.names.original, files.original), (demo.names.better, files.better),
      ] {
        page.add(
          "<p>\(name.escapedProse)<br/><audio controls=\"\" preload=\"none\" src=\"\(file)\"></audio></p>"
        )
      }
    }
    page.add(heading: "Aliases of a driven sine of 5 kHz")
    page.add(
      prose:
        "The harmonics are at 5, 10, 15 and 20 kHz; everything else is an alias. 0 dB is the loudest."
    )
    try addSpectra(of: .distortion, at: 5000, to: &page, &figures, progress)
    page.add(heading: "Aliases of oscillators at 2 kHz")
    try addSpectra(of: .oscillator, at: 2000, to: &page, &figures, progress)
    page.add(heading: "Tuning")
    page.add(prose: "Where the filter oscillates or rings, in cents above its cutoff.")
    for subject in SoundTrial.subjects where subject.kind == .tuning {
      progress(subject.opcode)
      let chart = Chart(x: .frequency, y: .linear("cents"), try trial.tuning(of: subject))
      figures.add(chart, to: &page, subject.opcode)
    }
    page.add(heading: "Steps and decay")
    page.add(
      prose:
        "What a filter with a cutoff of 1 kHz makes of a step, and how long it rings after a pulse. The level of each 5 ms"
        + " is in dB below the first.")
    for response in SoundTrial.responses {
      progress(response.name)
      page.add(heading: response.name, level: 3)
      var charts = [
        Chart(x: .linear("ms"), y: .linear("output / step"), try trial.steps(of: response)),
        Chart(x: .linear("s"), y: .decibels(span: 120), try trial.decays(of: response)),
      ]
      for index in charts.indices {
        charts[index].size = (width: 420, height: 260)
        charts[index].background = 0
      }
      figures.add(panels: Array(zip(["Step", "Decay"], charts)), to: &page)
    }
    return try figures.drawn(in: page.text)
  }

  private func addSpectra(
    of kind: SoundTrial.Kind, at frequency: Double, to page: inout Page, _ figures: inout Figures,
    _ progress: (String) -> Void
  ) throws(Failure) {
    for subject in SoundTrial.subjects where subject.kind == kind {
      progress(subject.opcode)
      page.add(heading: subject.opcode, level: 3)
      let spectra = try trial.spectra(of: subject, at: frequency)
      figures.add(
        panels: spectra.map { curve in
          var chart = Chart(x: .frequency, y: .decibels(span: 140), [curve])
          chart.size = (width: 380, height: 240)
          return (curve.name, chart)
        }, to: &page)
    }
  }
}
