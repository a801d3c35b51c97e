import Foundation
import Testing

@Suite("--shard, --results and merge")
struct MergeTests {
  let directory: String

  init() throws { directory = try temporaryDirectory() }

  /// Does both parts of a command's work; returns their files.
  private func parts(_ words: [String]) throws -> [String] {
    try [2, 1].map { number in
      let part = "\(directory)/part-\(number)"
      try opcodekit(words + ["--shard", "\(number)/2", "--results", part]).good()
      return part
    }
  }

  /// Expects that two parts of what a command does, merged in either order, give the same as the
  /// whole.
  private func expectSame(_ words: [String], _ exports: [String]) throws {
    func files(_ name: String) -> [String] {
      exports.flatMap { ["--\($0)", "\(directory)/\(name).\($0)"] }
    }
    let parts = try parts(words)
    let whole = try opcodekit(words + files("whole"))
    let merged = try opcodekit(["merge"] + parts + files("merged"))
    #expect(merged.exitCode == whole.exitCode, "\(merged.errors)")
    #expect(Self.withoutPlaces(merged.output) == Self.withoutPlaces(whole.output))
    for export in exports {
      let texts = try ["whole", "merged"].map {
        Self.withoutPlaces(try String(file: "\(directory)/\($0).\(export)"))
      }
      #expect(texts[0] == texts[1], "\(export)")
    }
  }

  /// The text without what differs from run to run: the numbers of directories, as runs at the same time write into
  /// directories of their own, and how long checks took.
  private static func withoutPlaces(_ text: String) -> String {
    text.replacing(/build\/validate(-\d+)?\//, with: "build/validate/")
      .replacing(/"seconds": [\d.e-]+/, with: "\"seconds\": 0")
  }

  @Test("compare: two parts that GNU parallel has done are the whole, and are gone on with")
  func parallel() throws {
    let program = "/usr/bin/parallel"
    try #require(Files.exist(program), "GNU parallel is missing.")
    let words = ["compare", "PORTK", "ONEPOLE", "--ksmps", "16"]
    let part = directory + "/part-{}.json"
    let command =
      ["--jobs", "2", "--joblog", directory + "/parts.log", "--resume-failed", tool] + words
      + ["--shard", "{}/2", "--results", part, ":::", "1", "2"]
    func share() throws -> Ending {
      try run(program, command, environment: ["OPCODEKIT_ROOT": root, "HOME": directory])
    }
    try share().good()
    let again = try share()
    #expect(again.output.isEmpty, "Parts that are done are not done again.")
    let whole = try opcodekit(words + ["--json", directory + "/whole.json"])
    let merged = try opcodekit(
      "merge", directory + "/part-1.json", directory + "/part-2.json", "--json",
      directory + "/merged.json"
    ).good()
    #expect(merged.output == whole.output)
    #expect(
      FileManager.default.contentsEqual(
        atPath: directory + "/whole.json", andPath: directory + "/merged.json"))
  }

  @Test("validate, where faults are found")
  func validate() throws {
    let plugin = try ValidateTests.faults.get()
    try expectSame(
      [
        "validate", "--plugin", plugin, "--arguments", ValidateTests.arguments, "--checks",
        "life-reinit,life-recycled,render-noise", "--only-failed", "FAULT_NO_RESET",
      ], ["json", "junit"])
  }

  @Test("check over pieces, one of which differs")
  func pieces() throws {
    for (name, noise) in [("a", "rand 0.5, 0.3, 1"), ("b", "vco2 0.3, 200")] {
      try """
      0dbfs = 1
      chn_k "cutoff", 1, 3, 1000, 100, 4000
        chnset 1000, "cutoff"
      instr 1
        asource \(noise)
        out tone(asource, chnget:k("cutoff"))
      endin
      """.csd(score: "i1 0 0.2").save(to: "\(directory)/\(name).csd")
      try opcodekit("record", "\(directory)/\(name).csd").good()
    }
    let other = try String(file: directory + "/b.csd")
    try other.replacing("200", with: "201").save(to: directory + "/b.csd")
    try expectSame(
      ["check", directory, "--evidence", directory + "/evidence"], ["json", "junit", "markdown"])
  }

  @Test("faster: every piece once, in its order")
  func times() throws {
    for name in ["a", "b"] { try FasterTests.piece.save(to: "\(directory)/\(name).csd") }
    try opcodekit(["merge"] + parts(["faster", directory, "--duration", "0.2"])).good().says(
      "Of 2 pieces 2 have opcodes")
  }

  @Test("What is no part of the same work is refused with a sentence, and nothing is written")
  func refusals() throws {
    func part(_ name: String, _ words: String...) throws {
      try opcodekit(words + ["--results", "\(directory)/\(name)"]).good()
    }
    try part("1", "compare", "PORTK", "--shard", "1/2")
    try part("2", "compare", "PORTK", "--shard", "2/2")
    try part("other", "compare", "PORTK", "--ksmps", "16", "--shard", "2/2")
    try part("trust", "dev", "trust", "FAULT_NO_RESET", "--shard", "2/2")
    try "{}".save(to: directory + "/garbage")
    let good = try String(file: directory + "/1")
    try good.replacing(/"count" *: *2/, with: "\"count\":0").save(to: directory + "/none")
    try String(good.prefix(good.count / 2)).save(to: directory + "/half")
    func expect(_ code: Int32, _ sentence: String, _ words: String...) throws {
      try opcodekit(words.map { $0.hasPrefix("@") ? "\(directory)/\($0.dropFirst())" : $0 })
        .refused(code, sentence)
    }
    try expect(64, "merge needs the files", "merge")
    try expect(
      66, "Part 2 of 2 is missing; do it with './opcodekit compare PORTK --shard 2/2", "merge", "@1"
    )
    try expect(65, "are both part 1 of 2; leave one out", "merge", "@1", "@2", "@1")
    try expect(65, "made by './opcodekit compare PORTK --ksmps 16", "merge", "@1", "@other")
    try expect(65, "is of the command dev trust, not compare", "merge", "@1", "@trust")
    try expect(
      66, "do it with './opcodekit dev trust FAULT_NO_RESET --shard 1/2", "merge", "@trust")
    for name in ["garbage", "none", "half"] {
      try expect(65, "is no results file", "merge", "@1", "@\(name)")
    }
    try expect(66, "does not exist", "merge", "@1", "@absent")
    try expect(
      64, "'compare' does not write --junit; leave it out", "merge", "@1", "@2", "--junit",
      "@x.xml")
    try expect(73, "cannot be written", "merge", "@1", "@2", "--json", "@no/x.json")
    try expect(64, "which is the same file and is read", "merge", "@1", "@2", "--json", "@2")
    #expect(try opcodekit("merge", "\(directory)/1", "\(directory)/2").exitCode == 0)
    try expect(64, "the work has only 1 unit", "compare", "PORTK", "--shard", "2/2")
    try expect(
      64, "no check was chosen", "validate", "PORTK", "--checks", "life-reinit", "--shard",
      "2/2")
    try expect(64, "give --json to", "compare", "PORTK", "--results", "@x", "--json", "@y")
    try expect(64, "such as 1/4 to 4/4", "compare", "PORTK", "--shard", "3/2")
    try expect(64, "bench cannot be shared", "bench", "--shard", "1/2")
    #expect(!Files.exist(directory + "/x.xml"))
  }
}
