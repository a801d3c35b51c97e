// kout[] NORMIN kvalues[], ksum
//
// An array scaled so that its sum is ksum.
//
// Category: Array Opcodes

import OpcodeKit

@Opcode("NORMIN", "Array to a sum")
struct Normin: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The array.
    let scaled: ArrayOutput<ControlOutput>
    /// The array.
    let values: ArrayInput<ControlInput>
    /// The sum.
    let sum: ControlInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.scaled.resize(to: arguments.values.count, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var sum = 0.0
    for index in 0..<arguments.values.count { sum += arguments.values[index].value }
    guard sum != 0 else { return }
    for index in 0..<min(arguments.values.count, arguments.scaled.count) {
      arguments.scaled[index].value = arguments.values[index].value * arguments.sum.value / sum
    }
  }
}
