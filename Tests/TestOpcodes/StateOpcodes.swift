// Opcodes that show what becomes of their state: init passes that are skipped or fail, deinit passes,
// buffers.

import CCsound
import OpcodeKit

/// `aout TEST_LATE ain, igain`: the input times igain, and the k-cycle it is in, from 1. It plays
/// without an init pass.
@Opcode("TEST_LATE", "plays without an init pass")
struct Late: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let cycle: ControlOutput
    let input: AudioInput
    let gain: InitInput
  }
  private let gain: Double
  private var cycles = 0.0
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    gain = arguments.gain.value
    if gain < 0 { throw OpcodeError(argument: "igain", is: gain, mustBe: "0 or more") }
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    cycles += 1
    arguments.cycle.value = cycles
    for frame in context.frames { arguments.output[frame] = gain * arguments.input[frame] }
  }
}

/// `kout TEST_LATE_SUM kin1, kin2, …`: the sum; it plays without an init pass.
@Opcode("TEST_LATE_SUM", "variadic, plays without an init pass")
struct LateSum: ControlOpcode, LateInitOpcode {
  struct Arguments: VariadicArguments {
    let output: ControlOutput
    let inputs: Variadic<ControlInput>
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var sum = 0.0
    for index in 0..<arguments.inputs.count { sum += arguments.inputs[index].value }
    arguments.output.value = sum
  }
}

/// `aout TEST_KEPT ain, icount, ifails`: asks for a buffer, then fails when told to; counts in every
/// element of the buffer, and puts out the input times the count.
@Opcode("TEST_KEPT", "a buffer, then an error")
struct Kept: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let count, fails: InitInput
  }
  static let bufferCount = 1
  private let counts: Buffer<Double>
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    counts = try context.buffer(count: Math.whole(arguments.count.value, in: 1...1_000_000))
    guard arguments.fails.value == 0 else {
      throw OpcodeError(argument: "ifails", is: arguments.fails.value, mustBe: "0")
    }
  }
  static func resumes(_ arguments: Arguments) -> Bool { arguments.fails.value == -1 }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for index in 0..<counts.count { counts[index] += 1 }
    for frame in context.frames {
      arguments.output[frame] = arguments.input[frame] * counts[counts.count - 1]
    }
  }
}

/// `TEST_LEDGER Sname, icount, ifails`: fills a buffer of icount elements with ones, then fails when
/// told to; its deinit pass adds the buffer's sum to the shared sum of the name.
@Opcode("TEST_LEDGER", "a buffer its deinit pass reads")
struct Ledger: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let name: StringInput
    let count: InitInput
    @Default(0) let fails: InitInput
  }
  static let bufferCount = 1
  private let ones: Buffer<Double>
  private let sum: Shared<Int64>
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    sum = try context.shared(Int64.self, named: "OpcodeKit.LEDGER.", arguments.name)
    ones = try context.buffer(count: Math.whole(arguments.count.value, in: 1...1_000_000))
    guard arguments.fails.value == 0 else {
      throw OpcodeError(argument: "ifails", is: arguments.fails.value, mustBe: "0")
    }
    for index in 0..<ones.count { ones[index] = 1 }
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {}
  mutating func finish(_ arguments: Arguments, _ context: Context) {
    var all = 0.0
    for index in 0..<ones.count { all += ones[index] }
    sum.add(Int64(all))
  }
}

/// `ksum TEST_LEDGER_SUM Sname`: what the deinit passes of `TEST_LEDGER` have added up.
@Opcode("TEST_LEDGER_SUM", "its sum")
struct LedgerSum: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let name: StringInput
  }
  private let sum: Shared<Int64>
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    sum = try context.shared(Int64.self, named: "OpcodeKit.LEDGER.", arguments.name)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.value = Double(sum.current)
  }
}

/// `ione, itwo, ithree TEST_NEXT_BUFFERS`: three buffers without numbers, filled with 1, 2 and 3; what
/// is in the last element of each then.
@Opcode("TEST_NEXT_BUFFERS", "buffers without numbers")
struct NextBuffers: InitOpcode {
  struct Arguments: BitwiseCopyable { let one, two, three: InitOutput }
  static let bufferCount = 3
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let one = try context.buffer(count: 10)
    let two = try context.buffer(count: 1000)
    let three = try context.buffer(count: 20)
    for index in 0..<one.count { one[index] = 1 }
    for index in 0..<two.count { two[index] = 2 }
    for index in 0..<three.count { three[index] = 3 }
    arguments.one.value = one[one.count - 1]
    arguments.two.value = two[two.count - 1]
    arguments.three.value = three[three.count - 1]
  }
}

/// `i1 TEST_SAME_BUFFER`: asks for one buffer twice.
@Opcode("TEST_SAME_BUFFER", "a buffer twice")
struct SameBuffer: InitOpcode {
  struct Arguments: BitwiseCopyable { let output: InitOutput }
  static let bufferCount = 2
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.buffer(1, count: 4)
    arguments.output.value = Double(try context.buffer(1, count: 8).count)
  }
}

/// `kout TEST_OUTSIDE ain, kin[], ifn, iwhich, kindex`: reads an element: of a buffer of 8 (1), the
/// table (2), the array (3), the signal (4), two frames of it (5); or makes an `Int` of kindex (6).
@Opcode("TEST_OUTSIDE", "indices")
struct Outside: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let input: AudioInput
    let array: ArrayInput<ControlInput>
    let table, which: InitInput
    let index: ControlInput
  }
  static let bufferCount = 1
  private let buffer: Buffer<Double>
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    buffer = try context.buffer(count: 8)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let index = arguments.which.value == 6 ? 0 : Int(arguments.index.value)
    switch arguments.which.value {
    case 1: arguments.output.value = buffer[index]
    case 2: arguments.output.value = context.table(arguments.table.value)?[index] ?? 0
    case 3: arguments.output.value = arguments.array[index].value
    case 4: arguments.output.value = arguments.input[index]
    case 5: arguments.output.value = arguments.input.pair(at: index)[0]
    default: arguments.output.value = Double(Int(arguments.index.value))
    }
  }
}

/// `iout TEST_SHARED_ROOM icount`: the elements of a buffer that is shared.
@Opcode("TEST_SHARED_ROOM", "a shared buffer")
struct SharedRoom: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
    let count: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let count = arguments.count.value < 1e9 ? Int(arguments.count.value) : Int.max / 4
    arguments.output.value = Double(
      try context.sharedBuffer(count: count, named: "opcodekit-test-room").count)
  }
}

/// `kframes TEST_CROSSED ain`: the frames of a cycle in which the note begins behind its end.
struct Crossed: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let frames: ControlOutput
    let input: AudioInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.frames.value = Double(context.frames.upperBound - context.frames.lowerBound)
  }
}

@c @_noLocks @_noAllocation
func test_crossed(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  let note = block.assumingMemoryBound(to: OPDS.self).pointee.insdshead.unsafelyUnwrapped
  let (offset, early) = (note.pointee.ksmps_offset, note.pointee.ksmps_no_end)
  (note.pointee.ksmps_offset, note.pointee.ksmps_no_end) = (40, 40)
  let result = Crossed.perform(csound, block)
  (note.pointee.ksmps_offset, note.pointee.ksmps_no_end) = (offset, early)
  return result
}

public func registerStateOpcodes(in registry: inout some OpcodeRegistry) {
  registerLate(in: &registry)
  registerLateSum(in: &registry)
  registerKept(in: &registry)
  registerLedger(in: &registry)
  registerLedgerSum(in: &registry)
  registerOutside(in: &registry)
  registry.add(
    Overload(
      Crossed.self, "TEST_CROSSED", outputs: "k", inputs: "a", summary: "no frames",
      initialize: { Crossed.initialize($0, $1) }, perform: test_crossed))
  registerSharedRoom(in: &registry)
  registerNextBuffers(in: &registry)
  registerSameBuffer(in: &registry)
}
