import Foundation
import TestSupport
import Testing

@Suite(
  "validate", .serialized,
  .withoutSanitizer("validate's processes replace memory functions, as a sanitizer does"))
struct ValidateTests {
  struct Export: Decodable {
    struct Overload: Decodable {
      var name: String
      var checks: [Entry]
    }
    struct Entry: Decodable {
      var id, outcome: String
      var message, orchestra: String?
      var blocks: Int
      var seconds: Double
    }
    var csound: String
    var overloads: [Overload]

    var entries: [Entry] { overloads.flatMap(\.checks) }

    /// The checks that found something in the overloads of an opcode.
    func found(in opcode: String) -> Set<String> {
      Set(
        overloads.filter { $0.name.prefix { $0 != "." } == opcode }.flatMap(\.checks)
          .filter { ["failed", "crashed", "warning"].contains($0.outcome) }.map(\.id))
    }
  }

  func validate(_ words: String...) throws -> (ending: Ending, export: Export) {
    try validate(words)
  }

  func validate(_ words: [String]) throws -> (ending: Ending, export: Export) {
    let json = try temporaryDirectory() + "/validate.json"
    let ending = try opcodekit(["validate", "--json", json] + words)
    let data = try #require(FileManager.default.contents(atPath: json), "\(ending.errors)")
    return (ending, try JSONDecoder().decode(Export.self, from: data))
  }

  static let faults = Result { try FaultyPlugin.compile("faults") }
  static let arguments = root + "/Tests/FaultyPlugins/faults.arguments.json"

  /// One overload of each form, whatever its rates. "Every opcode of the pack" runs the checks that are about sound on the
  /// others, and without --all on one of each opcode.
  @Test("Our own opcodes pass every check that applies to them", .onlyAmongAll)
  func own() throws {
    var forms: Set<String> = []
    let overloads = try ListedOverload.all().filter { row in
      let types = (row.outputs + " " + row.inputs).replacing("k", with: "a")
      return forms.insert(row.opcode + types).inserted
    }
    let (ending, export) = try validate(
      ["--level", "2", "--only-failed"] + overloads.map(\.overload))
    #expect(ending.exitCode == 0, "\(ending.output.suffix(3000))")
    #expect(export.overloads.count == overloads.count && overloads.count > 50)
    #expect(export.entries.count { $0.outcome == "success" } > 50 * 40)
    let others = export.entries.filter { !["success", "skipped"].contains($0.outcome) }
    #expect(others.isEmpty, "\(others.map { "\($0.id): \($0.message ?? "")" })")
  }

  @Test("A fault: exit code 1, a sentence, and an orchestra that plain csound plays")
  func fault() throws {
    let plugin = try Self.faults.get()
    let file = try temporaryDirectory() + "/validate.xml"
    let (ending, export) = try validate(
      "--plugin", plugin, "--arguments", Self.arguments, "--checks",
      "life-reinit,life-recycled,arguments-empty-array", "--junit", file, "FAULT_NO_RESET")
    ending.refused(1).says(
      "failed life-recycled: output 1 differs first at value 0", "aout1 FAULT_NO_RESET ain1")
    #expect(export.entries.map(\.outcome).contains("failed"))
    #expect(export.entries.allSatisfy { $0.seconds >= 0 && $0.seconds < 60 })
    expectWords(
      try String(file: file),
      "<testcase classname=\"FAULT_NO_RESET.k (a ← akko)\" name=\"life-recycled\">",
      "<failure message=\"output 1 differs", "<skipped message=\"no array goes into it\"")
    let orchestra = try #require(export.entries.first { $0.outcome == "failed" }?.orchestra)
    try run(
      "/usr/bin/csound", ["-n", "-d", "--opcode-lib=\(plugin)", orchestra],
      environment: ["OPCODE6DIR64": "/nonexistent"]
    ).good().tells("0 errors in performance")
  }

  @Test("A crash and an endless loop are results, and the run goes on")
  func crashes() throws {
    let plugin = try Self.faults.get()
    let (ending, export) = try validate(
      "--plugin", plugin, "--arguments", Self.arguments, "--checks",
      "render-noise,life-tied,numbers-zero-control", "--time-limit", "1", "FAULT_FREED_AT_TIE",
      "FAULT_ENDLESS_LOOP")
    #expect(ending.exitCode == 1)
    #expect(
      export.entries.map(\.id)
        == Array(repeating: ["render-noise", "life-tied", "numbers-zero-control"], count: 2).flatMap
      { $0 })
    #expect(export.overloads[0].checks.map(\.outcome) == ["success", "crashed", "success"])
    #expect(export.overloads[1].checks.map(\.outcome) == ["success", "success", "crashed"])
    #expect(export.overloads[0].checks[1].message?.contains("ends its process") == true)
    #expect(export.overloads[1].checks[2].message?.contains("not come to an end") == true)
  }

  @Test("A crash with few of any number of arguments is one result, with the numbers")
  func argumentCounts() throws {
    let (ending, export) = try validate(
      "--plugin", Self.faults.get(), "--checks", "render-noise,arguments-count",
      "FAULT_THIRD_MISSING")
    #expect(ending.exitCode == 1)
    #expect(export.entries.map(\.outcome) == ["success", "crashed"])
    #expect(export.entries[1].message?.hasPrefix("with 1, 2 variadic arguments:") == true)
  }

  @Test(
    "Each value that chooses other code is tried, and named where it is at fault",
    arguments: [1, 5])
  func values(quality: Int) throws {
    let file = try """
    { "CLIP": { "inputs": [ { "name": "ain" }, { "name": "imethod", "typical": 1 },
      { "name": "ilimit", "typical": 0.5 }, {}, { "name": "iquality", "values": [2, \(quality)] } ] } }
    """.saved("arguments.json")
    let (_, export) = try validate("--arguments", file, "--checks", "render-noise", "CLIP")
    #expect(export.entries.map(\.outcome) == [quality == 5 ? "failed" : "success"])
    #expect(export.entries[0].message?.hasPrefix("with iquality 5: a note fails") ?? (quality == 1))
  }

  @Test("Where two renders differ, no comparison says anything")
  func unrepeatable() throws {
    let (ending, export) = try validate(
      "--plugin", Self.faults.get(), "--arguments", Self.arguments, "--checks",
      "invariance-repeat,edges-alignment,life-recycled", "FAULT_CLOCK_SEED")
    #expect(ending.exitCode == 1)
    #expect(export.entries.map(\.outcome) == ["failed", "skipped", "skipped"])
    #expect(export.entries[1].message?.hasPrefix("not tried, because two renders") == true)
  }

  @Test("A performance function that is never called is one failure")
  func neverPerformed() throws {
    let (ending, export) = try validate(
      "--plugin", Self.faults.get(), "--checks", "render-noise,edges-alignment,life-recycled",
      "FAULT_NEVER_PERFORMED")
    #expect(ending.exitCode == 1)
    #expect(export.entries.map(\.outcome) == ["failed", "skipped", "skipped"])
    let cause = "with thread 1 its performance function is never called"
    #expect(export.entries[0].message?.hasPrefix(cause) == true)
    #expect(export.entries[1].message == "not tried, because \(cause)")
  }

  @Test("An opcode that stays silent is not checked: nothing of it passes, and the exit code is 64")
  func silent() throws {
    // With an inum of 0, its default, nothing moves.
    let file = try #"{"sandpaper": {"inputs": [{"typical": 0.5}, {"typical": 0.01}]}}"#
      .saved("silent.json")
    let (ending, export) = try validate(
      "--builtin", "--arguments", file, "--checks", "render-noise,edges-alignment", "sandpaper",
      "tone.k")
    ending.refused(64, "1 of 2 overloads stayed silent and counts as not checked: sandpaper;").says(
      "not checked, because silent: 1 overload")
    #expect(export.entries.map(\.outcome) == ["skipped", "skipped", "success", "success"])
    let known = try validate("--builtin", "--checks", "render-noise", "sandpaper", "stix")
    #expect(known.ending.exitCode == 0)
    #expect(known.export.entries.map(\.outcome) == ["success", "success"])
  }

  @Test("A release of days is not played to its end")
  func longRelease() throws {
    let (_, export) = try validate("--builtin", "--checks", "arguments-i-extremes", "madsr")
    #expect(!export.entries.isEmpty && export.entries.allSatisfy { $0.blocks < 100_000 })
  }

  @Test("The same seed plays the same random orchestras, another seed others")
  func seeds() throws {
    func blocks(_ seed: String) throws -> [Int] {
      let (_, export) = try validate("--checks", "fuzz", "--seed", seed, "--level", "3", "PORTK")
      return export.entries.map(\.blocks)
    }
    let first = try blocks("7")
    #expect(first.allSatisfy { $0 > 0 })
    #expect(try blocks("7") == first)
    #expect(try blocks("8") != first)
  }

  @Test("An excluded check is skipped with its reason, and never counted as passed")
  func exclusions() throws {
    let file = try #"[{"opcode": "POR*", "check": "edges-*", "reason": "tried elsewhere"}]"#
      .saved("exclusions.json")
    let (ending, export) = try validate(
      "--checks", "edges-in-place,render-noise", "--exclude", file, "PORTK")
    #expect(ending.exitCode == 0)
    #expect(export.entries.map(\.outcome) == ["skipped", "success"])
    #expect(export.entries[0].message == "excluded: tried elsewhere")
    try opcodekit("validate", "--checks", "edges-in-place", "--exclude", file, "PORTK").refused(64)
  }

  @Test("Bad input is one sentence and its exit code")
  func badInput() throws {
    func expect(_ exitCode: Int32, _ part: String, _ words: String...) throws {
      try opcodekit(["validate"] + words).told(exitCode, part)
    }
    try expect(64, "did you mean PORTK?", "PORTKK")
    try expect(64, "'nonsense', which is neither", "--checks", "nonsense")
    try expect(64, "from 1 to 10", "--level", "11")
    try expect(64, "such as 1/4", "--shard", "5/4")
    try expect(64, "exclude each other", "--builtin", "--plugin", Self.faults.get())
    try expect(66, "does not exist", "--plugin", "/none.so")
    try expect(66, "does not exist", "--exclude", "/none.json", "PORTK")
    try expect(73, "cannot be written", "--json", "/none/x.json", "PORTK")
    let wrong = try #"{"PORTK": 5}"#.saved("bad.json")
    try expect(65, "is not an argument file", "--arguments", wrong, "PORTK")
    let bare = try #"[{"opcode": "x", "check": "edges", "reason": " "}]"#.saved("bad.json")
    try expect(65, "without a reason", "--exclude", bare, "PORTK")
  }

  @Test("A plugin that crashes while it is loaded ends in a sentence")
  func brokenPlugin() throws {
    try opcodekit("validate", "--plugin", FaultyPlugin.compile("broken", "crashes")).refused(
      65, "crashes when it is loaded")
  }
}
