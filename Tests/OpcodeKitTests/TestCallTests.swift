import OpcodeKit
import Testing

/// Delays its input by a number of samples, and counts k-cycles.
private struct Delayed: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let cycles: ControlOutput
    let length: InitOutput
    let input: AudioInput
    let gain: ControlInput
    let samples: InitInput
  }

  static let bufferCount = 1

  let line: Buffer<Double>
  var position = 0
  var cycles = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let samples = arguments.samples.value
    guard samples >= 1 else {
      throw OpcodeError(argument: "isamples", is: samples, mustBe: "1 or more")
    }
    line = try context.buffer(count: Int(samples))
    arguments.length.value = samples / context.sampleRate
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      arguments.output[frame] = line[position] * arguments.gain.value
      line[position] = arguments.input[frame]
      position = position + 1 == line.count ? 0 : position + 1
    }
    cycles += 1
    arguments.cycles.value = cycles
  }
}

/// The rates of its note.
private struct Rates: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let rate: ControlOutput
    let ksmps: ControlOutput
    let fullScale: ControlOutput
    let frame: ControlOutput
  }

  var clock = PerformanceClock()

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.rate.value = context.controlRate
    arguments.ksmps.value = Double(context.ksmps)
    arguments.fullScale.value = context.fullScale
    arguments.frame.value = Double(clock.frame(context))
  }
}

@Suite("An opcode called without Csound")
struct TestCallTests {
  @Test("State and buffers last from one k-cycle to the next, and inputs change between them")
  func cycles() throws {
    let call = try TestCall<Delayed>([1, 2, 3], 10, 2, sampleRate: 100)
    #expect(call.outputs == [[0, 0, 0], [0], [0.02]])
    #expect(try call.perform() == [[0, 0, 10], [1], [0.02]])
    call.inputs[0] = 4
    call.inputs[1] = 1
    #expect(try call.perform() == [[2, 3, 4], [2], [0.02]])
    #expect(call.opcode.cycles == 2)
  }

  @Test("What an init pass refuses is thrown, and says so")
  func refusal() throws {
    let error = #expect(throws: OpcodeError.self) { try TestCall<Delayed>([1], 1, 0.5) }
    #expect(error?.description == "'isamples' is 0.5; it must be 1 or more.")
  }

  @Test("The note has the rates that are given, and its clock runs")
  func rates() throws {
    let call = try TestCall<Rates>(sampleRate: 44100, ksmps: 10)
    #expect(try call.perform() == [[4410], [10], [1], [0]])
    #expect(try call.perform()[3] == [10])
    #expect(try TestCall<Rates>().perform()[1] == [64])
  }

  @Test(
    "An offset and an early end leave out samples, which are silent; a note that ends before it begins has none"
  )
  func partialCycles() throws {
    let call = try TestCall<Delayed>([1, 2, 3, 4], 1, 1)
    call.offset = 1
    #expect(try call.perform()[0] == [0, 0, 2, 3])
    (call.offset, call.earlyEnd) = (0, 3)
    #expect(try call.perform()[0] == [4, 0, 0, 0])
    (call.offset, call.earlyEnd) = (3, 2)
    #expect(try call.perform()[0] == [0, 0, 0, 0])
    (call.offset, call.earlyEnd) = (0, 0)
    #expect(try call.perform()[0] == [1, 1, 2, 3])
  }

  @Test("What a TestCall lacks is an error that names the opcode, and the process goes on")
  func lack() throws {
    func sentence(_ body: () throws -> Void) -> String {
      #expect(throws: (any Error).self, performing: body).map { "\($0)" } ?? ""
    }
    #expect(
      sentence { _ = try TestCall<Delayed>([1], 1) } == "Delayed has 3 inputs, and 2 were given.")
    #expect(
      sentence { _ = try TestCall<Delayed>([1, 2], 1, 1, ksmps: 3) }
        == "'input' of Delayed takes 3 samples, and 2 were given.")
    #expect(sentence { _ = try TestCall<Tabled>(1) }.hasPrefix("Tabled asks Csound for something"))
    #expect(sentence { _ = try TestCall<Named>(1) }.hasPrefix("'text' of Named is a StringOutput"))
  }
}

/// Reads a table.
private struct Tabled: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let length: InitOutput
    let number: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let table = try context.table(arguments.number.value, argument: "ifn")
    arguments.length.value = Double(table.count)
  }
}

/// Has an argument that no TestCall has.
private struct Named: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let text: StringOutput
    let number: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
}
