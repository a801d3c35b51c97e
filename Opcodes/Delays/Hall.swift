// aleft, aright HALL ainleft, ainright, kmid, klow, khigh [, isize [, imotion [, ilowsplit [, ihighsplit [, iskip]]]]]
//
// A reverberator whose decay times are its arguments, for three bands: the time in which the sound falls by 60 dB.
//
// A feedback delay network (J. M. Jot and A. Chaigne, "Digital delay networks for designing artificial reverberators",
// 90th AES convention, 1991): the signals pass four allpasses (M. R. Schroeder, 1962) into eight delay lines, whose
// outputs are mixed by a Hadamard matrix and go back into the lines. In front of the matrix is for each line of d samples
//
//     a gain of 10^(-3 d / (kmid sr)), a low shelf of 10^(-3 d (1 / klow - 1 / kmid) / sr) at ilowsplit,
//     and a high shelf of 10^(-3 d (1 / khigh - 1 / kmid) / sr) at ihighsplit
//
// of first order each, with half of their decibels at the splits. So all lines decay alike at each frequency. Far from the
// splits the times are those that were asked for, within 5 % when all three are alike. A shelf of first order reaches far:
// beside much shorter times at both ends the middle band is shortened, too. A kmid of 5 s beside a klow of 1 s and a khigh
// of 0.5 s makes 2.8 s at 1 kHz. The allpasses ring for about 0.2 s times isize; no time is shorter than that.
//
// imotion turns the lines' outputs in four planes back and forth (S. J. Schlecht and E. A. P. Habets, "Time-varying
// feedback matrices in feedback delay networks and their application in artificial reverberation", Journal of the
// Acoustical Society of America 138(3), 2015): no resonance stands still, and unlike with moving delays no treble is lost.
//
// 0 Hz is a resonance like others: a constant of 0.01 on both channels becomes 0.05 with decay times of 2 s, and 0.12 with
// 5 s. DCBLOCK before HALL takes it off.
//
// The lines' lengths are prime numbers of samples, from 30 to 72 ms times isize. NaN and infinity in the signal clear the
// lines at the end of their k-cycle.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("HALL", "Reverberator with decay times for three bands, stereo")
struct Hall: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The reverberated signals, left and right, without the direct sound.
    let left, right: AudioOutput
    /// The input signals, left and right.
    let inputLeft, inputRight: AudioInput
    /// Decay time of the middle band in seconds, clamped to 0.01 … 1000; NaN counts as 0.01.
    let mid: ControlInput
    /// The same of the band below ilowsplit and of the band above ihighsplit.
    let low, high: ControlInput
    /// Size of the room: a factor for the lengths of all delays, from 0.05 to 4. Default 1.
    @Default(1) let size: InitInput
    /// How far the mixture of the lines moves, from 0 (not at all) to 1. Default 0.5.
    @Default(0.5) let motion: InitInput
    /// The frequency in Hz between the low and the middle band, below sr/2 and at most ihighsplit. 0, the default, means
    /// 250.
    @Default(0) let lowSplit: InitInput
    /// The same between the middle and the high band. 0, the default, means 4000. Defaults are at most 0.4 sr.
    @Default(0) let highSplit: InitInput
    /// Nonzero keeps the sound of the previous note in the same memory, and its settings. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 2 }

  /// The lines' samples: eight numbers for each frame.
  private let lines: Buffer<Double>
  private let allpasses: Buffer<Pair>
  private let delays: HallDelays
  private var absorption: HallAbsorption
  private var motion: HallMotion
  /// The frame that is written next, of both memories.
  private var place = 0
  private var rest: DelayRest

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (size, motion) = (arguments.size.value, arguments.motion.value)
    guard size >= 0.05, size <= 4 else {
      throw OpcodeError(argument: "isize", is: size, mustBe: "from 0.05 to 4")
    }
    guard motion >= 0, motion <= 1 else {
      throw OpcodeError(argument: "imotion", is: motion, mustBe: "from 0 to 1")
    }
    let nyquist = 0.5 * context.sampleRate
    let low = arguments.lowSplit.value == 0 ? min(250, 0.8 * nyquist) : arguments.lowSplit.value
    let high = arguments.highSplit.value == 0 ? min(4000, 0.8 * nyquist) : arguments.highSplit.value
    guard low > 0, low < nyquist else {
      throw OpcodeError(argument: "ilowsplit", is: low, mustBe: "above 0 and below sr/2")
    }
    guard high > 0, high < nyquist else {
      throw OpcodeError(argument: "ihighsplit", is: high, mustBe: "above 0 and below sr/2")
    }
    // Between splits that cross, two shelves that raise would add up to a loop gain above 1.
    guard low <= high else {
      throw OpcodeError(argument: "ilowsplit", is: low, mustBe: "at most ihighsplit")
    }
    delays = HallDelays(size: size, sampleRate: context.sampleRate)
    lines = try context.buffer(0, count: 8 * delays.lineFrames)
    allpasses = try context.buffer(1, of: Pair.self, count: 4 * delays.allpassFrames)
    absorption = HallAbsorption(
      delays.lengths, context.sampleRate, lowSplit: low / context.sampleRate,
      highSplit: high / context.sampleRate)
    self.motion = HallMotion(width: motion, sampleRate: context.sampleRate)
    rest = DelayRest(longest: delays.lineFrames &+ delays.allpassFrames)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    absorption.tune(
      mid: arguments.mid.value, low: arguments.low.value, high: arguments.high.value)
    // In local variables, which no store to a line can change.
    var (absorption, motion, place) = (absorption, motion, place)
    let (lines, delays) = (lines, delays)
    var peak = Pair(0)
    for frame in context.frames {
      let input = diffused(
        Pair(arguments.inputLeft[frame], arguments.inputRight[frame]), place)
      let heard = delays.read(lines, place)
      let (a, b) = (heard.pair(0) - heard.pair(1), heard.pair(2) - heard.pair(3))
      let out = Pair(0.35) * (a + b)
      arguments.left[frame] = out[0]
      arguments.right[frame] = out[1]
      delays.write(
        motion.next(absorption.next(heard)).addingInput(input), to: lines, place)
      peak = .maximum(peak, .maximum(input.magnitude, heard.sumOfMagnitudes))
      // A maximum drops NaN, a sum keeps it.
      peak = peak + Pair(0) * (input + heard.sumOfMagnitudes)
      place &+= 1
    }
    (self.absorption, self.motion, self.place) = (absorption, motion, place)
    settle(peak[0] + peak[1], context.frames.count)
  }

  /// Both channels through four allpasses: out = d - g v, where v = in + g d is stored and d is read.
  @inline(__always) @_semantics("no_performance_analysis")
  private func diffused(_ input: Pair, _ place: Int) -> Pair {
    var x = input
    for number in 0..<4 {
      let start = number &* delays.allpassFrames
      let gain = Pair(number < 2 ? 0.75 : 0.625)
      let mask = delays.allpassFrames &- 1
      let delayed = allpasses[start &+ (place &- delays.allpass(number)) & mask]
      let stored = x - gain * delayed
      allpasses[start &+ place & mask] = stored
      x = delayed + gain * stored
    }
    return x
  }

  /// Clears the lines after NaN, and after silence for as long as they are.
  @inline(__always)
  private mutating func settle(_ peak: Double, _ count: Int) {
    guard rest.clears(peak, below: 1e-30, after: count) else { return }
    for index in 0..<lines.count { lines[index] = 0 }
    for index in 0..<allpasses.count { allpasses[index] = Pair(0) }
    absorption.clear()
  }
}
