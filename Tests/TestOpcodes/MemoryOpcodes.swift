// Opcodes for buffers, tables, shared data, passes, messages and notes, and GEN routines, doing the least that shows they
// work.

import OpcodeKit

/// `ksum TEST_BUFFERS icount, ikeep`: two buffers, of integers and of doubles; counts up in both.
struct Buffers: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let count: InitInput
    let keep: InitInput
  }
  static let bufferCount = 2
  private let whole: Buffer<Int32>
  private let real: Buffer<Double>
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let count = Math.whole(arguments.count.value, in: 0...Int.max)
    let keeps = arguments.keep.value != 0
    whole = try context.buffer(0, of: Int32.self, count: count, keepingContents: keeps)
    real = try context.buffer(1, count: count, keepingContents: keeps)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var sum = 0.0
    for index in 0..<whole.count {
      whole[index] += 1
      real[index] += 0.5
      sum += Double(whole[index]) + real[index]
    }
    arguments.output.value = sum / Double(whole.count)
  }
}

/// `i1 TEST_TOO_MANY_BUFFERS`: asks for one more buffer than it has.
struct TooManyBuffers: InitOpcode {
  struct Arguments: BitwiseCopyable { let output: InitOutput }
  static let bufferCount = 1
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.buffer(0, count: 4)
    _ = try context.buffer(1, count: 4)
  }
}

/// `ilength, irate, ichannels TEST_TABLE ifn`: what the kit knows about a table.
@Opcode("TEST_TABLE", "tables")
struct TableFacts: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let length, rate, channels: InitOutput
    let table: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let table = try context.table(arguments.table.value, argument: "ifn")
    arguments.length.value = Double(table.count)
    arguments.rate.value = table.sampleRate
    arguments.channels.value = Double(table.channelCount)
  }
}

/// `kvalue TEST_READ kfn, kphase`: a table read by phase; −1000 when it does not exist.
@Opcode("TEST_READ", "tables")
struct TableRead: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let table: ControlInput
    let phase: ControlInput
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let table = context.table(arguments.table.value)
    arguments.output.value =
      table?.linear(atPhase: Math.fraction(arguments.phase.value)) ?? -1000
  }
}

/// What the lifecycle tests count, shared by all instances. With several threads the deinit passes of
/// notes that fail in performance run at the same time.
struct PassCounts: BitwiseCopyable {
  let inits, finishes, performsAfterFinish: Shared<Int64>

  init(_ group: StringInput, _ context: Context) throws(OpcodeError) {
    inits = try context.shared(Int64.self, named: "OpcodeKit.test.inits.", group)
    finishes = try context.shared(Int64.self, named: "OpcodeKit.test.finishes.", group)
    performsAfterFinish = try context.shared(Int64.self, named: "OpcodeKit.test.late.", group)
  }
}

/// `TEST_LIFE Sgroup, iskip, ifail`: counts its passes; 2 fails in the init pass.
struct Life: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let group: StringInput
    let skip: InitInput
    let fail: InitInput
  }
  private let counts: PassCounts
  private var isAlive = true
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if arguments.fail.value == 2 { throw OpcodeError("told to fail.") }
    counts = try PassCounts(arguments.group, context)
    counts.inits.add(1)
  }
  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if !isAlive { counts.performsAfterFinish.add(1) }
  }
  mutating func finish(_ arguments: Arguments, _ context: Context) {
    counts.finishes.add(1)
    isAlive = false
  }
}

/// `kinits, kfinishes, klate TEST_PASSES Sgroup`: what `TEST_LIFE` has counted.
@Opcode("TEST_PASSES", "shared data")
struct Passes: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let inits, finishes, late: ControlOutput
    let group: StringInput
  }
  private let counts: PassCounts
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    counts = try PassCounts(arguments.group, context)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.inits.value = Double(counts.inits.current)
    arguments.finishes.value = Double(counts.finishes.current)
    arguments.late.value = Double(counts.performsAfterFinish.current)
  }
}

/// `i1 TEST_SHARED Sname, ipair`: a count of one word; of two, of which the first is given, if `ipair`.
struct SharedOne: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
    let name: StringInput
    let pair: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if arguments.pair.value != 0 {
      let pair = try context.shared(SIMD2<Int64>.self, named: "OpcodeKit.test.", arguments.name)
      arguments.output.value = Double(pair.value.x)
      return
    }
    let count = try context.shared(Int64.self, named: "OpcodeKit.test.", arguments.name)
    arguments.output.value = Double(count.add(1))
  }
}

/// `aout TEST_STOP kwhen`: 1 until the k-cycle of this number, then an error in performance.
@Opcode("TEST_STOP", "errors in performance")
struct Stop: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let when: ControlInput
  }
  private var cycles = 0.0
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    for frame in context.frames { arguments.output[frame] = 1 }
    cycles += 1
    if cycles == arguments.when.value {
      throw OpcodeError(argument: "kwhen", is: cycles, mustBe: "later")
    }
  }
}

/// `i1 TEST_SAY`: a message and a warning.
@Opcode("TEST_SAY", "messages")
struct Say: InitOpcode {
  struct Arguments: BitwiseCopyable { let output: InitOutput }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    context.message("good morning.")
    context.warning("it may rain.")
    arguments.output.value = 1
  }
}

/// `kfield, kkey, kvelocity, kchannel, kreleasing TEST_NOTE inumber`: a p-field and the MIDI note; −1
/// for what there is none of.
@Opcode("TEST_NOTE", "p-fields and MIDI")
struct NoteFacts: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let field, key, velocity, channel, releasing: ControlOutput
    let number: InitInput
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let number = Math.whole(arguments.number.value, in: -10...5000)
    arguments.field.value = context.pField(number) ?? -1
    arguments.key.value = Double(context.midiNote?.key ?? -1)
    arguments.velocity.value = Double(context.midiNote?.velocity ?? -1)
    arguments.channel.value = Double(context.midiChannel ?? -1)
    arguments.releasing.value = context.isReleasing ? 1 : 0
  }
}

/// GEN `"test_ramp"`: from the first parameter in steps of the second; needs both.
enum Ramp: Generator {
  static func fill(
    _ table: FunctionTable, _ parameters: GeneratorParameters
  ) throws(OpcodeError) {
    guard parameters.count == 2 else {
      throw OpcodeError(
        argument: "number of parameters", is: Double(parameters.count), mustBe: "2")
    }
    for index in 0...table.count { table[index] = parameters[0] + parameters[1] * Double(index) }
  }
}

/// GEN `"test_last"`: the last parameter everywhere.
enum Last: Generator {
  static func fill(
    _ table: FunctionTable, _ parameters: GeneratorParameters
  ) throws(OpcodeError) {
    let last = parameters[parameters.count - 1]
    for index in 0...table.count { table[index] = index == 0 ? 1 : last }
  }
}
