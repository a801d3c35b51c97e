import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

/// A package of an author's own, built by Swift's package manager, too.
@Suite("An author's own package", .serialized)
struct OutsidePackageTests: PackageSuite {
  static let shared = Result { try AuthorPackage() }

  @Test("It builds in both modes and its opcode plays in stock csound", arguments: [true, false])
  func plays(standalone: Bool) throws {
    let package = try Self.package()
    try package.build(standalone: standalone).good()
    let plugin = package.plugin(standalone: standalone)
    try package.write(Self.orchestra, to: "onepole.csd")
    try run(
      "/usr/bin/csound",
      ["--opcode-lib=\(plugin)", "onepole.csd", "-o", "out.wav", "--format=double"],
      directory: package.directory
    ).good()
    let sound = try Sound(readingFrom: package.directory + "/out.wav")
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

    try survivesUnloading(plugin, package)

    try opcodekit("lint", plugin).good().says(
      "libechoes.so: 2 signatures, 0 GENs, 0 faults, 0 notes")
  }

  /// Csound unloads the plugins of its directory with every engine. If a plugin contains the Swift
  /// runtime, the second engine of a process would crash, unless the kit keeps the plugin loaded.
  func survivesUnloading(_ plugin: String, _ package: AuthorPackage) throws {
    let plugins = package.directory + "/plugins"
    try? Files.remove(plugins)
    try package.write("", to: "plugins/.keep")
    try Files.copy(plugin, to: plugins + "/libechoes.so")
    var pairing = try String(file: root + "/Benchmarks/MOOGLADDER.json")
    for (old, new) in [
      (#""subject": "MOOGLADDER""#, #""subject": "ONEPOLE", "usesInstalledPlugins": true"#),
      (#""rival": "moogladder""#, #""rival": "tone""#),
    ] {
      pairing = pairing.replacingOccurrences(of: old, with: new)
    }
    try package.write(pairing, to: "Benchmarks/ONEPOLE.json")
    let orchestra = try String(file: root + "/csd/MOOGLADDER.csd")
    try package.write(
      orchestra.replacingOccurrences(of: ", $RESONANCERATE.resonance", with: ""),
      to: "csd/MOOGLADDER.csd")
    try linkPlugin(into: package.directory)
    defer {
      try? Files.remove(package.directory + "/build/libopcodes.so")
    }
    let lives = try opcodekit(
      ["compare", "ONEPOLE", "--rates", "kk", "--ksmps", "64", "--sample-rate", "48000"],
      root: package.directory, environment: ["OPCODE6DIR64": plugins]
    ).refused(1).says("the null depth")
    #expect(!lives.output.contains("crashed"))
  }

  @Test("The compiler refuses to allocate, lock or count references in a performance pass")
  func refusal() throws {
    let bodies = [
      "var list: [Double] = []; list.append(arguments.input[0]); arguments.output[0] = list[0]",
      "let text = \"\\(arguments.input[0])\"; arguments.output[0] = Double(text.utf8.count)",
      "let box = Box(); box.value = arguments.input[0]; arguments.output[0] = box.value",
      "arguments.output[0] = [0.5, 0.25][0]",
    ]
    let package = try Self.package(onePole + "\nfinal class Box { var value = 1.0 }\n")
    let source = Page.arguments.file("Sources/Echoes/OnePole.swift")
    for (number, body) in bodies.enumerated() {
      try package.write(
        source.replacing(
          "for frame in context.frames {", with: "\(body)\nfor frame in context.frames {"
        ).replacing("OnePole", with: "Bad\(number)").replacing("ONEPOLE", with: "BAD\(number)"),
        to: "Sources/Echoes/Bad\(number).swift")
    }
    for standalone in [true, false] {
      let ending = try package.build(standalone: standalone)
      #expect(ending.exitCode != 0)
      let said = (ending.output + ending.errors).split(separator: "\n")
      for number in bodies.indices {
        let isRefused = said.contains { line in
          line.contains("Bad\(number).swift:") && line.contains("error:")
            && line.contains(/performance|allocat|lock|metadata|reference counting/)
        }
        #expect(isRefused, "\(number): \(ending.output)\(ending.errors)")
      }
      guard standalone else { continue }
      // What it means here.
      ending.refused(
        65, "Take members, a Buffer made in init, or a type parameter",
        "The build of 'echoes' failed")
    }
  }

  @Test("Packages share the compiled kit; one that depends on another copy compiles that copy")
  func sharedKit() throws {
    let package = try Self.package()
    let release =
      "\(package.directory)/\(BuildTarget(.tools, .own, level: Processor.playedLevel).scratch)/release"
    /// Builds the package anew; returns whether that compiled the kit.
    func buildsKit() throws -> Bool {
      try? Files.remove(release.replacing("/release", with: ""))
      try? Files.remove(package.directory + "/build")
      try package.command("list").good().says("ONEPOLE.k")
      let objects = try Files.names(in: release + "/Echoes.build")
      #expect(objects.contains("OnePole.swift.o"))
      return Files.exist(release + "/OpcodeKit.build/Math.swift.o")
    }
    #expect(try !buildsKit())

    // Another copy of the kit is compiled, which takes long.
    guard runsAllTests else { return }
    let manifest = try package.text("Package.swift")
    let copy = try temporaryDirectory() + "/OpcodeKit"
    try run(
      "/usr/bin/env", ["git", "clone", "-q", "--depth=1", "file://" + root, copy]
    ).good()
    let path = try #require(manifest.firstMatch(of: /path: "([^"]*)"/)).1
    defer { try? package.write(manifest, to: "Package.swift") }
    try package.write(
      manifest.replacing("path: \"\(path)\"", with: "path: \"\(copy)\""), to: "Package.swift")
    #expect(try buildsKit())
  }

  /// Noise filtered at audio and at control rate, and the unfiltered noise.
  static let orchestra = """
    instr 1
      anoise rand 0.5, 0.5, 1
      acutoff linseg 1000, 1, 1000
      ak ONEPOLE anoise, 1000
      aa ONEPOLE anoise, acutoff
      outc ak, aa, anoise
    endin
    """.csd(score: "i1 0 0.1", ksmps: 10, channels: 3)
}
