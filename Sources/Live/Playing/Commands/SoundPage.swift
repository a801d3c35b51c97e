import CommandKit
import Foundation
import HarnessBase

/// An HTML page with the waveform of a sound and of its change; a browser that shows it reloads it by itself.
struct SoundPage {
  private let path: String
  private let gnuplot: Gnuplot

  /// Reads the value of `--picture`.
  static let path = ValueReader<String> { path, _ throws(Failure) in
    guard path.hasSuffix(".html") else {
      throw .usage("--picture is '\(path)'; it takes a page, such as FILE.html.")
    }
    return path
  }

  /// Fails if gnuplot is missing.
  init(_ path: String) throws(Failure) {
    self.path = path
    gnuplot = try Gnuplot()
  }

  /// Draws the first channel of `sound` and, if `last` is given, the difference between the two. `sentence` is text
  /// about the same.
  func draw(_ sound: Sound, after last: Sound?, _ sentence: String) throws(Failure) {
    let new = Self.channel(sound)
    var curves = [("The sound", new)]
    if let last, last.sampleRate == sound.sampleRate {
      curves.append(("New minus last", zip(new, Self.channel(last)).map { $0 - $1 }))
    }
    let charts = curves.map { name, samples in
      Chart(
        x: .linear("s"), y: .linear("sample"),
        [Curve(name, waveform: samples, sampleRate: sound.sampleRate)])
    }
    var page = Page("watch")
    page.add("<script>setTimeout(() => location.reload(), 1000)</script>")
    page.add(prose: sentence)
    for ((name, _), picture) in zip(curves, try gnuplot.svg(charts, prefix: "watch")) {
      page.add(picture: picture, caption: name)
    }
    try OutputFile(path).write(Data(page.text.utf8))
  }

  private static func channel(_ sound: Sound) -> [Double] {
    stride(from: 0, to: sound.samples.count, by: sound.channelCount).map { sound.samples[$0] }
  }
}
