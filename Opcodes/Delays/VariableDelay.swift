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

import OpcodeKit

/// The four samples a delay lies between, and their weights.
package struct DelayTap: BitwiseCopyable {
  /// The age of the newest of the four, in samples; 0 is the sample that has just come in.
  package let age: Int
  /// The weights, newest first; their sum is 1.
  package let weights: (Double, Double, Double, Double)

  /// The tap for a delay in samples, from 0 up to 2^53.
  @inline(__always)
  package init(delay: Double) {
    let whole = Math.truncated(delay)
    let f = delay - Double(whole)
    guard whole > 0 else {
      age = 0
      weights = (1 - f, f, 0, 0)
      return
    }
    age = whole - 1
    let cube = f * (f * f - 1) * (1.0 / 6)
    weights = (f * (f - 1) / 2 - cube, 1 - f * f + 3 * cube, f * (f + 1) / 2 - 3 * cube, cube)
  }
}

/// The taps of two frames side by side, by the same formulas.
package struct DelayTaps: BitwiseCopyable {
  package let ages: (Int, Int)
  package let weights: (Pair, Pair, Pair, Pair)

  /// The taps for delays in samples, from 0 up to 2^53.
  @inline(__always)
  package init(delays: Pair) {
    let whole = (Math.truncated(delays[0]), Math.truncated(delays[1]))
    if _slowPath(min(whole.0, whole.1) == 0) {
      let (first, second) = (DelayTap(delay: delays[0]), DelayTap(delay: delays[1]))
      ages = (first.age, second.age)
      weights = (
        Pair(first.weights.0, second.weights.0), Pair(first.weights.1, second.weights.1),
        Pair(first.weights.2, second.weights.2), Pair(first.weights.3, second.weights.3)
      )
      return
    }
    let f = delays - Pair(Double(whole.0), Double(whole.1))
    ages = (whole.0 &- 1, whole.1 &- 1)
    let cube = f * (f * f - Pair(1)) * Pair(1.0 / 6)
    let cubes = Pair(3) * cube
    weights = (
      f * (f - Pair(1)) * Pair(0.5) - cube, Pair(1) - f * f + cubes,
      f * (f + Pair(1)) * Pair(0.5) - cubes, cube
    )
  }
}

/// A line of samples that remembers the newest of them.
struct DelayLine: BitwiseCopyable {
  /// `length` of them, and the first three again, so that four in a row need no wrapping.
  private let samples: Buffer<Double>
  private let length: Int
  /// Where the newest sample is.
  private var newest = 0

  /// A line for delays up to so many samples.
  init(longest: Double, _ context: Context) throws(OpcodeError) {
    // Four samples round the delay; one more, which comes in before two frames are read.
    length = Int(longest.rounded(.up)) + 4
    samples = try context.buffer(count: length + 3)
  }

  /// The longest delay it can serve, in samples.
  var longest: Double { Double(length - 4) }

  /// Puts in a sample.
  @inline(__always)
  mutating func push(_ sample: Double) {
    let next = newest &+ 1
    newest = next == length ? 0 : next
    samples[newest] = sample
    if newest < 3 { samples[newest &+ length] = sample }
  }

  /// The line at a tap.
  @inline(__always)
  func read(_ tap: DelayTap) -> Double {
    let oldest = wrapped(newest &- tap.age &- 3)
    let w = tap.weights
    return w.3 * samples[oldest] + w.2 * samples[oldest &+ 1] + w.1 * samples[oldest &+ 2]
      + w.0 * samples[oldest &+ 3]
  }

  /// The line at the taps of the last two frames, both of which have come in.
  @inline(__always)
  func read(_ taps: DelayTaps) -> Pair {
    let first = wrapped(newest &- taps.ages.0 &- 4)
    let second = wrapped(newest &- taps.ages.1 &- 3)
    let older = (samples.pair(at: first), samples.pair(at: second))
    let newer = (samples.pair(at: first &+ 2), samples.pair(at: second &+ 2))
    let w = taps.weights
    return w.3 * .firsts(older.0, older.1) + w.2 * .seconds(older.0, older.1)
      + w.1 * .firsts(newer.0, newer.1) + w.0 * .seconds(newer.0, newer.1)
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
    if Delay.isAudioRate {
      while frame &+ 2 <= end {
        let milliseconds = Pair(arguments.delay[frame], arguments.delay[frame &+ 1])
        let inputs = arguments.input.pair(at: frame)
        line.push(inputs[0])
        line.push(inputs[1])
        arguments.output.setPair(line.read(taps(milliseconds)), at: frame)
        frame &+= 2
      }
    }
    guard frame < end else { return }
    let tap = tap(arguments.delay[frame])
    while frame < end {
      line.push(arguments.input[frame])
      arguments.output[frame] = line.read(tap)
      frame &+= 1
    }
  }

  /// The taps for the delays of two frames, in milliseconds.
  @inline(__always)
  private func taps(_ milliseconds: Pair) -> DelayTaps {
    let delays = milliseconds * Pair(framesPerMillisecond)
    return DelayTaps(delays: .minimum(.maximum(delays, Pair(0)), Pair(longest)))
  }

  /// The tap for a delay in milliseconds; written so that NaN is 0.
  @inline(__always)
  private func tap(_ milliseconds: Double) -> DelayTap {
    let delay = milliseconds * framesPerMillisecond
    return DelayTap(delay: delay > 0 ? min(delay, longest) : 0)
  }
}
