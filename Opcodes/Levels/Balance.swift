// aout BALANCE ain, acomparator [, icutoff [, iskip]]
//
// A signal with the level of another one: ain times the root of the quotient of their mean powers, once in each k-cycle,
// with a line from one gain to the next. The first line begins at 0.
//
// The same as Csound's `balance`, except that powers below -600 dB count as 0, and that NaN does not stay.
//
// Category: Signal Modifiers:Amplitude Modifiers

// aout BALANCE2 ain, acomparator [, icutoff [, iskip]]
//
// A signal with the level of another one, as `BALANCE`, with a gain of its own in each frame.
//
// The same as Csound's `balance2`, except that powers below -600 dB count as 0, and that NaN does not stay.
//
// Category: Signal Modifiers:Amplitude Modifiers

// aout GAIN ain, krms [, icutoff [, iskip]]
//
// A signal with a level of krms: ain times krms over the root of its mean power, once in each k-cycle, with a line from one
// gain to the next. The first line begins at 0.
//
// The same as Csound's `gain`, except that powers below -600 dB count as 0, and that NaN does not stay.
//
// Category: Signal Modifiers:Amplitude Modifiers

// krms RMS ain [, icutoff [, iskip]]
//
// The root of a signal's mean power.
//
// The same as Csound's `rms`, except that powers below -600 dB count as 0, and that NaN does not stay. Eight frames are
// computed at once.
//
// Category: Signal Modifiers:Amplitude Modifiers

import OpcodeKit

@Opcode("BALANCE", "A signal with the level of another one", LineGain.self)
@Opcode("BALANCE2", "A signal with the level of another one in each frame", FrameGain.self)
struct Balance<Kind: GainKind>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signal with the other one's level.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// The signal whose level it gets.
    let comparator: AudioInput
    /// Half-power point in Hz of the lowpass that takes the mean. Default 10.
    @Default(10) let cutoff: InitInput
    /// Nonzero keeps the powers of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var power, other: MeanPower
  private var line = GainLine()

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    power = MeanPower(cutoff: arguments.cutoff.value, context)
    other = power
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    power.tune(arguments.cutoff.value, context)
    other.tune(arguments.cutoff.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, frames) = (arguments.input, arguments.output, context.frames)
    guard Kind.isInFrames else {
      power.take(input, frames)
      other.take(arguments.comparator, frames)
      let gain = Math.sqrt(power.value != 0 ? other.value / power.value : other.value)
      return line.multiply(input, to: output, frames, gain: gain)
    }
    power.settle()
    other.settle()
    var frame = frames.lowerBound
    while frame &+ 4 <= frames.upperBound {
      let sound = input.quad(at: frame)
      let powers = power.next(sound)
      let others = other.next(arguments.comparator.quad(at: frame))
      // Where there is no power, there is no sound.
      let gain = (others / Quad.maximum(powers, Quad(MeanPower.least))).squareRoot
      output.setQuad(sound * gain, at: frame)
      frame &+= 4
    }
    while frame < frames.upperBound {
      let sound = input[frame]
      let (mine, others) = (power.next(sound), other.next(arguments.comparator[frame]))
      output[frame] = sound * Math.sqrt(others / max(mine, MeanPower.least))
      frame &+= 1
    }
  }
}

/// How often the gain changes.
protocol GainKind { static var isInFrames: Bool { get } }
enum LineGain: GainKind { static var isInFrames: Bool { @inline(__always) get { false } } }
enum FrameGain: GainKind { static var isInFrames: Bool { @inline(__always) get { true } } }

@Opcode("GAIN", "A signal with a given level")
struct Gain: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signal with that level.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// The level.
    let level: ControlInput
    /// Half-power point in Hz of the lowpass that takes the mean. Default 10.
    @Default(10) let cutoff: InitInput
    /// Nonzero keeps the power of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var power: MeanPower
  private var line = GainLine()

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    power = MeanPower(cutoff: arguments.cutoff.value, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    power.tune(arguments.cutoff.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    power.take(arguments.input, context.frames)
    let level = arguments.level.value
    line.multiply(
      arguments.input, to: arguments.output, context.frames,
      gain: power.value > 0 ? level / Math.sqrt(power.value) : level)
  }
}

@Opcode("RMS", "Root of a signal's mean power")
struct RootMeanSquare: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The level.
    let output: ControlOutput
    /// The signal.
    let input: AudioInput
    /// Half-power point in Hz of the lowpass that takes the mean. Default 10.
    @Default(10) let cutoff: InitInput
    /// Nonzero keeps the power of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var power: MeanPower

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    power = MeanPower(cutoff: arguments.cutoff.value, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    power.tune(arguments.cutoff.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    power.take(arguments.input, context.frames)
    arguments.output.value = Math.sqrt(power.value)
  }
}

/// The mean power of a signal: a lowpass of one pole on its squares.
///
///     q[n] = (1 - p) x[n]² + p q[n-1],   p = b - sqrt(b² - 1),   b = 2 - cos(2 π cutoff / sr)
private struct MeanPower: BitwiseCopyable {
  /// Powers below count as 0.
  static var least: Double { @inline(__always) get { 1e-60 } }

  private(set) var value = 0.0
  private var p = 0.0

  init(cutoff: Double, _ context: Context) { tune(cutoff, context) }

  @_semantics("no_performance_analysis")
  mutating func tune(_ cutoff: Double, _ context: Context) {
    let b = 2 - Math.cos(cutoff * (2 * Double.pi / context.sampleRate))
    p = b - Math.sqrt(b * b - 1)
  }

  @inline(__always)
  mutating func settle() {
    if !(value >= Self.least && value < .infinity) { value = 0 }
  }

  @inline(__always)
  mutating func next(_ sound: Double) -> Double {
    value = (1 - p) * sound * sound + p * value
    return value
  }

  /// The powers after each of four frames.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func next(_ sound: Quad) -> Quad {
    let square = p * p
    let own = Quad(1 - p) * sound * sound
    let two = own + Quad(p) * .firsts(Quad(0), own)
    let ends = Quad.seconds(two, two)
    let four = two + Quad(values: SIMD4(0, 0, p, square)) * .lows(ends, ends)
    let powers = four + Quad(value) * Quad(values: SIMD4(p, square, square * p, square * square))
    value = powers[3]
    return powers
  }

  /// The power after the frames of a k-cycle: that of every eighth frame for itself, then of all.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func take(_ sound: AudioInput, _ frames: Range<Int>) {
    settle()
    var frame = frames.lowerBound
    if frames.count >= 16 {
      let second = p * p
      let fourth = second * second
      let eighth = fourth * fourth
      let near = SIMD4(second * p, second, p, 1)
      var (sums, fade) = (Lanes(0), 1.0)
      while frame &+ 8 <= frames.upperBound {
        let lanes = sound.lanes(at: frame)
        sums = sums * Lanes(eighth) + lanes * lanes
        fade *= eighth
        frame &+= 8
      }
      let own = (sums * Lanes(values: SIMD8(lowHalf: near * fourth, highHalf: near))).sum
      value = (1 - p) * own + fade * value
    }
    while frame < frames.upperBound {
      _ = next(sound[frame])
      frame &+= 1
    }
  }
}

/// A gain that goes from one k-cycle's to the next one's in a straight line.
private struct GainLine: BitwiseCopyable {
  private var last = 0.0

  @inline(__always) @_semantics("no_performance_analysis")
  mutating func multiply(
    _ input: AudioInput, to output: AudioOutput, _ frames: Range<Int>, gain: Double
  ) {
    // A gain that was endless begins anew.
    var (now, frame) = (last.magnitude < 1e100 ? last : 0, frames.lowerBound)
    let step = (gain - now) / Double(frames.count)
    var lanes = Lanes(now) + Lanes.count(from: 0) * Lanes(step)
    while frame &+ 8 <= frames.upperBound {
      output.setLanes(input.lanes(at: frame) * lanes, at: frame)
      lanes = lanes + Lanes(8 * step)
      frame &+= 8
    }
    now = lanes[0]
    while frame < frames.upperBound {
      output[frame] = input[frame] * now
      now += step
      frame &+= 1
    }
    last = gain
  }
}
