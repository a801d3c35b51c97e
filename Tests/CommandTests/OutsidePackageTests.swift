import Foundation
import Sounds
import Testing

/// A package of its own, somewhere else, that depends on OpcodeKit by path.
@Suite("An author's own package", .serialized)
struct OutsidePackageTests {
  let directory: String

  /// The README's Swift: the opcode with its entry points, and the manifest.
  static let (opcode, manifest): (String, String) = {
    let readme = try! String(contentsOfFile: root + "/README.md", encoding: .utf8)
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    return (blocks[0] + "\n" + blocks[1], blocks[2])
  }()

  init() throws {
    directory = try temporaryDirectory()
    try write(
      "Package.swift",
      Self.manifest.replacingOccurrences(of: "../OpcodeKit", with: root))
    try write("Sources/OnePole/OnePole.swift", Self.opcode)
    try write(
      "onepole.csd",
      """
      <CsoundSynthesizer>
      <CsInstruments>
      sr = 48000
      ksmps = 10
      nchnls = 3
      0dbfs = 1
      instr 1
        anoise rand 0.5, 0.5, 1
        acutoff linseg 1000, 1, 1000
        ak ONEPOLE anoise, 1000
        aa ONEPOLE anoise, acutoff
        outc ak, aa, anoise
      endin
      </CsInstruments>
      <CsScore>
      i1 0 0.1
      </CsScore>
      </CsoundSynthesizer>
      """)
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
    let plugin = directory + (standalone ? "/.standalone" : "/.build") + "/release/libonepole.so"
    let played = try run(
      "/usr/bin/csound",
      ["--opcode-lib=\(plugin)", "onepole.csd", "-o", "out.wav", "--format=double"],
      directory: directory)
    #expect(played.exitCode == 0, "\(played.errors)")
    let sound = try Sound(readingFrom: directory + "/out.wav")
    let weight = 1 - exp(-2 * Double.pi * 1000 / 48_000)
    var (expected, worst, energy) = (0.0, 0.0, 0.0)
    for frame in 0..<sound.frameCount {
      let samples = sound.samples[3 * frame..<3 * frame + 3]
      expected += (samples[3 * frame + 2] - expected) * weight
      energy += expected * expected
      worst = max(worst, abs(samples[3 * frame] - expected), abs(samples[3 * frame + 1] - expected))
    }
    #expect(energy > 1)
    #expect(worst < 1e-12)

    try survivesUnloading(plugin)

    let linted = try opcodekit("lint", plugin)
    #expect(linted.exitCode == 0, "\(linted.output)\(linted.errors)")
    #expect(linted.output.contains("libonepole.so: 2 signatures, 0 GENs, 0 faults, 0 notes"))
  }

  @Test("lint names an overload that the kit refuses in a plugin with the Swift runtime")
  func refusedOverload() throws {
    let wrong = Self.opcode.replacingOccurrences(
      of: #""ONEPOLE.k", outputs: "a", inputs: "ak""#,
      with: #""ONEPOLE.k", outputs: "a", inputs: "ai""#)
    try #require(wrong != Self.opcode)
    try write("Sources/OnePole/OnePole.swift", wrong)
    let ending = try build(standalone: false)
    try #require(ending.exitCode == 0, "\(ending.output)\(ending.errors)")
    let linted = try opcodekit("lint", directory + "/.build/release/libonepole.so")
    #expect(linted.exitCode == 1)
    #expect(
      linted.output.contains("fault kit-refusal: OpcodeKit refuses ONEPOLE.k: argument 3"),
      "\(linted.output)\(linted.errors)")
    #expect(linted.output.contains("libonepole.so: 1 signature, 0 GENs, 1 fault, 0 notes"))
  }

  /// Csound unloads the plugins of its directory with every engine. A plugin with the Swift runtime
  /// in it crashes the second engine of a process if the kit lets it go.
  func survivesUnloading(_ plugin: String) throws {
    let plugins = directory + "/plugins"
    try? FileManager.default.removeItem(atPath: plugins)
    try write("plugins/.keep", "")
    try FileManager.default.copyItem(atPath: plugin, toPath: plugins + "/libonepole.so")
    var pairing = try String(contentsOfFile: root + "/Benchmarks/MOOGLADDER.json", encoding: .utf8)
    for (old, new) in [
      (#""subject": "MOOGLADDER""#, #""subject": "ONEPOLE", "usesInstalledPlugins": true"#),
      (#""rival": "moogladder""#, #""rival": "tone""#),
    ] {
      pairing = pairing.replacingOccurrences(of: old, with: new)
    }
    try write("Benchmarks/ONEPOLE.json", pairing)
    let orchestra = try String(contentsOfFile: root + "/csd/MOOGLADDER.csd", encoding: .utf8)
    try write(
      "csd/MOOGLADDER.csd",
      orchestra.replacingOccurrences(of: ", $RESONANCERATE.resonance", with: ""))
    let lives = try run(
      tool,
      ["compare", "ONEPOLE", "--rates", "kk", "--ksmps", "64", "--sample-rate", "48000"],
      environment: ["OPCODEKIT_ROOT": directory, "OPCODE6DIR64": plugins])
    #expect(lives.exitCode == 1)
    #expect(lives.output.contains("the null depth"), "\(lives.output)\(lives.errors)")
    #expect(!lives.output.contains("crashed"))
  }

  @Test(
    "The compiler refuses to allocate, lock or count references in a performance pass",
    arguments: [
      "var list: [Double] = []; list.append(arguments.input[0]); arguments.output[0] = list[0]",
      "let text = \"\\(arguments.input[0])\"; arguments.output[0] = Double(text.utf8.count)",
      "let box = Box(); box.value = arguments.input[0]; arguments.output[0] = box.value",
    ])
  func refusal(body: String) throws {
    let bad =
      Self.opcode.replacingOccurrences(
        of: "for frame in context.frames {", with: "\(body)\nfor frame in context.frames {")
      + "\nfinal class Box { var value = 1.0 }\n"
    try write("Sources/OnePole/OnePole.swift", bad)
    for standalone in [true, false] {
      let ending = try build(standalone: standalone)
      #expect(ending.exitCode != 0)
      let words = ["performance", "allocat", "lock", "metadata", "reference counting"]
      let said = ending.output + ending.errors
      #expect(words.contains { said.contains($0) }, "\(said)")
    }
  }
}
