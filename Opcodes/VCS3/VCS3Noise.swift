// aout VCS3NOISE kcolour [, iseed]
//
// The noise generator of the EMS VCS3, whose knob goes from a dark noise over white to a bright one.
//
//     out = 2 ((1 - c) low + c (white - low))
//
// where c is the colour and low is what a one-pole lowpass at 800 Hz (Csound's `tone`) leaves of the white
// noise: a potentiometer between a lowpass and a highpass of 6 dB per octave. In the middle they make up white
// noise again. The knob and what it does are the instrument's; its 800 Hz are a choice.
//
// White are the numbers of Csound's `rand` with 31 bits, x -> 16807 x modulo 2^31 - 1 (S. K. Park and K. W.
// Miller, "Random number generators: good ones are hard to find", Comm. ACM 31(10), 1988, doi
// 10.1145/63039.63042), evenly spread from -1 to 1 times 0dbfs: -4.8 dB.

import OpcodeKit

@Opcode("VCS3NOISE", "Noise generator of the EMS VCS3, with its colour")
struct VCS3Noise: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The noise.
    let output: AudioOutput
    /// 0 is dark, 0.5 white, 1 bright; clamped, NaN is 0.
    let colour: ControlInput
    /// What the numbers begin with, above 0 and below 1. Default 0.5; equal seeds make equal noises.
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
    number = max(1, UInt64(seed * 0x1p31))
    let c = 2 - Math.cos(2 * Double.pi * 800 / context.sampleRate)
    pole = c - Math.sqrt(c * c - 1)
    unit = context.fullScale * 0x1p-31
    // As `rand` does, so that near seeds do not begin alike.
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
