import Comparing
import CsoundHost
import Foundation
import FoundationXML
import Testing

/// valgrind does not execute programs that are built with a sanitizer.
let hasSanitizer = ProcessInfo.processInfo.environment["OPCODEKIT_SANITIZER"] != nil

@Suite("bench against what was", .serialized)
struct SpeedTests {
  /// A project of its own, so that no baseline of the kit is changed: ONEPOLE against `tone`.
  static let project = Result {
    let directory = try temporaryDirectory()
    for file in ["Benchmarks/ONEPOLE.json", "csd/ONEPOLE.csd"] {
      try FileManager.default.createDirectory(
        atPath: "\(directory)/\((file as NSString).deletingLastPathComponent)",
        withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: "\(root)/\(file)", toPath: "\(directory)/\(file)")
    }
    try linkPlugin(into: directory)
    return directory
  }

  /// ONEPOLE in C, and the same with eight times as much work.
  static let fast = Result { try FaultyPlugin.compile("speed", "1") }
  static let slow = Result { try FaultyPlugin.compile("speed", "8") }

  func bench(_ words: String..., environment: [String: String] = [:]) throws -> Ending {
    let project = try Self.project.get()
    return try run(
      tool, ["bench", "ONEPOLE", "--ksmps", "64"] + words,
      environment: ["OPCODEKIT_ROOT": project].merging(environment) { $1 }, directory: project)
  }

  struct Export: Decodable {
    struct Report: Decodable { var changes: [SpeedChange] }
    var report: Report
  }

  /// The rows of a comparison in JSON.
  func changes(_ path: String) throws -> [SpeedChange] {
    let data = try #require(FileManager.default.contents(atPath: path))
    return try JSONDecoder().decode(Export.self, from: data).report.changes
  }

  static let hasValgrind = (try? run("/usr/bin/env", ["valgrind", "--version"]))?.exitCode == 0

  @Test(
    "A baseline is saved once; a slowdown against it is found by time and by instructions",
    .disabled(if: hasSanitizer, "valgrind and sanitizers exclude each other"),
    .enabled(if: hasValgrind, "valgrind is not installed"))
  func baseline() throws {
    let (fast, slow) = (try Self.fast.get(), try Self.slow.get())
    try bench("--plugin", fast, "--save", "first", "--counts").good()
    let path = try Self.project.get() + "/Benchmarks/baselines/first.json"
    let baseline = try Baseline(readingFrom: path)
    #expect(baseline.rows.map(\.place.ksmps) == [64])
    #expect(baseline.rows.allSatisfy { $0.ratio != nil && $0.instructions ?? 0 > 1 })
    #expect(baseline.plugin == (fast as NSString).lastPathComponent)

    try bench("--plugin", slow, "--save", "first").refused(73, "--replace")
    #expect(try Baseline(readingFrom: path) == baseline)

    let files = try ["json", "xml", "md"].map { try temporaryDirectory() + "/speed." + $0 }
    let slower = try bench(
      "--plugin", slow, "--against", "first", "--counts", "--json", files[0], "--junit", files[1],
      "--markdown", files[2])
    #expect(slower.exitCode == 2, "\(slower.output)\(slower.errors)")
    let change = try #require(try changes(files[0]).first)
    #expect(change.timing?.verdict == .slower && change.instructions?.verdict == .slower)
    #expect(try #require(change.timing?.change?.value) > 2)
    #expect(try #require(change.instructions?.change?.value) > 2)
    let junit = try String(file: files[1])
    #expect(junit.contains("failures=\"1\"") && junit.contains("slower than the baseline 'first'"))
    #expect(try XMLDocument(xmlString: junit).rootElement()?.name == "testsuites")
    let markdown = try String(file: files[2])
    #expect(markdown.contains("| ONEPOLE | tone | k | 64 |") && markdown.contains("| slower |"))

    // With a threshold of 1000 % times are never slower, so only the instructions can be.
    let counted = try bench(
      "--plugin", slow, "--against", "first", "--counts", "--threshold", "1000")
    #expect(counted.exitCode == 2, "\(counted.output)\(counted.errors)")

    let same = try bench("--plugin", fast, "--against", "first", "--counts", "--json", files[0])
    let unchanged = try #require(try changes(files[0]).first, "\(same.errors)")
    #expect(unchanged.instructions?.verdict == .same, "\(same.output)")
    #expect(unchanged.timing != nil && unchanged.missing == nil)
  }

  @Test("A row that is missing in the baseline is named, and the exit code is no success")
  func missing() throws {
    let fast = try Self.fast.get()
    try bench("--plugin", fast, "--save", "narrow", "--replace").good()
    let project = try Self.project.get()
    let wide = try run(
      tool, ["bench", "--ksmps", "16,64", "--plugin", fast, "--against", "narrow"],
      environment: ["OPCODEKIT_ROOT": project], directory: project)
    let line = "Not in the baseline 'narrow': ONEPOLE against tone, k, ksmps 16"
    #expect(wide.output.contains(line), "\(wide.output)\(wide.errors)")
    // The exit code may be 2 if the machine was disturbed heavily.
    #expect(wide.exitCode != 0)
  }

  @Test("A slowdown against another build is found, whichever of the two has it")
  func builds() throws {
    let (fast, slow) = (try Self.fast.get(), try Self.slow.get())
    let json = try temporaryDirectory() + "/speed.json"
    let slower = try bench("--plugin", slow, "--against-build", fast, "--json", json)
    #expect(slower.exitCode == 2, "\(slower.output)\(slower.errors)")
    #expect(try changes(json).map(\.timing?.verdict) == [.slower])
    let faster = try bench("--plugin", fast, "--against-build", slow, "--json", json).good()
    #expect(try changes(json).map(\.timing?.verdict) == [.faster])
    #expect(faster.output.contains("Against the build '\((slow as NSString).lastPathComponent)'"))
  }

  @Test(
    "Two builds by instructions alone",
    .disabled(if: hasSanitizer, "valgrind and sanitizers exclude each other"),
    .enabled(if: hasValgrind, "valgrind is not installed"))
  func countedBuilds() throws {
    let (fast, slow) = (try Self.fast.get(), try Self.slow.get())
    let slower = try bench(
      "--plugin", slow, "--against-build", fast, "--threshold", "1000", "--counts")
    #expect(slower.exitCode == 2, "\(slower.output)\(slower.errors)")
    #expect(slower.output.contains("1 more"))
  }

  @Test("Two builds in one process keep apart, though their global names are the same")
  func apart() throws {
    let csd = try temporaryDirectory() + "/which.csd"
    try """
    <CsoundSynthesizer>
    <CsInstruments>
    sr = 48000
    ksmps = 16
    nchnls = 1
    0dbfs = 1
    instr 1
      kwhich WHICH
      out upsamp(kwhich)
    endin
    schedule 1, 0, 1
    </CsInstruments>
    </CsoundSynthesizer>
    """.save(to: csd)
    let plugins = [try Self.fast.get(), try Self.slow.get()]
    let addresses = plugins.map { plugin in
      dlsym(dlopen(plugin, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), "speed_answer")
    }
    #expect(addresses[0] != nil && addresses[1] != nil && addresses[0] != addresses[1])
    let engines = try plugins.map { plugin in
      let engine = try Csound()
      try engine.compile(csd, options: ["--opcode-lib=\(plugin)"])
      return engine
    }
    // The engines run in turn, as when they are timed.
    for _ in 0..<3 {
      for (engine, answer) in zip(engines, [1.0, 8]) {
        #expect(engine.performKsmps())
        #expect(engine.output.first == answer)
      }
    }
  }

  // MARK: Bad input

  @Test("Options that make no sense, or not together")
  func usage() throws {
    let input = BadInputTests()
    for (words, told) in [
      (["--save", "a/b"], "'a/b'"), (["--save", ""], "''"), (["--save", ".."], "'..'"),
      (["--against", "../x"], "'../x'"), (["--save", "x", "--against", "y"], "exclude"),
      (["--against", "x", "--against-build", "y"], "exclude"), (["--replace"], "--save"),
      (["--save", "x", "--self-check", "2"], "exclude"), (["--threshold", "3"], "--against"),
      (["--counts", "--self-check", "2"], "exclude"), (["--junit", "x.xml"], "--against"),
      (["--count-threshold", "1"], "--counts"),
      (["--against", "x", "--threshold", "much"], "--threshold is 'much'"),
      (["--against", "x", "--threshold", "0"], "--threshold is '0'"),
      (["--against", "x", "--threshold", "nan"], "--threshold is 'nan'"),
      (["--against", "x", "--counts", "--count-threshold", "-1"], "--count-threshold"),
    ] {
      let project = try Self.project.get()
      let ending = try run(
        tool, ["bench", "ONEPOLE"] + words, environment: ["OPCODEKIT_ROOT": project])
      input.expect(64, [told], ending)
    }
  }

  @Test("Baselines that are not there, and files that are none")
  func baselines() throws {
    let input = BadInputTests()
    let directory = try Self.project.get() + "/Benchmarks/baselines"
    try FileManager.default.createDirectories(directory)
    let files = ["other": "{\"format\": \"OpcodeKit baseline 99\"}", "text": "hello"]
    for (name, text) in files {
      try text.save(to: "\(directory)/\(name).json")
    }
    input.expect(66, ["'othr'", "did you mean other?"], try bench("--against", "othr"))
    input.expect(65, ["baseline 99", "--save"], try bench("--against", "other"))
    input.expect(65, ["not a baseline"], try bench("--against", "text"))
    for name in files.keys {
      try FileManager.default.removeItem(atPath: "\(directory)/\(name).json")
    }
    let empty = try temporaryDirectory()
    try FileManager.default.copyItem(
      atPath: Self.project.get() + "/csd", toPath: empty + "/csd")
    try FileManager.default.createDirectories(empty + "/Benchmarks")
    try FileManager.default.copyItem(
      atPath: root + "/Benchmarks/ONEPOLE.json", toPath: empty + "/Benchmarks/ONEPOLE.json")
    try linkPlugin(into: empty)
    input.expect(
      66, ["no baseline 'x'", "--save x"],
      try run(
        tool, ["bench", "ONEPOLE", "--against", "x"], environment: ["OPCODEKIT_ROOT": empty],
        directory: empty))
  }

  @Test("Other builds that are none, lack the opcode, or are the build itself")
  func otherBuilds() throws {
    let input = BadInputTests()
    let directory = try temporaryDirectory()
    try "no library".save(to: directory + "/text.so")
    input.expect(66, ["no.so' does not exist"], try bench("--against-build", "no.so"))
    input.expect(65, ["cannot be loaded"], try bench("--against-build", directory + "/text.so"))
    input.expect(
      65, ["no Csound plugin"], try bench("--against-build", systemLibraries + "/libm.so.6"))
    let module = try FaultyPlugin.module.get()
    input.expect(65, ["ONEPOLE", "registers"], try bench("--against-build", module))
    let fast = try Self.fast.get()
    input.expect(64, ["same file"], try bench("--plugin", fast, "--against-build", fast))
  }

  /// A project with pairs of its own for ONEPOLE: all of these, whose calls are given by name.
  private func project(_ calls: [String: String]) throws -> String {
    let project = try temporaryDirectory()
    try FileManager.default.createDirectories(project + "/Benchmarks")
    try linkPlugin(into: project)
    for (name, call) in calls {
      try """
      {
        "subject": "ONEPOLE", "rival": "tone",
        "call": "aout ONEPOLE ain, \(call)", "controls": { "cutoff": [20, "sr/2"] }
      }
      """.save(to: project + "/Benchmarks/\(name).json")
    }
    return project
  }

  /// Compares ONEPOLE with the one in C, with pairs of a project's own.
  private func againstC(_ calls: [String: String]) throws -> (Ending, [SpeedChange]) {
    let project = try project(calls)
    let json = project + "/speed.json"
    let ending = try run(
      tool,
      ["bench", "ONEPOLE", "--ksmps", "64", "--against-build", Self.fast.get(), "--json", json],
      environment: ["OPCODEKIT_ROOT": project], directory: project)
    #expect(FileManager.default.fileExists(atPath: json), "\(ending.output)\(ending.errors)")
    return (ending, try changes(json))
  }

  @Test("Rows that another build has no overload for are missing, and the others are compared")
  func lackingOverload() throws {
    // In C it has a k-rate cutoff only.
    let (ending, changes) = try againstC(["ONEPOLE": "xcutoff"])
    #expect(ending.exitCode == 1 || ending.exitCode == 2, "\(ending.output)\(ending.errors)")
    #expect(Set(changes.filter { $0.missing == .reference }.map(\.place.rates)) == ["a"])
    #expect(Set(changes.filter { $0.timing != nil }.map(\.place.rates)) == ["k"])
  }

  @Test("A pair that Csound cannot compile is refused, and the comparison of the others is kept")
  func brokenPair() throws {
    let (ending, changes) = try againstC(["ONEPOLE": "kcutoff", "broken": #"kcutoff, \"text\""#])
    #expect(ending.exitCode == 65)
    #expect(ending.errors.contains("broken") && ending.errors.contains("ONEPOLE akS"))
    #expect(ending.output.contains("Against the build"))
    #expect(Set(changes.map(\.place.pairing)) == ["ONEPOLE"])
  }

  @Test(
    "The results of a run that refused a pair go beside older files, which stay as they were",
    arguments: [(["bench"], true), (["compare"], false)])
  func brokenPairSpares(command: [String], isComparison: Bool) throws {
    let project = try project(["ONEPOLE": "kcutoff", "broken": #"kcutoff, \"text\""#])
    let options = ["--json": "speed.json"].merging(
      isComparison ? ["--junit": "speed.xml", "--markdown": "speed.md"] : [:]
    ) { $1 }
    for name in options.values {
      try "older".save(to: "\(project)/\(name)")
    }
    let ending = try run(
      tool,
      command + ["ONEPOLE", "--ksmps", "64"] + options.flatMap { [$0.key, $0.value] }
        + (isComparison ? ["--against-build", Self.fast.get()] : []),
      environment: ["OPCODEKIT_ROOT": project], directory: project)
    #expect(ending.exitCode == 65, "\(ending.output)\(ending.errors)")
    for name in options.values {
      let unfinished = name.replacing("speed", with: "speed.unfinished")
      #expect(
        ending.errors.contains("Wrote \(unfinished). '\(name)' was left as it was"),
        "\(ending.errors)")
      #expect(try String(file: "\(project)/\(name)") == "older")
      #expect(
        try String(file: "\(project)/\(unfinished)").contains("ONEPOLE"))
    }
  }

  @Test("Without valgrind, --counts names the package")
  func noValgrind() throws {
    let ending = try bench("--counts", environment: ["PATH": "/nonexistent"])
    BadInputTests().expect(69, ["'valgrind'", "apt-get install"], ending)
  }
}
