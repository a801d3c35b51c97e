// kbands[] BANDS ain, ibands [, ilow, ihigh]
//
// The level of a signal in frequency bands of equal width on a logarithmic scale, one array element
// for each band from low to high. Band b passes a second-order Butterworth bandpass,
//
//     y[n] = a (x[n] - x[n-2]) - p y[n-1] - q y[n-2]
//     c = 1 / tan(pi width / sr), a = 1 / (1 + c), p = -2 c a cos(2 pi centre / sr), q = (c - 1) a
//
// with width = upper - lower edge and centre = sqrt(lower upper); its level is the root of the mean
// power m[n] = (1 - d) y[n]^2 + d m[n-1], where d halves the power spectrum of m at 10 Hz:
// d = b - sqrt(b^2 - 1), b = 2 - cos(2 pi 10 / sr). Both filters as in C. Dodge and T. A. Jerse,
// "Computer Music", 2nd ed., 1997. The same as `rms` of `butterbp` for each band.

import OpcodeKit

/// One band: its filter, and the power that has come through.
package struct Band: BitwiseCopyable {
  private let gain, feedback1, feedback2: Double
  private var x1 = 0.0
  private var x2 = 0.0
  private var y1 = 0.0
  private var y2 = 0.0
  package private(set) var power = 0.0

  /// A band between two frequencies in Hz, 0 < low < high < sr/2.
  package init(from low: Double, to high: Double, sampleRate: Double) {
    let angle = Double.pi * (high - low) / sampleRate
    let c = Math.cos(angle) / Math.sin(angle)
    let centre = Math.sqrt(low * high)
    gain = 1 / (1 + c)
    feedback1 = -2 * c * gain * Math.cos(2 * Double.pi * centre / sampleRate)
    feedback2 = (c - 1) * gain
  }

  /// Takes in a sample; `decay` is what is left of the power after one frame.
  @inline(__always)
  package mutating func take(_ sample: Double, decay: Double) {
    let y = gain * (sample - x2) - feedback1 * y1 - feedback2 * y2
    (x2, x1, y2, y1) = (x1, sample, y1, y)
    power = (1 - decay) * y * y + decay * power
  }
}

/// What is left of a mean power after one frame, when its mean follows changes up to 10 Hz.
package func powerDecay(sampleRate: Double) -> Double {
  let b = 2 - Math.cos(2 * Double.pi * 10 / sampleRate)
  return b - Math.sqrt(b * b - 1)
}

struct Bands: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The root-mean-square amplitude of each band, in units of the signal.
    let levels: ArrayOutput<ControlOutput>
    /// The signal.
    let input: AudioInput
    /// How many bands, 1 to 128; anything else is an init error.
    let count: InitInput
    /// The lower edge of the lowest band, Hz, above 0. Default 31.25.
    let low: InitInput
    /// The upper edge of the highest band, Hz, above ilow and below sr/2. Default 16000, or 0.45 sr when
    /// that is less.
    let high: InitInput
  }

  static let bufferCount = 1

  private let bands: Buffer<Band>
  private let decay: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.count.value >= 1, arguments.count.value < 129 else {
      throw OpcodeError(argument: "ibands", is: arguments.count.value, mustBe: "from 1 to 128")
    }
    let sampleRate = context.sampleRate
    let count = Math.whole(arguments.count.value, in: 1...128)
    let low = arguments.low.value == -1 ? 31.25 : arguments.low.value
    let high = arguments.high.value == -1 ? min(16_000, 0.45 * sampleRate) : arguments.high.value
    guard low > 0, low < sampleRate / 2 else {
      throw OpcodeError(argument: "ilow", is: low, mustBe: "above 0 Hz and below sr/2")
    }
    guard high > low, high < sampleRate / 2 else {
      throw OpcodeError(argument: "ihigh", is: high, mustBe: "above ilow and below sr/2")
    }
    decay = powerDecay(sampleRate: sampleRate)
    bands = try context.buffer(of: Band.self, count: count)
    try arguments.levels.resize(to: count, context)
    for index in 0..<count {
      bands[index] = Band(
        from: low * Math.pow(high / low, Double(index) / Double(count)),
        to: low * Math.pow(high / low, Double(index + 1) / Double(count)), sampleRate: sampleRate)
      arguments.levels[index].value = 0
    }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.levels.count == bands.count else {
      throw OpcodeError("its output array was given another length.")
    }
    for index in 0..<bands.count {
      var band = bands[index]
      for frame in context.frames { band.take(arguments.input[frame], decay: decay) }
      bands[index] = band
      arguments.levels[index].value = Math.sqrt(band.power)
    }
  }
}

@c @_noLocks @_noAllocation
func bands(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Bands.perform(csound, block)
}

func registerBands(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      Bands.self, "BANDS", outputs: "k[]", inputs: "aijj",
      summary: "Level of a signal in logarithmic frequency bands",
      initialize: { Bands.initialize($0, $1) }, perform: bands))
}
