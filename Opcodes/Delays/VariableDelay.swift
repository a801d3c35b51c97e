// aout VDELAY ain, xdelayMs, imaxMs [, iskip]
//
// A delay line with a variable delay. Between samples it is read with cubic interpolation through four points:
//
//     out[n] = sum over j = 0 … 3 of L_j(f) x[n - d + 1 - j],   delay = d + f samples, 0 <= f < 1
//
// with Lagrange's polynomials through equidistant points,
//
//     L_0 = f (f-1) (2-f) / 6    L_1 = (f+1) (1-f) (2-f) / 2
//     L_2 = f (f+1) (2-f) / 2    L_3 = f (f+1) (f-1) / 6
//
// (T. I. Laakso et al., "Splitting the unit delay", IEEE Signal Processing Magazine 13(1), 1996, DOI
// 10.1109/79.482137). Below a delay of one sample, where the first point would be in the future, interpolation is
// linear: L_0 = 1 - f, L_1 = f on x[n] and x[n-1].
//
// From one sample up to the maximum minus two samples, the interpolation is that of Csound's `vdelay3`. Outside that
// range, `vdelay3` mixes in the oldest samples of its memory or wraps around; VDELAY limits the delay to 0 … imaxMs.
//
// Four frames are computed at once, from differences of samples: with e = x_1 - x_0, s = x_1 - 2 x_0 + x_-1 and t = x_2
// - 3 x_1 + 3 x_0 - x_-1, where x_k is x[n - d - k],
//
//     out = (x_0 + f (e - s/2 - t/6)) + f^2 (s/2 + f t/6)
//
// Category: Signal Modifiers:Delay

import OpcodeKit

/// The position where a delay line is read: between the second and the third of four consecutive samples.
package struct DelayTap: BitwiseCopyable {
  /// The integer part of the delay in samples.
  private let whole: Int
  /// f, the fractional part of the delay.
  let fraction: Double

  /// The tap for a delay in samples, from 0 up to 2^53.
  @inline(__always)
  package init(delay: Double) {
    whole = Math.truncated(delay)
    fraction = delay - Double(whole)
  }

  /// The age of the newest of the four samples; 0 is the newest sample in the line.
  @inline(__always)
  package var age: Int { whole > 0 ? whole &- 1 : 0 }

  /// The delay in samples.
  @inline(__always)
  var delay: Double { Double(whole) + fraction }

  /// Whether four samples are used; below a delay of one sample only two are.
  @inline(__always)
  var isCubic: Bool { whole > 0 }

  /// The interpolated value of the four samples, newest first.
  @inline(__always)
  package func value(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
    guard isCubic else { return a + (b - a) * fraction }
    let f = fraction
    let slope = c - b
    let bend = slope - (b - a)
    let half = bend * 0.5
    let sixth = (((d - c) - slope) - bend) * (1.0 / 6)
    return (b + f * ((slope - half) - sixth)) + (f * f) * (half + f * sixth)
  }

  /// The same for four frames with a fraction each; always with four samples.
  @inline(__always)
  static func values(_ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad, at f: Quad) -> Quad {
    let slope = c - b
    let bend = slope - (b - a)
    let half = bend * Quad(0.5)
    let sixth = (((d - c) - slope) - bend) * Quad(1.0 / 6)
    return (b + f * ((slope - half) - sixth)) + (f * f) * (half + f * sixth)
  }
}

/// A ring buffer of the latest samples.
struct DelayLine: BitwiseCopyable {
  /// `length` samples, followed by a copy of the first six, so that seven consecutive samples can be read without
  /// wrapping.
  private let samples: Buffer<Double>
  private let length: Int
  /// Index of the newest sample.
  private var newest = 0

  private static var repeated: Int { 6 }

  /// A line for delays up to `longest` samples.
  init(longest: Double, _ context: Context) throws(OpcodeError) {
    // Three samples more for the interpolation, and three more because four frames are written before they are read.
    length = Int(longest.rounded(.up)) + 6
    samples = try context.buffer(count: length + Self.repeated)
  }

  /// The longest delay it can provide, in samples.
  var longest: Double { Double(length - 6) }

  /// Appends a sample.
  @inline(__always)
  mutating func push(_ sample: Double) {
    let next = newest &+ 1
    newest = next == length ? 0 : next
    samples[newest] = sample
    if newest < Self.repeated { samples[newest &+ length] = sample }
  }

  /// Appends four samples.
  @inline(__always)
  mutating func push(_ four: Quad) {
    // When none of them is near either end.
    if _fastPath(newest &+ 1 >= Self.repeated && newest &+ 4 < length) {
      samples.setQuad(four, at: newest &+ 1)
      newest &+= 4
    } else {
      for place in 0..<4 { push(four[place]) }
    }
  }

  /// The value at a tap.
  @inline(__always)
  func read(_ tap: DelayTap) -> Double {
    if _slowPath(!tap.isCubic) {
      return tap.value(samples[newest], samples[wrapped(newest &- 1)], 0, 0)
    }
    let oldest = wrapped(newest &- tap.age &- 3)
    return tap.value(
      samples[oldest &+ 3], samples[oldest &+ 2], samples[oldest &+ 1], samples[oldest])
  }

  /// The values at a cubic tap in each of the last four frames.
  @inline(__always)
  func readFour(_ tap: DelayTap) -> Quad {
    let oldest = wrapped(newest &- tap.age &- 6)
    return DelayTap.values(
      samples.quad(at: oldest &+ 3), samples.quad(at: oldest &+ 2), samples.quad(at: oldest &+ 1),
      samples.quad(at: oldest), at: Quad(tap.fraction))
  }

  /// The values at separate delays for the last four frames, from 0 to `longest` samples.
  @inline(__always)
  func readFour(delays: Quad) -> Quad {
    let whole = delays.truncated
    let oldest = newest &- 5
    let places = (
      oldest &- Int(whole[0]), oldest &- Int(whole[1]) &+ 1, oldest &- Int(whole[2]) &+ 2,
      oldest &- Int(whole[3]) &+ 3
    )
    if _slowPath(whole[0] == 0 || whole[1] == 0 || whole[2] == 0 || whole[3] == 0) {
      var line = self
      var sound = SIMD4<Double>()
      for place in 0..<4 {
        line.newest = wrapped(newest &- 3 &+ place)
        sound[place] = line.read(DelayTap(delay: delays[place]))
      }
      return Quad(values: sound)
    }
    let (i, j) = (wrapped(places.0), wrapped(places.1))
    let (k, l) = (wrapped(places.2), wrapped(places.3))
    let older = (
      samples.pair(at: i), samples.pair(at: j), samples.pair(at: k), samples.pair(at: l)
    )
    let newer = (
      samples.pair(at: i &+ 2), samples.pair(at: j &+ 2), samples.pair(at: k &+ 2),
      samples.pair(at: l &+ 2)
    )
    return DelayTap.values(
      .seconds(newer.0, newer.1, newer.2, newer.3), .firsts(newer.0, newer.1, newer.2, newer.3),
      .seconds(older.0, older.1, older.2, older.3), .firsts(older.0, older.1, older.2, older.3),
      at: delays - Quad(whole))
  }

  @inline(__always)
  private func wrapped(_ place: Int) -> Int { place < 0 ? place &+ length : place }
}

@Opcode("VDELAY", "Delay line with a moving delay, cubic interpolation")
struct VariableDelay<Delay: Signal>: AudioOpcode {
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
    while frame &+ 4 <= end {
      let delays = Delay.isAudioRate ? self.delays(arguments.delay.quad(at: frame)) : Quad(0)
      line.push(arguments.input.quad(at: frame))
      if Delay.isAudioRate {
        arguments.output.setQuad(line.readFour(delays: delays), at: frame)
      } else if tap.isCubic {
        arguments.output.setQuad(line.readFour(tap), at: frame)
      } else {
        arguments.output.setQuad(line.readFour(delays: Quad(tap.delay)), at: frame)
      }
      frame &+= 4
    }
    while frame < end {
      let tap = Delay.isAudioRate ? self.tap(arguments.delay[frame]) : tap
      line.push(arguments.input[frame])
      arguments.output[frame] = line.read(tap)
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
