// aout DELTAP ktime [, indx]
// aout DELTAP atime [, indx]
//
// Reads a delay line between DELAYR and DELAYW, `ktime` seconds back, rounded to whole samples. For a time that moves use
// DELTAP3 or DELTAPI.
//
// The same as Csound's `deltap` from one k-cycle to the length of the line. A shorter time counts as one k-cycle, where
// `deltap` plays the oldest samples of the line; a longer one as the line's length, where `deltap` begins anew. `deltap`
// has no a-rate time.
//
// Category: Signal Modifiers:Delay

// aout DELTAPN xcount [, indx]
//
// Reads a delay line between DELAYR and DELAYW a number of samples back; a fraction is cut off.
//
// The same as Csound's `deltapn` from one k-cycle to the length of the line. Fewer count as one k-cycle, more as the
// line's length.
//
// Category: Signal Modifiers:Delay

// aout DELTAPI xtime [, indx]
//
// Reads a delay line between DELAYR and DELAYW, `xtime` seconds back, on a straight line between two samples, which loses
// treble: use DELTAP3 where that is heard.
//
// The same as Csound's `deltapi` from one k-cycle to the length of the line. A shorter time counts as one k-cycle, a longer
// one as the line's length; at a-rate, `deltapi` then reads memory that is not the line's.
//
// Category: Signal Modifiers:Delay

// aout DELTAP3 xtime [, indx]
//
// Reads a delay line between DELAYR and DELAYW, `xtime` seconds back, on Lagrange's cubic through four samples.
//
// The same as Csound's `deltap3` from one k-cycle and a sample to the length of the line. A shorter time counts as one
// k-cycle and a sample, a longer one as the line's length; at a-rate, `deltap3` then reads memory that is not the line's.
// With `--sample-accurate`, `deltap3` reads an a-rate time from the beginning of the block in a note that starts inside it.
//
// Category: Signal Modifiers:Delay

import OpcodeKit

@Opcode("DELTAP", "Tap of a delay line, at whole samples", SecondsTap.self)
@Opcode("DELTAPN", "Tap of a delay line, in samples", SampleTap.self)
@Opcode("DELTAPI", "Tap of a delay line, linear interpolation", LinearTap.self)
@Opcode("DELTAP3", "Tap of a delay line, cubic interpolation", CubicTap.self)
struct DelayLineTap<Reading: TapReading, Time: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The delayed signal.
    let output: AudioOutput
    /// The time in seconds, of DELTAPN in samples; k-rate or a-rate. Limited to what the line holds; NaN counts as the
    /// shortest.
    let time: Time
    /// Which line: 0 for the one that was opened last, 1 for the one before it, and so on; -1 for the first one, -2 for the
    /// next. Default 0.
    @Default(0) let index: InitInput
  }

  private let head: Buffer<DelayHead>
  /// The shortest time in samples: all that is read has been written then.
  private let shortest: Double
  private let samplesPerUnit: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    head = try OpenDelays(context).line(arguments.index.value)
    shortest = Double(context.ksmps &+ Reading.newerSamples)
    samplesPerUnit = Reading.isInSamples ? 1 : context.sampleRate
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (line, longest) = (head[0].line, Double(head[0].longest))
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    guard frame < end else { return }
    // How many frames after the newest sample of the line.
    var lead = 1
    if Time.isAudioRate {
      while frame &+ 4 <= end {
        let times = arguments.time.quad(at: frame) * Quad(samplesPerUnit)
        let delays = Quad.minimum(.maximum(times, Quad(shortest)), Quad(longest))
        arguments.output.setQuad(Reading.values(line, at: delays, lead), at: frame)
        (frame, lead) = (frame &+ 4, lead &+ 4)
      }
    } else {
      let delay = limited(arguments.time[frame], longest)
      let steady = Reading.steady(delay)
      while frame &+ 4 <= end {
        arguments.output.setQuad(Reading.values(line, at: steady, lead), at: frame)
        (frame, lead) = (frame &+ 4, lead &+ 4)
      }
    }
    while frame < end {
      let delay = limited(arguments.time[frame], longest)
      arguments.output[frame] = Reading.value(line, at: delay, lead)
      (frame, lead) = (frame &+ 1, lead &+ 1)
    }
  }

  /// A time in samples, as far as it can be read.
  @inline(__always)
  private func limited(_ time: Double, _ longest: Double) -> Double {
    let delay = time * samplesPerUnit
    return delay > shortest ? min(delay, longest) : min(shortest, longest)
  }
}

/// How a tap reads a line. A frame, or the first one of four, comes `lead` frames after the line's newest sample.
protocol TapReading: BitwiseCopyable {
  /// How many samples after a whole delay it reads.
  static var newerSamples: Int { get }
  static var isInSamples: Bool { get }
  /// What a delay needs that is constant in a k-cycle.
  associatedtype Steady: BitwiseCopyable
  static func steady(_ delay: Double) -> Steady
  static func value(_ line: DelayLine, at delay: Double, _ lead: Int) -> Double
  static func values(_ line: DelayLine, at steady: Steady, _ lead: Int) -> Quad
  static func values(_ line: DelayLine, at delays: Quad, _ lead: Int) -> Quad
}

/// A tap at whole samples.
protocol WholeTap: TapReading where Steady == Int {
  /// A delay whose integer part is what is read.
  static func delay<V: Vector>(_ delay: V) -> V
}

extension WholeTap {
  static var newerSamples: Int { 0 }

  @inline(__always)
  static func steady(_ delay: Double) -> Int { Math.truncated(Self.delay(Pair(delay))[0]) }

  @inline(__always)
  static func value(_ line: DelayLine, at delay: Double, _ lead: Int) -> Double {
    line[steady(delay) &- lead]
  }

  @inline(__always)
  static func values(_ line: DelayLine, at steady: Int, _ lead: Int) -> Quad {
    line.quad(from: steady &- lead)
  }

  @inline(__always)
  static func values(_ line: DelayLine, at delays: Quad, _ lead: Int) -> Quad {
    line.values(at: (delay(delays) - Quad(Double(lead &+ 3))).truncated)
  }
}

enum SecondsTap: WholeTap {
  static var isInSamples: Bool { false }

  /// The nearest whole number.
  @inline(__always)
  static func delay<V: Vector>(_ delay: V) -> V { (delay + V(0x1.8p52)) - V(0x1.8p52) }
}

enum SampleTap: WholeTap {
  static var isInSamples: Bool { true }

  @inline(__always)
  static func delay<V: Vector>(_ delay: V) -> V { delay }
}

enum LinearTap: TapReading {
  static var newerSamples: Int { 0 }
  static var isInSamples: Bool { false }

  @inline(__always)
  static func steady(_ delay: Double) -> DelayTap { DelayTap(delay: delay) }

  @inline(__always)
  static func value(_ line: DelayLine, at delay: Double, _ lead: Int) -> Double {
    line.linear(at: delay - Double(lead))
  }

  @inline(__always)
  static func values(_ line: DelayLine, at steady: DelayTap, _ lead: Int) -> Quad {
    let age = steady.whole &- lead
    let value = line.quad(from: age)
    return value + (line.quad(from: age &+ 1) - value) * Quad(steady.fraction)
  }

  @inline(__always)
  static func values(_ line: DelayLine, at delays: Quad, _ lead: Int) -> Quad {
    line.linears(at: delays - Quad(Double(lead &+ 3)))
  }
}

enum CubicTap: TapReading {
  static var newerSamples: Int { 1 }
  static var isInSamples: Bool { false }

  struct Steady: BitwiseCopyable {
    let age: Int
    let weights: DelayWeights
  }

  @inline(__always)
  static func steady(_ delay: Double) -> Steady {
    let tap = DelayTap(delay: delay)
    return Steady(age: tap.age, weights: DelayWeights(tap))
  }

  @inline(__always)
  static func value(_ line: DelayLine, at delay: Double, _ lead: Int) -> Double {
    line.cubic(at: delay - Double(lead))
  }

  @inline(__always)
  static func values(_ line: DelayLine, at steady: Steady, _ lead: Int) -> Quad {
    line.values(at: steady.age &- lead &- 3, steady.weights)
  }

  @inline(__always)
  static func values(_ line: DelayLine, at delays: Quad, _ lead: Int) -> Quad {
    line.cubics(at: delays - Quad(Double(lead &+ 3)))
  }
}
