// One opcode for each kind of argument, doing the least that shows it works.

import OpcodeKit

/// `Sout TEST_ECHO Sin`: the text, at i-time and in every k-cycle, cut off after 5 bytes.
@Opcode("TEST_ECHO", "strings")
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
@Opcode("TEST_NUMBER", "strings from numbers")
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
@Opcode("TEST_JOIN", "string arrays")
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
@Opcode("TEST_BLANKS", "string arrays")
struct Blanks: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ArrayOutput<StringOutput>
    let count: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.output.resize(to: Math.whole(arguments.count.value, in: 0...1000), context)
  }
}

/// `icount, ilast TEST_NEW_TABLE icount`: how many elements a new table has, and its last, which is its index.
@Opcode("TEST_NEW_TABLE", "tables")
struct NewTable: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let length, last: InitOutput
    let count: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let count = Math.whole(arguments.count.value, in: 0...10_000)
    let table = try context.table(context.createTable(count: count) { Double($0) }, argument: "ifn")
    (arguments.length.value, arguments.last.value) = (Double(table.count), table[count - 1])
  }
}

/// `iout[] TEST_REVERSE iin[]`: the elements in reverse.
@Opcode("TEST_REVERSE.i", "arrays")
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
@Opcode("TEST_REVERSE.k", "arrays")
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
@Opcode("TEST_REVERSE.a", "arrays")
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
@Opcode("TEST_SHAPE", "dimensions")
struct Shape: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let rows, columns: ControlOutput
    let input: ArrayInput<ControlInput>
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let input = arguments.input
    arguments.rows.value = input.dimensions > 0 ? Double(input.length(ofDimension: 0)) : 0
    arguments.columns.value = input.dimensions > 1 ? Double(input.length(ofDimension: 1)) : 0
  }
}

/// `a1 [, a2 …] TEST_SPLIT ain, kgain`: output n is the input times n times the gain.
@Opcode("TEST_SPLIT", "variadic outputs")
struct Split: AudioOpcode {
  struct Arguments: VariadicArguments {
    let outputs: Variadic<AudioOutput>
    let input: AudioInput
    let gain: ControlInput
  }
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
@Opcode("TEST_SUMS", "variadic on both sides")
struct Sums: ControlOpcode {
  struct Arguments: VariadicArguments {
    let outputs: Variadic<ControlOutput>
    let offset: InitInput
    let inputs: Variadic<ControlInput>
  }
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

/// `fout TEST_PICK f1, f2, kwhich`: the first (0) or the second f-signal.
@Opcode("TEST_PICK", "f-signals")
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
@Opcode("TEST_SPECTRA", "f-signals")
struct SpectrumCount: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let count: ControlOutput
    let input: SpectrumInput
  }
  private var reader = SpectrumReader()
  private var count = 0
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    count += reader.newSpectra(arguments.input, context).count
    arguments.count.value = Double(count)
  }
}
