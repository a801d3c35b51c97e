import Foundation
import HarnessBase
import PluginBuilding
import Testing

@Suite("Every message in the table of messages exists: what the table names really prints it")
struct MessageTests {
  /// An opcode without a mistake.
  static let good = """
    import OpcodeKit

    @Opcode("TREM", "Tremolo")
    struct Trem: AudioOpcode {
      struct Arguments: BitwiseCopyable {
        let output: AudioOutput
        let input: AudioInput
        let rate: ControlInput
        let count: InitInput
      }
      static let bufferCount = 1
      private var phase = 0.0
      private let memory: Buffer<Double>
      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
        memory = try context.buffer(count: 64)
      }
      mutating func perform(_ arguments: Arguments, _ context: Context) {
        for frame in context.frames {
          phase += arguments.rate.value
          arguments.output[frame] = phase
        }
      }
    }
    """

  /// What newcomers to Swift and authors of C++ write in place of a part of the opcode, and what they are told: by the
  /// compiler alone where that helps, or else with an advice.
  static let slips: [(good: String, bad: String, message: String, isAdvised: Bool)] = [
    ("= phase", "= phase * arguments.rate", "cannot convert value of type 'ControlInput'", true),
    ("count: 64", "count: arguments.count", "cannot convert value of type 'InitInput'", true),
    ("= phase", "= arguments.input * 0.5", "cannot convert value of type 'AudioInput'", true),
    ("output[frame] = phase", "output = arguments.input", "is a 'let' constant", true),
    ("output[frame] = phase", "output.value = 0", "has no member 'value'", true),
    ("= phase", "= arguments.input.value", "has no member 'value'", true),
    ("= phase", "= 0; arguments.input[frame] = 0", "subscript is get-only", true),
    ("+= arguments.rate.value", "+= 1; arguments.rate.value = 1", "is a get-only property", true),
    ("mutating func perform", "func perform", "'self' is immutable", true),
    ("= phase", "= sin(phase)", "cannot find 'sin' in scope", true),
    ("= phase", "= std.sin(phase)", "cannot find 'std' in scope", true),
    ("= phase", "= Math.sin(2 * M_PI * phase)", "cannot find 'M_PI' in scope", true),
    ("= phase", "= phase + frame", "(aka 'Int') to expected argument type 'Double'", true),
    ("= phase", "= min(phase, frame)", "(aka 'Int') to expected argument type 'Double'", true),
    ("phase = 0.0", "phase: Float = 0", "to expected argument type 'Float'", true),
    ("= phase", "= memory[phase]", "'Double' to expected argument type 'Int'", true),
    ("64", "context.sampleRate", "'Double' to expected argument type 'Int'", true),
    ("= phase", "= phase ^ 2", "'Double' to expected argument type 'Int'", true),
    ("= phase", "= phase % 1.0", "use truncatingRemainder instead", true),
    ("= phase", "= phase ? 1 : 0", "to expected condition type 'Bool'", false),
    ("= phase", "= memory(frame)", "cannot call value of non-function type", false),
    ("= 0.0", "= [Double](repeating: 0, count: 9)", "non-bitwise-copyable type", true),
    ("= 0.0", "= 0.0, thing = Thing(); class Thing {}", "non-bitwise-copyable type", true),
    ("try context", "context", "call can throw but is not marked with 'try'", false),
    ("(count: 64)", "(64)", "missing argument for parameter 'count'", false),
    ("Buffer<Double>", "Buffer", "generic type 'Buffer' requires arguments in <...>", false),
    ("try context.buffer(count: 64)", "nil", "'nil' cannot be assigned to type 'Buffer", true),
    ("try context.buffer(count: 64)", "new Buffer(64)", "cannot find 'new' in scope", true),
    ("try context.buffer(count: 64)", "malloc(64)", "cannot find 'malloc' in scope", true),
    ("= phase", "= 0; let lock = Mutex(0)", "cannot find 'Mutex' in scope", true),
    ("throws(OpcodeError)", "throws", "does not conform to protocol 'InitOpcode'", true),
    ("throws(OpcodeError) {", "throws(OpcodeError) { throw \"low\"", "to error type", true),
    (
      "throws(OpcodeError) {", "throws(OpcodeError) { throw OpcodeError(\"\\(1)\")",
      "to expected argument type 'StaticString'", true
    ),
    ("64)", "64); context.message(\"\" + 1.5)", "operands of type 'Message'", true),
    ("64)", "64); context.message(\"\\([1])\")", "method 'appendInterpolation'", true),
    ("perform(_ a", "perform(a", "does not conform to protocol 'AudioOpcode'", true),
    ("Arguments, _ context: Context) {", "Arguments) {", "conform to protocol 'AudioOp", true),
    ("count: InitInput", "count: InitInput = 3", "write @Default(…) before 'let'", false),
    ("rate: ControlInput", "rate: Double", "'Double' is no argument type", false),
    ("struct Trem", "class Trem", "@Opcode stands before the struct", false),
    (", \"Tremolo\"", "", "missing argument for parameter #2 in macro expansion", true),
    ("@Opcode(\"TREM\", \"Tremolo\")", "let all = registerTrem", "cannot find 'register", true),
    ("context.frames", "0..<context.ksmps", "Some of these frames may lie before", false),
    ("for frame in context.frames", "for (int i = 0; i < 9; i++)", "C-style for", true),
    ("phase += arguments.rate.value", "phase++", "cannot find operator '++'", true),
    ("= phase", "= 0; double x = phase", "cannot find 'double' in scope", true),
    ("private var phase =", "const double phase =", "expected 'func' keyword", true),
    ("= phase", "= 0; if phase > 1 phase -= 1", "expected '{' after 'if' condition", false),
    ("= phase", "= phase / sr", "cannot find 'sr' in scope", true),
    ("= phase", "= phase / context.sr", "has no member 'sr'", true),
    ("+= arguments.rate.value", "+= inargs[1]", "cannot find 'inargs' in scope", true),
    ("= phase", "= phase; return OK", "cannot find 'OK' in scope", true),
    ("= phase", "= 0; let out = &arguments.output", "'&' may only be used", true),
  ]

  @Test("The likeliest mistakes of newcomers and of authors of C++ have a sentence that helps")
  func compilerMessages() throws {
    var sources: [String: String] = [:]
    for (number, slip) in Self.slips.enumerated() {
      let text = Self.good.replacing(slip.good, with: slip.bad, maxReplacements: 1)
      try #require(text != Self.good, "\(slip.good)")
      sources["m\(number).swift"] = text.replacing("Trem", with: "Trem\(number)")
    }
    // A module that is missing is the compiler's only error.
    let errors =
      try compilerErrors(of: sources, "-wmo", "-typecheck")
      + compilerErrors(of: ["lost.swift": "import Nowhere\n"], "-wmo", "-typecheck")
    let lines = errors.split(separator: "\n")
    let all = Advice.all.filter { $0.speaker == .compiler }
    for (number, slip) in Self.slips.enumerated() {
      let own = lines.filter { $0.hasPrefix("m\(number).swift:") }
      let said = own.filter { $0.contains(slip.message) }
      #expect(!said.isEmpty, "\(slip.bad): \(own)")
      #expect(
        said.contains { line in all.contains { $0.isAbout(line) } } == slip.isAdvised, "\(said)")
    }
    // GuideTests compiles the lines of that page.
    let refusals = Page.refusals.rows(below: "In a performance pass").map { $0[1] }
    for advice in all where advice.message != "in -no-allocations mode" {
      #expect(
        (lines + refusals.map { $0[...] }).contains(where: advice.isAbout), "\(advice.message)")
    }
  }

  @Test("What the plugin for any Csound refuses in an init pass is told with what it means")
  func heapInInit() throws {
    let package = try AuthorPackage()
    try package.clear()
    try package.write(
      onePole.replacing(
        "sampleRate = context.sampleRate",
        with: "let rates = [1, context.sampleRate]; sampleRate = rates[Int(context.sampleRate) % 2]"
      ), to: "Sources/Echoes/OnePole.swift")
    try package.command("build").refused(
      65, "\"in -no-allocations mode\": The plugin for any Csound has no heap")
  }

  @Test("What the kit's messages mean is told of messages that tests have seen")
  func kitMessages() throws {
    let tests = try FileManager.default.subpathsOfDirectory(atPath: root + "/Tests")
      .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/MessageTests.swift") }
      .map { try String(file: root + "/Tests/" + $0) }.joined()
    // A message may be split over several lines of source.
    let sentences = tests.replacing(/"\s*\+\s*"/, with: "")
    for advice in Advice.all where advice.speaker == .kit {
      #expect(sentences.contains(advice.message), "\(advice.message)")
    }
  }

  @Test("What Csound's messages mean is told of messages it has")
  func csoundMessages() throws {
    let directory = try temporaryDirectory()
    try "no plugin".save(to: directory + "/libjunk.so")
    let provoked = [
      "Unexpected untyped word": ("aout NOTHING 1", [:]),
      "Unable to find opcode entry for": ("aout ONEPOLE \"text\", 1", [:]),
      "used before defined": ("aout ONEPOLE anything, 1", [:]),
      "could not open library": ("aout oscili 1, 1", ["OPCODE6DIR64": directory]),
      "incompatible with this version of Csound": (
        "aout oscili 1, 1", ["OPCODE6DIR64": directory + "/other"]
      ),
    ]
    // The plugin claims to be for Csound 7.
    let other = directory + "/other"
    try Files.makeDirectories(other)
    try "int csoundModuleInfo(void) { return 0x70008; }".save(to: other + "/other.c")
    try run(
      try #require(Clang.path), ["-shared", "-fPIC", "-o", "libother.so", "other.c"],
      directory: other
    ).good()
    let rows = Advice.all.filter { $0.speaker == .csound }
    #expect(Set(rows.map(\.message)) == Set(provoked.keys))
    for (message, (line, environment)) in provoked {
      let piece = """
        instr 1
          \(line)
        endin
        """.csd(score: "e")
      try piece.save(to: directory + "/piece.csd")
      let ending = try run(
        "/usr/bin/csound", ["-n", "--opcode-lib=\(standalonePlugin.get())", "piece.csd"],
        environment: environment, directory: directory)
      #expect(ending.errors.contains(message), "\(message)\n\(ending.errors)")
    }
  }

  @Test(
    "add works where the Swift files lie elsewhere than in Sources, and messages call the tool as its user does"
  )
  func elsewhereThanSources() throws {
    let package = try AuthorPackage()
    let manifest = package.directory + "/Package.swift"
    let text = try String(file: manifest)
    try text.replacing(
      "swiftSettings: [", with: "path: \"Own/Code\", swiftSettings: [", maxReplacements: 1
    )
    .save(to: manifest)
    try package.write(emptyLibrary, to: "Own/Code/Library.swift")
    try Files.remove(package.directory + "/Sources")
    try package.command("add", "AWAY", "--out", "a", "--in", "ak").good().says(
      "Own/Code/Away.swift\n")
    try package.command("build").good().says("1 signature,")
    let unknown = try package.command("listt").tells(" opcodekit --help lists")
    #expect(!unknown.errors.contains("./opcodekit"))
    #expect(try package.command("list", "--help").output.hasPrefix("opcodekit list"))
    #expect(try opcodekit("list", "--help").output.hasPrefix("./opcodekit list"))
  }
}
