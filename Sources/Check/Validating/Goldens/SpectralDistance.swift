import Foundation
import HarnessBase
import Rendering

/// The log-spectral distance: how different the spectra of two sounds are, regardless of phase.
///
/// Frames of 2048 samples with a hop of 1024 samples and a Hann window have the power spectra P
/// (the render) and R (the reference). Levels below a floor, 80 dB below the reference's largest
/// bin, are raised to the floor. A frame's distance is the root of the mean of (10 lg (P / R))²
/// over the bins in which P or R is above the floor. The distance is the mean over the frames that
/// have such bins, in dB. If the gain changes by 0.2 dB, the distance is 0.2; with a delay it stays
/// near 0.
///
/// After A. H. Gray and J. D. Markel, "Distance measures for speech processing", IEEE Transactions
/// on Acoustics, Speech, and Signal Processing 24 (5), 1976, DOI 10.1109/TASSP.1976.1162849, where
/// it is called the rms log spectral measure d₂. The floor of 80 dB is our addition.
struct SpectralDistance {
  static let length = 2048
  static let hop = 1024
  /// The floor: the smallest power that counts, divided by the reference's largest.
  static let floor = 1e-8

  private var spectra: PowerSpectrum

  init() throws(Failure) { spectra = try PowerSpectrum(length: Self.length, .hann) }

  /// The number of frames of a sound. The last frame reaches the end and is padded with silence.
  static func frameCount(_ samples: Int) -> Int {
    max(1, (samples - length + hop - 1) / hop + 1)
  }

  /// The distance in dB between two single-channel sounds of the same length, and the first sample
  /// of the frame that differs most. The distance of a sound from a silent reference is infinite.
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
