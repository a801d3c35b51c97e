// aout VCS3NOISE kcolour [, iseed]
//
// The noise generator of the EMS VCS3. One knob sets its colour, from dark through white to bright noise.
//
//     out = 2 ((1 - c) low + c (white - low))
//
// where c is the colour and low is white noise after a one-pole lowpass at 800 Hz (Csound's `tone`). The knob is thus a
// crossfade between a lowpass and a highpass with 6 dB per octave, which add up to white noise in the middle. The knob
// and its effect are those of the instrument; the frequency of 800 Hz is a choice.
//
// The white noise has the random numbers of Csound's `rand` with 31 bits, x -> 16807 x modulo 2^31 - 1 (S. K. Park and
// K. W. Miller, "Random number generators: good ones are hard to find", Comm. ACM 31(10), 1988, doi
// 10.1145/63039.63042), uniformly distributed from -1 to 1 times 0dbfs: an RMS level of -4.8 dB.
//
// Category: Signal Generators:Random (Noise) Generators

import OpcodeKit

@Opcode("VCS3NOISE", "Noise generator of the EMS VCS3, with its colour")
struct VCS3Noise: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The noise signal.
    let output: AudioOutput
    /// Colour: 0 is dark, 0.5 white, 1 bright. Clamped to 0 … 1; NaN counts as 0.
    let colour: ControlInput
    /// Seed of the random numbers, above 0 and below 1. Equal seeds give equal noise. Default 0.5.
    @Default(0.5) let seed: InitInput
  }

  private var number: UInt64
  private var low = 0.0
  private let pole: Double
  private let unit: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let seed = arguments.seed.value
    guard seed > 0, seed < 1 else {
      throw OpcodeError(argument: "iseed", is: seed, mustBe: "above 0 and below 1")
    }
    number = min(max(1, UInt64(seed * 0x1p31)), Self.modulus - 1)
    let c = 2 - Math.cos(2 * Double.pi * 800 / context.sampleRate)
    pole = c - Math.sqrt(c * c - 1)
    unit = context.fullScale * 0x1p-31
    // As in `rand`: skips two numbers, so that similar seeds do not begin with similar numbers.
    for _ in 0..<2 { number = Self.following(number) }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let asked = arguments.colour.value
    let colour = asked > 0 ? min(asked, 1) : 0
    let (dark, bright) = (2 * (1 - colour), 2 * colour)
    for frame in context.frames {
      number = Self.following(number)
      let white = unit * Double(Int64(2 * number) - Int64(Self.modulus))
      low = (1 - pole) * white + pole * low
      arguments.output[frame] = dark * low + bright * (white - low)
    }
  }

  private static var modulus: UInt64 { 0x7fff_ffff }

  /// The next number, below the modulus.
  @inline(__always)
  private static func following(_ number: UInt64) -> UInt64 {
    let product = number &* 16_807
    let folded = (product & modulus) &+ (product &>> 31)
    return folded >= modulus ? folded &- modulus : folded
  }
}
