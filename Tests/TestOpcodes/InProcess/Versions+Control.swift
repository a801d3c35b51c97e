import OpcodeKit

/// `kout STEPS ksize`: the sum of its input.
@Opcode("STEPS", "Counts.", FirstVersion.self)
@Opcode("STEPS", "Counts.", SameVersion.self)
@Opcode("STEPS", "Counts.", SofterVersion.self)
@Opcode("STEPS", "Counts.", WiderVersion.self)
struct Steps<Saved: Version>: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let size: ControlInput
  }

  private var sum = 0.0
  private var more = Saved.More()

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    sum += Saved.direction * arguments.size.value
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

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    sum += arguments.size.value
    arguments.output.value = sum
  }
}

/// `kout TALLY`: how many notes have a state; with a deinit pass.
@Opcode("TALLY", "Counts the notes that have a state.", FirstVersion.self)
@Opcode("TALLY", "Counts the notes that have a state.", SameVersion.self)
@Opcode("TALLY", "Counts the notes that have a state.", WiderVersion.self)
struct Tally<Saved: Version>: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
  }

  private let states: Shared<Int64>
  private var more = Saved.More()

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    states = try context.shared(Int64.self, named: "OpcodeKit.test.tally")
    states.add(1)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.value = Double(states.current)
  }

  mutating func finish(_ arguments: Arguments, _ context: Context) { states.add(-1) }
}

/// `iout ONCE`: a number from the init pass on.
@Opcode("ONCE", "Is what it is from the init pass on.", FirstVersion.self)
@Opcode("ONCE", "Is what it is from the init pass on.", SofterVersion.self)
@Opcode("ONCEMORE", "Is what it is from the init pass on.", OtherVersion.self)
struct Once<Saved: Version>: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.value = Saved.number
  }
}
