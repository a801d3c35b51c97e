import Foundation
import Testing

@Suite("What @Opcode refuses, at the author's line")
struct DeclarationTests {
  struct Mistake: Sendable {
    /// A part of the good opcode's source, and the text that replaces it.
    var good: String
    var bad: String
    /// The compiler's message, and a part of the line that it refers to.
    var message: String
    var line: String

    init(_ good: String, _ bad: String, _ message: String, at line: String? = nil) {
      (self.good, self.bad, self.message, self.line) = (good, bad, message, line ?? bad)
    }
  }

  static let opcode = """
    import OpcodeKit

    @CsoundStruct
    struct TremblePoint {
      let place: ControlInput
      let more: ArrayInput<StructInput<TremblePoint>>
    }

    @Opcode("TREMBLE", "Tremolo")
    struct Tremble<Depth: Signal>: AudioOpcode {
      struct Arguments: BitwiseCopyable {
        let output: AudioOutput
        let input: AudioInput
        let depth: Depth
        @Default(0) let shape: InitInput
      }

      private var phase = 0.0

      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

      mutating func perform(_ arguments: Arguments, _ context: Context) {
        for frame in context.frames { arguments.output[frame] = 0 }
      }
    }
    """

  static let others = """
    import OpcodeKit

    @Opcode("DELAYED", "What may look wrong and is not")
    struct Delayed: AudioOpcode {
      struct Arguments: BitwiseCopyable {
        let output: AudioOutput
        @Letter("o") let shape: InitInput
        @Letter("p") let more: InitInput
      }

      static var bufferCount: Int { 1 }
      private var taps: [4 of Double]
      private let steps: Buffer<Double>
      private var line: DelayLine

      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
        (taps, line) = (.init(repeating: 0), DelayLine(memory: .empty))
        steps = try context.buffer(count: context.ksmps)
        for step in 0..<context.ksmps { steps[step] = 1 }
      }

      mutating func perform(_ arguments: Arguments, _ context: Context) {
        for frame in context.frames { arguments.output[frame] = taps[0] }
      }
    }

    @Opcode("STILL", "No init pass")
    struct Still: ControlOpcode, Sendable {
      struct Arguments: BitwiseCopyable { let output: ControlOutput }

      mutating func perform(_ arguments: Arguments, _ context: Context) {
        arguments.output.value = 1
      }
    }
    """

  static let mistakes = [
    Mistake(
      "init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}",
      "private let factor: Double", "Nothing gives factor a value: write one here, or an 'init("),
    Mistake("\"TREMBLE\"", "\"7TREMBLE\"", "'7TREMBLE' is no name Csound can call"),
    Mistake("\"TREMBLE\"", "\"TREMBLE.a.b\"", "'TREMBLE.a.b' is no name Csound can call"),
    Mistake("\"Tremolo\"", "\"\"", "Write what TREMBLE does in one line"),
    Mistake(
      "\"Tremolo\"", "\"Tremolo \\(1 + 1)\"",
      "cannot convert value of type 'String' to expected argument type 'StaticString'"),
    Mistake("let output: AudioOutput", "let output: Float", "'Float' is no argument type"),
    Mistake(
      "let output: AudioOutput", "let output: ArrayOutput<AudioInput>",
      "'ArrayOutput<AudioInput>' is no argument type"),
    Mistake(
      "let output: AudioOutput", "let output: ArrayInput<AnyRateInput>",
      "'ArrayInput<AnyRateInput>' is no argument type; an ArrayInput has AudioInput, ControlInput"),
    Mistake(
      "let depth: Depth", "let depth: Depth; let more: Variadic<SpectrumInput>",
      "'Variadic<SpectrumInput>' is no argument type; Csound has lists of AudioInput"),
    Mistake(
      "arguments.output[frame] = 0", "phase += arguments.input[frame]",
      "'output' is an output, and no pass gives it a value: write it in 'perform'",
      at: "let output"),
    Mistake(
      "throws(OpcodeError) {}",
      "throws(OpcodeError) { let line = try context.buffer(count: 8); phase = line[0] }",
      "The init pass asks for 1 buffer, and Tremble", at: "context.buffer"),
    Mistake(
      "throws(OpcodeError) {}",
      "throws(OpcodeError) {\n_ = try DelayLine(longest: 9, context)\n_ = try DelayLine(longest: 9, context) }",
      "asks for 2 buffers, and", at: "DelayLine(longest"),
    Mistake("let input: AudioInput", "let input = 0.5", "has no type"),
    Mistake(
      "let depth: Depth", "let depth: ControlInput", "No field of Arguments is a Depth",
      at: "struct Tremble"),
    Mistake(
      "let depth: Depth", "let depth: Depth; let more: AudioOutput",
      "more is an output; outputs stand before all inputs"),
    Mistake(
      "let shape: InitInput", "let shape: InitInput; let last: InitInput",
      "last must be given but follows one that may be left out"),
    Mistake("@Default(0)", "@Default(3)", "only for 0, 1, 10, 0.5, -1, 127"),
    Mistake("@Default(0)", "@Default(2 - 2)", "write the number out"),
    Mistake("@Default(0)", "@Default(1e20)", "no letter for 1e+20"),
    Mistake(
      "@Default(0) let shape: InitInput", "@Default(0) let shape: StringInput",
      "Csound has no letter for StringInput that may be left out"),
    Mistake(
      "@Default(0) let shape: InitInput", "@Letter(\"k\") let shape: InitInput",
      "'k' is no letter for InitInput; it can stand for 'i', 'o'"),
    Mistake(
      "@Default(0) let shape: InitInput", "let rest: Variadic<AnyInput>",
      "Csound has several lists of anything"),
    Mistake(
      "@Default(0) let shape: InitInput", "let rest: Variadic<AudioInput>",
      "Arguments with a Variadic field are 'struct Arguments: VariadicArguments'",
      at: "struct Arguments"),
    Mistake(
      "struct Arguments: BitwiseCopyable", "struct Arguments: VariadicArguments",
      "but no field is Variadic"),
    Mistake(
      "<Depth: Signal>: AudioOpcode", "<Depth: Signal>: ControlOpcode", "is an AudioOpcode",
      at: "let output"),
    Mistake(
      "<Depth: Signal>: AudioOpcode", "<Depth: Signal>", "says what it is where it is declared"),
    Mistake("<Depth: Signal>", "<Depth: Argument>", "write 'Depth: Signal'"),
    Mistake("struct Arguments", "struct Inputs", "has no 'struct Arguments'", at: "struct Tremble"),
    Mistake(
      "struct Tremble<Depth: Signal>", "enum Tremble<Depth: Signal>",
      "@Opcode stands before the struct", at: "@Opcode"),
    Mistake(
      "var phase = 0.0", "var line: [Double] = []",
      "ask for a buffer in init: context.buffer(count:)"),
    Mistake(
      "var phase = 0.0", "var line = [0.0]", "ask for a buffer in init: context.buffer(count:)"),
    Mistake("var phase = 0.0", "var name: String = \"\"", "State lies in Csound's memory"),
    Mistake(
      "@Opcode(\"TREMBLE\", \"Tremolo\")", "@Plugin",
      "@Plugin stands before 'enum …: OpcodeLibrary'"),
    Mistake(
      "let place: ControlInput", "let place: ControlOutput",
      "'ControlOutput' is no type of a member"
    ),
    Mistake("let place: ControlInput", "let place: AnyInput", "'AnyInput' is no type of a member"),
    Mistake(
      "let place: ControlInput", "@Default(1) let place: ControlInput", "has no @Default or @Letter"
    ),
    Mistake(
      "struct TremblePoint {", "struct TremblePoint<Part> {",
      "A struct of Csound has no type parameters", at: "struct Tremble"),
    Mistake(
      "@CsoundStruct\nstruct TremblePoint {",
      "@CsoundStruct\nenum TremblePoint { case none }\nstruct TrembleOther {",
      "@CsoundStruct stands before a struct", at: "@CsoundStruct"),
    Mistake(
      "let depth: Depth", "let depth: Depth; @Letter(\":\") let point: StructInput<TremblePoint>",
      "has no letter to choose", at: "let depth: Depth; @Letter"),
    Mistake(
      "@Opcode(\"TREMBLE\", \"Tremolo\")\nstruct Tremble<Depth: Signal>",
      "@Opcode(\"TREMBLE\", \"Tremolo\", Int.self)\nstruct Tremble",
      "has no generic parameter that could be Int", at: "Int.self"),
    Mistake(
      "@Opcode(\"TREMBLE\", \"Tremolo\")\nstruct Tremble<Depth: Signal>",
      (1...11).map { "@Opcode(\"TREMBLE\($0)\", \"Tremolo\", Int.self)" }
        .joined(separator: "\n") + "\nstruct Tremble<Kind, Depth: Signal>",
      "A struct can be up to 10 opcodes, with up to 2 Signal parameters", at: "TREMBLE11"),
  ]

  @Test("Each mistake has a sentence at its line, a good opcode none")
  func mistakes() throws {
    var sources = ["good.swift": Self.opcode, "others.swift": Self.others]
    for (number, mistake) in Self.mistakes.enumerated() {
      let text = Self.opcode.replacing(mistake.good, with: mistake.bad, maxReplacements: 1)
      try #require(text != Self.opcode, "\(mistake.good)")
      sources["m\(number).swift"] = text.replacing("Tremble", with: "Tremble\(number)")
    }
    let calls = Self.mistakes.indices.map { "registerTremble\($0)(in: &registry)" }
    sources["library.swift"] = """
      import OpcodeKit
      func register(in registry: inout some OpcodeRegistry) { \(calls.joined(separator: "; ")) }
      """
    let errors = try compilerErrors(of: sources, "-wmo", "-typecheck").split(separator: "\n")
    #expect(!errors.contains { $0.contains(/^(good|others)\.swift:.* (error|warning):/) })
    for (number, mistake) in Self.mistakes.enumerated() {
      let lines = sources["m\(number).swift"]!.split(
        separator: "\n", omittingEmptySubsequences: false)
      let said = errors.contains { error in
        guard let match = error.firstMatch(of: /^m(\d+)\.swift:(\d+):\d+: error: (.*)$/) else {
          return false
        }
        return Int(match.1) == number && match.3.contains(mistake.message)
          && lines[Int(match.2)! - 1].contains(mistake.line)
      }
      let own = errors.filter { $0.hasPrefix("m\(number).swift:") }
      #expect(said, "\(mistake.bad)\n\(own.joined(separator: "\n"))")
      // An opcode that is refused is not unknown to the library as well, unless the attribute is no @Opcode that could
      // be read.
      let isUnknown = errors.contains { $0.contains("cannot find 'registerTremble\(number)'") }
      #expect(
        isUnknown == ["@Plugin", "\"Tremolo \\(1 + 1)\""].contains(mistake.bad), "\(mistake.bad)")
    }
  }
}
