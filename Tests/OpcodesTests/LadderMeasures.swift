import Foundation
import OpcodeKit

/// The pitch of a steady oscillation in cents above a frequency in Hz, at 48 kHz, from the times at which it rises
/// through 0; NaN when it does so less than three times.
func cents(of signal: some Collection<Double>, above frequency: Double) -> Double {
  var (crossings, last) = ([Double](), Double.infinity)
  for (frame, sample) in signal.enumerated() {
    if last <= 0 && sample > 0 { crossings.append(Double(frame) - sample / (sample - last)) }
    last = sample
  }
  guard crossings.count > 2 else { return .nan }
  let period = (crossings.last! - crossings[0]) / Double(crossings.count - 1)
  return 1200 * log2(48_000 / period / frequency)
}

/// The gain of a linear filter at a frequency in units of the sample rate, from its impulse response.
func gain(of impulseResponse: [Double], at frequency: Double) -> Double {
  var (real, imaginary) = (0.0, 0.0)
  for (frame, sample) in impulseResponse.enumerated() {
    let angle = 2 * Double.pi * (frequency * Double(frame)).truncatingRemainder(dividingBy: 1)
    real += sample * cos(angle)
    imaginary -= sample * sin(angle)
  }
  return hypot(real, imaginary)
}

/// The frequency near `frequency`, both in units of the sample rate, at which an impulse response has most.
func peak(of impulseResponse: [Double], near frequency: Double) -> Double {
  // Golden sections of an interval of a whole tone on either side.
  let ratio = (5.0.squareRoot() - 1) / 2
  var (low, high) = (frequency * 0.89, frequency * 1.12)
  while high / low > 1.00005 {
    let (one, other) = (high - ratio * (high - low), low + ratio * (high - low))
    if gain(of: impulseResponse, at: one) < gain(of: impulseResponse, at: other) {
      low = one
    } else {
      high = other
    }
  }
  return (low + high) / 2
}

/// The ratio in dB of a sine's harmonics, the fundamental included, to everything else below 20 kHz. `signal` has 8192
/// samples at 48 kHz with `cycles` whole cycles of the sine. The constant part counts as a harmonic.
func harmonicsToAliases(_ signal: [Double], cycles: Int) -> Double {
  let transform = RealTransform(
    size: 8192, memory: Buffer(count: RealTransform.memoryLength(size: 8192)))
  for n in stride(from: 0, to: 8192, by: 4) {
    transform.setSamples(
      Pair(signal[n], signal[n + 1]), Pair(signal[n + 2], signal[n + 3]), at: n / 2)
  }
  transform.forward()
  var (harmonics, aliases) = (0.0, 0.0)
  for bin in stride(from: 0, to: 8 * (20_000 * 8192 / 48_000 / 8), by: 8) {
    let (real, imaginary) = transform.lanes(at: bin)
    for place in 0..<8 where bin + place > 0 {
      let power = real[place] * real[place] + imaginary[place] * imaginary[place]
      if (bin + place) % cycles == 0 { harmonics += power } else { aliases += power }
    }
  }
  return 10 * log10(harmonics / aliases)
}

/// By how many cents a filter oscillates above its cutoff, in Hz at 48 kHz, after half a cycle of 0.3. `next` is one of
/// `steps` steps in a sample; `growth` is how far the resonance is above that at which oscillation starts.
func oscillation(
  at cutoff: Double, growth: Double, steps: Double, _ next: (Double) -> Double
) -> Double {
  let count = Int(steps * 48_000 * max(1, 5 / (cutoff * growth)))
  let startLength = Int(steps * 48_000 / cutoff / 2)
  let signal = (0..<count).map { next($0 < startLength ? 0.3 : 0) }
  // A step is a sample at a rate of `steps` times 48 kHz.
  return cents(of: signal.suffix(count / 2), above: cutoff / steps)
}

/// Whether a filter of this cutoff, in Hz at 48 kHz, rings longer and longer after half a cycle of 1e-6; nil if it does
/// not ring. `next` is one of `steps` steps in a sample.
func grows(at cutoff: Double, steps: Double, _ next: (Double) -> Double) -> Bool? {
  let period = Int(steps * 48_000 / cutoff)
  let signal = (0..<(171 * period)).map { next($0 < period / 2 ? 1e-6 : 0) }
  func level(_ cycle: Int) -> Double {
    signal[(cycle * period)..<((cycle + 20) * period)].map(abs).max()!
  }
  return level(60) > 0 ? level(150) > level(60) : nil
}
