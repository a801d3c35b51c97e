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
    value = max(0, arguments.start.value)
    halfTime = arguments.halfTime.value
    decay = portamentoDecay(halfTime: halfTime, controlRate: context.controlRate)
    approach = 1 - decay
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.start.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    tune(arguments, controlRate: context.controlRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    // As bits, which takes one comparison where NaN takes two.
    guard arguments.halfTime.value.bitPattern == halfTime.bitPattern else {
      return Self.retune(&self, arguments, controlRate: context.controlRate)
    }
    move(arguments)
  }

  // Apart, so that a pass at the same half-time saves no registers for it; as a method it would want one.
  @inline(never)
  private static func retune(
    _ opcode: inout Portamento, _ arguments: Arguments, controlRate: Double
  ) {
    opcode.tune(arguments, controlRate: controlRate)
    opcode.move(arguments)
  }

  @inline(__always)
  private mutating func tune(_ arguments: Arguments, controlRate: Double) {
    halfTime = arguments.halfTime.value
    decay = portamentoDecay(halfTime: halfTime, controlRate: controlRate)
    approach = 1 - decay
  }

  @inline(__always)
  private mutating func move(_ arguments: Arguments) {
    let next = approach * arguments.input.value + decay * value
    arguments.output.value = next
    // What is not finite, or nearly not, does not stay.
    if _fastPath(next.magnitude < 1e300) { value = next }
  }
}
