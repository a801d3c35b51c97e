// Opcodes that show what the kit hands to an opcode: arguments, context, frames, memory.

import OpcodeKit

/// `a1, a2 TEST_FRAMES ain`: the input and -1 in the frames it is handed, nothing elsewhere.
@Opcode("TEST_FRAMES", "frames")
struct Frames: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let plus: AudioOutput
    let minus: AudioOutput
    let input: AudioInput
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      arguments.plus[frame] = arguments.input[frame]
      arguments.minus[frame] = -1
    }
  }
}

/// `i1 … i6 TEST_OPTIONS_I iin [, o, p, q, v, j, h]`
@Opcode("TEST_OPTIONS_I", "i-time defaults")
struct InitOptions: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let o, p, q, v, j, h: InitOutput
    let input: InitInput
    @Default(0) let oIn: InitInput
    @Default(1) let pIn: InitInput
    @Default(10) let qIn: InitInput
    @Default(0.5) let vIn: InitInput
    @Default(-1) let jIn: InitInput
    @Default(127) let hIn: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.o.value = arguments.oIn.value
    arguments.p.value = arguments.pIn.value
    arguments.q.value = arguments.qIn.value
    arguments.v.value = arguments.vIn.value
    arguments.j.value = arguments.jIn.value
    arguments.h.value = arguments.hIn.value
  }
}

/// `k1 … k4 TEST_OPTIONS_K kin [, O, P, V, J]`
@Opcode("TEST_OPTIONS_K", "k-rate defaults")
struct ControlOptions: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let o, p, v, j: ControlOutput
    let input: ControlInput
    @Default(0) let oIn: ControlInput
    @Default(1) let pIn: ControlInput
    @Default(0.5) let vIn: ControlInput
    @Default(-1) let jIn: ControlInput
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.o.value = arguments.oIn.value
    arguments.p.value = arguments.pIn.value
    arguments.v.value = arguments.vIn.value
    arguments.j.value = arguments.jIn.value
  }
}

/// `ksr, kkr, kksmps, kfull, ka4 TEST_CONTEXT`: the context as the performance pass sees it.
@Opcode("TEST_CONTEXT", "context")
struct ContextValues: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let sampleRate, controlRate, ksmps, fullScale, a4Hz: ControlOutput
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.sampleRate.value = context.sampleRate
    arguments.controlRate.value = context.controlRate
    arguments.ksmps.value = Double(context.ksmps)
    arguments.fullScale.value = context.fullScale
    arguments.a4Hz.value = context.a4Hz
  }
}

/// `kframe TEST_CLOCK`: the samples of the performance before this k-cycle.
@Opcode("TEST_CLOCK", "clock")
struct Clock: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let frame: ControlOutput
  }
  private var clock = PerformanceClock()
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.frame.value = Double(clock.frame(context))
  }
}

/// `aout TEST_SUM ain`: the sum of all samples so far. Its state is above 256 bytes, so it is
/// performed in place.
@Opcode("TEST_SUM", "large state")
struct Sum: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }
  private var sum = 0.0
  private var ballast = SIMD64<Double>.zero
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      sum += arguments.input[frame]
      arguments.output[frame] = sum
    }
  }
}

/// `kcount TEST_FILLED ain`: samples so far that are not zero, in the whole vector and not only in
/// the frames of the note.
@Opcode("TEST_FILLED", "whole vector")
struct Filled: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let input: AudioInput
  }
  private var count = 0.0
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in 0..<context.ksmps where arguments.input[frame] != 0 { count += 1 }
    arguments.output.value = count
  }
}

/// `kok TEST_ALIGNED`: 1 while a state that needs 64-byte alignment keeps its sum.
@Opcode("TEST_ALIGNED", "alignment")
struct Aligned: ControlOpcode {
  struct Arguments: BitwiseCopyable { let output: ControlOutput }
  private var lanes = SIMD8<Double>(repeating: 0)
  private var cycles = 0.0
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    lanes += SIMD8(1, 2, 3, 4, 5, 6, 7, 8)
    cycles += 1
    arguments.output.value = lanes.sum() == 36 * cycles ? 1 : 0
  }
}

/// `kpasses TEST_COUNT iskip`: k-cycles since the state was last set up. It counts from 100, so that
/// memory that is only zeroed shows.
@Opcode("TEST_COUNT", "skipped init")
struct Count: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let skip: InitInput
  }
  private var cycles = 100.0
  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    cycles += 1
    arguments.output.value = cycles - 100
  }
}

/// `i1 TEST_FAIL iwhich`: fails its init pass, with an argument (1) or a sentence (2).
@Opcode("TEST_FAIL", "init errors")
struct Fail: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
    let which: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    switch arguments.which.value {
    case 1: throw OpcodeError(argument: "iwhich", is: 1, mustBe: "0 or 2")
    case 2: throw OpcodeError("the table is empty.")
    default: arguments.output.value = 7
    }
  }
}

public func registerConformanceOpcodes(in registry: inout some OpcodeRegistry) {
  registerFrames(in: &registry)
  registerInitOptions(in: &registry)
  registerControlOptions(in: &registry)
  registerClock(in: &registry)
  registerContextValues(in: &registry)
  registerSum(in: &registry)
  registerFilled(in: &registry)
  registerAligned(in: &registry)
  registerCount(in: &registry)
  registerFail(in: &registry)
}
