import Foundation

/// A sine in a signal: its amplitude, and its phase at the first sample, in cycles.
struct Partial {
  let amplitude, phase: Double

  /// The sine of a frequency in a signal, seen through Blackman's window: other sines must be three
  /// cycles of the signal's length away.
  init(of frequency: Double, in samples: some Collection<Double>, sampleRate: Double = 48_000) {
    var (real, imaginary, weight) = (0.0, 0.0, 0.0)
    let count = Double(samples.count)
    for (index, sample) in samples.enumerated() {
      let place = 2 * Double.pi * (Double(index) + 0.5) / count
      let window = 0.42 - 0.5 * cos(place) + 0.08 * cos(2 * place)
      let angle = 2 * Double.pi * frequency * Double(index) / sampleRate
      real += window * sample * sin(angle)
      imaginary += window * sample * cos(angle)
      weight += window
    }
    amplitude = 2 * hypot(real, imaginary) / weight
    phase = atan2(imaginary, real) / (2 * Double.pi)
  }

  var decibels: Double { 20 * log10(amplitude) }
}

/// A signal's clicks: what is above a frequency, by a Butterworth filter of the eighth order.
func highPassed(
  _ samples: [Double], above frequency: Double, sampleRate: Double = 48_000
) -> [Double] {
  [0.5098, 0.6013, 0.9, 2.5629].reduce(samples) { signal, quality in
    let angle = 2 * Double.pi * frequency / sampleRate
    let (cosine, half) = (cos(angle), sin(angle) / (2 * quality))
    let scale = 1 / (1 + half)
    let (b0, b1) = ((1 + cosine) / 2 * scale, -(1 + cosine) * scale)
    let (a1, a2) = (-2 * cosine * scale, (1 - half) * scale)
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    return signal.map { x in
      let y = b0 * (x + x2) + b1 * x1 - a1 * y1 - a2 * y2
      (x2, x1, y2, y1) = (x1, x, y1, y)
      return y
    }
  }
}

/// The mean power of the loudest window of a signal's part, in windows that begin a millisecond apart.
func loudest(
  _ samples: [Double], from start: Double, to end: Double, window: Double,
  sampleRate: Double = 48_000
) -> Double {
  let count = Int(window * sampleRate)
  return stride(from: start, to: end - window, by: 0.001).map { second in
    let first = Int(second * sampleRate)
    return samples[first..<(first + count)].reduce(0) { $0 + $1 * $1 } / Double(count)
  }.max() ?? 0
}
