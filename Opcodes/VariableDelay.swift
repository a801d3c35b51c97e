// aout VDELAY ain, xdelayMs, imaxMs [, iskip]
//
// A delay line with a delay that moves, read between samples by a cubic through four points:
//
//     out[n] = sum over j = -1 … 2 of L_j(f) x[n - d + j],   delay = d - f samples, 0 <= f < 1
//
// with Lagrange's polynomials L_j (equidistant points; T. I. Laakso et al., "Splitting the unit
// delay", IEEE Signal Processing Magazine 13(1), 1996, DOI 10.1109/79.482137). The same interpolation
// as Csound's `vdelay3`. Differs from it: a delay above the maximum or below 0 is the maximum or 0,
// where `vdelay3` wraps round; below one sample, where the fourth point would lie in the future,
// it is linear, where `vdelay3` reads the oldest sample.

import OpcodeKit

/// A line of samples that remembers the newest of them; its length is a power of two.
struct DelayLine: BitwiseCopyable {
  private let samples: Buffer<Double>
  private let mask: Int
  /// Where the next sample goes.
  private var end = 0

  /// A line for delays up to so many samples.
  init(longest: Double, _ context: Context) throws(OpcodeError) {
    var length = 8
    while Double(length) < longest + 4 { length *= 2 }
    samples = try context.buffer(count: length)
    mask = length - 1
  }

  /// The longest delay it can serve, in samples.
  var longest: Double { Double(mask - 3) }

  /// Puts in a sample.
  @inline(__always)
  mutating func push(_ sample: Double) {
    samples[end] = sample
    end = (end + 1) & mask
  }

  /// The sample pushed `age` pushes before the newest.
  @inline(__always)
  subscript(age: Int) -> Double { samples[(end - 1 - age) & mask] }

  /// The line `delay` samples ago, 0 for the newest, by cubic interpolation; linear below 1.
  @inline(__always)
  func cubic(delay: Double) -> Double {
    let whole = Int(delay)
    let f = delay - Double(whole)
    let (x1, x2) = (self[whole], self[whole + 1])
    guard whole > 0 else { return x1 + (x2 - x1) * f }
    let (x0, x3) = (self[whole - 1], self[whole + 2])
    let cube = (f * f - 1) / 6
    let weight3 = cube
    let weight0 = (f - 1) / 2 - cube
    let weight2 = (f + 1) / 2 - 3 * cube
    let weight1 = 3 * cube - f
    return x1 + f * (weight0 * x0 + weight1 * x1 + weight2 * x2 + weight3 * x3)
  }
}

struct VariableDelay<Delay: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The delayed signal.
    let output: AudioOutput
    /// The signal.
    let input: AudioInput
    /// Delay, milliseconds, k-rate or a-rate, from 0 to the maximum; outside it is the nearer end. A
    /// k-rate delay is the same for the whole k-cycle.
    let delay: Delay
    /// The longest delay, milliseconds, from 0 to an hour.
    let maximum: InitInput
    /// Nonzero goes on with the line of the note before in the same memory, which is not made longer.
    /// Default 0.
    let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private var line: DelayLine
  private var longest: Double
  private var framesPerMillisecond: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let maximum = arguments.maximum.value
    guard maximum >= 0, maximum <= 3_600_000 else {
      throw OpcodeError(argument: "imaxMs", is: maximum, mustBe: "from 0 to 3600000 ms")
    }
    framesPerMillisecond = context.sampleRate / 1000
    longest = maximum * framesPerMillisecond
    line = try DelayLine(longest: longest, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    framesPerMillisecond = context.sampleRate / 1000
    longest = min(max(arguments.maximum.value * framesPerMillisecond, 0), line.longest)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      line.push(arguments.input[frame])
      let delay = arguments.delay[frame] * framesPerMillisecond
      // Written so that NaN is 0.
      arguments.output[frame] = line.cubic(delay: delay > 0 ? min(delay, longest) : 0)
    }
  }
}

@c @_noLocks @_noAllocation
func vdelay_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  VariableDelay<ControlInput>.perform(csound, block)
}
@c @_noLocks @_noAllocation
func vdelay_a(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  VariableDelay<AudioInput>.perform(csound, block)
}

func registerVariableDelay(in registry: inout some OpcodeRegistry) {
  let summary: StaticString = "Delay line with a moving delay, cubic interpolation"
  registry.add(
    Overload(
      VariableDelay<ControlInput>.self, "VDELAY.k", outputs: "a", inputs: "akio",
      summary: summary, initialize: { VariableDelay<ControlInput>.initialize($0, $1) },
      perform: vdelay_k))
  registry.add(
    Overload(
      VariableDelay<AudioInput>.self, "VDELAY.a", outputs: "a", inputs: "aaio",
      summary: summary, initialize: { VariableDelay<AudioInput>.initialize($0, $1) },
      perform: vdelay_a))
}
