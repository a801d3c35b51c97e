// aout PHASER ain, kfreq, kord, kfeedback [, iskip]
//
// A phaser: equal first-order allpasses in series, with feedback round all of them. Mixed with the
// signal itself it has a notch for every two allpasses.
//
//     x_0 = in + feedback x_N[n-1]
//     x_j = b (x_{j-1} + x_j[n-1]) - x_{j-1}[n-1],   b = (1 - w) / (1 + w),   w = pi |kfreq| / sr
//
// The phase of each allpass is -pi/2 about kfreq (R. Hartmann, "Flanging and phasers", Journal of the
// Audio Engineering Society 26(6), 1978; b is the bilinear transform without prewarping).
//
// The same recurrence as Csound's `phaser1`. Differs from it:
//  - kfeedback is clamped to -1 … 1, where the built-in grows without bound;
//  - an order below 1 is an init error, where the built-in is silent or crashes;
//  - a note without iskip begins with no feedback, where the built-in keeps the last sample;
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.
//
// Allpasses go four at a time: see `AllpassQuartet`.

import OpcodeKit

struct Phaser: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The last allpass.
    let output: AudioOutput
    /// The signal.
    let input: AudioInput
    /// Where the phase of each allpass is -π/2, Hz; negative as positive, NaN as 0.
    let frequency: ControlInput
    /// How many allpasses, 1 to 4999, read at init; what is after the point is dropped.
    let order: ControlInput
    /// Feedback, clamped to -1 … 1; NaN is 0.
    let feedback: ControlInput
    /// Nonzero goes on with the allpasses of the note before in the same memory, as many as it had.
    /// Default 0.
    let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private let quartets: Buffer<AllpassQuartet>
  /// Which allpass of the last quartet is the last, from 1; those behind it are not heard.
  private let place: Int
  private let radiansPerHertz: Double
  /// b, and the last output.
  private var coefficient = 0.0
  private var last = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let order = arguments.order.value
    guard order >= 1, order < 5000 else {
      throw OpcodeError(argument: "kord", is: order, mustBe: "from 1 to 4999")
    }
    let count = Int(order)
    quartets = try context.buffer(of: AllpassQuartet.self, count: (count + 3) / 4)
    place = (count - 1) % 4 + 1
    radiansPerHertz = Double.pi / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (frames, count) = (context.frames, quartets.count)
    let asked = arguments.feedback.value
    let feedback = asked > -1 ? min(asked, 1) : (asked <= -1 ? -1 : 0)
    let w = arguments.frequency.value.magnitude * radiansPerHertz
    // Beyond 1e15 b is -1.
    let bounded = w < 1e18 ? w : (w >= 1e18 ? 1e18 : 0)
    let next = (1 - bounded) / (1 + bounded)
    let b = AllpassQuartet.Coefficient(next)
    if next != coefficient {
      coefficient = next
      for index in 0..<count { quartets[index].prepare(b) }
    }
    switch count {
    case 1:
      var quartet = quartets[0]
      for frame in frames {
        quartet.take(arguments.input[frame] + feedback * last, b)
        last = quartet.output(place)
        arguments.output[frame] = last
      }
      quartets[0] = quartet
    case 2:
      var (first, second) = (quartets[0], quartets[1])
      for frame in frames {
        first.take(arguments.input[frame] + feedback * last, b)
        second.take(first.output(4), b)
        last = second.output(place)
        arguments.output[frame] = last
      }
      (quartets[0], quartets[1]) = (first, second)
    default:
      for frame in frames {
        var sample = arguments.input[frame] + feedback * last
        for index in 0..<(count - 1) {
          var quartet = quartets[index]
          quartet.take(sample, b)
          sample = quartet.output(4)
          quartets[index] = quartet
        }
        var quartet = quartets[count - 1]
        quartet.take(sample, b)
        quartets[count - 1] = quartet
        last = quartet.output(place)
        arguments.output[frame] = last
      }
    }
    if !(last.magnitude >= 1e-30 && last.magnitude < .infinity) { settle() }
  }

  /// Goes back to silence when nothing is above -600 dB, or something is not finite.
  private mutating func settle() {
    var level = 0.0
    for index in 0..<quartets.count { level += quartets[index].level }
    guard !(level >= 1e-30 && level < .infinity) else { return }
    for index in 0..<quartets.count { quartets[index] = AllpassQuartet() }
    last = 0
  }
}

@c @_noLocks @_noAllocation
func phaser(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Phaser.perform(csound, block)
}

func registerPhaser(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      Phaser.self, "PHASER", outputs: "a", inputs: "akkko",
      summary: "Phaser, a chain of first-order allpasses with feedback",
      initialize: { Phaser.initialize($0, $1) }, perform: phaser))
}
