// kout PORTK kin, khalftime [, istart]
//
// Smooths a control signal with a one-pole lowpass. The half-time is the time in which the output covers half of a
// step.
//
//     y[n] = (1 - c) x[n] + c y[n-1],   c = 2^(-1 / (khalftime kr))
//
// The same filter as Csound's `portk`, with two differences. With a half-time of 0 or less the output follows the input
// at once; `portk` grows without bound for negative ones. NaN or infinity in the input affects one k-cycle only; in
// `portk` it stays for the rest of the note.
//
// Category: Signal Modifiers:Standard Filters:Control

import OpcodeKit

/// The factor by which the distance to the target shrinks in one k-cycle, 0 to 1.
package func portamentoDecay(halfTime: Double, controlRate: Double) -> Double {
  halfTime > 0 ? Math.pow(0.5, 1 / (halfTime * controlRate)) : 0
}

@Opcode("PORTK", "Portamento: a control signal smoothed by a half-time")
struct Portamento: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The smoothed signal.
    let output: ControlOutput
    /// The control signal to smooth.
    let input: ControlInput
    /// Half-time in seconds. At 0 or less the output follows the input at once.
    let halfTime: ControlInput
    /// Output before the first k-cycle. A negative value keeps the state of the previous note in the same memory, or
    /// starts at 0 when there was none. Default 0.
    @Default(0) let start: InitInput
  }

  private var value: Double
  private var halfTime: Double
  private var decay: Double
  /// 1 - decay.
  private var approach: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let start = arguments.start.value
    value = start > 0 && isModerate(start) ? start : 0
    halfTime = arguments.halfTime.value
    decay = portamentoDecay(halfTime: halfTime, controlRate: context.controlRate)
    approach = 1 - decay
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.start.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    tune(arguments, controlRate: context.controlRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    // Compares the bits, which takes one comparison; values would take two because of NaN.
    let isTuned = arguments.halfTime.value.bitPattern == halfTime.bitPattern
    guard _fastPath(isTuned), _fastPath(isModerate(arguments.input.value))
    else { return Self.performSeldom(&self, arguments, controlRate: context.controlRate) }
    value = next(arguments)
    arguments.output.value = value
  }

  // A separate static function, so that the usual pass saves no registers.
  @inline(never)
  private static func performSeldom(
    _ opcode: inout Portamento, _ arguments: Arguments, controlRate: Double
  ) {
    opcode.tune(arguments, controlRate: controlRate)
    let next = opcode.next(arguments)
    // Read first, because the output may be the input's variable.
    if isModerate(arguments.input.value) { opcode.value = next }
    arguments.output.value = next
  }

  @inline(__always)
  private mutating func tune(_ arguments: Arguments, controlRate: Double) {
    halfTime = arguments.halfTime.value
    decay = portamentoDecay(halfTime: halfTime, controlRate: controlRate)
    approach = 1 - decay
  }

  @inline(__always)
  private func next(_ arguments: Arguments) -> Double {
    approach * arguments.input.value + decay * value
  }
}

/// Whether a number is finite and below 2^1023, so that the mean of two such numbers is finite too.
@inline(__always)
private func isModerate(_ x: Double) -> Bool { x.exponentBitPattern < 0x7FE }
