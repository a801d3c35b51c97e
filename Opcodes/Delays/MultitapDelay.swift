// aout TAPS ain, ktimes[], kgains[], kfeedback, imaximum [, kcutoff [, kdrive]]
// aout TAPS ain, atimes[], kgains[], kfeedback, imaximum [, kcutoff [, kdrive]]
// aout[] TAPS ain, ktimes[], kgains[], kfeedback, imaximum [, kcutoff [, kdrive]]
// aout[] TAPS ain, atimes[], kgains[], kfeedback, imaximum [, kcutoff [, kdrive]]
//
// A delay line with up to sixteen taps and feedback from the last one. With t and g the time and gain of a tap:
//
//     line[n] = S(in[n] + kfeedback L(line at t of the last tap))
//     out[n]  = Σ g line at t        or, as an array, a signal for each tap
//
// L is a lowpass of one pole with a cutoff of kcutoff Hz; S(x) = tanh(kdrive x) / kdrive keeps a feedback of 1 or more
// bounded. Both are left out where kcutoff or kdrive is 0. Between samples the line is read on Lagrange's cubic through
// four of them, whose gain is at most 1, so that feedback below 1 decays at any time.
//
// Times and gains at k-rate go to their new value on a straight line, sample by sample during a k-cycle: they make no
// steps at any ksmps. A time that moves changes the pitch, as a tape does.
//
// In Csound the same takes a `delayr`, a `deltap3` for each tap, a `tone`, a `tanh` and a `delayw`, with steps at k-rate,
// and a feedback of at least one k-cycle; here it may be one sample long. Four frames are computed at once where the
// feedback is six samples long or more.
//
// Category: Signal Modifiers:Delay

import OpcodeKit

@Opcode("TAPS", "Delay line with up to sixteen taps and feedback")
struct MultitapDelay<Time: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sum of all taps.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// The time of each tap in seconds, up to sixteen of them at k-rate or a-rate. Limited to 0 … imaximum, that of the
    /// last tap to at least one sample where there is feedback; NaN counts as 0. The length is read in each k-cycle, the
    /// shorter of both arrays; without elements there is silence. For an array of outputs, which gets that length, none
    /// in the init pass is an init error.
    let times: ArrayInput<Time>
    /// The gain of each tap. NaN and infinity count as 0.
    let gains: ArrayInput<ControlInput>
    /// How much of the last tap, without its gain, goes back into the line. Without kdrive it is limited to -1 … 1; NaN
    /// counts as 0.
    let feedback: ControlInput
    /// The longest time in seconds, from 0 to 3600. Anything else is an init error.
    let maximum: InitInput
    /// Cutoff of the lowpass in the feedback, in Hz; 0 or less for none. Default 0.
    @Default(0) let cutoff: ControlInput
    /// How much the line saturates; 0 or less for not at all. Default 0.
    @Default(0) let drive: ControlInput
  }

  static var bufferCount: Int { 2 }

  private var bank: TapBank

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    bank = try TapBank(maximum: arguments.maximum.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (times, gains) = (arguments.times, arguments.gains)
    bank.aim(
      times, gains, feedback: arguments.feedback.value, cutoff: arguments.cutoff.value,
      drive: arguments.drive.value, frames: context.frames)
    bank.perform(
      arguments.input, times, to: TapSum(output: arguments.output), context.frames)
    if bank.count == 0 { arguments.output.silence(context.frames) }
  }
}

@Opcode("TAPS.array", "Delay line with up to sixteen taps and feedback")
struct MultitapDelayArray<Time: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The taps, each by itself.
    let outputs: ArrayOutput<AudioOutput>
    let input: AudioInput
    let times: ArrayInput<Time>
    let gains: ArrayInput<ControlInput>
    let feedback: ControlInput
    let maximum: InitInput
    @Default(0) let cutoff, drive: ControlInput
  }

  static var bufferCount: Int { 2 }

  private var bank: TapBank

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    bank = try TapBank(maximum: arguments.maximum.value, context)
    let count = arguments.times.count
    guard (1...16).contains(count) else {
      throw OpcodeError(
        argument: "the length of the times' array", is: Double(count), mustBe: "from 1 to 16")
    }
    try arguments.outputs.resize(to: count, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (times, gains, outputs) = (arguments.times, arguments.gains, arguments.outputs)
    bank.aim(
      times, gains, feedback: arguments.feedback.value, cutoff: arguments.cutoff.value,
      drive: arguments.drive.value, frames: context.frames,
      most: outputs.count)
    bank.perform(arguments.input, times, to: TapSignals(outputs: outputs), context.frames)
    for index in bank.count..<max(outputs.count, bank.count) {
      outputs[index].silence(context.frames)
    }
  }
}
