import CommandKit

/// What a message that authors meet means for an opcode, and what to do about it.
package struct Advice: Sendable {
  /// Who says it.
  package enum Speaker: String, CaseIterable, Sendable {
    case compiler = "Swift's compiler"
    case kit = "the kit"
    case csound = "Csound"
  }

  package let speaker: Speaker
  /// A part of the message's text.
  package let message: String
  /// Parts of other messages that mean the same.
  private let others: [String]
  /// The part as it is shown: a quotation that it begins is ended.
  package var shown: String {
    message.count { $0 == "'" }.isMultiple(of: 2) ? message : message + "…'"
  }
  package let meaning: String
  package let remedy: String

  private init(
    _ speaker: Speaker, _ message: String, also others: [String] = [], _ meaning: String,
    _ remedy: String
  ) {
    (self.speaker, self.message, self.others) = (speaker, message, others)
    (self.meaning, self.remedy) = (meaning, remedy)
  }

  /// Names that the compiler cannot find, as it says so.
  private static func lost(_ names: String...) -> [String] {
    names.map { "cannot find '\($0)' in scope" }
  }

  /// Whether it is about a message.
  package func isAbout(_ line: some StringProtocol) -> Bool {
    line.contains(message) || others.contains { line.contains($0) }
  }

  /// Prints the advice for each message in `said`, each once. If several fit a line, the first in the list is printed.
  package static func tell(of said: String, by speaker: Speaker) {
    let own = all.filter { $0.speaker == speaker }
    let lines = said.split(separator: "\n")
    let found = lines.compactMap { line in own.firstIndex { $0.isAbout(line) } }
    for index in Set(found).sorted() {
      let advice = own[index]
      printError("opcodekit: \"\(advice.shown)\": \(advice.meaning) \(advice.remedy)")
    }
  }

  /// Longer messages come before shorter ones that they contain.
  package static let all = ofCompiler + ofKit + ofCsound

  private static let ofCompiler = [
    Advice(
      .compiler, "called function is not available in this module",
      "'perform' calls what the compiler cannot look into: a C or Foundation function, a function of"
        + " another package that is not @inlinable, or, in a debug build whose manifest lacks the kit's"
        + " flags, one of another file.",
      "Math has the functions of C's and Csound's mathematics, Noise random numbers; what asks Csound for something,"
        + " such as a buffer or a message, belongs into init."),
    Advice(
      .compiler, "no such module '",
      "The plugin for any Csound is made without Foundation, Glibc and other modules of the system.",
      "Leave the import out: Math has the functions of mathematics, context.buffer(count:) memory, StringInput and"
        + " StringOutput text."),
    Advice(
      .compiler, "to expected argument type 'StaticString'",
      "An OpcodeError's sentence is known when the plugin is built; a text with \\(…) is not.",
      "Write OpcodeError(argument: \"icount\", is: value, mustBe: \"1 or more\"), or context.message(\"… \\(value)\")"
        + " before a plain sentence."),
    Advice(
      .compiler, "'value' is a get-only property", also: ["subscript is get-only"],
      "An input is read only.",
      "Write to an output; an array that the opcode changes in place is an ArrayInput<ControlOutput>."
    ),
    Advice(
      .compiler, "generic closures or local functions can cause metadata allocation or locks",
      "'perform' keeps a closure or passes it on.", "Take a method, or a loop."),
    Advice(
      .compiler, "can cause metadata allocation or locks",
      "'perform' uses what lies on the heap: an Array (also one written [1, 2]), a class, 'any Protocol'"
        + " or text.",
      "Take members, a Buffer made in init, or a type parameter."),
    Advice(
      .compiler, "this code performs reference counting operations which can cause locking",
      "'perform' holds something on the heap, such as an Array or a String.",
      "Take a Buffer made in init."),
    Advice(
      .compiler, "global/static variable initialization can cause locking",
      "A global is made when it is first used.",
      "Take a member that init sets, or a 'static var … { }' that only computes."),
    Advice(
      .compiler, "non-bitwise-copyable type", "An opcode's state lies in Csound's memory.",
      "Keep plain numbers, structs of them, Buffer."),
    Advice(
      .compiler, "in -no-allocations mode",
      "The plugin for any Csound has no heap of Swift's, in init passes either: no Array, Dictionary,"
        + " String or class.",
      "Ask for context.buffer(count:), and write texts as literals."),
    Advice(
      .compiler, "'self' is immutable",
      "'perform' changes the state.", "Write 'mutating func perform'."),
    Advice(
      .compiler, "does not conform to protocol 'InitOpcode'",
      "The init pass is missing, or has other arguments or another kind of error.",
      "Write 'init(_ arguments: Arguments, _ context: Context) throws(OpcodeError)'."),
    Advice(
      .compiler, "does not conform to protocol 'AudioOpcode'",
      "The performance pass is missing or has other arguments.",
      "Write 'mutating func perform(_ arguments: Arguments, _ context: Context)'."),
    Advice(
      .compiler, "cannot be converted to error type 'OpcodeError'",
      "A pass ends a note with the kit's error only.", "Throw OpcodeError(\"…\")."),
    Advice(
      .compiler, "cannot convert value of type 'ControlInput'",
      also: ["cannot convert value of type 'InitInput'"],
      "An argument is not its number.",
      "Write arguments.NAME.value, and Math.whole(arguments.NAME.value, in: 1...64) for a count."),
    Advice(
      .compiler, "cannot convert value of type 'AudioInput'",
      also: [
        "cannot assign value of type 'AudioInput'", "'AudioInput' has no member 'value'",
        "'AudioOutput' has no member 'value'", "'&' may only be used",
      ],
      "An audio signal has a number for each frame.",
      "Write 'for frame in context.frames { … }', and arguments.NAME[frame] in it."),
    Advice(
      .compiler, "is a 'let' constant",
      "A 'let' keeps its first value, and an argument stays what it is.",
      "Write to arguments.NAME.value or arguments.NAME[frame]; take 'var' for what changes."),
    Advice(
      .compiler, "cannot find 'sin' in scope",
      also: lost(
        "cos", "tan", "atan2", "exp", "log", "log10", "pow", "sqrt", "floor", "fmod", "fabs",
        "M_PI",
        "std"),
      "An opcode has no C library in scope.",
      "Math has its functions, as Math.sin; π is Double.pi; abs, min and max are Swift's."),
    Advice(
      .compiler, "'Buffer<Element>' initializer is inaccessible",
      also: lost("malloc", "calloc", "new", "Mutex") + ["'nil' cannot be assigned to type 'Buffer"],
      "Memory comes from Csound, in the init pass, and no pass may wait for a lock.",
      "Write 'private let memory: Buffer<Double>' and, in init, memory = try context.buffer(count: 64); Buffer.empty is"
        + " none, and a Shared<Int64> counts for all notes."),
    Advice(
      .compiler, "cannot find 'sr' in scope",
      also: lost("ksmps", "nsmps", "inargs", "outargs", "csound", "OK", "NOTOK")
        + ["'Context' has no member 'sr'"],
      "Opcodes in C++ have these names.",
      "Write context.sampleRate, context.frames and arguments.NAME; a pass returns nothing and throws OpcodeError. The"
        + " page 'I know CPOF' has both side by side."),
    Advice(
      .compiler, "C-style for statement",
      also: lost("double", "float", "int", "auto") + [
        "cannot find operator '++'", "expected 'func' keyword in instance method declaration",
      ],
      "That is C, not Swift.",
      "Write 'for frame in context.frames', 'let x = 0.5' or 'var x = 0.5', 'x += 1'."),
    Advice(
      .compiler, "of type 'Double' to expected argument type 'Int'",
      "A count and an index are whole numbers, and Swift converts none by itself.",
      "Write Math.whole(x, in: 0...63) for an index; a power is Math.pow(x, 2), not x ^ 2."),
    Advice(
      .compiler, "(aka 'Int') to expected argument type 'Double'",
      also: ["of type 'Int' to expected argument type 'Double'", "argument type 'Float'"],
      "Swift converts no number by itself; Csound's numbers are Double.",
      "Write Double(frame), and Double in place of Float."),
    Advice(
      .compiler, "use truncatingRemainder instead", "'%' is for whole numbers.",
      "Write Math.fraction(x) for a phase, Math.fmod(x, y) for other numbers."),
    Advice(
      .compiler, "operands of type 'Message'", also: ["instance method 'appendInterpolation'"],
      "A message is one text in quotes, with up to eight numbers and string arguments in it.",
      "Write context.message(\"\\(rate) Hz in \\(arguments.name)\")."),
    Advice(
      .compiler, "parameter #2 in macro expansion",
      "@Opcode takes the opcode's name and a line that says what it does.",
      "Write @Opcode(\"GAIN\", \"Gain in decibels\")."),
    Advice(
      .compiler, "cannot find 'register",
      "@Opcode writes registerNAME for the struct NAME.",
      "If the struct has @Opcode, correct the name; otherwise put @Opcode before it."),
  ]

  private static let ofKit = [
    Advice(
      .kit, "cannot stand for type letter",
      "An overload written by hand has a letter its field of Arguments is not made for.",
      "Change one of them, or let @Opcode write both."),
    Advice(
      .kit, "is an @Opcode that is not registered",
      "The library's registerOpcodes(in:) does not name the struct.",
      "Call the function that the message names there."),
    Advice(
      .kit, "the compiler proves nothing of",
      "A performance pass written by hand lacks an attribute, so it may allocate or lock.",
      "Write '@c @_noLocks @_noAllocation' before it."),
    Advice(
      .kit, "Nothing here is a plugin",
      "The plugin has none of the functions that Csound looks for.",
      "Put @Plugin before the enum that is the OpcodeLibrary."),
    Advice(
      .kit, "every call of it, and Csound takes the first that fits",
      "Csound has an opcode of this name and these types, and keeps it.", "Take another name."),
    Advice(
      .kit, "registered before it, so it is never called",
      "Two overloads have the same types.", "Remove one, or change its types."),
    Advice(
      .kit, "is outside a Buffer's elements",
      "An index is out of range; only debug builds look.",
      "Keep it in range with Math.whole or a comparison."),
    Advice(
      .kit, "Swift stopped it: NaN, infinity or a number out of range",
      "A number from the orchestra does not fit into an Int; a build for any Csound stops with 'Illegal"
        + " instruction' there.",
      "Math.whole(_:in:) keeps to a range."),
    Advice(
      .kit, "its init pass was skipped",
      "An igoto passed over the opcode, which has no state then.",
      "Make it a LateInitOpcode if its init only computes."),
  ]

  private static let ofCsound = [
    Advice(
      .csound, "Unexpected untyped word",
      "Csound does not know the opcode in that line: the plugin is not loaded.",
      "Name it with --opcode-lib=./build/libNAME.so, a slash in it, or run 'opcodekit install'."),
    Advice(
      .csound, "Unable to find opcode entry for",
      "Csound knows the opcode, but no overload has the types of this call.",
      "'opcodekit list' shows the letters; a k-rate value for an 'i' is one cause."),
    Advice(
      .csound, "used before defined",
      "An input has no value when the line is read first, which is no fault of the opcode.",
      "Set the variable in a line above."),
    Advice(
      .csound, "incompatible with this version of Csound",
      "The plugin is for another Csound: the first version is the plugin's, 4.0 for Csound 6, the second"
        + " Csound's.",
      "Take the other file: libNAME.so is for Csound 6.18, libNAME-csound7.so, of 'opcodekit build --csound"
        + " 7', for 7.0."),
    Advice(
      .csound, "could not open library",
      "The loader refuses the plugin; the reason stands behind it, such as a library or a glibc version"
        + " that is missing.",
      "Build with 'opcodekit build', whose last line says what it depends on."),
  ]

  /// The output of Swift's package manager without its progress, and without the remark that it always makes about the
  /// flags that the compiler's proof needs.
  static func withoutProgress(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in
        !line.contains(/^(\[\d+\/|Building for|Build (complete|of product))/)
          && !line.contains("'-enable-batch-mode'")
          && !line.hasPrefix("remark: Incremental compilation has been disabled")
      }
      .joined(separator: "\n")
  }
}
