// aout VCS3RING aone, atwo [, kleak]
//
// The ring modulator of the EMS VCS3: an integrated multiplier without transformers, through which very little of the
// inputs leaks.
//
//     out = 4 tanh(one / 2) tanh(two / 2) + kleak (one + two)
//
// in units of 0dbfs, computed at twice the sample rate, because the product of two signals has frequencies up to the
// sum of theirs. The product of hyperbolic tangents is that of two cross-coupled transistor pairs (B. Gilbert, "A
// precise four-quadrant multiplier with subnanosecond response", IEEE J. Solid-State Circuits 3(4), 1968, doi
// 10.1109/JSSC.1968.1049925). Soft signals are multiplied without distortion; two full-scale signals lose 1.4 dB, and
// the product never exceeds 4. Two values are choices: full scale is twice the pairs' 2 VT, and the leak; EMS's
// handbook only says that the circuit's rejection is high.
//
// The two half-band filters (`HalfBand`) are flat up to 0.4 sr.
//
// Category: Signal Modifiers:Special Effects

import OpcodeKit

@Opcode("VCS3RING", "Ring modulator of the EMS VCS3")
struct VCS3Ring: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The modulated signal.
    let output: AudioOutput
    /// The two input signals. Clamped to a million times full scale; NaN counts as 0.
    let first, second: AudioInput
    /// Leakage: the gain with which each input is added to the output, clamped to 0 … 1; NaN counts as 0. Default 0.001
    /// (-60 dB), also for values below 0.
    @Default(-1) let leak: ControlInput
  }

  private var firstUp = HalfBand(), secondUp = HalfBand()
  private var down = HalfBand()
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
      arguments.output[frame] = ofUnits * down.down(both)
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
