import Foundation
import HarnessBase
import PluginBuilding
import Testing

@Suite("Every message in the table of messages exists: what the table names really prints it")
struct MessageTests {
  /// By the compiler's message: a part of a good opcode, and the text that replaces it to provoke
  /// the message.
  static let slips = [
    "'self' is immutable": (
      "mutating func perform", "func perform"
    ),
    "does not conform to protocol 'InitOpcode'": ("throws(OpcodeError)", "throws"),
    "does not conform to protocol 'AudioOpcode'": (
      "perform(_ arguments: Arguments, _ context: Context)", "perform(_ arguments: Arguments)"
    ),
    "cannot be converted to error type 'OpcodeError'": (
      "throws(OpcodeError) {", "throws(OpcodeError) { throw CancellationError()"
    ),
    "cannot find 'register": (
      "private var phase", "private let list = registerNothing\nprivate var phase"
    ),
    "non-bitwise-copyable type": ("var phase = 0.0", "var name = \"\""),
    "to expected argument type 'StaticString'": (
      "throws(OpcodeError) {", "throws(OpcodeError) { throw OpcodeError(\"\\(1)\")"
    ),
    "'value' is a get-only property": ("phase += 1", "arguments.shape.value = 1"),
  ]

  static let slippery = DeclarationTests.opcode.replacing(
    "for frame in context.frames {", with: "phase += 1; for frame in context.frames {")

  @Test("What the compiler's messages mean is told of messages it has")
  func compilerMessages() throws {
    var sources: [String: String] = [:]
    for (number, slip) in Self.slips.values.enumerated() {
      sources["m\(number).swift"] = Self.slippery.replacing(slip.0, with: slip.1)
        .replacing("Tremble", with: "Tremble\(number)")
    }
    // A module that is missing is the compiler's only error.
    let errors =
      try compilerErrors(of: sources, "-wmo", "-typecheck")
      + compilerErrors(of: ["lost.swift": "import Nowhere\n"], "-wmo", "-typecheck")
    let refusals = Page.refusals.rows(below: "In a performance pass").map { $0[1] }.joined()
    for advice in Advice.all where advice.speaker == .compiler {
      let message = advice.message
      // GuideTests compiles the lines of that page.
      let isSaid =
        errors.contains(message) || Self.slips[message] == nil && refusals.contains(message)
      #expect(isSaid || message == "in -no-allocations mode", "\(message)\n\(errors)")
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
    try FileManager.default.createDirectories(other)
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
    try FileManager.default.removeItem(atPath: package.directory + "/Sources")
    let added = try package.command("add", "AWAY", "--out", "a", "--in", "ak").good()
    #expect(added.output.contains("Own/Code/Away.swift\n"), "\(added.output)")
    let built = try package.command("build")
    #expect(built.exitCode == 0 && built.output.contains("1 signature,"), "\(built.errors)")
    let unknown = try package.command("listt")
    #expect(unknown.errors.contains(" opcodekit --help lists"), "\(unknown.errors)")
    #expect(!unknown.errors.contains("./opcodekit"))
    #expect(try package.command("list", "--help").output.hasPrefix("opcodekit list"))
    #expect(try opcodekit("list", "--help").output.hasPrefix("./opcodekit list"))
  }
}
