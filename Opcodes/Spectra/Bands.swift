// kbands[] BANDS ain, ibands [, ilow, ihigh]
//
// Measures the level of a signal in frequency bands of equal width on a logarithmic scale. The output array has one
// element for each band, from low to high. Each band is a second-order Butterworth bandpass,
//
//     y[n] = a (x[n] - x[n-2]) - q y[n-2] - p y[n-1]
//     c = 1 / tan(pi width / sr), a = 1 / (1 + c), p = -2 c a cos(2 pi centre / sr), q = (c - 1) a
//
// with width = upper edge - lower edge and centre = sqrt(lower upper). The band's level is the RMS value sqrt((1 - d)
// m[n]), where m[n] = y[n]^2 + d m[n-1] is a lowpass with its half-power point at 10 Hz: d = b - sqrt(b^2 - 1), b = 2 -
// cos(2 pi 10 / sr). Both filters are described in C. Dodge and T. A. Jerse, "Computer Music", 2nd ed., 1997. The
// result is that of `butterbp` followed by `rms` for each band.
//
// A sine of amplitude A has the level A / sqrt(2) at a band's centre and, at low frequencies, A / 2 at the band's
// edges. Four bands are computed at once, because each recursion has to wait for its own last output.
//
// Category: Spectral Processing:Other

import OpcodeKit

/// The coefficients of one band's filter.
package struct BandFilter: BitwiseCopyable {
  package let gain, feedback1, feedback2: Double

  /// A filter that passes nothing.
  static let closed = BandFilter(gain: 0, feedback1: 0, feedback2: 0)

  private init(gain: Double, feedback1: Double, feedback2: Double) {
    (self.gain, self.feedback1, self.feedback2) = (gain, feedback1, feedback2)
  }

  /// A band between two frequencies in Hz; 0 < low < high < sr/2.
  package init(from low: Double, to high: Double, sampleRate: Double) {
    let angle = Double.pi * (high - low) / sampleRate
    let c = Math.cos(angle) / Math.sin(angle)
    let centre = Math.sqrt(low * high)
    gain = 1 / (1 + c)
    feedback1 = -2 * c * gain * Math.cos(2 * Double.pi * centre / sampleRate)
    feedback2 = (c - 1) * gain
  }

  /// The filter of band `number`, from 0, when the range is divided into `count` bands.
  package init(
    _ number: Int, of count: Int, from low: Double, to high: Double, sampleRate: Double
  ) {
    func edge(_ number: Int) -> Double {
      low * Math.pow(high / low, Double(number) / Double(count))
    }
    self.init(from: edge(number), to: edge(number + 1), sampleRate: sampleRate)
  }
}

/// Two bands: their filters and their decaying energies.
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

  /// Processes one frame, given x[n] - x[n-2]. `decay` is the factor by which the energy decays per frame.
  @inline(__always)
  package mutating func take(_ difference: Double, decay: Double) {
    let y = (gain * Pair(difference) - feedback2 * y2) - feedback1 * y1
    (y2, y1) = (y1, y)
    energy = y * y + Pair(decay) * energy
  }

  /// Resets the state when it is not finite, so that a NaN in the input affects one k-cycle only, and sets very small
  /// values to 0 before they become subnormal.
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

/// The decay factor of the energy per frame, for a half-power frequency of 10 Hz.
package func energyDecay(sampleRate: Double) -> Double {
  let b = 2 - Math.cos(2 * Double.pi * 10 / sampleRate)
  return b - Math.sqrt(b * b - 1)
}

@Opcode("BANDS", "Level of a signal in logarithmic frequency bands")
struct Bands: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// RMS amplitude of each band, in units of the input signal. The array gets the length ibands; an array of two or
    /// more dimensions is an init error. If the array's length changes during a note, the note ends with an error.
    let levels: ArrayOutput<ControlOutput>
    /// The input signal.
    let input: AudioInput
    /// Number of bands, 1 to 128; anything else is an init error.
    let count: InitInput
    /// Lower edge of the lowest band in Hz, above 0 and below sr/2. Default 31.25 Hz, also for -1.
    @Default(-1) let low: InitInput
    /// Upper edge of the highest band in Hz, above ilow and below sr/2. Default 16000 Hz, or 0.45 sr if that is lower;
    /// also for -1.
    @Default(-1) let high: InitInput
  }

  static let bufferCount = 1

  /// The bands in pairs; the number of pairs is even. Unused bands at the end pass nothing.
  private let pairs: Buffer<BandPair>
  private let count: Int
  private let decay: Double
  /// The last two input samples.
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
    // A NaN in the input affects one k-cycle only.
    (x1, x2) = (before1.isFinite ? before1 : 0, before2.isFinite ? before2 : 0)
    for index in 0..<count {
      arguments.levels[index].value = Math.sqrt((1 - decay) * pairs[index >> 1].energy[index & 1])
    }
  }
}
