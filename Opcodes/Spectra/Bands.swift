// kbands[] BANDS ain, ibands [, ilow, ihigh]
//
// The level of a signal in frequency bands of equal width on a logarithmic scale, one array element
// for each band from low to high. Band b passes a second-order Butterworth bandpass,
//
//     y[n] = a (x[n] - x[n-2]) - q y[n-2] - p y[n-1]
//     c = 1 / tan(pi width / sr), a = 1 / (1 + c), p = -2 c a cos(2 pi centre / sr), q = (c - 1) a
//
// with width = upper - lower edge and centre = sqrt(lower upper); its level is the root of the mean
// power (1 - d) m[n], m[n] = y[n]^2 + d m[n-1], where d halves the power spectrum of m at 10 Hz:
// d = b - sqrt(b^2 - 1), b = 2 - cos(2 pi 10 / sr). Both filters as in C. Dodge and T. A. Jerse,
// "Computer Music", 2nd ed., 1997. The same as `rms` of `butterbp` for each band.
//
// A sine of amplitude A at a band's centre has the level A / sqrt(2) there; at low frequencies it has
// A / 2 at the band's edges. Four bands are computed side by side, as each waits for its own last
// output.

import OpcodeKit

/// The coefficients of one band's filter.
package struct BandFilter: BitwiseCopyable {
  package let gain, feedback1, feedback2: Double

  /// A filter that passes nothing.
  static let closed = BandFilter(gain: 0, feedback1: 0, feedback2: 0)

  private init(gain: Double, feedback1: Double, feedback2: Double) {
    (self.gain, self.feedback1, self.feedback2) = (gain, feedback1, feedback2)
  }

  /// A band between two frequencies in Hz, 0 < low < high < sr/2.
  package init(from low: Double, to high: Double, sampleRate: Double) {
    let angle = Double.pi * (high - low) / sampleRate
    let c = Math.cos(angle) / Math.sin(angle)
    let centre = Math.sqrt(low * high)
    gain = 1 / (1 + c)
    feedback1 = -2 * c * gain * Math.cos(2 * Double.pi * centre / sampleRate)
    feedback2 = (c - 1) * gain
  }

  /// The filter of a band by its number from 0.
  package init(
    _ number: Int, of count: Int, from low: Double, to high: Double, sampleRate: Double
  ) {
    func edge(_ number: Int) -> Double {
      low * Math.pow(high / low, Double(number) / Double(count))
    }
    self.init(from: edge(number), to: edge(number + 1), sampleRate: sampleRate)
  }
}

/// Two bands side by side: their filters, and the energy that has come through, fading away.
package struct BandPair: BitwiseCopyable {
  private let gain, feedback1, feedback2: Pair
  private var y1 = Pair(0)
  private var y2 = Pair(0)
  package private(set) var energy = Pair(0)

  package init(_ first: BandFilter, _ second: BandFilter) {
    gain = Pair(first.gain, second.gain)
    feedback1 = Pair(first.feedback1, second.feedback1)
    feedback2 = Pair(first.feedback2, second.feedback2)
  }

  /// Takes in x[n] - x[n-2]; `decay` is what is left of the energy after one frame.
  @inline(__always)
  package mutating func take(_ difference: Double, decay: Double) {
    let y = (gain * Pair(difference) - feedback2 * y2) - feedback1 * y1
    (y2, y1) = (y1, y)
    energy = y * y + Pair(decay) * energy
  }

  /// Forgets what is not finite, so that a NaN in the signal is gone after the k-cycle it came in, and
  /// what is too small to matter, before it gets subnormal.
  @inline(__always)
  package mutating func settle() {
    guard energy[0] < .infinity && energy[1] < .infinity else {
      (y1, y2, energy) = (Pair(0), Pair(0), Pair(0))
      return
    }
    let recent = y1.magnitude + y2.magnitude
    if recent[0] + recent[1] < 1e-60 { (y1, y2) = (Pair(0), Pair(0)) }
    if energy[0] + energy[1] < 1e-120 { energy = Pair(0) }
  }
}

/// What is left of an energy after one frame, when its mean follows changes up to 10 Hz.
package func energyDecay(sampleRate: Double) -> Double {
  let b = 2 - Math.cos(2 * Double.pi * 10 / sampleRate)
  return b - Math.sqrt(b * b - 1)
}

@Opcode("BANDS", "Level of a signal in logarithmic frequency bands")
struct Bands: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The root-mean-square amplitude of each band, in units of the signal. The array gets the length
    /// ibands; one of two or more dimensions is an init error. If its length changes during the note, the note ends.
    let levels: ArrayOutput<ControlOutput>
    /// The signal.
    let input: AudioInput
    /// How many bands, 1 to 128; anything else is an init error.
    let count: InitInput
    /// The lower edge of the lowest band, Hz, above 0 and below sr/2. Default (or −1) 31.25.
    @Default(-1) let low: InitInput
    /// The upper edge of the highest band, Hz, above ilow and below sr/2. Default (or −1) 16000, or
    /// 0.45 sr when that is less.
    @Default(-1) let high: InitInput
  }

  static let bufferCount = 1

  /// The bands in pairs, an even number of them; at the end some that pass nothing.
  private let pairs: Buffer<BandPair>
  private let count: Int
  private let decay: Double
  /// The last two samples.
  private var x1 = 0.0
  private var x2 = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.count.value >= 1, arguments.count.value < 129 else {
      throw OpcodeError(argument: "ibands", is: arguments.count.value, mustBe: "from 1 to 128")
    }
    let sampleRate = context.sampleRate
    let low = arguments.low.value == -1 ? 31.25 : arguments.low.value
    let high = arguments.high.value == -1 ? min(16_000, 0.45 * sampleRate) : arguments.high.value
    guard low > 0, low < sampleRate / 2 else {
      throw OpcodeError(argument: "ilow", is: low, mustBe: "above 0 Hz and below sr/2")
    }
    guard high > low, high < sampleRate / 2 else {
      throw OpcodeError(argument: "ihigh", is: high, mustBe: "above ilow and below sr/2")
    }
    let count = Math.whole(arguments.count.value, in: 1...128)
    decay = energyDecay(sampleRate: sampleRate)
    pairs = try context.buffer(of: BandPair.self, count: (count + 3) / 4 * 2)
    try arguments.levels.resize(to: count, context)
    func filter(_ number: Int) -> BandFilter {
      guard number < count else { return .closed }
      return BandFilter(number, of: count, from: low, to: high, sampleRate: sampleRate)
    }
    for index in 0..<pairs.count {
      pairs[index] = BandPair(filter(2 * index), filter(2 * index + 1))
    }
    for index in 0..<count { arguments.levels[index].value = 0 }
    self.count = count
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.levels.count == count else {
      throw OpcodeError("its output array was given another length.")
    }
    let (frames, input, decay) = (context.frames, arguments.input, decay)
    var (before1, before2) = (x1, x2)
    for index in stride(from: 0, to: pairs.count, by: 2) {
      var (first, second) = (pairs[index], pairs[index + 1])
      (before1, before2) = (x1, x2)
      for frame in frames {
        let sample = input[frame]
        let difference = sample - before2
        (before2, before1) = (before1, sample)
        first.take(difference, decay: decay)
        second.take(difference, decay: decay)
      }
      first.settle()
      second.settle()
      (pairs[index], pairs[index + 1]) = (first, second)
    }
    // A NaN leaves with the cycle it came in.
    (x1, x2) = (before1.isFinite ? before1 : 0, before2.isFinite ? before2 : 0)
    for index in 0..<count {
      arguments.levels[index].value = Math.sqrt((1 - decay) * pairs[index >> 1].energy[index & 1])
    }
  }
}
