import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Commands", .serialized)
struct CommandTests {
  @Test("compare: every opcode passes every case at every rate and sample rate")
  func compare() throws {
    struct Row: Decodable {
      var pairing, verdict: String
      var nullDepthDecibels: Double?
    }
    // That ksmps makes no difference, "Every opcode of the pack" shows.
    let size = runsAllTests ? ["16"] : ["64", "--sample-rate", "48000"]
    let json = try temporaryDirectory() + "/compare.json"
    try opcodekit(["compare", "--json", json, "--ksmps"] + size).good()
    let rows = try JSONDecoder().decode([Row].self, file: json)
    let files = try Files.names(in: root + "/Benchmarks")
    let pairings = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    #expect(Set(rows.map(\.pairing)) == Set(pairings))
    let missed = rows.filter { $0.verdict != "identical" && ($0.nullDepthDecibels ?? 0) > -100 }
    #expect(missed.isEmpty)
  }

  @Test(
    "compare --input: mono and stereo files at any sample rate",
    arguments: [(1, 8000.0), (2, 96_000)])
  func compareInput(channels: Int, sampleRate: Double) throws {
    var generator = SeededGenerator(seed: 3)
    let sound = Sound(
      sampleRate: sampleRate, channelCount: channels,
      samples: (0..<channels * 9999).map { _ in Double.random(in: -1...1, using: &generator) })
    let path = try temporaryDirectory() + "/input.wav"
    try sound.write(to: path)
    try opcodekit("compare", "MOOGLADDER", "--input", path).good().says("\(Int(sampleRate))")
  }

  @Test("list --json: every overload with type strings, block size and summary")
  func list() throws {
    let rows = try ListedOverload.all()
    let ladders = rows.filter { $0.opcode == "MOOGLADDER" }
    #expect(
      Set(ladders.map(\.inputs)) == [
        "akkoo", "aakoo", "akaoo", "aaaoo", "a[]kkoo", "a[]akoo", "a[]kaoo", "a[]aaoo",
      ])
    #expect(rows.allSatisfy { $0.blockBytes > 48 && $0.blockBytes < 65_530 })
    #expect(rows.allSatisfy { !$0.summary.isEmpty })
    #expect(try opcodekit("list").output.contains("MOOGLADDER.kk"))
  }

  @Test(
    "render: the file's extension decides its format", arguments: ["wav", "aif", "aiff", "flac"])
  func render(format: String) throws {
    let path = try temporaryDirectory() + "/out." + format
    try opcodekit("render", "csd/MOOGLADDER.csd", "-o", path, "--duration", "0.5").good()
    let sound = try Sound(readingFrom: path)
    #expect(sound.sampleRate == 48_000)
    #expect(abs(sound.duration - 0.5) < 0.01)
    #expect(sound.samples.map(abs).max()! > 0.1)
  }

  @Test("bench: one row for each rate and ksmps, in the table and in JSON")
  func bench() throws {
    let json = try temporaryDirectory() + "/bench.json"
    let ending = try opcodekit("bench", "PORTK", "--ksmps", "16,64", "--json", json).good()
    let rows = try #require(jsonObject(json)["rows"] as? [[String: Any]])
    #expect(rows.compactMap { $0["ksmps"] as? Int } == [16, 64])
    #expect(ending.output.contains("PORTK"))
    for verdict in rows.map({ $0["verdict"] as? String }) {
      #expect(ending.output.contains(try #require(verdict)))
    }
    // The transcript in README has these columns.
    let block = try #require(Page.readme.blocks.first { $0.text.contains("verdict") })
    let heading = try #require(block.text.split(separator: "\n").first { $0.contains("verdict") })
    let shown = heading.split(separator: " ").dropLast()
    let lines = ending.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.contains { $0.starts(with: shown) }, "\(ending.output)")
  }

  @Test("bench --self-check: what the intervals hold, and whether the slowdown was found")
  func selfCheck() throws {
    let json = try temporaryDirectory() + "/check.json"
    let ending = try opcodekit("bench", "--self-check", "2", "--json", json)
    // The machine's load decides which of the two it is.
    #expect([0, 1].contains(ending.exitCode), "\(ending.errors)")
    ending.says(
      "of 2 times an estimate lies within the interval of another run",
      "of the estimates lie within the intervals of other runs", "of 2 intervals hold 1",
      "slowed down by 5 %")
    struct Check: Decodable {
      var opcode, rates: String
      var reruns, equal, slowed: [Estimate?]
    }
    let checks = try JSONDecoder().decode([Check].self, file: json)
    #expect(checks.map(\.opcode) == ["MOOGLADDER", "ONEPOLE"])
    #expect(checks.map(\.rates) == ["kk", "k"])
    for check in checks {
      #expect(check.reruns.count == 2 && check.equal.count == 2 && check.slowed.count == 5)
    }
  }

  @Test("bench --instances: a rival in C, bytes of a note, the group's mean")
  func benchInstances() throws {
    let json = try temporaryDirectory() + "/bench.json"
    let ending = try opcodekit(
      "bench", "ONEPOLE-c", "--ksmps", "64", "--instances", "1,10", "--json", json
    ).good()
    struct Export: Decodable {
      struct Group: Decodable { var group, smallest: String, pairings: Int }
      struct Row: Decodable {
        var pairing: String
        var instances: Int
        var isIdentical: Bool
        var subjectBytes: Double
      }
      var groups: [Group]
      var rows: [Row]
    }
    let export = try JSONDecoder().decode(Export.self, file: json)
    #expect(export.rows.map(\.instances) == [1, 10])
    #expect(export.rows.allSatisfy { $0.isIdentical && $0.pairing == "ONEPOLE-c" })
    // The opcode's block and arguments: more than nothing, less than a whole instrument. Not with a
    // sanitizer, because mallinfo2 does not see a sanitizer's heap.
    if ProcessInfo.processInfo.environment["OPCODEKIT_SANITIZER"] == nil {
      #expect(export.rows.allSatisfy { $0.subjectBytes > 64 && $0.subjectBytes < 400 })
    }
    #expect(ending.output.contains("bytes") && ending.output.contains("instances"))
  }

  @Test(
    "Interrupted, ended or without its terminal, a render leaves nothing behind and says so",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) throws {
    let directory = try temporaryDirectory()
    try """
    ksmps = 1
    instr 1
      out oscili(1000, 440)
    endin
    """.csd(score: "i1 0 36000").save(to: directory + "/long.csd")
    let run = try RunningTool(["render", "long.csd", "-o", "long.wav"], directory: directory)
    let part = directory + "/long.wav.\(run.number).part"
    while !Files.exist(part) { usleep(10_000) }
    run.interrupt(signal).refused(130, "interrupted")
    #expect(try Files.names(in: directory) == ["long.csd"])
  }
}
