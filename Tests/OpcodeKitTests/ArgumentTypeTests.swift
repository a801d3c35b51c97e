import OpcodeKit
import Testing
import TypeLetters

@CsoundStruct
struct TypedPoint {
  let x, y: ControlInput
}

@Suite("Argument types and their letters")
struct ArgumentTypeTests {
  static func type(_ element: ArgumentType.Element) -> any Argument.Type {
    switch element {
    case .audioInput: AudioInput.self
    case .audioOutput: AudioOutput.self
    case .controlInput: ControlInput.self
    case .controlOutput: ControlOutput.self
    case .initInput: InitInput.self
    case .initOutput: InitOutput.self
    case .stringInput: StringInput.self
    case .stringOutput: StringOutput.self
    case .spectrumInput: SpectrumInput.self
    case .spectrumOutput: SpectrumOutput.self
    case .anyRateInput: AnyRateInput.self
    case .anyInput: AnyInput.self
    case .structInput: StructInput<TypedPoint>.self
    case .structOutput: StructOutput<TypedPoint>.self
    }
  }

  @Test("What a declaration reads is what the type says", arguments: ArgumentType.Element.allCases)
  func agrees(element: ArgumentType.Element) {
    let type = Self.type(element)
    #expect(element.rawValue + (element.isStruct ? "<TypedPoint>" : "") == "\(type)")
    #expect(element.isOutput == type.isOutput)
    #expect(Set(element.letters) == Set("\(type.typeLetters)"))
    #expect(Set(element.listLetters) == Set("\(type.variadicLetters)"))
  }

  @Test(
    "Types as they are written, and what stands for them",
    arguments: [
      ("AudioInput", "a"), ("OpcodeKit.ControlOutput", "k"), ("ArrayInput<ControlInput>", "k[]"),
      ("ArrayInput<AudioOutput>", "a[]"),
      ("ArrayOutput< AudioOutput >", "a[]"), ("Variadic<OpcodeKit.AudioInput>", "y"),
      ("Variadic<SpectrumOutput>", "F"), ("AnyRateInput", "x"), ("StructInput<Point>", ":Point;"),
      ("OpcodeKit.StructOutput<Shapes.Point>", ":Point;"),
      ("ArrayInput<StructInput<Point>>", ":Point;[]"),
      ("ArrayOutput<StructOutput<Point>>", ":Point;[]"),
    ])
  func written(text: String, letters: String) {
    #expect(ArgumentType(text)?.text == letters)
  }

  @Test(
    "What is no argument type",
    arguments: [
      "Double", "ArrayInput<SpectrumOutput>", "ArrayInput<AnyInput>", "ArrayOutput<AudioInput>",
      "Variadic<StringOutput>",
      "ArrayInput<Variadic<AudioInput>>", "[AudioInput]", "", "StructInput", "StructInput<>",
      "StructInput<StructInput<Point>>", "AudioInput<Point>", "Variadic<StructInput<Point>>",
      "ArrayInput<StructOutput<Point>>", "ArrayOutput<StructInput<Point>>", "ArrayInput",
      "ArrayLine<AudioInput>",
    ])
  func unknown(text: String) {
    #expect(ArgumentType(text) == nil)
  }

  @Test("Type strings with structs are taken apart, and put together again")
  func structs() throws {
    let types = try #require(TypeString("a:Point;k[]:Other;[]o"))
    #expect(types.items.map(\.structure) == [nil, "Point", nil, "Other", nil])
    #expect(types.items.map(\.isArray) == [false, false, true, true, false])
    #expect(types.items.map(\.text).joined() == "a:Point;k[]:Other;[]o")
    for wrong in [":Point", ":;", "a:", ":Point;["] {
      #expect(TypeString(wrong) == nil, "\(wrong)")
    }
  }

  @Test("A Swift struct has the declaration of an orchestra")
  func declaration() {
    #expect("\(TypedPoint.declaration)" == "TypedPoint x:k, y:k")
    #expect(!TypedPoint.hasAudio)
  }

  @Test("Every value Csound supplies has its letter, and no other has one")
  func fallbacks() throws {
    let number = try #require(ArgumentType("InitInput"))
    #expect(number.fallbacks == [0, 1, 10, 0.5, -1, 127])
    #expect(number.fallbacks.map { number.optionalLetter(for: $0) } == Array("opqvjh"))
    let control = try #require(ArgumentType("ControlInput"))
    #expect(control.fallbacks.map { control.optionalLetter(for: $0) } == Array("OPVJ"))
    #expect(control.optionalLetter(for: 10) == nil)
    #expect(ArgumentType("AudioInput")?.optionalLetter(for: 0) == nil)
    #expect(ArgumentType("ArrayInput<InitInput>")?.fallbacks == [])
  }

  @Test("Rates of generic parameters, k-rate first, the first changing first")
  func rates() {
    #expect(
      SignalRates.all(of: ["C", "R"]).map { $0.overload(of: "FILTER") } == [
        "FILTER.kk", "FILTER.ak", "FILTER.ka", "FILTER.aa",
      ])
    #expect(
      SignalRates.all(of: ["C"]).map { $0.overload(of: "FILTER.array") } == [
        "FILTER.array_k", "FILTER.array_a",
      ])
    #expect(SignalRates.all(of: []).map { $0.overload(of: "FILTER") } == ["FILTER"])
  }
}
