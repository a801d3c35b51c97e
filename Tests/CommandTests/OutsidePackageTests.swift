import Foundation
import Harness
import Testing

/// A package of its own, somewhere else, that depends on OpcodeKit by path.
@Suite("An author's own package", .serialized)
struct OutsidePackageTests {
  let directory: String

  static let opcode = """
    import OpcodeKit

    struct Gain<Amount: Signal>: Opcode {
      struct Arguments: BitwiseCopyable {
        let output: AudioOutput
        let input: AudioInput
        let amount: Amount
      }
      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

      mutating func perform(_ arguments: Arguments, _ context: Context) {
        for frame in context.frames {
          arguments.output[frame] = arguments.input[frame] * arguments.amount[frame]
        }
      }
    }

    @c func outside_gain_k_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
      Gain<ControlInput>.initialize(csound, block)
    }
    @c @_noLocks @_noAllocation
    func outside_gain_k(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
      Gain<ControlInput>.perform(csound, block)
    }
    @c func outside_gain_a_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
      Gain<AudioInput>.initialize(csound, block)
    }
    @c @_noLocks @_noAllocation
    func outside_gain_a(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
      Gain<AudioInput>.perform(csound, block)
    }

    @c public func csound_opcode_init(
      _ csound: CsoundPointer, _ table: OpcodeTablePointer?
    ) -> Int64 {
      var registry = CsoundRegistry(csound)
      registry.add(
        Overload(
          Gain<ControlInput>.self, "OUTSIDEGAIN.k", outputs: "a", inputs: "ak",
          summary: "Gain", initialize: outside_gain_k_init, perform: outside_gain_k))
      registry.add(
        Overload(
          Gain<AudioInput>.self, "OUTSIDEGAIN.a", outputs: "a", inputs: "aa",
          summary: "Gain", initialize: outside_gain_a_init, perform: outside_gain_a))
      return 0
    }

    @c public func csoundModuleInfo() -> CInt { csoundModuleVersion }
    """

  init() throws {
    directory = try temporaryDirectory()
    try write(
      "Package.swift",
      """
      // swift-tools-version: 6.1
      import PackageDescription
      let standalone = Context.environment["OPCODEKIT_STANDALONE"] == "1"
      let package = Package(
        name: "Outside",
        products: [.library(name: "outside", type: .dynamic, targets: ["Outside"])],
        dependencies: [.package(name: "OpcodeKit", path: "\(root)")],
        targets: [
          .target(
            name: "Outside", dependencies: [.product(name: "OpcodeKit", package: "OpcodeKit")],
            swiftSettings: standalone ? [.enableExperimentalFeature("Embedded")] : [],
            linkerSettings: [.linkedLibrary("m")])
        ])
      """)
    try write("Sources/Outside/Gain.swift", Self.opcode)
    try write(
      "gain.csd",
      """
      <CsoundSynthesizer>
      <CsInstruments>
      ksmps = 10
      0dbfs = 1
      instr 1
        aone linseg 1, 1, 1
        k1 = 0.25
        ak OUTSIDEGAIN aone, k1
        aa OUTSIDEGAIN ak, ak
        outs ak, aa
      endin
      </CsInstruments>
      <CsScore>
      i1 0 0.1
      </CsScore>
      </CsoundSynthesizer>
      """.replacingOccurrences(of: "ksmps = 10", with: "ksmps = 10\nnchnls = 2"))
  }

  func write(_ name: String, _ text: String) throws {
    let path = directory + "/" + name
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  func build(standalone: Bool) throws -> Ending {
    try run(
      "/usr/bin/env",
      ["swift", "build", "-c", "release", "--scratch-path", standalone ? ".standalone" : ".build"]
        + (standalone ? ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-no-allocations"] : []),
      environment: standalone ? ["OPCODEKIT_STANDALONE": "1"] : [:], directory: directory)
  }

  @Test("It builds in both modes and its opcode plays in stock csound", arguments: [true, false])
  func plays(standalone: Bool) throws {
    let ending = try build(standalone: standalone)
    try #require(ending.exitCode == 0, "\(ending.output)\(ending.errors)")
    let plugin = directory + (standalone ? "/.standalone" : "/.build") + "/release/liboutside.so"
    let played = try run(
      "/usr/bin/csound",
      ["--opcode-lib=\(plugin)", "gain.csd", "-o", "out.wav", "--format=double"],
      directory: directory)
    #expect(played.exitCode == 0, "\(played.errors)")
    let sound = try Sound(readingFrom: directory + "/out.wav")
    for (index, sample) in sound.samples.enumerated() where sample != 0 {
      #expect(sample == (index % 2 == 0 ? 0.25 : 0.0625))
    }
    #expect(sound.samples.contains(0.25))

    // A plugin with the Swift runtime in it would crash here if the kit let Csound unload it.
    let lives = try run(
      tool, ["compare", "PORTK", "--plugin", plugin], environment: ["OPCODEKIT_ROOT": root])
    #expect(lives.exitCode == 65)
    #expect(lives.errors.contains("PORTK"))
  }

  @Test(
    "The compiler refuses to allocate, lock or count references in a performance pass",
    arguments: [
      "var list: [Double] = []; list.append(arguments.input[0]); arguments.output[0] = list[0]",
      "let text = \"\\(arguments.input[0])\"; arguments.output[0] = Double(text.utf8.count)",
      "let box = Box(); box.value = arguments.input[0]; arguments.output[0] = box.value",
    ])
  func refusal(body: String) throws {
    let bad = Self.opcode.replacingOccurrences(
      of: "for frame in context.frames {", with: "\(body)\nfor frame in context.frames {")
      + "\nfinal class Box { var value = 1.0 }\n"
    try write("Sources/Outside/Gain.swift", bad)
    for standalone in [true, false] {
      let ending = try build(standalone: standalone)
      #expect(ending.exitCode != 0)
      let words = ["performance", "allocat", "lock", "metadata", "reference counting"]
      let said = ending.output + ending.errors
      #expect(words.contains { said.contains($0) }, "\(said)")
    }
  }
}
