import CsoundHost
import Foundation
import HarnessBase

/// Power spectra of real signals, computed with Csound's Fourier transform.
package struct PowerSpectrum {
  /// The window function.
  package enum Window { case rectangular, hann }

  /// The length of the transform in samples, a power of two.
  package let length: Int
  private let csound: Csound
  private let weights: [Double]
  private var buffer: [Double]
  /// The power of a full-scale sine in its bin.
  package let fullScale: Double

  package init(length: Int, _ window: Window) throws(Failure) {
    csound = try Csound.usable()
    self.length = length
    weights = (0..<length).map {
      window == .hann ? 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) : 1
    }
    buffer = [Double](repeating: 0, count: length)
    let sum = weights.reduce(0, +)
    fullScale = sum * sum / 4
  }

  /// The power spectrum of `length` samples from `start` on, padded with zeros: `length / 2 + 1`
  /// bins from 0 Hz to half the sample rate.
  package mutating func powers(_ samples: [Double], from start: Int = 0) -> [Double] {
    for index in 0..<length {
      let isInside = start + index < samples.count
      buffer[index] = isInside ? samples[start + index] * weights[index] : 0
    }
    buffer.withUnsafeMutableBufferPointer { csound.transform($0) }
    var powers = [Double](repeating: 0, count: length / 2 + 1)
    powers[0] = buffer[0] * buffer[0]
    powers[length / 2] = buffer[1] * buffer[1]
    for bin in 1..<length / 2 {
      let (real, imaginary) = (buffer[2 * bin], buffer[2 * bin + 1])
      powers[bin] = real * real + imaginary * imaginary
    }
    return powers
  }

  /// The mean power spectrum of a whole sound, from frames that overlap by half (P. D. Welch, "The
  /// use of fast Fourier transform for the estimation of power spectra", IEEE Transactions on Audio
  /// and Electroacoustics 15 (2), 1967, DOI 10.1109/TAU.1967.1161901).
  package mutating func mean(_ samples: [Double]) -> [Double] {
    let starts = Array(stride(from: 0, through: max(0, samples.count - length), by: length / 2))
    var sum = [Double](repeating: 0, count: length / 2 + 1)
    for start in starts {
      for (bin, power) in powers(samples, from: start).enumerated() { sum[bin] += power }
    }
    return sum.map { $0 / Double(starts.count) }
  }
}
