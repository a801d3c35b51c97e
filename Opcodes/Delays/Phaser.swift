// aout PHASER ain, kfreq, kord, kfeedback [, iskip]
//
// A phaser: equal first-order allpasses in series, with feedback around all of them. Mixed with the input signal it has
// one notch for every two allpasses.
//
//     x_0 = in + feedback x_N[n-1]
//     x_j = b (x_{j-1} + x_j[n-1]) - x_{j-1}[n-1],   b = (1 - w) / (1 + w),   w = pi |kfreq| / sr
//
// Each allpass has a phase shift of -pi/2 at about kfreq (R. Hartmann, "Flanging and phasers", Journal of the Audio
// Engineering Society 26(6), 1978; b follows from the bilinear transform without prewarping).
//
// The same recurrence as Csound's `phaser1`, with these differences:
// - kfeedback is clamped to -1 … 1; `phaser1` grows without bound;
// - an order below 0 is an init error; `phaser1` ends the whole performance;
// - a note or reinit without iskip starts with no feedback. `phaser1` starts with the last output sample from the same
//   memory, which then decays with the feedback, so only its first note is correct;
// - with iskip and another order, all allpasses are new; `phaser1` keeps as many as fit;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// Allpasses are computed eight at a time: see `AllpassOctet`.
//
// Category: Signal Modifiers:Special Effects

import OpcodeKit

@Opcode("PHASER", "Phaser, a chain of first-order allpasses with feedback")
struct Phaser: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The output of the last allpass.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Frequency in Hz at which the phase shift of each allpass is -π/2. The sign is ignored; NaN counts as 0.
    let frequency: ControlInput
    /// Number of allpasses, 0 to 4999, read at init and rounded. With 0 the output is silent.
    let order: ControlInput
    /// Feedback, clamped to -1 … 1; NaN counts as 0.
    let feedback: ControlInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private let octets: Buffer<AllpassOctet>
  /// Number of allpasses.
  private let order: Int
  /// Number of the last allpass in the last octet, 1 to 8; the allpasses after it are not used.
  private let place: Int
  private let radiansPerHertz: Double
  /// b, and the kfreq it was computed from.
  private var coefficient = 1.0
  private var lastFrequency = 0.0
  /// The last output sample.
  private var last = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let asked = Math.nearestWhole(arguments.order.value)
    guard asked >= 0, asked < 5000 else {
      throw OpcodeError(argument: "kord", is: arguments.order.value, mustBe: "from 0 to 4999")
    }
    order = Int(asked)
    octets = try context.buffer(of: AllpassOctet.self, count: (order + 7) / 8)
    place = (order + 7) % 8 + 1
    radiansPerHertz = Double.pi / context.sampleRate
  }

  /// A phaser without allpasses, which is silent, because no memory has been allocated.
  private init(withoutInitIn context: Context) {
    order = 0
    octets = .empty
    place = 8
    radiansPerHertz = Double.pi / context.sampleRate
  }

  static func stateWithoutInit(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) -> Phaser? { Phaser(withoutInitIn: context) }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  /// A changed order needs new allpasses; an invalid one leaves them as they are.
  mutating func resume(_ arguments: Arguments, _ context: Context) {
    guard Math.nearestWhole(arguments.order.value) != Double(order),
      var anew = try? Phaser(arguments, context)
    else { return }
    anew.last = last
    self = anew
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    guard order > 0 else {
      for frame in frames { arguments.output[frame] = 0 }
      return last = 0
    }
    if !(last.magnitude >= 1e-30 && last.magnitude < .infinity) { settle() }
    let asked = arguments.feedback.value
    let feedback = asked > -1 ? min(asked, 1) : (asked <= -1 ? -1 : 0)
    follow(arguments.frequency.value)
    let b = AllpassOctet.Coefficient(coefficient)
    if octets.count == 1 {
      guard !frames.isEmpty else { return }
      var octet = octets[0]
      var run = octet.run(b)
      let final = frames.upperBound - 1
      if frames.lowerBound < final {
        let more = AllpassOctet.Run.Coefficient(b)
        if place == 8 {
          for frame in frames.lowerBound..<final {
            last = run.next(arguments.input[frame] + feedback * last, b, more, output: 8)
            arguments.output[frame] = last
          }
        } else {
          for frame in frames.lowerBound..<final {
            last = run.next(arguments.input[frame] + feedback * last, b, more, output: place)
            arguments.output[frame] = last
          }
        }
      }
      octet.take(arguments.input[final] + feedback * last, b, run)
      last = octet.output(place)
      arguments.output[final] = last
      octets[0] = octet
    } else {
      for frame in frames {
        var sample = arguments.input[frame] + feedback * last
        for index in 0..<(octets.count - 1) {
          var octet = octets[index]
          octet.take(sample, b)
          sample = octet.output(8)
          octets[index] = octet
        }
        var octet = octets[octets.count - 1]
        octet.take(sample, b)
        octets[octets.count - 1] = octet
        last = octet.output(place)
        arguments.output[frame] = last
      }
    }
  }

  /// Applies a new frequency.
  @inline(__always)
  private mutating func follow(_ frequency: Double) {
    guard frequency != lastFrequency else { return }
    lastFrequency = frequency
    let w = frequency.magnitude * radiansPerHertz
    // From about 1e15 on b is -1.
    let bounded = _fastPath(w < 1e18) ? w : w >= 1e18 ? 1e18 : 0
    coefficient = (1 - bounded) / (1 + bounded)
  }

  /// Resets the state to 0 when it is below -600 dB or not finite. Called at the beginning of a k-cycle.
  private mutating func settle() {
    var level = 0.0
    for index in 0..<octets.count { level += octets[index].level }
    guard !(level >= 1e-30 && level < .infinity) else { return }
    for index in 0..<octets.count { octets[index] = AllpassOctet() }
    last = 0
  }
}
