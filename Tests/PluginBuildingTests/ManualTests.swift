import Foundation
import HarnessBase
import PluginBuilding
import TestSupport
import Testing

@Suite("Manual pages read from source files")
struct ManualTests {
  /// A source file with one opcode.
  static let gain = """
    // aout GAIN ain, kdecibels [, iskip]
    //
    // A gain, so that
    // lines are joined:
    //
    //     out = g in
    //
    // Differs from `gain`:
    //  - it is loud,
    //    very;
    //  - and clear.

    struct Gain: AudioOpcode {
      struct Arguments: BitwiseCopyable {
        /// The louder
        /// signal.
        let output: AudioOutput
        let input: AudioInput  // The signal.
        /// Gain, dB.
        let decibels: ControlInput
        /// Nonzero goes on.
        let skip: InitInput
      }
    }

    func register() {
      Overload(
        Gain.self, "GAIN.k", outputs: "a", inputs: "ako", summary: "Gain in decibels",
        initialize: {}, perform: gain)
    }
    """

  /// The pages of source files of these contents.
  func manuals(_ texts: String...) throws -> [Manual] {
    let directory = try temporaryDirectory()
    for (index, text) in texts.enumerated() {
      try text.save(to: "\(directory)/\(index).swift")
    }
    return try Manual.all(in: directory)
  }

  @Test("Syntax, description and arguments come from the file")
  func page() throws {
    let manual = try #require(try manuals(Self.gain).first)
    #expect(manual.problems == [])
    #expect(manual.name == "GAIN" && manual.summary == "Gain in decibels")
    let form = try #require(manual.forms.first)
    #expect(form.syntax.text == "aout GAIN ain, kdecibels [, iskip]")
    #expect(form.syntax.functionalText == "aout = GAIN(ain, kdecibels [, iskip])")
    #expect(manual.category == nil)
    #expect(form.overloads == ["GAIN.k"])
    #expect(form.arguments.map(\.names) == ["aout", "ain", "kdecibels", "iskip"])
    #expect(form.arguments.map(\.rates) == ["a", "a", "k", "i"])
    #expect(form.arguments.map(\.fallback) == [nil, nil, nil, 0])
    #expect(
      form.arguments.map(\.text) == [
        "The louder signal.", "The signal.", "Gain, dB.", "Nonzero goes on.",
      ])
    #expect(
      manual.descriptions.first?.comment.blocks == [
        .prose("A gain, so that lines are joined:"), .verbatim(["out = g in"]),
        .prose("Differs from `gain`:"), .list(["it is loud, very;", "and clear."]),
      ])
  }

  @Test("The category is a line of the comment that no description has; two are a problem")
  func category() throws {
    let text = Self.gain.replacing(
      "// A gain", with: "// Category: Signal Modifiers:Delay\n//\n// A gain")
    let manual = try #require(try manuals(text).first)
    #expect(manual.problems == [] && manual.category == "Signal Modifiers:Delay")
    #expect(
      manual.descriptions.first?.comment.blocks.first == .prose("A gain, so that lines are joined:")
    )
    let two = text.replacing("// Differs", with: "// Category: OSC\n// Differs")
    #expect(
      try manuals(two).first?.problems
        == ["'GAIN' has two categories, 'Signal Modifiers:Delay' and 'OSC'."])
  }

  @Test("A doc comment in front of the struct serves too, and the overload may be in another file")
  func docComment() throws {
    let opcode = """
      import OpcodeKit

      /// aout[] MANY ain[], xcutoff, kmore1 [, kmore2, …]: many of them.
      struct Many: AudioOpcode {
        struct Arguments: VariadicArguments {
          /// The sound.
          let output: ArrayOutput<AudioOutput>
          /// The signal.
          let input: ArrayInput<AudioInput>
          /// Cutoff, Hz.
          let cutoff: AnyRateInput
          /// More.
          let more: Variadic<ControlInput>
        }
      }
      """
    let library = """
      let words: StaticString = "Many of them"
      let all = Overload(Many.self, "MANY", outputs: "a[]", inputs: "a[]xz", summary: words,
        initialize: {})
      """
    let manual = try #require(try manuals(opcode, library).first)
    #expect(manual.problems == [])
    #expect(manual.summary == "Many of them")
    #expect(
      manual.forms.first?.syntax.functionalText
        == "aout[] = MANY(ain[], xcutoff, kmore1 [, kmore2, …])")
    #expect(
      manual.forms.first?.arguments.map(\.names) == [
        "aout[]", "ain[]", "xcutoff", "kmore1, kmore2, …",
      ])
    #expect(manual.forms.first?.arguments.map(\.rates) == ["a[]", "a[]", "a, k", "k"])
    #expect(manual.descriptions.first?.comment.blocks == [.prose("many of them.")])
  }

  @Test(
    "What a file leaves out or contradicts is a problem with a sentence",
    arguments: [
      ("/// Gain, dB.", "", "'kdecibels' of 'GAIN.k' has no comment"),
      ("[, iskip]", "", "'GAIN.k' (outputs 'a', inputs 'ako') has no line of syntax"),
      ("[, iskip]", ", iskip", "has no line of syntax"),
      ("kdecibels", "idecibels", "has no line of syntax"),
      ("inputs: \"ako\"", "inputs: \"akk\"", "has no line of syntax"),
      ("let skip: InitInput", "", "declares another number"),
      ("\"GAIN.k\"", "name", "cannot be read from the text"),
      ("// aout GAIN ain", "// GAIN ain[]\n// aout GAIN ain", "No overload has the syntax"),
    ])
  func problems(right: String, wrong: String, sentence: String) throws {
    let changed = Self.gain.replacing(right, with: wrong, maxReplacements: 1)
    try #require(changed != Self.gain)
    let other = Self.gain.replacing("GAIN", with: "LOUD").replacing("Gain", with: "Loud")
    let problems = try manuals(changed, other).flatMap(\.problems)
    #expect(problems.contains { $0.contains(sentence) }, "\(problems)")
  }

  @Test("@Opcode registers an overload for each choice of rates, with the letters of its fields")
  func declared() throws {
    let manual = try #require(
      try manuals(
        """
        // aout GAIN ain, xgain, knumbers1 [, kmore, …]
        // aout GAIN ain

        @Opcode("GAIN", "Gain")
        public struct Gain<Factor: Signal>: AudioOpcode {
          struct Arguments: VariadicArguments {
            /// The louder signal.
            let output: AudioOutput
            /// The signal.
            let input: AudioInput
            /// Factor.
            let factor: Factor
            /// Numbers.
            let numbers: Variadic<ControlInput>
          }
        }

        @Opcode(
          "GAIN.plain", "Gain of 2")
        struct Plain: AudioOpcode {
          struct Arguments: BitwiseCopyable {
            /// The louder signal.
            let output: AudioOutput
            /// The signal.
            let input: AudioInput
          }
        }

        // kout PICK kn [, kfirst], imode

        @Opcode("PICK", "One of some")
        struct Pick: ControlOpcode {
          struct Arguments: BitwiseCopyable {
            let out: ControlOutput  // One.
            let number: ControlInput  // Which.
            // The first.
            @Default(-1) let first: ControlInput
            @Default(0.5)
            let mode: InitInput  // How.
          }
        }
        """
      ).first)
    #expect(manual.problems == [])
    #expect(manual.summary == "Gain; Gain of 2")
    #expect(manual.forms.map(\.overloads) == [["GAIN.k", "GAIN.a"], ["GAIN.plain"]])
    #expect(manual.forms.first?.arguments.map(\.rates) == ["a", "a", "a, k", "k"])
  }

  @Test("A directory that is not there is missing input")
  func missing() {
    #expect(throws: Failure.self) { try Manual.all(in: "/nonexistent/Opcodes") }
  }
}
