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
    let directory = try Files.ofKit(["Benchmarks/ONEPOLE.json", "csd/ONEPOLE.csd"])
    try linkPlugin(into: directory)
    return directory
  }

  /// ONEPOLE in C, and the same with eight times as much work.
  static let fast = Result { try FaultyPlugin.compile("speed", "1") }
  static let slow = Result { try FaultyPlugin.compile("speed", "8") }

  func bench(_ words: String..., environment: [String: String] = [:]) throws -> Ending {
    let project = try Self.project.get()
    return try opcodekit(
      ["bench", "ONEPOLE", "--ksmps", "64"] + words, root: project, environment: environment,
      directory: project)
  }

  struct Export: Decodable {
    struct Report: Decodable { var changes: [SpeedChange] }
    var report: Report
  }

  /// The rows of a comparison in JSON.
  func changes(_ path: String) throws -> [SpeedChange] {
    try JSONDecoder().decode(Export.self, file: path).report.changes
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
    try bench(
      "--plugin", slow, "--against", "first", "--counts", "--json", files[0], "--junit", files[1],
      "--markdown", files[2]
    ).refused(2)
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
    try bench("--plugin", slow, "--against", "first", "--counts", "--threshold", "1000").refused(2)

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
    let wide = try opcodekit(
      ["bench", "--ksmps", "16,64", "--plugin", fast, "--against", "narrow"], root: project,
      directory: project)
    let line = "Not in the baseline 'narrow': ONEPOLE against tone, k, ksmps 16"
    #expect(wide.output.contains(line), "\(wide.output)\(wide.errors)")
    // The exit code may be 2 if the machine was disturbed heavily.
    #expect(wide.exitCode != 0)
  }

  @Test("A slowdown against another build is found, whichever of the two has it")
  func builds() throws {
    let (fast, slow) = (try Self.fast.get(), try Self.slow.get())
    let json = try temporaryDirectory() + "/speed.json"
    try bench("--plugin", slow, "--against-build", fast, "--json", json).refused(2)
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
    try bench("--plugin", slow, "--against-build", fast, "--threshold", "1000", "--counts").refused(
      2
    ).says("1 more")
  }

  @Test("Two builds in one process keep apart, though their global names are the same")
  func apart() throws {
    let csd = try """
    instr 1
      kwhich WHICH
      out upsamp(kwhich)
    endin
    """.csd(score: "i1 0 1", ksmps: 16).saved()
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
      try opcodekit(["bench", "ONEPOLE"] + words, root: project).told(64, told)
    }
  }

  @Test("Baselines that are not there, and files that are none")
  func baselines() throws {
    let directory = try Self.project.get() + "/Benchmarks/baselines"
    try Files.makeDirectories(directory)
    let files = ["other": "{\"format\": \"OpcodeKit baseline 99\"}", "text": "hello"]
    for (name, text) in files {
      try text.save(to: "\(directory)/\(name).json")
    }
    try bench("--against", "othr").told(66, "'othr'", "did you mean other?")
    try bench("--against", "other").told(65, "baseline 99", "--save")
    try bench("--against", "text").told(65, "not a baseline")
    for name in files.keys {
      try Files.remove("\(directory)/\(name).json")
    }
    let empty = try Files.ofKit(["Benchmarks/ONEPOLE.json", "csd/ONEPOLE.csd"])
    try linkPlugin(into: empty)
    try opcodekit(["bench", "ONEPOLE", "--against", "x"], root: empty, directory: empty).told(
      66, "no baseline 'x'", "--save x")
  }

  @Test("Other builds that are none, lack the opcode, or are the build itself")
  func otherBuilds() throws {
    try bench("--against-build", "no.so").told(66, "no.so' does not exist")
    try bench("--against-build", "no library".saved("text.so")).told(65, "cannot be loaded")
    try bench("--against-build", systemLibraries + "/libm.so.6").told(65, "no Csound plugin")
    let module = try FaultyPlugin.module.get()
    try bench("--against-build", module).told(65, "ONEPOLE", "registers")
    let fast = try Self.fast.get()
    try bench("--plugin", fast, "--against-build", fast).told(64, "same file")
  }

  /// A project with pairs of its own for ONEPOLE: all of these, whose calls are given by name.
  private func project(_ calls: [String: String]) throws -> String {
    let project = try temporaryDirectory()
    try Files.makeDirectories(project + "/Benchmarks")
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
    let ending = try opcodekit(
      ["bench", "ONEPOLE", "--ksmps", "64", "--against-build", Self.fast.get(), "--json", json],
      root: project, directory: project)
    #expect(Files.exist(json), "\(ending.output)\(ending.errors)")
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
    let ending = try opcodekit(
      command + ["ONEPOLE", "--ksmps", "64"] + options.flatMap { [$0.key, $0.value] }
        + (isComparison ? ["--against-build", Self.fast.get()] : []), root: project,
      directory: project
    ).refused(65, "broken", "ONEPOLE akS")
    if isComparison { ending.says("Against the build") }
    for name in options.values {
      let unfinished = name.replacing("speed", with: "speed.unfinished")
      ending.tells("Wrote \(unfinished). '\(name)' was left as it was")
      #expect(try String(file: "\(project)/\(name)") == "older")
      #expect(
        try String(file: "\(project)/\(unfinished)").contains("ONEPOLE"))
    }
  }

  @Test("Without valgrind, --counts names the package")
  func noValgrind() throws {
    try bench("--counts", environment: ["PATH": "/nonexistent"]).told(
      69, "'valgrind'", "apt-get install")
  }
}
