// aout VCS3RING aone, atwo [, kleak]
//
// The ring modulator of the EMS VCS3: an integrated circuit that multiplies, without transformers, and lets
// very little of its inputs through.
//
//     out = 4 tanh(one / 2) tanh(two / 2) + kleak (one + two)
//
// in units of 0dbfs, at twice the samples: what two sounds make together goes up to the sum of their
// frequencies. The product of the hyperbolic tangents is that of two transistor pairs, each in the other's
// current (B. Gilbert, "A precise four-quadrant multiplier with subnanosecond response", IEEE J.
// Solid-State Circuits 3(4), 1968, doi 10.1109/JSSC.1968.1049925). Soft signals are multiplied as they are;
// two at full scale lose 1.4 dB, and nothing gets beyond 4. That full scale is twice the pairs' 2 VT is a
// choice, and so is the leak: EMS's handbook only says of the circuit that its rejection is high.
//
// Up to 0.4 sr the two half-band filters (`HalfBand`) let everything through.

import OpcodeKit

@Opcode("VCS3RING", "Ring modulator of the EMS VCS3")
struct VCS3Ring: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The product.
    let output: AudioOutput
    /// The signals. Beyond a million times full scale they are clamped, NaN is 0.
    let first, second: AudioInput
    /// How much of each input comes through, 0 to 1, clamped, NaN is 0. Default (or below 0) 0.001,
    /// -60 dB.
    @Default(-1) let leak: ControlInput
  }

  private var firstUp = HalfBand.steep, secondUp = HalfBand.steep
  private var down = HalfBand.steep
  private let fullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    fullScale = context.fullScale
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let asked = arguments.leak.value
    let leak = asked >= 0 ? min(asked, 1) : asked < 0 ? 0.001 : 0
    let (toUnits, ofUnits) = (1 / fullScale, fullScale)
    for frame in context.frames {
      let one = firstUp.up(Self.bounded(arguments.first[frame] * toUnits))
      let two = secondUp.up(Self.bounded(arguments.second[frame] * toUnits))
      let product = (one * Pair(0.5)).tanh * (two * Pair(0.5)).tanh
      let both = Pair(4) * product + Pair(leak) * (one + two)
      arguments.output[frame] = ofUnits * down.down(both[0], both[1])
    }
    firstUp.settle()
    secondUp.settle()
    down.settle()
  }

  @inline(__always)
  private static func bounded(_ x: Double) -> Double {
    if _fastPath(x.magnitude < 1e6) { return x }
    return x > 0 ? 1e6 : x < 0 ? -1e6 : 0
  }
}
