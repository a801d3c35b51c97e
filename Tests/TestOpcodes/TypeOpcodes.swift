// One opcode for each kind of argument and memory, doing the least that shows it works.

import OpcodeKit

/// `Sout TEST_ECHO Sin`: the text, at i-time and in every k-cycle, cut off after 5 bytes.
struct Echo: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: StringOutput
    let input: StringInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.reserve(5, context)
    copy(arguments)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) { copy(arguments) }
  private func copy(_ arguments: Arguments) {
    arguments.output.clear()
    for byte in arguments.input.bytes.prefix(5) { arguments.output.append(byte) }
  }
}

/// `Sout TEST_NUMBER inum`: a whole number in decimal between brackets.
struct NumberText: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: StringOutput
    let number: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.reserve(30, context)
    arguments.output.clear()
    arguments.output.append("[")
    arguments.output.append(Math.whole(arguments.number.value, in: -1_000_000_000...1_000_000_000))
    arguments.output.append("]")
  }
}

/// `Sout[] TEST_JOIN Sin[]`: each text with a dot behind it.
struct Join: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ArrayOutput<StringOutput>
    let input: ArrayInput<StringInput>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let count = arguments.input.count
    try arguments.output.resize(to: count, context)
    for index in 0..<count {
      let length = arguments.input[index].bytes.count
      arguments.output[index].reserve(length + 1, context)
      // Only now: where input and output are the same array, `reserve` has moved the text.
      let text = arguments.input[index].bytes
      arguments.output[index].replace(count: length + 1) {
        $0 < length ? text[$0] : UInt8(ascii: ".")
      }
    }
  }
}

/// `Sout[] TEST_BLANKS icount`: texts nobody writes.
struct Blanks: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ArrayOutput<StringOutput>
    let count: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.output.resize(to: Math.whole(arguments.count.value, in: 0...1000), context)
  }
}

/// `iout[] TEST_REVERSE iin[]`: the elements in reverse.
struct ReverseInit: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ArrayOutput<InitOutput>
    let input: ArrayInput<InitInput>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let count = arguments.input.count
    try arguments.output.resize(to: count, context)
    for index in 0..<count {
      arguments.output[index].value = arguments.input[count - 1 - index].value
    }
  }
}

/// `kout[] TEST_REVERSE kin[]`: the elements in reverse; follows the input's length up to its own.
struct ReverseControl: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ArrayOutput<ControlOutput>
    let input: ArrayInput<ControlInput>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.output.resize(to: arguments.input.count, context)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let count = arguments.input.count
    guard arguments.output.setCount(count) else { throw OpcodeError("the array has grown.") }
    for index in 0..<count {
      arguments.output[index].value = arguments.input[count - 1 - index].value
    }
  }
}

/// `aout[] TEST_REVERSE ain[]`: the channels in reverse.
struct ReverseAudio: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ArrayOutput<AudioOutput>
    let input: ArrayInput<AudioInput>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.output.resize(to: arguments.input.count, context)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let count = arguments.input.count
    for index in 0..<count {
      for frame in context.frames {
        arguments.output[index][frame] = arguments.input[count - 1 - index][frame]
      }
    }
  }
}

/// `kcols, krows TEST_SHAPE kin[]`: the lengths of the first two dimensions.
struct Shape: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let rows, columns: ControlOutput
    let input: ArrayInput<ControlInput>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let input = arguments.input
    arguments.rows.value = input.dimensions > 0 ? Double(input.length(ofDimension: 0)) : 0
    arguments.columns.value = input.dimensions > 1 ? Double(input.length(ofDimension: 1)) : 0
  }
}

/// `a1 [, a2 …] TEST_SPLIT ain, kgain`: output n is the input times n times the gain.
struct Split: AudioOpcode {
  struct Arguments: VariadicArguments {
    let outputs: Variadic<AudioOutput>
    let input: AudioInput
    let gain: ControlInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for index in 0..<arguments.outputs.count {
      for frame in context.frames {
        arguments.outputs[index][frame] =
          arguments.input[frame] * arguments.gain.value * Double(index + 1)
      }
    }
  }
}

/// `k1 [, k2 …] TEST_SUMS ioffset, kin1, …`: output n is the sum of the first n inputs, and the offset.
struct Sums: ControlOpcode {
  struct Arguments: VariadicArguments {
    let outputs: Variadic<ControlOutput>
    let offset: InitInput
    let inputs: Variadic<ControlInput>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var sum = arguments.offset.value
    for index in 0..<arguments.outputs.count {
      if index < arguments.inputs.count { sum += arguments.inputs[index].value }
      arguments.outputs[index].value = sum
    }
  }
}

/// `Skinds TEST_KINDS [any …]`: Csound's letter for each argument.
struct Kinds: InitOpcode {
  struct Arguments: VariadicArguments {
    let output: StringOutput
    let inputs: Variadic<AnyInput>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.reserve(arguments.inputs.count, context)
    arguments.output.clear()
    for index in 0..<arguments.inputs.count {
      arguments.output.append(arguments.inputs[index].letter)
    }
  }
}

/// `aout TEST_ANY xin`: the input as audio, whatever its rate; a text or an f-signal is an init error.
struct AnySignal: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AnyInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.input.audio != nil || arguments.input.control != nil else {
      throw OpcodeError("the input is no signal.")
    }
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      arguments.output[frame] =
        arguments.input.audio?[frame] ?? arguments.input.control?.value ?? 0
    }
  }
}

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
struct TableRead: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let table: ControlInput
    let phase: ControlInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
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
struct Stop: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let when: ControlInput
  }
  private var cycles = 0.0
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    for frame in context.frames { arguments.output[frame] = 1 }
    cycles += 1
    if cycles == arguments.when.value {
      throw OpcodeError(argument: "kwhen", is: cycles, mustBe: "later")
    }
  }
}

/// `i1 TEST_SAY`: a message and a warning.
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
struct NoteFacts: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let field, key, velocity, channel, releasing: ControlOutput
    let number: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let number = Math.whole(arguments.number.value, in: -10...5000)
    arguments.field.value = context.pField(number) ?? -1
    arguments.key.value = Double(context.midiNote?.key ?? -1)
    arguments.velocity.value = Double(context.midiNote?.velocity ?? -1)
    arguments.channel.value = Double(context.midiChannel ?? -1)
    arguments.releasing.value = context.isReleasing ? 1 : 0
  }
}

/// `fout TEST_PICK f1, f2, kwhich`: the first (0) or the second f-signal.
struct Pick: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: SpectrumOutput
    let first, second: SpectrumInput
    let which: ControlInput
  }
  private var reader = SpectrumReader()
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.output.prepare(like: arguments.first, context)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let input = arguments.which.value == 0 ? arguments.first : arguments.second
    for spectrum in reader.newSpectra(input, context) {
      for bin in 0..<input.binCount { arguments.output[spectrum, bin] = input[spectrum, bin] }
      arguments.output.publish(asNewAs: input)
    }
  }
}

/// `f1 [, f2 …] TEST_COPIES fin`: the same f-signal as often as asked for.
struct Copies: ControlOpcode {
  struct Arguments: VariadicArguments {
    let outputs: Variadic<SpectrumOutput>
    let input: SpectrumInput
  }
  private var reader = SpectrumReader()
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    for index in 0..<arguments.outputs.count {
      try arguments.outputs[index].prepare(like: arguments.input, context)
    }
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let input = arguments.input
    for spectrum in reader.newSpectra(input, context) {
      for index in 0..<arguments.outputs.count {
        let output = arguments.outputs[index]
        for bin in 0..<input.binCount { output[spectrum, bin] = input[spectrum, bin] }
        output.publish(asNewAs: input)
      }
    }
  }
}

/// `kcount TEST_SPECTRA fin`: how many new spectra there have been.
struct SpectrumCount: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let count: ControlOutput
    let input: SpectrumInput
  }
  private var reader = SpectrumReader()
  private var count = 0
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    count += reader.newSpectra(arguments.input, context).count
    arguments.count.value = Double(count)
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

@c @_noLocks @_noAllocation
func test_echo(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Echo.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_reverse_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  ReverseControl.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_reverse_a(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  ReverseAudio.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_shape(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Shape.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_split(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Split.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_sums(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Sums.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_any(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  AnySignal.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_buffers(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Buffers.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_read(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  TableRead.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_life(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Life.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_passes(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Passes.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_stop(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Stop.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_note(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  NoteFacts.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_copies(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Copies.perform(csound, block)
}
@c @_noLocks @_noAllocation
func test_pick(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Pick.perform(csound, block)
}

@c @_noLocks @_noAllocation
func test_spectra(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  SpectrumCount.perform(csound, block)
}

public func registerTypeGenerators(in registry: inout some GeneratorRegistry) {
  registry.add("test_ramp") { Ramp.generate($0, $1) }
  registry.add("test_last") { Last.generate($0, $1) }
}

public func registerTypeOpcodes(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      Echo.self, "TEST_ECHO", outputs: "S", inputs: "S", summary: "strings",
      initialize: { Echo.initialize($0, $1) }, perform: test_echo))
  registry.add(
    Overload(
      NumberText.self, "TEST_NUMBER", outputs: "S", inputs: "i", summary: "strings from numbers",
      initialize: { NumberText.initialize($0, $1) }))
  registry.add(
    Overload(
      Join.self, "TEST_JOIN", outputs: "S[]", inputs: "S[]", summary: "string arrays",
      initialize: { Join.initialize($0, $1) }))
  registry.add(
    Overload(
      Blanks.self, "TEST_BLANKS", outputs: "S[]", inputs: "i", summary: "string arrays",
      initialize: { Blanks.initialize($0, $1) }))
  registry.add(
    Overload(
      ReverseInit.self, "TEST_REVERSE.i", outputs: "i[]", inputs: "i[]", summary: "arrays",
      initialize: { ReverseInit.initialize($0, $1) }))
  registry.add(
    Overload(
      ReverseControl.self, "TEST_REVERSE.k", outputs: "k[]", inputs: "k[]", summary: "arrays",
      initialize: { ReverseControl.initialize($0, $1) }, perform: test_reverse_k))
  registry.add(
    Overload(
      ReverseAudio.self, "TEST_REVERSE.a", outputs: "a[]", inputs: "a[]", summary: "arrays",
      initialize: { ReverseAudio.initialize($0, $1) }, perform: test_reverse_a))
  registry.add(
    Overload(
      Shape.self, "TEST_SHAPE", outputs: "kk", inputs: "k[]", summary: "dimensions",
      initialize: { Shape.initialize($0, $1) }, perform: test_shape))
  registry.add(
    Overload(
      Split.self, "TEST_SPLIT", outputs: "m", inputs: "ak", summary: "variadic outputs",
      initialize: { Split.initialize($0, $1) }, perform: test_split))
  registry.add(
    Overload(
      Sums.self, "TEST_SUMS", outputs: "z", inputs: "iz", summary: "variadic on both sides",
      initialize: { Sums.initialize($0, $1) }, perform: test_sums))
  registry.add(
    Overload(
      Kinds.self, "TEST_KINDS", outputs: "S", inputs: "N", summary: "arguments of any kind",
      initialize: { Kinds.initialize($0, $1) }))
  registry.add(
    Overload(
      AnySignal.self, "TEST_ANY", outputs: "a", inputs: ".", summary: "a signal of any rate",
      initialize: { AnySignal.initialize($0, $1) }, perform: test_any))
  registry.add(
    Overload(
      Buffers.self, "TEST_BUFFERS", outputs: "k", inputs: "io", summary: "buffers",
      initialize: { Buffers.initialize($0, $1) }, perform: test_buffers))
  registry.add(
    Overload(
      TooManyBuffers.self, "TEST_TOO_MANY_BUFFERS", outputs: "i", inputs: "", summary: "buffers",
      initialize: { TooManyBuffers.initialize($0, $1) }))
  registry.add(
    Overload(
      TableFacts.self, "TEST_TABLE", outputs: "iii", inputs: "i", summary: "tables",
      initialize: { TableFacts.initialize($0, $1) }))
  registry.add(
    Overload(
      TableRead.self, "TEST_READ", outputs: "k", inputs: "kk", summary: "tables",
      initialize: { TableRead.initialize($0, $1) }, perform: test_read))
  registry.add(
    Overload(
      Life.self, "TEST_LIFE", outputs: "", inputs: "Soo", summary: "deinit",
      initialize: { Life.initialize($0, $1, deinit: { Life.deinitialize($0, $1) }) },
      perform: test_life))
  registry.add(
    Overload(
      Passes.self, "TEST_PASSES", outputs: "kkk", inputs: "S", summary: "shared data",
      initialize: { Passes.initialize($0, $1) }, perform: test_passes))
  registry.add(
    Overload(
      SharedOne.self, "TEST_SHARED", outputs: "i", inputs: "So", summary: "shared data",
      initialize: { SharedOne.initialize($0, $1) }))
  registry.add(
    Overload(
      Stop.self, "TEST_STOP", outputs: "a", inputs: "k", summary: "errors in performance",
      initialize: { Stop.initialize($0, $1) }, perform: test_stop))
  registry.add(
    Overload(
      Say.self, "TEST_SAY", outputs: "i", inputs: "", summary: "messages",
      initialize: { Say.initialize($0, $1) }))
  registry.add(
    Overload(
      NoteFacts.self, "TEST_NOTE", outputs: "kkkkk", inputs: "i", summary: "p-fields and MIDI",
      initialize: { NoteFacts.initialize($0, $1) }, perform: test_note))
  registry.add(
    Overload(
      Pick.self, "TEST_PICK", outputs: "f", inputs: "ffk", summary: "f-signals",
      initialize: { Pick.initialize($0, $1) }, perform: test_pick))
  registry.add(
    Overload(
      Copies.self, "TEST_COPIES", outputs: "F", inputs: "f", summary: "f-signals",
      initialize: { Copies.initialize($0, $1) }, perform: test_copies))
  registry.add(
    Overload(
      SpectrumCount.self, "TEST_SPECTRA", outputs: "k", inputs: "f", summary: "f-signals",
      initialize: { SpectrumCount.initialize($0, $1) }, perform: test_spectra))
}
