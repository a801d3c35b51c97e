import Foundation
import HarnessBase
import Rendering
import Testing

@Suite(
  "The tool for Csound 7", .serialized,
  .unless(Csound7.lack),
  .withoutSanitizer("validate's processes replace memory functions, as a sanitizer does"))
struct Csound7ToolTests {
  static let headers = Result { () throws(Failure) in try PublishedCsound(kit: root).headers() }
  static let faults = Result { try FaultyPlugin.compile("faults", headers: headers.get()) }

  func validate(_ words: [String]) throws -> (ending: Ending, export: ValidateTests.Export) {
    try ValidateTests().validate(["--csound", "7"] + words)
  }

  @Test("lint lists the pack's overloads as Csound 7 registers them, deinit passes too")
  func lint() throws {
    let ending = try opcodekit("lint", "--csound", "7").good()
    #expect(ending.output.contains(/VOICES .* init perform deinit  csound->AppendOpcode/))
    #expect(
      ending.output.contains(
        /libopcodes-csound7[-\w]*\.so: \d+ signatures, 1 GEN, 0 faults, 0 notes/))
    let plugin = try temporaryDirectory() + "/libopcodes.so"
    try Files.copy(standalonePlugin.get(), to: plugin)
    try opcodekit("lint", "--csound", "7", plugin).told(
      65,
      "It is for Csound 6; take 'libopcodes-csound7.so' for Csound 7.0, which './opcodekit build"
        + " --csound 7' makes.")
  }

  @Test(
    "Notes, engines, resets, ties, reinits, deinit passes and threads of the pack are found good")
  func life() throws {
    let (ending, results) = try validate([
      "--checks", "life", "--level", "1", "ONEPOLE.k", "VOICES", "FREEVERB",
    ])
    #expect(ending.exitCode == 0, "\(ending.output)\(ending.errors)")
    #expect(results.csound == "7.0")
    let checks = results.entries
    for id in [
      "life-recycled", "life-reinit", "life-tied", "life-reset", "life-two-engines", "life-threads",
      "life-deinit-once",
    ] {
      #expect(checks.contains { $0.id == id && $0.outcome == "success" }, "\(id)")
    }
  }

  /// Broken opcodes, each with the checks that find its fault.
  static let broken: [String: Set<String>] = [
    "FAULT_NO_RESET": ["life-recycled", "life-reinit"], "FAULT_NO_RESET_AT_REINIT": ["life-reinit"],
    "FAULT_STATIC_STATE": ["life-two-engines"], "FAULT_FREED_AT_TIE": ["life-tied"],
    "FAULT_DEINIT_UNPERFORMED": ["life-never-performed"], "FAULT_LEAK": ["life-leak-notes"],
    "FAULT_CHANGED_REINIT": ["life-changed-reinit"],
    "FAULT_CHANGED_DEINIT": ["life-changed-reinit"],
    "FAULT_ENGINE_SAMPLE_RATE": ["invariance-own-rate"], "FAULT_MALLOC": ["realtime-no-allocation"],
    "FAULT_READ_PAST_END": ["edges-read-behind"],
  ]

  @Test(
    "Broken opcodes are found there by the checks that are meant for them, correct ones are not")
  func faults() throws {
    let checks = Self.broken.values.reduce(into: Set()) { $0.formUnion($1) }
    let correct = ["CLEAN_FILTER", "CLEAN_HOLD", "CLEAN_DELAY"]
    let (ending, results) = try validate(
      [
        "--plugin", try Self.faults.get(), "--arguments", ValidateTests.arguments, "--checks",
        checks.sorted().joined(separator: ","),
      ] + Self.broken.keys + correct)
    #expect(ending.exitCode == 1, "\(ending.errors)")
    for (opcode, meant) in Self.broken {
      let found = results.found(in: opcode)
      #expect(found.isSuperset(of: meant), "\(opcode): \(found)")
    }
    for opcode in correct { #expect(results.found(in: opcode) == [], "\(opcode)") }
  }

  @Test("One process makes many hundred engines, each of which loads Csound's plugins anew")
  func manyEngines() throws {
    try run(
      root + "/opcodekit", ["compare", "BUTTERBP", "--ksmps", "16,64,1024"],
      environment: ["OPCODEKIT_TOOL_CSOUND": "7"]
    ).good()
  }

  @Test("An overload with an array in a table's place is not given a table's number")
  func arrayForTable() throws {
    let (_, results) = try validate(["--builtin", "--checks", "arguments-wrong-table", "oscili"])
    #expect(results.overloads.contains { $0.name == "oscili.aA" })
    #expect(results.found(in: "oscili") == [])
  }

  @Test("Memory that Csound 7 aligns is watched like other memory")
  func aligned() throws {
    let plugin = try FaultyPlugin.compile("aligned", headers: Self.headers.get())
    let (ending, results) = try validate([
      "--plugin", plugin, "--checks", "edges-heap-overrun,life-changed-reinit",
    ])
    #expect(ending.exitCode == 1, "\(ending.errors)")
    #expect(results.found(in: "ALIGNED") == [])
    #expect(results.found(in: "ALIGNED_STALE") == ["life-changed-reinit"])
    #expect(results.found(in: "ALIGNED_OVERRUN").contains("edges-heap-overrun"))
  }

  @Test("Opcodes that Csound 7 has in plugins are its own")
  func builtins() throws {
    for opcode in ["butterlp", "oscili"] {
      let ending = try opcodekit(
        "validate", "--csound", "7", "--builtin", "--checks", "life-reinit", opcode
      ).good()
      #expect(ending.output.contains(opcode), "\(ending.output)")
    }
  }

  @Test("bench times a pair there")
  func bench() throws {
    let json = try temporaryDirectory() + "/bench.json"
    try opcodekit(
      "bench", "--csound", "7", "PORTK", "--ksmps", "64", "--sample-rate", "48000", "--json", json
    ).good().says("PORTK")
    let text = try String(file: json)
    #expect(text.contains(/libopcodes-csound7[-\w]*\.so/), "\(text)")
    try opcodekit("bench", "--csound", "7", "ONEPOLE-c", "--ksmps", "64").refused(
      65, "which is written for Csound 6; leave the pair out")
  }

  @Test("man and report make the same pages there, with what Csound 7 plays")
  func pages() throws {
    let page = try opcodekit("man", "MOOGLADDER", "--csound", "7").good()
    #expect(try page.output == opcodekit("man", "MOOGLADDER").output)
    let directory = try temporaryDirectory()
    for csound in ["6", "7"] {
      let place = "\(directory)/\(csound)"
      try opcodekit("report", "MOOGLADDER", "--csound", csound, "-o", place).good()
      let index = try String(file: place + "/index.html")
      #expect(index.contains("Csound \(csound == "7" ? "7.0" : "6.18")"))
    }
    // The figures of an opcode of the kit's are the same in both.
    let pages = try ["6", "7"].map {
      try String(file: "\(directory)/\($0)/MOOGLADDER.html")
    }
    #expect(pages[1].contains("<svg") && pages[0].count == pages[1].count)
  }

  @Test("test: a package is built, played and validated there; a fault of its opcode is found")
  func package() throws {
    let place = try temporaryDirectory() + "/Ticks"
    try #require(opcodekit("new", place).exitCode == 0)
    func test() throws -> Ending {
      try opcodekit(["test", "--csound", "7"], directory: place)
    }
    let good = try test().good().says("build/libticks-csound7")
    #expect(good.output.contains(": for Csound 7.0, ") && !good.output.contains("6.18"))
    #expect(good.output.contains("== all good: build, csd, "), "\(good.output)")
    let built = try Files.names(in: place + "/build")
    #expect(built.filter { $0.hasSuffix(".so") }.allSatisfy { $0.hasPrefix("libticks-csound7") })
    // The first example cannot be compiled by Csound 7 only.
    let pieces = try Files.names(in: place + "/csd").sorted()
    let piece = "\(place)/csd/\(try #require(pieces.first { $0.hasSuffix(".csd") }))"
    let text = try String(file: piece)
    try text.replacing(
      "</CsInstruments>", with: "instr 99\nS1 sprintf \"\"\nendin\n</CsInstruments>"
    )
    .save(to: piece)
    try test().refused(1).says("== not good: csd")
    let refused = try opcodekit(["test", "--csound", "8"], directory: place).refused(64)
    #expect(refused.errors.hasPrefix("opcodekit: --csound is '8'; it takes 6, 7, a directory "))
  }
}
