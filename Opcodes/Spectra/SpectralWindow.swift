import OpcodeKit

/// The windows of a phase vocoder, with the numbers that Csound's `pvsanal` uses.
package enum SpectralWindow: Int, BitwiseCopyable {
  case hamming, hann, kaiser

  /// Points of a window of `size` samples: an odd number; when `size` is even, the last point is 0.
  package static func length(size: Int) -> Int { size | 1 }

  /// The points of the raw window from its middle on, `size / 2 + 1` of them.
  private func point(_ index: Int, size: Int) -> Double {
    let half = size / 2
    let isEven = size % 2 == 0
    if index == half && (isEven || self == .kaiser) { return 0 }
    let place = Double(index) + (isEven ? 0.5 : self == .kaiser ? 0.05 : 0)
    switch self {
    case .hamming: return 0.54 + 0.46 * Math.cos(Double.pi * place / Double(half))
    case .hann: return 0.5 + 0.5 * Math.cos(Double.pi * place / Double(half))
    case .kaiser:
      let part = place / Double(half)
      return Window.bessel(6.8 * Math.sqrt(1 - part * part)) / Window.bessel(6.8)
    }
  }

  /// Fills `window` with the raw window. With a `period`, each point x samples from the middle is multiplied by sin(π x
  /// / period) / (π x / period).
  package func fill(_ window: Buffer<Double>, size: Int, period: Int? = nil) {
    let half = size / 2
    let isEven = size % 2 == 0
    for index in 0...half {
      var value = point(index, size: size)
      let distance = Double(index) + (isEven ? 0.5 : 0)
      if let period, distance > 0 {
        let angle = Double.pi * distance / Double(period)
        value *= Math.sin(angle) / angle
      }
      window[half + index] = value
    }
    for index in 1...half { window[half - index] = window[half + index - (isEven ? 1 : 0)] }
  }

  /// The window that analysis applies to blocks; the sum of its points is 2.
  package func fillAnalysis(_ window: Buffer<Double>, size: Int, transformSize: Int) {
    fill(window, size: size, period: size > transformSize ? transformSize : nil)
    scale(window, by: 2 / sum(window))
  }

  /// The window that synthesis applies to blocks: with `overlap` samples between blocks, it inverts the analysis.
  package func fillSynthesis(
    _ window: Buffer<Double>, size: Int, transformSize: Int, overlap: Int
  ) {
    if size > transformSize {
      fill(window, size: size, period: transformSize)
      let total = sum(window)
      fill(window, size: size, period: overlap)
      scale(window, by: total / 2)
    } else {
      fillAnalysis(window, size: size, transformSize: transformSize)
      var power = 0.0
      for index in stride(from: 0, to: window.count, by: overlap) {
        power += window[index] * window[index]
      }
      scale(window, by: 1 / power)
    }
  }

  private func sum(_ window: Buffer<Double>) -> Double {
    var sum = 0.0
    for index in 0..<window.count { sum += window[index] }
    return sum
  }

  private func scale(_ window: Buffer<Double>, by factor: Double) {
    for index in 0..<window.count { window[index] *= factor }
  }
}
