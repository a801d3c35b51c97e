import CsoundHost
import Foundation
import HarnessBase
import OpcodeKit
import Opcodes
import Rendering
import TestSupport
import Testing

/// The names of a library's opcodes, each once.
private struct Names: OpcodeRegistry {
  var opcodes: Set<Substring> = []

  mutating func add(_ overload: Overload) {
    opcodes.insert("\(overload.name)".prefix { $0 != "." })
  }
}

@Suite("The standalone plugin", .serialized)
struct PluginTests {
  let plugin: String

  init() throws { plugin = try standalonePlugin.get() }

  @Test(
    "It is at most 16 KB an opcode, for each level it holds, and needs only libc, libm and the loader"
  )
  func size() throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: plugin)
    var names = Names()
    Library.registerOpcodes(in: &names)
    #expect(names.opcodes.count > 20)
    let levels = plugin.hasSuffix("/libopcodes.so") && BuildTarget.tools.usual != nil ? 2 : 1
    #expect(try #require(attributes[.size] as? Int) <= levels * 16 * 1024 * names.opcodes.count)
    let libraries = try run("/usr/bin/ldd", [plugin]).output.split(separator: "\n")
    for library in libraries {
      let known = ["linux-vdso.so", "libm.so", "libc.so", "ld-linux"].contains {
        library.contains($0)
      }
      #expect(known, "\(library)")
    }
  }

  /// The CSDs of the opcodes; usually only one of each opcode.
  private static let names = {
    let files = (try? Files.names(in: root + "/csd")) ?? []
    return files.filter { $0.hasSuffix(".csd") && (runsAllTests || !$0.contains("-")) }.sorted()
  }()

  @Test(
    "Stock csound with nothing but the plugin plays every CSD, sample for sample as in-process",
    arguments: names)
  func bothWays(name: String) throws {
    let csd = root + "/csd/\(name)"
    let wav = try temporaryDirectory() + "/out.wav"
    try run(
      "/usr/bin/csound",
      ["--opcode-lib=\(plugin)", csd, "-o", wav, "--format=double", "--omacro:DURATION=1"]
    ).good()
    let stock = try Sound(readingFrom: wav)
    let inProcess = try Renderer(registering: Library.install)
      .render(Orchestra(path: csd, macros: ["DURATION": "1"]))
    #expect(stock.samples.contains { $0 != 0 })
    let isIdentical = stock.samples == inProcess.samples
    #expect(isIdentical)
  }

  @Test("Stock csound fills tables with the plugin's GEN routines, as in-process")
  func generators() throws {
    let directory = try temporaryDirectory()
    let (csd, wav) = (directory + "/harmonics.csd", directory + "/out.wav")
    try """
    gi1 ftgen 1, 0, 1000, "harmonics", 1, 0, -0.3, 0.2
    gi3 ftgen 3, 0, 1000, 10, 1, 0, -0.3, 0.2
    instr 1
      outch 1, poscil(0.5, 300, 1), 2, poscil(0.5, 300, 2), 3, poscil(0.5, 300, 3)
    endin
    """.csd(score: "f2 0 4096 \"harmonics\" 0 1\ni1 0 0.1", ksmps: 64, channels: 3).save(to: csd)
    try run(
      "/usr/bin/csound", ["--opcode-lib=\(plugin)", csd, "-o", wav, "--format=double"]
    ).good()
    let stock = try Sound(readingFrom: wav)
    let inProcess = try Renderer(registering: Library.install).render(Orchestra(path: csd))
    // In-process the kit scales the table to 1 itself, which may round differently.
    let rounding = zip(stock.samples, inProcess.samples).map { abs($0 - $1) }.max()
    #expect(try #require(rounding) < 1e-15)
    #expect(stock.samples.count == inProcess.samples.count)
    // The first table is of GEN10, the second a sine at twice the frequency.
    var (difference, peak) = (0.0, 0.0)
    for frame in 0..<4000 {
      difference = max(difference, abs(stock.samples[3 * frame] - stock.samples[3 * frame + 2]))
      let sine = 0.5 * sin(2 * Double.pi * 600 * Double(frame) / 48_000)
      difference = max(difference, abs(stock.samples[3 * frame + 1] - sine))
      peak = max(peak, abs(stock.samples[3 * frame]))
    }
    #expect(peak > 0.49 && difference < 2e-6)
  }

  @Test(
    "Built for newer processors alone, it sounds the same to the last bit",
    .onlyAmongAll,
    .enabled(if: ownProcessor.levels.count > 1, "this kind of processor has one level"))
  func newerProcessors() throws {
    let processor = try String(file: "/proc/cpuinfo")
    let hasLevel = [" avx2 ", " fma ", " bmi2 "].allSatisfy(processor.contains)
    try opcodekit("build", "--cpu", "x86-64-v3").good()
    let newer = root + "/build/libopcodes-x86-64-v3.so"
    func instructions(_ files: String...) throws -> (newer: Bool, contracted: Bool) {
      let code = try run("/usr/bin/objdump", ["-d"] + files).output
      return (code.contains("%ymm"), code.contains("vfmadd"))
    }
    #expect(try instructions(newer) == (true, false))
    #expect(try instructions(plugin) == (true, false))
    // The code for every processor is compiled apart, and `bothWays` compares the other with such code in-process.
    let place = "\(root)/.build/standalone/release/LadderOpcodes.build/"
    let objects = try Files.names(in: place).filter { $0.hasSuffix(".o") }.map { place + $0 }
    #expect(try !objects.isEmpty && objects.allSatisfy { try instructions($0) == (false, false) })
    guard hasLevel else { return }
    for name in ["MOOGLADDER", "FREEVERB", "CONVOLVE", "SATURATE"] {
      let sounds = try [newer, plugin].map { plugin in
        let wav = try temporaryDirectory() + "/out.wav"
        let options = ["--opcode-lib=\(plugin)", "-o", wav, "--format=double"]
        try run(
          "/usr/bin/csound", options + ["--omacro:DURATION=1", root + "/csd/\(name).csd"]
        ).good()
        return try Sound(readingFrom: wav).samples
      }
      let isSame = sounds.allSatisfy { $0 == sounds[0] } && sounds[0].contains { $0 != 0 }
      #expect(isSame, "\(name)")
    }
  }

  @Test("compare --plugin takes the opcodes from the plugin")
  func comparePlugin() throws {
    try opcodekit(
      "compare", "PORTK", "--plugin", String(plugin.dropFirst(root.count + 1)), "--ksmps", "64"
    ).good()
  }

  @Test("lint finds nothing wrong in the plugin, and the same signatures as in-process")
  func lint() throws {
    func rows(_ ending: Ending) -> [String] {
      ending.output.split(separator: "\n").map { "\($0.split(separator: " "))" }.dropLast()
    }
    let linted = try opcodekit("lint", plugin).good().says("0 faults, 0 notes")
    #expect(rows(linted) == rows(try opcodekit("lint")))
    #expect(rows(linted).count > 10)
  }
}
