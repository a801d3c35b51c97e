import Foundation
import Testing

/// What an author sees of an opcode that crashes.
extension MistakeTests {
  /// Reads far outside its buffer. A release build does not notice that and crashes.
  static let beyond = library(
    """
    import OpcodeKit

    /// aout BEYOND ain, kcutoff: what is not there.
    @Opcode("BEYOND", "What is not there")
    struct Beyond: AudioOpcode {
      struct Arguments: BitwiseCopyable {
        let output: AudioOutput
        let input: AudioInput
        let cutoff: ControlInput
      }
      static let bufferCount = 1
      private let buffer: Buffer<Double>
      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
        buffer = try context.buffer(count: 8)
      }
      mutating func perform(_ arguments: Arguments, _ context: Context) {
        for frame in context.frames {
          arguments.output[frame] = buffer[frame + 1_000_000_000]
        }
      }
    }

    """, registering: "Beyond", "Reader")

  /// An opcode for which the compiler makes 2560 copies of one function, and one with a single
  /// copy.
  static let copied = library(
    """
    import OpcodeKit

    /// iout LARGE iin
    @Opcode("LARGE", "Much code")
    struct Large: InitOpcode {
      struct Arguments: BitwiseCopyable {
        let output: InitOutput
        let input: InitInput
      }
      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
        var sum = arguments.input.value
        Self.thousands(&sum)
        arguments.output.value = sum
      }
      @inline(__always) private static func one(_ sum: inout Double) {
        sum += Math.sin(sum) * 0.5 + Math.cos(sum) * 0.25
      }
      @inline(__always) private static func eight(_ sum: inout Double) {
        one(&sum); one(&sum); one(&sum); one(&sum); one(&sum); one(&sum); one(&sum); one(&sum)
      }
      @inline(__always) private static func many(_ sum: inout Double) {
        eight(&sum); eight(&sum); eight(&sum); eight(&sum); eight(&sum); eight(&sum); eight(&sum); eight(&sum)
      }
      @inline(__always) private static func hundreds(_ sum: inout Double) {
        many(&sum); many(&sum); many(&sum); many(&sum); many(&sum); many(&sum); many(&sum); many(&sum)
      }
      private static func thousands(_ sum: inout Double) {
        hundreds(&sum); hundreds(&sum); hundreds(&sum); hundreds(&sum); hundreds(&sum)
      }
    }

    /// iout SMALL iin
    @Opcode("SMALL", "Little code")
    struct Small: InitOpcode {
      struct Arguments: BitwiseCopyable {
        let output: InitOutput
        let input: InitInput
      }
      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
        arguments.output.value = Math.sin(arguments.input.value)
      }
    }

    """, registering: "Large", "Small")

  @Test("build tells of an opcode whose code is very large, and of no other")
  func large() throws {
    let package = try Self.package(Self.copied)
    let built = try package.command("build", "--costs").good()
    // Most of the time goes there too, and the table shows it.
    let rows = built.output.split(separator: "\n").map { $0.split(separator: " ") }
    let large = try #require(rows.first { $0.first == "LARGE" })
    let small = try #require(rows.first { $0.first == "SMALL" })
    let share = try #require(Double(large[2]))
    #expect(try share > 50 && share > 20 * #require(Double(small[2])), "\(built.output)")
    #expect(try #require(Double(large[4])) > 100, "\(built.output)")
    #expect(built.errors.contains(/LARGE: the code of 'Large' has \d{3} kB/), "\(built.errors)")
    #expect(!built.errors.contains("SMALL"))
  }

  static let sentence =
    "BEYOND, performance pass: index 1000000000 is outside a Buffer's elements, of which there are 8."
  /// What follows in a piece that calls it with a one and 1000.
  static let place = " Inputs: aone = 1 at frame 0, 1000. It was in OnePole.swift, line 18."

  @Test(
    "A crash is told with the debug build's sentence: opcode, pass, index, inputs and line, once")
  func crashes() throws {
    let package = try Self.package(Self.beyond)
    try package.write(Self.reader, to: "Sources/Echoes/Reader.swift")
    try package.write(
      """
      ksmps = 10
      instr 1
        aone linseg 1, 1, 1
        out BEYOND(aone, 1000)
      endin
      """.csd(score: "i1 0 0.1"), to: "beyond.csd")
    try package.write(
      """
      { "subject": "BEYOND", "rival": "tone", "call": "aout BEYOND ain, kcutoff",
        "controls": { "cutoff": [20, 2000] } }
      """, to: "Benchmarks/BEYOND.json")
    func count(_ words: [String], _ sentence: String = Self.sentence) throws -> Int {
      let ending = try package.command(words)
      #expect(ending.exitCode != 0, "\(words)")
      let said = ending.output + ending.errors
      #expect(said.contains("crash"), "\(words) \(said.suffix(2000))")
      return said.components(separatedBy: sentence).count - 1
    }
    let checks = ["--checks", "render-noise,render-silence,edges-every-sample"]
    let compare = ["compare", "BEYOND", "--ksmps", "64", "--sample-rate", "48000"]
    // For a release build, a debug build plays the same again.
    #expect(
      try count(["render", "beyond.csd", "-o", "beyond.wav"], Self.sentence + Self.place) == 1)
    #expect(try count(["validate", "BEYOND"] + checks) == 1)
    #expect(try count(compare) >= 1)
    #expect(try count(["bench", "BEYOND", "--ksmps", "64"]) >= 1)
    // A debug build prints the sentence by itself.
    let plugin = ["--plugin", package.plugin(standalone: false)]
    #expect(
      try count(["render", "beyond.csd", "-o", "beyond.wav"] + plugin, Self.sentence + Self.place)
        == 1)
    #expect(try count(["validate", "BEYOND"] + checks + plugin) == 1)
    try stopsOutside(package)
    if Csound7.lack == nil {
      let seven = ["render", "beyond.csd", "-o", "beyond.wav", "--csound", "7"]
      #expect(try count(seven, Self.sentence + Self.place) == 1)
    }
    // A release build outside its package.
    #expect(try package.command("build").exitCode == 0)
    let alone = try temporaryDirectory() + "/libalone.so"
    try Files.copy(package.directory + "/build/libechoes.so", to: alone)
    try package.command("render", "beyond.csd", "-o", "beyond.wav", "--plugin", alone).tells(
      "then --plugin .build/debug/libalone.so.")
  }
}
