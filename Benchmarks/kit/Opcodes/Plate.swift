// aleft, aright TOOLPLATE ain, kdecay, kdamping
//
// A plate reverb made of parts of the toolbox: J. Dattorro, "Effect Design, Part 1: Reverberator and Other Filters",
// Journal of the Audio Engineering Society 45(9), 1997. Lengths are those of the paper at 29761 Hz, for any sample rate.

import OpcodeKit

/// One half of the tank: an allpass that moves, a line, a lowpass, an allpass and a second line.
private struct Half: BitwiseCopyable {
  var moving, still: DelayAllpass
  var first, second: DelayLine
  var lowpass = 0.0
  let movingLength, stillLength, firstLength, secondLength: Int
  /// The wobble of the moving allpass in samples.
  let excursion: Double

  init(
    _ lengths: (Double, Double, Double, Double), _ context: Context
  ) throws(OpcodeError) {
    let scale = context.sampleRate / 29_761
    excursion = 8 * scale
    movingLength = samples(lengths.0 * scale)
    firstLength = samples(lengths.1 * scale)
    stillLength = samples(lengths.2 * scale)
    secondLength = samples(lengths.3 * scale)
    moving = DelayAllpass(
      try DelayLine(longest: Double(movingLength) + excursion + 1, context))
    first = try DelayLine(longest: Double(firstLength), context)
    still = DelayAllpass(try DelayLine(longest: Double(stillLength), context))
    second = try DelayLine(longest: Double(secondLength), context)
  }

  /// What has gone through the half, before this frame.
  var tail: Double { second[secondLength - 1] }

  /// Takes in a sample; `wobble` is from -1 to 1.
  mutating func push(_ sample: Double, wobble: Double, decay: Double, damping: Double) {
    let delay = Double(movingLength - 1) + excursion * wobble
    let spread = moving.next(sample, delayed: moving.line.linear(at: delay), gain: 0.7)
    lowpass += (1 - damping) * (first[firstLength - 1] - lowpass)
    first.push(spread)
    second.push(still.next(lowpass * decay, delay: stillLength, gain: -0.5))
  }
}

/// The seven taps of an output: four of the half across, three of its own.
private struct Taps: BitwiseCopyable {
  let first1, first2, still, second: Int
  let ownFirst, ownStill, ownSecond: Int

  init(
    _ lengths: (Double, Double, Double, Double), own: (Double, Double, Double), scale: Double
  ) {
    first1 = samples(lengths.0 * scale)
    first2 = samples(lengths.1 * scale)
    still = samples(lengths.2 * scale)
    second = samples(lengths.3 * scale)
    ownFirst = samples(own.0 * scale)
    ownStill = samples(own.1 * scale)
    ownSecond = samples(own.2 * scale)
  }

  func output(_ across: Half, own: Half) -> Double {
    let plus =
      ((across.first[first1] + across.first[first2]) - across.still.line[still])
      + across.second[second]
    return 0.6
      * (plus - ((own.first[ownFirst] + own.still.line[ownStill]) + own.second[ownSecond]))
  }
}

/// A length rounded to whole samples, at least 1.
private func samples(_ length: Double) -> Int { Math.whole(length + 0.5, in: 1...1_000_000) }

@Opcode("TOOLPLATE", "Plate reverb of the toolbox's parts, after Dattorro")
struct Plate: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let left, right: AudioOutput
    let input: AudioInput
    /// Gain of a round through half the tank, limited to 0 … 0.99, and loss of treble, limited to 0 … 1.
    let decay, damping: ControlInput
  }

  static var bufferCount: Int { 12 }

  private var spread1, spread2, spread3, spread4: DelayAllpass
  private let lengths: (Int, Int, Int, Int)
  private var one, other: Half
  /// The wobble of both halves: cosine and sine of an angle that turns by 1 Hz.
  private var wobble = (1.0, 0.0)
  private let turn: (Double, Double)
  private let leftTaps, rightTaps: Taps

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let scale = context.sampleRate / 29_761
    lengths = (
      samples(142 * scale), samples(107 * scale), samples(379 * scale), samples(277 * scale)
    )
    spread1 = DelayAllpass(try DelayLine(longest: Double(lengths.0), context))
    spread2 = DelayAllpass(try DelayLine(longest: Double(lengths.1), context))
    spread3 = DelayAllpass(try DelayLine(longest: Double(lengths.2), context))
    spread4 = DelayAllpass(try DelayLine(longest: Double(lengths.3), context))
    one = try Half((672, 4453, 1800, 3720), context)
    other = try Half((908, 4217, 2656, 3163), context)
    let angle = 2 * Double.pi / context.sampleRate
    turn = (Math.cos(angle), Math.sin(angle))
    leftTaps = Taps((266, 2974, 1913, 1996), own: (1990, 187, 1066), scale: scale)
    rightTaps = Taps((353, 3627, 1228, 2673), own: (2111, 335, 121), scale: scale)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (decay, damping) = (arguments.decay.value, arguments.damping.value)
    let gain = decay > 0 ? min(decay, 0.99) : 0
    let dull = damping > 0 ? min(damping, 1) : 0
    // In local variables, which no store to a line can change: the compiler keeps what it knows of them in registers.
    var (spread1, spread2, spread3, spread4) = (spread1, spread2, spread3, spread4)
    var (one, other, wobble) = (one, other, wobble)
    for frame in context.frames {
      // A NaN would stay in the lines for ever.
      let sample = arguments.input[frame]
      var x = spread1.next(sample.isFinite ? sample : 0, delay: lengths.0, gain: -0.75)
      x = spread2.next(x, delay: lengths.1, gain: -0.75)
      x = spread3.next(x, delay: lengths.2, gain: -0.625)
      x = spread4.next(x, delay: lengths.3, gain: -0.625)
      let (back, forth) = (gain * other.tail, gain * one.tail)
      one.push(x + back, wobble: wobble.0, decay: gain, damping: dull)
      other.push(x + forth, wobble: wobble.1, decay: gain, damping: dull)
      wobble = (
        wobble.0 * turn.0 - wobble.1 * turn.1, wobble.1 * turn.0 + wobble.0 * turn.1
      )
      arguments.left[frame] = leftTaps.output(other, own: one)
      arguments.right[frame] = rightTaps.output(one, own: other)
    }
    (self.spread1, self.spread2, self.spread3, self.spread4) = (spread1, spread2, spread3, spread4)
    (self.one, self.other, self.wobble) = (one, other, wobble)
  }
}
