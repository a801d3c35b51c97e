import CsoundHost
import OpcodeKit
import Testing

/// An opcode that does nothing.
private protocol Idle: AudioOpcode { init() }

extension Idle {
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) { self.init() }
  mutating func perform(_ arguments: Arguments, _ context: Context) {}
}

@Suite("What the kit refuses to register", .serialized)
struct RegistrationTests {
  struct Gain: Idle {
    struct Arguments: BitwiseCopyable {
      let output: AudioOutput
      let input: AudioInput
      let gain: ControlInput
    }
  }

  struct Large: Idle {
    typealias Row = (
      SIMD64<Double>, SIMD64<Double>, SIMD64<Double>, SIMD64<Double>, SIMD64<Double>,
      SIMD64<Double>, SIMD64<Double>, SIMD64<Double>
    )
    typealias Arguments = Gain.Arguments
    var state: (Row, Row, Row, Row, Row, Row, Row, Row)?
    var more: (Row, Row, Row, Row, Row, Row, Row, Row)?
  }

  struct NoPointer: Idle {
    struct Arguments: BitwiseCopyable {
      let output: AudioOutput
      let flag: UInt8
    }
  }

  func gain(_ name: StaticString, _ outputs: StaticString, _ inputs: StaticString) -> Overload {
    overload(Gain.self, name, outputs, inputs)
  }

  func overload<O: AudioOpcode>(
    _ type: O.Type, _ name: StaticString, _ outputs: StaticString, _ inputs: StaticString
  ) -> Overload {
    Overload(
      type, name, outputs: outputs, inputs: inputs, summary: "", initialize: { _, _ in 0 },
      perform: { _, _ in 0 })
  }

  @Test(
    "A sound overload has no problem; names, letters and numbers of arguments that Csound cannot use are refused",
    arguments: [
      ("GAIN", "a", "ak", nil), ("GAIN.ak", "a", "ak", nil), ("GAIN", "a", "aO", nil),
      ("", "a", "ak", .name), ("3GAIN", "a", "ak", .name), ("GA IN", "a", "ak", .name),
      ("GAIN.a.k", "a", "ak", .name), ("_GAIN", "a", "ak", .name),
      ("GAIN", "a", "aQ", .typeLetter(UInt8(ascii: "Q"), position: 2)),
      ("GAIN", "o", "ak", .typeLetter(UInt8(ascii: "o"), position: 1)),
      ("GAIN", "a", "akk", .argumentCount(inStruct: 3, inTypes: 4)),
      ("GAIN", "", "ak", .argumentCount(inStruct: 3, inTypes: 2)),
      ("GAIN", "a", "aa", .argumentType(position: 3, letter: UInt8(ascii: "a"))),
      ("GAIN", "aa", "k", .argumentType(position: 2, letter: UInt8(ascii: "a"))),
      ("GAIN", "a", "Oa", .argumentOrder(position: 3, letter: UInt8(ascii: "a"))),
      ("GAIN", "a", "y", .variadicArguments),
    ] as [(StaticString, StaticString, StaticString, OverloadProblem?)])
  func problem(
    name: StaticString, outputs: StaticString, inputs: StaticString, problem: OverloadProblem?
  ) {
    #expect(gain(name, outputs, inputs).problem == problem)
  }

  struct Mix: Idle {
    struct Arguments: VariadicArguments {
      let output: AudioOutput
      let gain: ControlInput
      let inputs: Variadic<AudioInput>
    }
  }

  struct Halfway: Idle {
    struct Arguments: BitwiseCopyable {
      let output: AudioOutput
      let inputs: Variadic<AudioInput>
    }
  }

  struct Channels: Idle {
    struct Arguments: BitwiseCopyable {
      let outputs: ArrayOutput<AudioOutput>
      let inputs: ArrayInput<AudioInput>
    }
  }

  @CsoundStruct
  struct Voice {
    let signal: AudioInput
  }

  @CsoundStruct
  struct Voices {
    let list: ArrayInput<StructInput<Voice>>
  }

  struct Structs: ControlOpcode {
    struct Arguments: BitwiseCopyable {
      let output: StructOutput<Voices>
      let input: StructInput<Voice>
    }
    static var hasStructs: Bool { true }
    static var writesAudioMembers: Bool { Voices.hasAudio }
    init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
    mutating func perform(_ arguments: Arguments, _ context: Context) {}
  }

  struct Unchecked: ControlOpcode {
    struct Arguments: BitwiseCopyable { let input: StructInput<Voice> }
    init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
    mutating func perform(_ arguments: Arguments, _ context: Context) {}
  }

  @Test("Structs need Csound 7 and @Opcode, and one with a signal an AudioOpcode")
  func structs() {
    func overload<O: ControlOpcode>(
      _ type: O.Type, _ outputs: StaticString, _ inputs: StaticString
    ) -> Overload {
      Overload(
        type, "STRUCTS", outputs: outputs, inputs: inputs, summary: "", initialize: { _, _ in 0 },
        perform: { _, _ in 0 })
    }
    let (good, unchecked) = (
      overload(Structs.self, ":Voices;", ":Voice;"), overload(Unchecked.self, "", ":Voice;")
    )
    if csoundHasStructs {
      #expect(good.problem == .audioOutput)
      #expect(unchecked.problem == .uncheckedStruct(position: 1))
    } else {
      #expect(good.problem == .structInCsound6(position: 1))
      #expect(unchecked.problem == .structInCsound6(position: 1))
    }
    #expect(overload(Structs.self, "", "k:Voice").problem != nil)
    #expect(Voices.hasAudio)
  }

  @Test(
    "Variadic arguments have variadic letters, arrays have brackets, what may be left out is last")
  func letters() {
    func mix(_ inputs: StaticString) -> Overload { overload(Mix.self, "MIX", "a", inputs) }
    func channels(_ outputs: StaticString, _ inputs: StaticString) -> Overload {
      overload(Channels.self, "CHANNELS", outputs, inputs)
    }
    #expect(mix("ky").blockSize > 2 * 1999 * 8)
    for (found, problem) in [
      (mix("ky"), nil), (mix("Oy"), nil),
      (mix("kz"), .argumentType(position: 3, letter: UInt8(ascii: "z"))),
      (mix("kaa"), .variadicArguments),
      (mix("yk"), .argumentOrder(position: 3, letter: UInt8(ascii: "k"))),
      (overload(Halfway.self, "MIX", "a", "y"), .variadicArguments), (channels("a[]", "a[]"), nil),
      (channels("a[]", "a"), .argumentType(position: 2, letter: UInt8(ascii: "a"))),
      (channels("k[]", "a[]"), .argumentType(position: 1, letter: UInt8(ascii: "k"))),
      (channels("a[]", "o[]"), .typeLetter(UInt8(ascii: "["), position: 1)),
      (channels("a[", "a[]"), .typeLetter(UInt8(ascii: "["), position: 2)),
      // Arguments that are no row of pointers.
      (overload(NoPointer.self, "BAD", "a", "k"), .notPointers(bytes: 9)),
    ] as [(Overload, OverloadProblem?)] {
      #expect(found.problem == problem, "\(found.outputs) \(found.inputs)")
    }
  }

  struct Level: ControlOpcode {
    struct Arguments: BitwiseCopyable {
      let output: AudioOutput
      let input: AudioInput
    }
    init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
    mutating func perform(_ arguments: Arguments, _ context: Context) {}
  }

  @Test("An audio output of an opcode that is no audio opcode is refused")
  func audioOutput() {
    let level = Overload(
      Level.self, "LEVEL", outputs: "a", inputs: "a", summary: "", initialize: { _, _ in 0 },
      perform: { _, _ in 0 })
    #expect(level.problem == .audioOutput)
  }

  @Test("A forgotten performance pass is refused")
  func missingPerformance() {
    let silent = Overload(
      Gain.self, "GAIN", outputs: "a", inputs: "ak", summary: "", initialize: { _, _ in 0 })
    #expect(silent.problem == .missingPerformance)
  }

  @Test("A block larger than Csound can allocate is refused")
  func size() throws {
    let large = overload(Large.self, "LARGE", "a", "ak")
    let problem = try #require(large.problem)
    #expect(problem == .blockSize(bytes: large.blockSize))
    #expect(problem.description(of: large).contains("Csound allows 65530"))
    #expect(problem.description(of: large).hasPrefix("LARGE: its block is"))
  }

  @Test("A refused overload is named in Csound's messages and the others still play")
  func refusal() throws {
    let csound = try Csound { engine in
      var registry = CsoundRegistry(engine)
      registry.add(gain("WRONG", "a", "akk"))
      registerTestOpcodes(engine)
    }
    let performance = try perform(
      """
      instr 1
        kcount TEST_COUNT 0
        outch 1, a(kcount)
      endin
      """, score: "i1 0 0.01", on: csound)
    #expect(performance.channels[0].max()! > 0)
    #expect(
      performance.messages.contains {
        $0.contains("WRONG: Arguments has 3 arguments but the type strings have 4")
      })
  }
}
