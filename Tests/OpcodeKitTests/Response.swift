import Foundation
import OpcodeKit

/// The part of a signal at a frequency in units of the sample rate: a complex amplitude, 1 for a cosine of amplitude 1
/// whose whole cycles fill the signal.
func part(of signal: some Sequence<Double>, at frequency: Double) -> (
  real: Double, imaginary: Double
) {
  var (real, imaginary, count) = (0.0, 0.0, 0.0)
  for sample in signal {
    let angle = 2 * Double.pi * (frequency * count).truncatingRemainder(dividingBy: 1)
    real += sample * cos(angle)
    imaginary -= sample * sin(angle)
    count += 1
  }
  return (2 * real / count, 2 * imaginary / count)
}

/// Magnitude and phase in radians of a linear filter at a frequency in units of the sample rate, from its impulse
/// response, which must have died away.
func response(_ impulseResponse: [Double], at frequency: Double) -> (
  magnitude: Double, phase: Double
) {
  let sum = part(of: impulseResponse, at: frequency)
  let scale = Double(impulseResponse.count) / 2
  return (hypot(sum.real, sum.imaginary) * scale, atan2(sum.imaginary, sum.real))
}

/// What a filter makes of an impulse of 1.
func impulseResponse(_ count: Int, _ next: (Double) -> Double) -> [Double] {
  (0..<count).map { next($0 == 0 ? 1 : 0) }
}

func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

/// The power of each frequency of a periodic signal, from 0 up to half the sample rate; its length is a power of two.
func powers(of signal: [Double]) -> [Double] {
  let size = signal.count
  let transform = RealTransform(
    size: size, memory: Buffer(count: RealTransform.memoryLength(size: size)))
  for n in stride(from: 0, to: size, by: 4) {
    transform.setSamples(
      Pair(signal[n], signal[n + 1]), Pair(signal[n + 2], signal[n + 3]), at: n / 2)
  }
  transform.forward()
  var powers = [Double]()
  for k in stride(from: 0, to: size / 2, by: 8) {
    let (real, imaginary) = transform.lanes(at: k)
    for place in 0..<8 {
      powers.append(real[place] * real[place] + imaginary[place] * imaginary[place])
    }
  }
  return powers
}

/// The ratio in dB of a sine's harmonics, the fundamental included, to everything else below 20 kHz at 48 kHz, in the
/// output of a function. The sine has `cycles` whole cycles in 8192 samples; as many samples come before them.
func signalToAliases(cycles: Int, amplitude: Double, _ next: (Double) -> Double) -> Double {
  let count = 8192
  func sine(_ frame: Int) -> Double {
    amplitude * sin(2 * Double.pi * Double(frame * cycles % count) / Double(count))
  }
  for frame in 0..<count { _ = next(sine(frame)) }
  let powers = powers(of: (0..<count).map { next(sine($0)) })
  let heard = 1..<(count * 20 / 48)
  let harmonics = heard.filter { $0.isMultiple(of: cycles) }.map { powers[$0] }.reduce(0, +)
  let rest = heard.filter { !$0.isMultiple(of: cycles) }.map { powers[$0] }.reduce(0, +)
  return 10 * log10(harmonics / rest)
}
