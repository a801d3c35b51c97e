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
