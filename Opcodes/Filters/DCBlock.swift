// aout DCBLOCK ain [, igain]
//
// Removes the DC offset of a signal: a first-order highpass with its zero at 0 Hz.
//
//     y[n] = x[n] - x[n-1] + g y[n-1]
//
// Four frames are computed at once. With u[n] = x[n] - x[n-1] they are y[n+i] = Σ g^(i-j) u[n+j] + g^(i+1) y[n-1], so
// that only one product and one addition lie between the states of every fourth frame. The same as Csound's `dcblock`,
// except that NaN in the input does not stay in the filter and that signals below -600 dB become 0.
//
// Category: Signal Modifiers:Specialized Filters

import OpcodeKit

@Opcode("DCBLOCK", "Takes a constant off a signal")
struct DCBlock: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signal without its DC offset.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Pole g of the filter, between -1 and 1: the closer to 1, the slower an offset decays. The default, 0, means
    /// 0.99, and so does any value outside that range.
    @Default(0) let gain: InitInput
  }

  private var blocker: DCBlocker

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let gain = arguments.gain.value
    blocker = DCBlocker(pole: gain != 0 && gain > -1 && gain < 1 ? gain : 0.99)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    blocker.settle()
    blocker.process(arguments.input, to: arguments.output, in: context.frames)
  }
}
