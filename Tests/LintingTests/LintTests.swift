import CCsound
import CsoundHost
import Foundation
import Linting
import OpcodeKit
import Testing

@Suite("lint against Csound's resolver", .serialized)
struct LintTests {
  /// What a host that registers opcodes so is told.
  func lint(_ register: @escaping Csound.Registration) throws -> LintReport {
    let linter = Linter(registering: register) {}
    return try linter.lint(LintJob(plugin: nil, amongInstalled: false))
  }

  /// Adds an opcode that is never performed. Csound keeps the strings.
  func add(_ name: String, _ outputs: String, _ inputs: String, to engine: CsoundPointer) {
    let pass: @convention(c) (CsoundPointer?, UnsafeMutableRawPointer?) -> CInt = { _, _ in 0 }
    _ = engine.pointee.AppendOpcode(
      engine, strdup(name), 848, 0, 3, strdup(outputs), strdup(inputs), pass,
      { _, _ in 0 }, nil)
  }

  @Test("A call with one or no variadic argument can get more: the one is repeated")
  func oneVariadic() throws {
    let signature = try lint { add("ANYMANY", "a", "a*", to: $0) }.signatures[0]
    let plan = try CallPlan(signature, siblings: [], entry: ArgumentFile().entry(signature))
    #expect(plan.with(variadics: 1).with(variadics: 5) == plan.with(variadics: 5))
    #expect(plan.with(variadics: 5).inputs.count == 6)
    #expect(plan.with(variadics: 0).with(variadics: 5).inputs.count == 1)
  }

  @Test("What reads an fsig is initialised again at a reinit, what reads audio is not")
  func readersAtReinit() throws {
    for (output, reader) in [("f", "pvsynth"), ("a", "outc")] {
      let signature = try lint { add("SOURCE", output, "k", to: $0) }.signatures[0]
      let plan = try CallPlan(signature, siblings: [], entry: ArgumentFile().entry(signature))
      let lines = Scene().with { $0.reinitWhen = "kcycle == 21" }.text(plan, command: "csound")
        .split(separator: "\n")
      let end = try #require(lines.firstIndex { $0.contains("rireturn") })
      let place = try #require(lines.firstIndex { $0.contains(reader) })
      #expect((place < end) == (output == "f"))
    }
  }

  /// What an orchestra can write to.
  static let outputTypes =
    ["p", "b", "B"] + ["a", "k", "i", "S", "f", "w"].flatMap { [$0, $0 + "[]"] }
  /// What it can read: constants, reserved names such as sr, and labels, too.
  static let inputTypes = outputTypes + ["c", "r", "l"]

  /// Whether Csound finds an opcode for one output and one input.
  func accepts(_ name: String, _ output: String, _ input: String, in engine: CsoundPointer) -> Bool
  {
    let texts = [name, output, input].map { (text: String) in strdup(text) }
    defer { for text in texts { free(text) } }
    return engine.pointee.find_opcode_new(engine, texts[0], texts[1], texts[2]) != nil
  }

  @Test(
    "Exactly the letters Csound accepts something for are no fault", arguments: [false, true])
  func letters(asOutput: Bool) throws {
    let letters = (33...126).map { Character(UnicodeScalar($0)) }.filter { !"[]".contains($0) }
    let items = letters.flatMap { ["\($0)", "\($0)[]"] }
    func register(_ engine: CsoundPointer) {
      for (index, item) in items.enumerated() {
        add("LETTER\(index)", asOutput ? item : "a", asOutput ? "a" : item, to: engine)
      }
    }
    let csound = try Csound(registering: register)
    let refused = Set(
      items.indices.filter { index in
        !(asOutput ? Self.outputTypes : Self.inputTypes).contains {
          accepts(
            "LETTER\(index)", asOutput ? $0 : "a", asOutput ? "a" : $0, in: csound.engine)
        }
      }.map { "LETTER\($0)" })
    let found = try lint(register).findings.filter { $0.id == .typeLetter }
    #expect(Set(found.compactMap(\.signature)) == refused)
    #expect(refused.count > items.count / 2)
    #expect(refused.count < items.count - 10)
  }

  /// Two overloads of one name: the types of the wider one, and of one whose calls it takes all.
  struct Pair: CustomTestStringConvertible {
    var wide, narrow: [String]
    var testDescription: String { "\(wide) \(narrow)" }

    init(_ outputs: String, _ inputs: String, _ narrowOutputs: String, _ narrowInputs: String) {
      wide = [outputs, inputs]
      narrow = [narrowOutputs, narrowInputs]
    }
  }

  @Test(
    "A wider overload hides a narrower one after it, and not one before it",
    arguments: [
      Pair("k", "k", "k", "i"), Pair("k", "x", "k", "k"), Pair("a", "x", "a", "a"),
      Pair("a", "kO", "a", "k"), Pair("a", "ko", "a", "ki"), Pair("a", "z", "a", "kkk"),
      Pair("m", "k", "aa", "k"), Pair("k", ".", "k", "k[]"), Pair("k", "T", "k", "S"),
      Pair("k", ".[]", "k", "S[]"), Pair("*", "k", "f", "k"), Pair("a", "M", "a", "aak"),
      Pair("s", "U", "a", "k"), Pair("k", "N", "k", "z"),
    ])
  func hiding(pair: Pair) throws {
    func shadowed(_ first: [String], _ second: [String]) throws -> [Finding] {
      try lint { engine in
        for (index, types) in [first, second].enumerated() {
          add("HIDING.\(index)", types[0], types[1], to: engine)
        }
      }.findings.filter { $0.id == .shadowOverload }
    }
    let hidden = try shadowed(pair.wide, pair.narrow)
    #expect(hidden.map(\.signature) == ["HIDING.1"])
    #expect(hidden.map(\.severity) == [.fault])
    #expect(try shadowed(pair.narrow, pair.wide).isEmpty)
  }

  struct Level: ControlOpcode {
    struct Arguments: BitwiseCopyable {
      let output: ControlOutput
      let input: ControlInput
    }
    init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
    mutating func perform(_ arguments: Arguments, _ context: Context) {}
  }

  @Test("An overload the kit refuses is a fault, in the kit's words")
  func refusal() throws {
    let report = try lint { engine in
      var registry = CsoundRegistry(engine)
      for (name, inputs) in [("RIGHT", "k"), ("WRONG", "kk")] as [(StaticString, StaticString)] {
        registry.add(
          Overload(
            Level.self, name, outputs: "k", inputs: inputs, summary: "",
            initialize: { _, _ in 0 }, perform: { _, _ in 0 }))
      }
    }
    #expect(report.signatures.map(\.name) == ["RIGHT"])
    #expect(report.findings.count == 1)
    let finding = try #require(report.findings.first)
    #expect(finding.id == .kitRefusal)
    #expect(finding.severity == .fault)
    #expect(finding.message.hasPrefix("OpcodeKit refuses WRONG: Arguments has 2 "))
  }
}
