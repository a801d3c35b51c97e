// aout VDELAY ain, xdelayMs, imaxMs [, iskip]
//
// A delay line with a variable delay. Between samples it is read with cubic interpolation through four points:
//
//     out[n] = sum over j = 0 … 3 of L_j(f) x[n - d + 1 - j],   delay = d + f samples, 0 <= f < 1
//
// with Lagrange's polynomials through equidistant points (`DelayTap.value`). Below a delay of one sample, where the
// first point would be in the future, interpolation is linear: L_0 = 1 - f, L_1 = f on x[n] and x[n-1].
//
// From one sample up to the maximum minus two samples, the interpolation is that of Csound's `vdelay3`. Outside that
// range, `vdelay3` mixes in the oldest samples of its memory or wraps around; VDELAY limits the delay to 0 … imaxMs.
//
// Four frames are computed at once.
//
// Category: Signal Modifiers:Delay

// aout VDELAYI ain, xdelayMs, imaxMs [, iskip]
//
// A delay line with a variable delay. Between samples it is read on a line through two of them, which loses treble: use
// VDELAY where that is heard.
//
// From 0 up to the maximum minus one sample it is the same as Csound's `vdelay`. Beyond, `vdelay` wraps around; VDELAYI
// limits the delay to 0 … imaxMs.
//
// Four frames are computed at once.
//
// Category: Signal Modifiers:Delay

import OpcodeKit

@Opcode("VDELAY", "Delay line with a moving delay, cubic interpolation", CubicDelay.self)
@Opcode("VDELAYI", "Delay line with a moving delay, linear interpolation", LinearDelay.self)
struct VariableDelay<Reading: DelayReading, Delay: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The delayed signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Delay in milliseconds; k-rate or a-rate. Limited to 0 … imaxMs; NaN counts as 0. A k-rate delay is constant for
    /// the whole k-cycle.
    let delay: Delay
    /// Maximum delay in milliseconds, 0 to 3600000 (one hour).
    let maximum: InitInput
    /// Nonzero keeps the delay line of the previous note in the same memory; it does not become longer. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private var line: DelayLine
  /// The maximum delay in samples.
  private var longest: Double
  private var framesPerMillisecond: Double

  /// The range of the maximum delay in milliseconds.
  private static var maximumRange: ClosedRange<Double> { 0...3_600_000 }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let maximum = arguments.maximum.value
    guard Self.maximumRange.contains(maximum) else {
      throw OpcodeError(argument: "imaxMs", is: maximum, mustBe: "from 0 to 3600000 ms")
    }
    framesPerMillisecond = context.sampleRate / 1000
    longest = maximum * framesPerMillisecond
    line = try DelayLine(longest: longest, context)
  }

  /// With an invalid maximum, `init` is called and throws the error.
  static func resumes(_ arguments: Arguments) -> Bool {
    arguments.skip.value != 0 && maximumRange.contains(arguments.maximum.value)
  }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    longest = min(arguments.maximum.value * framesPerMillisecond, line.longest)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    guard frame < end else { return }
    let tap = tap(arguments.delay[frame])
    let weights = Reading.weights(tap)
    while frame &+ 4 <= end {
      let delays = Delay.isAudioRate ? self.delays(arguments.delay.quad(at: frame)) : Quad(0)
      line.push(arguments.input.quad(at: frame))
      if Delay.isAudioRate {
        arguments.output.setQuad(Reading.values(line, at: delays), at: frame)
      } else {
        arguments.output.setQuad(Reading.values(line, at: tap, weights), at: frame)
      }
      frame &+= 4
    }
    while frame < end {
      let tap = Delay.isAudioRate ? self.tap(arguments.delay[frame]) : tap
      line.push(arguments.input[frame])
      arguments.output[frame] = Reading.value(line, at: tap)
      frame &+= 1
    }
  }

  /// Converts delays in milliseconds to samples.
  @inline(__always)
  private func delays(_ milliseconds: Quad) -> Quad {
    .minimum(.maximum(milliseconds * Quad(framesPerMillisecond), Quad(0)), Quad(longest))
  }

  /// The tap for a delay in milliseconds; NaN counts as 0.
  @inline(__always)
  private func tap(_ milliseconds: Double) -> DelayTap {
    let delay = milliseconds * framesPerMillisecond
    return DelayTap(delay: delay > 0 ? min(delay, longest) : 0)
  }
}

/// How a delay line is read between its samples.
protocol DelayReading: BitwiseCopyable {
  /// What a delay needs that is constant in a k-cycle.
  associatedtype Weights: BitwiseCopyable
  static func weights(_ tap: DelayTap) -> Weights
  static func value(_ line: DelayLine, at tap: DelayTap) -> Double
  /// The values for the last four frames.
  static func values(_ line: DelayLine, at tap: DelayTap, _ weights: Weights) -> Quad
  static func values(_ line: DelayLine, at delays: Quad) -> Quad
}

enum CubicDelay: DelayReading {
  @inline(__always)
  static func weights(_ tap: DelayTap) -> DelayWeights { DelayWeights(tap) }

  @inline(__always)
  static func value(_ line: DelayLine, at tap: DelayTap) -> Double { line.cubic(at: tap) }

  @inline(__always)
  static func values(_ line: DelayLine, at tap: DelayTap, _ weights: DelayWeights) -> Quad {
    line.values(at: tap.age, weights)
  }

  @inline(__always)
  static func values(_ line: DelayLine, at delays: Quad) -> Quad { line.cubics(at: delays) }
}

enum LinearDelay: DelayReading {
  @inline(__always)
  static func weights(_ tap: DelayTap) {}

  @inline(__always)
  static func value(_ line: DelayLine, at tap: DelayTap) -> Double { line.linear(at: tap.delay) }

  @inline(__always)
  static func values(_ line: DelayLine, at tap: DelayTap, _ weights: Void) -> Quad {
    line.linears(at: tap)
  }

  @inline(__always)
  static func values(_ line: DelayLine, at delays: Quad) -> Quad { line.linears(at: delays) }
}
