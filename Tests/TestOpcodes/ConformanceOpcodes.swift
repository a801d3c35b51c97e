// Opcodes that show what the kit hands to an opcode: arguments, context, frames, memory.

import OpcodeKit

/// `a1, a2 TEST_FRAMES ain`: the input and -1 in the frames it is handed, nothing elsewhere.
struct Frames: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let plus: AudioOutput
    let minus: AudioOutput
    let input: AudioInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      arguments.plus[frame] = arguments.input[frame]
      arguments.minus[frame] = -1
    }
  }
}

/// `i1 … i6 TEST_OPTIONS_I iin [, o, p, q, v, j, h]`
struct InitOptions: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let o, p, q, v, j, h: InitOutput
    let input, oIn, pIn, qIn, vIn, jIn, hIn: InitInput
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
struct ControlOptions: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let o, p, v, j: ControlOutput
    let input, oIn, pIn, vIn, jIn: ControlInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.o.value = arguments.oIn.value
    arguments.p.value = arguments.pIn.value
    arguments.v.value = arguments.vIn.value
    arguments.j.value = arguments.jIn.value
  }
}

/// `ksr, kkr, kksmps, kfull, ka4 TEST_CONTEXT`: the context as the performance pass sees it.
struct ContextValues: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let sampleRate, controlRate, ksmps, fullScale, a4Hz: ControlOutput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.sampleRate.value = context.sampleRate
    arguments.controlRate.value = context.controlRate
    arguments.ksmps.value = Double(context.ksmps)
    arguments.fullScale.value = context.fullScale
    arguments.a4Hz.value = context.a4Hz
  }
}

/// `kframe TEST_CLOCK`: the samples of the performance before this k-cycle.
struct Clock: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let frame: ControlOutput
  }
  private var clock = PerformanceClock()
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.frame.value = Double(clock.frame(context))
  }
}

/// `aout TEST_SUM ain`: the sum of all samples so far. Its state is above 256 bytes, so it is
/// performed in place.
struct Sum: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }
  private var sum = 0.0
  private var ballast = SIMD64<Double>.zero
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      sum += arguments.input[frame]
      arguments.output[frame] = sum
    }
  }
}

/// `kcount TEST_FILLED ain`: samples so far that are not zero, in the whole vector and not only in
/// the frames of the note.
struct Filled: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let input: AudioInput
  }
  private var count = 0.0
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in 0..<context.ksmps where arguments.input[frame] != 0 { count += 1 }
    arguments.output.value = count
  }
}

/// `kok TEST_ALIGNED`: 1 while a state that needs 64-byte alignment keeps its sum.
struct Aligned: ControlOpcode {
  struct Arguments: BitwiseCopyable { let output: ControlOutput }
  private var lanes = SIMD8<Double>(repeating: 0)
  private var cycles = 0.0
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    lanes += SIMD8(1, 2, 3, 4, 5, 6, 7, 8)
    cycles += 1
    arguments.output.value = lanes.sum() == 36 * cycles ? 1 : 0
  }
}

/// `kpasses TEST_COUNT iskip`: k-cycles since the state was last set up. It counts from 100, so that
/// memory that is only zeroed shows.
struct Count: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let skip: InitInput
  }
  private var cycles = 100.0
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    cycles += 1
    arguments.output.value = cycles - 100
  }
}

/// `i1 TEST_FAIL iwhich`: fails its init pass, with an argument (1) or a sentence (2).
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

@c @_noLocks @_noAllocation
func test_clock(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Clock.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_frames(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Frames.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_options_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  ControlOptions.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_context(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  ContextValues.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_sum(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Sum.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_filled(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Filled.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_aligned(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Aligned.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_count(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Count.perform(csound, block)
}

public func registerConformanceOpcodes(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      Frames.self, "TEST_FRAMES", outputs: "aa", inputs: "a", summary: "frames",
      initialize: { Frames.initialize($0, $1) }, perform: test_frames))
  registry.add(
    Overload(
      InitOptions.self, "TEST_OPTIONS_I", outputs: "iiiiii", inputs: "iopqvjh",
      summary: "i-time defaults", initialize: { InitOptions.initialize($0, $1) }))
  registry.add(
    Overload(
      ControlOptions.self, "TEST_OPTIONS_K", outputs: "kkkk", inputs: "kOPVJ",
      summary: "k-rate defaults", initialize: { ControlOptions.initialize($0, $1) },
      perform: test_options_k))
  registry.add(
    Overload(
      Clock.self, "TEST_CLOCK", outputs: "k", inputs: "", summary: "clock",
      initialize: { Clock.initialize($0, $1) }, perform: test_clock))
  registry.add(
    Overload(
      ContextValues.self, "TEST_CONTEXT", outputs: "kkkkk", inputs: "", summary: "context",
      initialize: { ContextValues.initialize($0, $1) }, perform: test_context))
  registry.add(
    Overload(
      Sum.self, "TEST_SUM", outputs: "a", inputs: "a", summary: "large state",
      initialize: { Sum.initialize($0, $1) }, perform: test_sum))
  registry.add(
    Overload(
      Filled.self, "TEST_FILLED", outputs: "k", inputs: "a", summary: "whole vector",
      initialize: { Filled.initialize($0, $1) }, perform: test_filled))
  registry.add(
    Overload(
      Aligned.self, "TEST_ALIGNED", outputs: "k", inputs: "", summary: "alignment",
      initialize: { Aligned.initialize($0, $1) }, perform: test_aligned))
  registry.add(
    Overload(
      Count.self, "TEST_COUNT", outputs: "k", inputs: "i", summary: "skipped init",
      initialize: { Count.initialize($0, $1) }, perform: test_count))
  registry.add(
    Overload(
      Fail.self, "TEST_FAIL", outputs: "i", inputs: "i", summary: "init errors",
      initialize: { Fail.initialize($0, $1) }))
}
