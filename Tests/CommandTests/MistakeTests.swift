import Foundation
import Testing

/// What an author sees of mistakes that Swift's compiler does not recognise. Those that `@Opcode` refuses are in
/// `DeclarationTests`.
@Suite("Mistakes, crashes and edits in an author's own package", .serialized)
struct MistakeTests: PackageSuite {
  static let shared = Result { try AuthorPackage() }

  /// A struct with one type parameter, and performance passes for two types.
  static let comb = """
    import OpcodeKit

    struct Comb<Time: Signal>: ControlOpcode {
      struct Arguments: BitwiseCopyable {
        let output: ControlOutput
        let input: ControlInput
        let time: Time
      }
      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
      mutating func perform(_ arguments: Arguments, _ context: Context) {
        arguments.output.value = arguments.input.value
      }
    }

    @c @_noLocks @_noAllocation
    func comb_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
      Comb<ControlInput>.perform(csound, block)
    }

    @c @_noLocks @_noAllocation
    func comb_a(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
      Comb<AudioInput>.perform(csound, block)
    }

    func registerComb(in registry: inout some OpcodeRegistry) {
      registry.add(
        Overload(
          Comb<ControlInput>.self, "COMB.k", outputs: "k", inputs: "kk", summary: "Comb",
          initialize: { Comb<ControlInput>.initialize($0, $1) }, perform: comb_k))
      registry.add(
        Overload(
          Comb<AudioInput>.self, "COMB.a", outputs: "k", inputs: "ka", summary: "Comb",
          initialize: { Comb<AudioInput>.initialize($0, $1) }, perform: comb_a))
    }

    """

  struct Mistake: Sendable {
    /// A part of the good source, and the text that replaces it.
    var good, bad: String
    /// The message of `build`.
    var sentence: String
  }

  static let mistakes = [
    Mistake(
      good: "perform: comb_a", bad: "perform: comb_k",
      sentence: "Sources/Echoes/Comb.swift:31: COMB.a: the performance pass, 'comb_k', is that of"
        + " Comb<ControlInput>, and the overload is of Comb<AudioInput>; call Comb<AudioInput>.perform in"
        + " it."),
    Mistake(
      good: "{ Comb<AudioInput>.initialize", bad: "{ Comb<ControlInput>.initialize",
      sentence:
        "Sources/Echoes/Comb.swift:31: COMB.a: the init pass is that of Comb<ControlInput>, and the"
        + " overload is of Comb<AudioInput>; write 'initialize: { Comb<AudioInput>.initialize($0, $1) }'."
    ),
    Mistake(
      good: "inputs: \"ka\"", bad: "inputs: \"ki\"",
      sentence: "OpcodeKit refuses COMB.a: argument 3 of Arguments cannot stand for type letter 'i'"
    ),
    Mistake(
      good: "inputs: \"ka\"", bad: "inputs: \"k\"",
      sentence: "COMB.a: Arguments has 3 arguments but the type strings have 2"),
    Mistake(
      good: "@c @_noLocks @_noAllocation\nfunc comb_a", bad: "@c @_noLocks\nfunc comb_a",
      sentence: "Sources/Echoes/Comb.swift:31: COMB.a: the compiler proves nothing of 'comb_a', the"
        + " performance pass: write '@_noAllocation' before it."),
    Mistake(
      good: "perform: comb_a", bad: "perform: { Comb<AudioInput>.perform($0, $1) }",
      sentence: "COMB.a: the performance pass is a closure, of which the compiler proves nothing"),
    Mistake(
      good: "Comb<AudioInput>.self, \"COMB.a\", outputs: \"k\", inputs: \"ka\"",
      bad: "Comb<ControlInput>.self, \"COMB.k\", outputs: \"k\", inputs: \"kk\"",
      sentence: "has the types of 'COMB.k', registered before it, so it is never called"),
    Mistake(
      good: "\"COMB.k\"", bad: "\"tonek\"",
      sentence: "every call of it, and Csound takes the first that fits. Take another name."),
  ]

  /// A package with these sources of COMB, each with a number of its own in all names.
  static func combs(_ sources: [String], plugin: String = "@Plugin") throws -> AuthorPackage {
    let package = try empty()
    for (number, source) in sources.enumerated() {
      try package.write(numbered(source, number), to: "Sources/Echoes/Comb\(number).swift")
    }
    let calls = sources.indices.map { "registerComb\($0)(in: &registry)" }
    try package.write(
      """
      import OpcodeKit

      \(plugin)
      enum Library: OpcodeLibrary {
        static func registerOpcodes(in registry: inout some OpcodeRegistry) {
          \(calls.joined(separator: "\n    "))
        }
      }
      """, to: "Sources/Echoes/Library.swift")
    return package
  }

  private static func numbered(_ text: String, _ number: Int) -> String {
    text.replacing(/(Comb|COMB|comb)(?=[_.<:(]|: )/) { "\($0.1)\(number)" }
  }

  @Test("build refuses each mistake in a hand-written registration with a sentence")
  func handwritten() throws {
    let sources = Self.mistakes.map {
      Self.comb.replacing($0.good, with: $0.bad, maxReplacements: 1)
    }
    #expect(!sources.contains(Self.comb))
    let package = try Self.combs(sources)
    func refused(_ sentences: [String]) throws {
      try? Files.remove(package.directory + "/build/libechoes.so")
      let ending = try package.command("build").refused(1)
      for sentence in sentences {
        #expect(ending.errors.contains(sentence), "\(ending.output)\(ending.errors)")
      }
      #expect(!Files.exist(package.directory + "/build/libechoes.so"))
    }
    try refused(Self.mistakes.enumerated().map { Self.numbered($1.sentence, $0) })
    // Commands that need the plugin make none and tell the first mistake.
    for command in ["list", "install"] {
      let ending = try package.command(command).refused(65)
      #expect(
        ending.errors.contains(Self.numbered(Self.mistakes[0].sentence, 0)), "\(ending.errors)")
    }
    _ = try Self.combs([Self.comb], plugin: "")
    try refused([
      "Nothing here is a plugin: put @Plugin before the enum that is the OpcodeLibrary."
    ])
  }

  @Test("A hand-written registration without a mistake is built")
  func handwrittenWell() throws {
    try Self.combs([Self.comb]).command("list").good().says("COMB")
  }

  /// Reads an element of a buffer of 8, or makes an Int of a number. ChecksTests has the other ways to be outside.
  static let reader = """
    import OpcodeKit

    /// kout READER iwhich, kindex: what is there.
    @Opcode("READER", "An element")
    struct Reader: ControlOpcode {
      struct Arguments: BitwiseCopyable {
        let output: ControlOutput
        let which: InitInput
        let index: ControlInput
      }
      static let bufferCount = 1
      private let buffer: Buffer<Double>
      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
        buffer = try context.buffer(count: 8)
      }
      mutating func perform(_ arguments: Arguments, _ context: Context) {
        let index = Int(arguments.index.value)
        arguments.output.value = arguments.which.value == 1 ? buffer[index] : Double(index)
      }
    }
    """

  /// A debug build in stock csound names opcode, pass and index where one is out of range.
  func stopsOutside(_ package: AuthorPackage) throws {
    for (which, index, sentence) in [
      (1, "8", "index 8 is outside a Buffer's elements, of which there are 8."),
      (2, "log(-1)", "Swift stopped it: NaN, infinity or a number out of range"),
    ] {
      try package.write(
        """
        sr = 48000
        ksmps = 10
        instr 1
          kminus init -1
          kindex = \(index.replacing("-1", with: "kminus"))
          kout READER \(which), kindex
        endin
        """.csd(score: "i1 0 0.01"), to: "reader.csd")
      let ending = try run(
        "/usr/bin/csound",
        ["-n", "--opcode-lib=\(package.plugin(standalone: false))", "reader.csd"],
        directory: package.directory)
      #expect(ending.exitCode != 0)
      #expect(
        ending.errors.contains("READER, performance pass: " + sentence),
        "\(which) \(ending.errors.suffix(600))")
    }
    // The last of them, played: the same sentence, an end with the code of a crash, and no backtrace.
    let played = try package.command("watch", "reader.csd", "--play", "--device", "null").refused(
      76, "READER, performance pass: Swift stopped it")
    #expect(!played.errors.contains("Backtrace"), "\(played.errors)")
  }
}
