import CommandKit
import Foundation
import HarnessBase
import Pictures
import Sounds

/// A page with the picture of a sound, and of what has changed in it; in a browser it loads itself again.
struct SoundPage {
  private let path: String
  private let gnuplot: Gnuplot

  /// What `--picture` takes.
  static let path = ValueReader<String> { path, _ throws(Failure) in
    guard path.hasSuffix(".html") else {
      throw Failure(.usage, "--picture is '\(path)'; pictures are put into a page: FILE.html.")
    }
    return path
  }

  /// Fails where gnuplot is missing.
  init(_ path: String) throws(Failure) {
    self.path = path
    gnuplot = try Gnuplot()
  }

  /// Draws the first channel of `sound` and, where there is a sound before it, what is another. `sentence` says
  /// the same in numbers.
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
