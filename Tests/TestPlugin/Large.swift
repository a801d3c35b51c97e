import OpcodeKit

struct Four<Part: BitwiseCopyable>: BitwiseCopyable {
  var first, second, third, last: Part
  init(_ part: Part) { (first, second, third, last) = (part, part, part, part) }
}

/// `kout TEST_LARGE`: k-cycles so far, counted at the far end of a state of 128 KB.
@Opcode("TEST_LARGE", "A block that is too large for Csound 6")
struct Large: ControlOpcode {
  struct Arguments: BitwiseCopyable { let output: ControlOutput }
  private var parts = Four(Four(Four(Four(SIMD64<Double>.zero))))
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    parts.last.last.last.last[63] += 1
    arguments.output.value = parts.last.last.last.last[63] + parts.first.first.first.first[0]
  }
}
