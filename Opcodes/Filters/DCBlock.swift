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

  private let gain: Double
  private var lastInput = 0.0, lastOutput = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let gain = arguments.gain.value
    self.gain = gain != 0 && gain > -1 && gain < 1 ? gain : 0.99
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, frames) = (arguments.input, arguments.output, context.frames)
    settle()
    var frame = frames.lowerBound
    let square = gain * gain
    let (ones, squares) = (Pair(0, gain), Pair(square))
    let near = Pair(gain, square)
    let far = near * squares
    // In order of time; only the second of the outputs is used.
    var (before, last) = (Pair(0, lastInput), Pair(0, lastOutput))
    while frame &+ 4 <= frames.upperBound {
      let (now, next) = (input.pair(at: frame), input.pair(at: frame &+ 2))
      let u = now - Pair(before[1], now[0])
      let v = next - Pair(now[1], next[0])
      let first = u + ones * Pair(u[0])
      let second = (v + ones * Pair(v[0])) + near * Pair(first[1])
      let state = Pair(last[1])
      output.setPair(first + near * state, at: frame)
      last = second + far * state
      output.setPair(last, at: frame &+ 2)
      before = next
      frame &+= 4
    }
    (lastInput, lastOutput) = (before[1], last[1])
    while frame < frames.upperBound {
      let sample = input[frame]
      lastOutput = (sample - lastInput) + gain * lastOutput
      lastInput = sample
      output[frame] = lastOutput
      frame &+= 1
    }
  }

  /// Cleans up the state of the previous k-cycle: sets it to 0 when it is below -600 dB or not finite.
  @inline(__always)
  private mutating func settle() {
    if !(lastOutput.magnitude > 1e-30 && lastOutput.magnitude < .infinity) { lastOutput = 0 }
    if !lastInput.isFinite { lastInput = 0 }
  }
}
