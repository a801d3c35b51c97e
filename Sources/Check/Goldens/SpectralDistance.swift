import Foundation
import HarnessBase
import Rendering

/// How different two sounds' spectra are, whatever their phases: the log-spectral distance.
///
/// Frames of 2048 samples, 1024 apart, weighted with a Hann window, have the power spectra P and R.
/// A frame's distance is the root of the mean of (10 lg (P / R))² over the bins where P or R is at
/// most 80 dB below the reference's greatest bin; the lesser of the two counts as no less than
/// that. The distance is the mean of the frames that have such bins, in dB. A gain changed by 0.2
/// dB makes it 0.2, a delay leaves it near 0.
///
/// After A. H. Gray and J. D. Markel, "Distance measures for speech processing", IEEE Transactions
/// on Acoustics, Speech, and Signal Processing 24 (5), 1976, DOI 10.1109/TASSP.1976.1162849, where
/// it is the rms log spectral measure d₂; the floor of 80 dB is ours.
struct SpectralDistance {
  static let length = 2048
  static let hop = 1024
  /// The least power that counts over the reference's greatest.
  static let floor = 1e-8

  private var spectra: PowerSpectrum

  init() throws(Failure) { spectra = try PowerSpectrum(length: Self.length, .hann) }

  /// How many frames a sound has: the last one reaches its end, filled up with silence.
  static func frameCount(_ samples: Int) -> Int {
    max(1, (samples - length + hop - 1) / hop + 1)
  }

  /// The distance in dB of two sounds of one channel and the same length, and the first sample of
  /// the frame that differs most. A sound beside a silent reference is infinitely far from it.
  mutating func distance(
    _ actual: [Double], _ expected: [Double]
  ) -> (decibels: Double, worstFrame: Int) {
    let starts = (0..<Self.frameCount(expected.count)).map { $0 * Self.hop }
    var greatest = 0.0
    for start in starts {
      greatest = max(greatest, spectra.powers(expected, from: start).max() ?? 0)
    }
    guard greatest > 0 else { return (actual.allSatisfy { $0 == 0 } ? 0 : .infinity, 0) }
    let least = greatest * Self.floor
    var sum = 0.0
    var count = 0
    var worst = (distance: 0.0, frame: 0)
    for start in starts {
      let pairs = zip(
        spectra.powers(actual, from: start), spectra.powers(expected, from: start))
      var squares = 0.0
      var bins = 0
      for (power, reference) in pairs where power > least || reference > least {
        let level = 10 * log10(max(power, least) / max(reference, least))
        squares += level * level
        bins += 1
      }
      guard bins > 0 else { continue }
      let distance = (squares / Double(bins)).squareRoot()
      sum += distance
      count += 1
      if distance > worst.distance { worst = (distance, start) }
    }
    return (count == 0 ? 0 : sum / Double(count), worst.frame)
  }
}
