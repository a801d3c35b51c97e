// kout PORTK kin, khalftime [, istart]
//
// Smooths a control signal: a one-pole lowpass given by the time it takes to cover half a step.
//
//     y[n] = (1 - c) x[n] + c y[n-1],   c = 2^(-1 / (khalftime kr))
//
// The same filter as Csound's `portk`. Differs from it: a negative or zero half-time follows the
// input at once, where `portk` grows without bound for negative ones; NaN or infinity in the input is
// gone after its k-cycle, where `portk` keeps it for the rest of the note.

import OpcodeKit

/// What is left of a distance to the target after one k-cycle, 0 to 1.
package func portamentoDecay(halfTime: Double, controlRate: Double) -> Double {
  halfTime > 0 ? Math.pow(0.5, 1 / (halfTime * controlRate)) : 0
}

@Opcode("PORTK", "Portamento: a control signal smoothed by a half-time")
struct Portamento: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The smoothed signal.
    let output: ControlOutput
    /// The signal to follow.
    let input: ControlInput
    /// Half-time, seconds; 0 or less follows the input at once.
    let halfTime: ControlInput
    /// Output before the first k-cycle; negative goes on from the note before in the same memory, or
    /// from 0 when there was none. Default 0.
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
    // The half-time as bits, which takes one comparison where NaN takes two.
    let isTuned = arguments.halfTime.value.bitPattern == halfTime.bitPattern
    guard _fastPath(isTuned), _fastPath(isModerate(arguments.input.value))
    else { return Self.performSeldom(&self, arguments, controlRate: context.controlRate) }
    value = next(arguments)
    arguments.output.value = value
  }

  // Apart, so that a usual pass saves no registers for it; as a method it would want one.
  @inline(never)
  private static func performSeldom(
    _ opcode: inout Portamento, _ arguments: Arguments, controlRate: Double
  ) {
    opcode.tune(arguments, controlRate: controlRate)
    let next = opcode.next(arguments)
    // Before the output is written, which can be the input's variable.
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

/// Whether a number is finite, and below 2^1023, so that the mean of two such numbers is finite, too.
@inline(__always)
private func isModerate(_ x: Double) -> Bool { x.exponentBitPattern < 0x7FE }
