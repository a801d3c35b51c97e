// aout VDELAY ain, xdelayMs, imaxMs [, iskip]
//
// A delay line with a delay that moves, read between samples by a cubic through four points:
//
//     out[n] = sum over j = 0 … 3 of L_j(f) x[n - d + 1 - j],   delay = d + f samples, 0 <= f < 1
//
// with Lagrange's polynomials through equidistant points,
//
//     L_0 = f (f-1) (2-f) / 6    L_1 = (f+1) (1-f) (2-f) / 2
//     L_2 = f (f+1) (2-f) / 2    L_3 = f (f+1) (f-1) / 6
//
// (T. I. Laakso et al., "Splitting the unit delay", IEEE Signal Processing Magazine 13(1), 1996, DOI
// 10.1109/79.482137). Below one sample, where the first point would lie in the future, it is a line
// between two: L_0 = 1 - f, L_1 = f on x[n] and x[n-1].
//
// The same interpolation as Csound's `vdelay3` from one sample up to the maximum less two samples.
// Outside, `vdelay3` mixes in the oldest samples of its memory, or wraps round; here a delay above
// the maximum is the maximum, one below 0 is 0.
//
// Four frames at a time, by the samples' differences: with e = x_1 - x_0, s = x_1 - 2 x_0 + x_-1 and
// t = x_2 - 3 x_1 + 3 x_0 - x_-1, where x_k is x[n - d - k],
//
//     out = (x_0 + f (e - s/2 - t/6)) + f^2 (s/2 + f t/6)

import OpcodeKit

/// Where a delay reads a line: between the second and the third of four samples in a row.
package struct DelayTap: BitwiseCopyable {
  /// The delay in samples, without what is after the point.
  private let whole: Int
  /// f, what is after the point.
  let fraction: Double

  /// The tap for a delay in samples, from 0 up to 2^53.
  @inline(__always)
  package init(delay: Double) {
    whole = Math.truncated(delay)
    fraction = delay - Double(whole)
  }

  /// The age of the newest of the four, in samples; 0 is the sample that has just come in.
  @inline(__always)
  package var age: Int { whole > 0 ? whole &- 1 : 0 }

  /// In samples.
  @inline(__always)
  var delay: Double { Double(whole) + fraction }

  /// Whether there are four: below one sample there are two.
  @inline(__always)
  var isCubic: Bool { whole > 0 }

  /// What comes of the four, newest first.
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

  /// The same of four frames, each with its own fraction; with four samples only.
  @inline(__always)
  static func values(_ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad, at f: Quad) -> Quad {
    let slope = c - b
    let bend = slope - (b - a)
    let half = bend * Quad(0.5)
    let sixth = (((d - c) - slope) - bend) * Quad(1.0 / 6)
    return (b + f * ((slope - half) - sixth)) + (f * f) * (half + f * sixth)
  }
}

/// A line of samples that remembers the newest of them.
struct DelayLine: BitwiseCopyable {
  /// `length` of them, and the first six again, so that seven in a row need no wrapping.
  private let samples: Buffer<Double>
  private let length: Int
  /// Where the newest sample is.
  private var newest = 0

  private static var repeated: Int { 6 }

  /// A line for delays up to so many samples.
  init(longest: Double, _ context: Context) throws(OpcodeError) {
    // Three samples more than the delay; three more, which come in before four frames are read.
    length = Int(longest.rounded(.up)) + 6
    samples = try context.buffer(count: length + Self.repeated)
  }

  /// The longest delay it can serve, in samples.
  var longest: Double { Double(length - 6) }

  /// Puts in a sample.
  @inline(__always)
  mutating func push(_ sample: Double) {
    let next = newest &+ 1
    newest = next == length ? 0 : next
    samples[newest] = sample
    if newest < Self.repeated { samples[newest &+ length] = sample }
  }

  /// Puts in four samples.
  @inline(__always)
  mutating func push(_ four: Quad) {
    // Where none comes to either end.
    if _fastPath(newest &+ 1 >= Self.repeated && newest &+ 4 < length) {
      samples.setQuad(four, at: newest &+ 1)
      newest &+= 4
    } else {
      for place in 0..<4 { push(four[place]) }
    }
  }

  /// The line at a tap.
  @inline(__always)
  func read(_ tap: DelayTap) -> Double {
    if _slowPath(!tap.isCubic) {
      return tap.value(samples[newest], samples[wrapped(newest &- 1)], 0, 0)
    }
    let oldest = wrapped(newest &- tap.age &- 3)
    return tap.value(
      samples[oldest &+ 3], samples[oldest &+ 2], samples[oldest &+ 1], samples[oldest])
  }

  /// The line at one tap with four samples, in each of the last four frames.
  @inline(__always)
  func readFour(_ tap: DelayTap) -> Quad {
    let oldest = wrapped(newest &- tap.age &- 6)
    return DelayTap.values(
      samples.quad(at: oldest &+ 3), samples.quad(at: oldest &+ 2), samples.quad(at: oldest &+ 1),
      samples.quad(at: oldest), at: Quad(tap.fraction))
  }

  /// The line at the last four frames' own delays, from 0 to `longest`.
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
    /// The signal.
    let input: AudioInput
    /// Delay, milliseconds, k-rate or a-rate, from 0 to the maximum; outside it is the nearer end, NaN
    /// is 0. A k-rate delay is the same for the whole k-cycle.
    let delay: Delay
    /// The longest delay, milliseconds, from 0 to an hour.
    let maximum: InitInput
    /// Nonzero goes on with the line of the note before in the same memory, which is not made longer.
    /// Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private var line: DelayLine
  /// In samples.
  private var longest: Double
  private var framesPerMillisecond: Double

  /// Milliseconds.
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

  /// With a maximum that is an error, `init` says so.
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

  /// Delays in samples, of milliseconds.
  @inline(__always)
  private func delays(_ milliseconds: Quad) -> Quad {
    .minimum(.maximum(milliseconds * Quad(framesPerMillisecond), Quad(0)), Quad(longest))
  }

  /// The tap for a delay in milliseconds; written so that NaN is 0.
  @inline(__always)
  private func tap(_ milliseconds: Double) -> DelayTap {
    let delay = milliseconds * framesPerMillisecond
    return DelayTap(delay: delay > 0 ? min(delay, longest) : 0)
  }
}
