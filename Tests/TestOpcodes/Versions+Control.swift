import OpcodeKit

// MARK: STEPS, without sound

/// `kout STEPS ksize`: the sum of its input.
@Opcode("STEPS", "Counts.")
struct Steps: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let size: ControlInput
  }

  private var sum = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    sum += arguments.size.value
    arguments.output.value = sum
  }
}

@Opcode("STEPS", "Counts.")
struct StepsAgain: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let size: ControlInput
  }

  private var sum = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    sum += arguments.size.value
    arguments.output.value = sum
  }
}

@Opcode("STEPS", "Counts.")
struct StepsDown: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let size: ControlInput
  }

  private var sum = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    sum -= arguments.size.value
    arguments.output.value = sum
  }
}

@Opcode("STEPS", "Counts.")
struct StepsWider: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let size: ControlInput
  }

  private var sum = 0.0
  private var more = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    sum += arguments.size.value
    arguments.output.value = sum
  }
}

@Opcode("STEPS", "Counts.")
struct StepsBetween: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let size: ControlInput
    let more: ControlInput
  }

  private var sum = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    sum += arguments.size.value
    arguments.output.value = sum
  }
}

// MARK: TALLY, with a deinit pass

/// `kout TALLY`: how many states there are.
@Opcode("TALLY", "Counts the notes that have a state.")
struct Tally: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
  }

  private let states: Shared<Int64>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    states = try context.shared(Int64.self, named: "OpcodeKit.test.tally")
    states.add(1)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.value = Double(states.current)
  }

  mutating func finish(_ arguments: Arguments, _ context: Context) { states.add(-1) }
}

@Opcode("TALLY", "Counts the notes that have a state.")
struct TallyAgain: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
  }

  private let states: Shared<Int64>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    states = try context.shared(Int64.self, named: "OpcodeKit.test.tally")
    states.add(1)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.value = Double(states.current)
  }

  mutating func finish(_ arguments: Arguments, _ context: Context) { states.add(-1) }
}

@Opcode("TALLY", "Counts the notes that have a state.")
struct TallyWider: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
  }

  private let states: Shared<Int64>
  private var more = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    states = try context.shared(Int64.self, named: "OpcodeKit.test.tally")
    states.add(1)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.value = Double(states.current)
  }

  mutating func finish(_ arguments: Arguments, _ context: Context) { states.add(-1) }
}

// MARK: ONCE, at init time

/// `iout ONCE`: 1.
@Opcode("ONCE", "Is what it is from the init pass on.")
struct Once: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.value = 1
  }
}

@Opcode("ONCE", "Is what it is from the init pass on.")
struct OnceTwice: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.value = 2
  }
}

@Opcode("ONCEMORE", "Is what it is from the init pass on.")
struct OnceMore: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.value = 3
  }
}
