import CommandKit
import Foundation
import HarnessBase
import Rendering

/// A picture of a difference, drawn by gnuplot. It shows both waveforms, the difference and both
/// spectrograms of the channel that differs most.
struct GoldenPicture {
  /// The number of columns of a waveform, and the largest number of columns of a spectrogram.
  private static let columns = 1200
  private static let rows = 256

  private let actual: [Double]
  private let expected: [Double]
  private let difference: [Double]
  private let sampleRate: Double
  private let comparison: GoldenComparison
  private var spectra: PowerSpectrum

  init(
    actual: Sound, expected: Sound, difference: Sound, _ comparison: GoldenComparison
  ) throws(Failure) {
    let channel = comparison.worstChannel
    self.actual = actual.channel(channel)
    self.expected = expected.channel(channel)
    self.difference = difference.channel(channel)
    sampleRate = expected.sampleRate
    self.comparison = comparison
    spectra = try PowerSpectrum(length: SpectralDistance.length, .hann)
  }

  /// Draws the picture. Returns nil, or one sentence that says why it was not possible.
  func draw(to path: String) -> String? {
    let directory = path.parentPath + "/picture"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    do {
      let gnuplot = try Gnuplot()
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      try write(waveforms: [expected, actual, difference], to: directory + "/waves")
      let names = ["expected", "actual"]
      let pictures = try zip(names, [expected, actual]).map { name, samples in
        try write(spectrogram: samples, to: directory + "/" + name)
      }
      try gnuplot.run(script(spectrograms: pictures), in: directory, making: "picture.png")
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: directory + "/picture.png", toPath: path)
      return nil
    } catch let failure as Failure {
      return failure.message
    } catch {
      return "The picture cannot be drawn: \(error.localizedDescription)"
    }
  }

  private var sampleCount: Int { max(actual.count, expected.count) }

  /// Writes for each column the time in seconds, and the smallest and the largest sample of each
  /// waveform, as 32-bit floats.
  private func write(waveforms: [[Double]], to path: String) throws {
    let columns = min(Self.columns, sampleCount)
    var values: [Float] = []
    for column in 0..<columns {
      let range = column * sampleCount / columns..<(column + 1) * sampleCount / columns
      values.append(Float(Double(range.lowerBound) / sampleRate))
      for wave in waveforms {
        // A column includes the last sample of the previous column, so that the waveform has no
        // gaps.
        let end = min(range.upperBound, wave.count)
        let part = wave[min(end, max(0, range.lowerBound - 1))..<end].filter(\.isFinite)
        values += [Float(part.min() ?? .nan), Float(part.max() ?? .nan)]
      }
    }
    try Self.write(values, to: path)
  }

  /// A spectrogram's numbers of columns and rows, and the duration of a column in seconds.
  private struct Raster {
    var columns: Int
    var rows: Int
    var secondsPerColumn: Double
  }

  /// Writes the levels in dBFS, row by row from 0 Hz, as 32-bit floats.
  private func write(spectrogram samples: [Double], to path: String) throws -> Raster {
    var spectra = spectra
    let length = SpectralDistance.length
    let columns = min(Self.columns, max(1, sampleCount / (SpectralDistance.hop / 4)))
    let step = Double(sampleCount) / Double(columns)
    let binsPerRow = length / 2 / Self.rows
    var levels = [Float](repeating: 0, count: columns * Self.rows)
    for column in 0..<columns {
      let centre = Int((Double(column) + 0.5) * step)
      let frame = Self.frame(samples, around: centre, length)
      let powers = spectra.powers(frame)
      for row in 0..<Self.rows {
        let power = powers[row * binsPerRow..<(row + 1) * binsPerRow].max() ?? 0
        levels[row * columns + column] = Float(
          10 * log10(max(power / spectra.fullScale, 1e-20)))
      }
    }
    try Self.write(levels, to: path)
    return Raster(columns: columns, rows: Self.rows, secondsPerColumn: step / sampleRate)
  }

  /// `length` samples around `centre`, with 0 beyond the ends and for samples that are not finite.
  private static func frame(_ samples: [Double], around centre: Int, _ length: Int) -> [Double] {
    (centre - length / 2..<centre + length / 2).map { index in
      samples.indices.contains(index) && samples[index].isFinite ? samples[index] : 0
    }
  }

  private static func write(_ values: [Float], to path: String) throws {
    try values.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
  }

  private func script(spectrograms: [Raster]) -> String {
    let seconds = Double(sampleCount) / sampleRate
    let nyquist = sampleRate / 2000
    let channel = "channel \(comparison.worstChannel + 1)"
    let mark = comparison.firstBad.map { point in
      "set arrow 1 from first \(point.seconds), graph 0 to first \(point.seconds), graph 1 nohead"
        + " lc rgb '#c00000' dt 2"
    }
    let wave = "binary format='%7float32'"
    func band(_ low: Int, _ colour: String, _ title: String) -> String {
      """
      'waves' \(wave) using 1:\(low):\(low + 1) with filledcurves lc rgb '\(colour)' title '\(title)', \
      'waves' \(wave) using 1:\(low) with lines lc rgb '\(colour)' notitle, \
      'waves' \(wave) using 1:\(low + 1) with lines lc rgb '\(colour)' notitle
      """
    }
    let images = zip(["expected", "actual"], spectrograms).map { name, raster in
      let height = nyquist / Double(raster.rows)
      return """
        set title 'Spectrogram, \(name), \(channel)'
        plot '\(name)' binary array=(\(raster.columns),\(raster.rows)) format='%float32' \
        origin=(\(raster.secondsPerColumn / 2),\(height / 2)) dx=\(raster.secondsPerColumn) \
        dy=\(height) with image notitle
        """
    }
    return """
      set terminal pngcairo size 1400,1300 font 'sans,11'
      set output 'picture.png'
      set multiplot layout 4,1
      set lmargin at screen 0.07
      set rmargin at screen 0.88
      set xrange [0:\(seconds)]
      set xlabel 's' offset 0,0.7
      set key outside right top samplen 1
      \(mark ?? "")
      set title 'Waveform, \(channel)\(mark == nil ? "" : "; the dashed line is the first bad sample")'
      plot \(band(2, "#602060c0", "expected")), \(band(4, "#60e08020", "actual"))
      set title 'Difference, actual minus expected, \(channel)'
      plot \(band(6, "#c00000", "difference"))
      set ylabel 'kHz' offset 1,0
      set yrange [0:\(nyquist)]
      set cbrange [-120:0]
      set cblabel 'dBFS'
      set palette defined (0 '#000010', 1 '#302070', 2 '#903080', 3 '#e06040', 4 '#ffe080', 5 '#ffffff')
      \(images.joined(separator: "\n"))
      unset multiplot
      """
  }
}
