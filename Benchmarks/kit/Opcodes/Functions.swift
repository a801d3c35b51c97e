// Functions of vectors, to be compared and timed with those of C's library.

import OpcodeKit

@Opcode("TOOLMATH", "A function of vectors")
struct FunctionPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    /// The functions get its magnitude plus 0.001.
    let input: AudioInput
    /// 0 exp, 1 expm1, 2 log, 3 log2, 4 tanh, 5 the sine of a number of cycles, 6 the root.
    let function: InitInput
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    switch arguments.function.value {
    case 0: each(arguments, context) { $0.exp }
    case 1: each(arguments, context) { $0.expMinusOne }
    case 2: each(arguments, context) { $0.log }
    case 3: each(arguments, context) { $0.log2 }
    case 4: each(arguments, context) { $0.tanh }
    case 5: each(arguments, context) { $0.sineOfCycles }
    default: each(arguments, context) { $0.squareRoot }
    }
  }

  @inline(__always)
  private func each(
    _ arguments: Arguments, _ context: Context, _ function: (Lanes) -> Lanes
  ) {
    let frames = context.frames
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      arguments.output.setLanes(
        function(arguments.input.lanes(at: frame).magnitude + Lanes(0.001)), at: frame)
      frame &+= 8
    }
    while frame < frames.upperBound {
      arguments.output[frame] = function(Lanes(arguments.input[frame].magnitude + 0.001))[0]
      frame &+= 1
    }
  }
}
