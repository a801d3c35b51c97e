import Foundation
import Testing

@Suite("bench without words", .serialized)
struct OverviewTests {
  /// A project with two pairs.
  static let project = Result {
    let directory = try Files.ofKit([
      "Benchmarks/ONEPOLE.json", "csd/ONEPOLE.csd", "Benchmarks/PORTK.json", "csd/PORTK.csd",
    ])
    try linkPlugin(into: directory)
    return directory
  }

  struct Export: Decodable {
    struct Row: Decodable { var subject: String }
    var rows: [Row]
    var partial: [String: Int]?
  }

  @Test("Every pair once, numbered, and what it comes to in three sentences")
  func overview() throws {
    let ending = try run(tool, ["bench"], environment: ["OPCODEKIT_ROOT": Self.project.get()])
      .good()
    let plugin = try Self.project.get() + "/build/libopcodes.so"
    #expect(ending.output.hasPrefix("2 pairs at usual rates, with \(plugin), about "))
    let lines = ending.output.split(separator: "\n")
    for (number, name) in [("1/2", "ONEPOLE"), ("2/2", "PORTK")] {
      let row = lines.filter { $0.contains("\(number)  \(name)") }
      #expect(row.count == 1 && row.allSatisfy { $0.contains(" 64 ") }, "\(ending.output)")
    }
    let told = lines.suffix(3)
    for (line, beginning) in zip(told, ["Of 2 pairs ", "On the geometric mean ", "Read on: "]) {
      #expect(line.hasPrefix(beginning))
    }
    ending.says(
      "comparisons of their sound are within their limits.", " bench ONEPOLE those of one opcode")
    #expect(!ending.output.contains("MOOGLADDER"), "\(ending.output)")
    try expectsWhatTheLastRunTook()
  }

  /// Writes a last run that took a thousand times as long as expected.
  func expectsWhatTheLastRunTook() throws {
    let project = try Self.project.get()
    let path = project + "/build/bench.json"
    var run = try jsonObject(path)
    var duration = try #require(run["duration"] as? [String: Any])
    let expected = try #require(duration["expectedSeconds"] as? Double)
    duration["seconds"] = expected * 1000
    run["duration"] = duration
    try JSONSerialization.data(withJSONObject: run).write(to: URL(filePath: path))
    let bench = try RunningTool(["bench"], environment: ["OPCODEKIT_ROOT": project])
    let minutes = Int((expected * 1000 / 60).rounded(.up))
    let plugin = "\(project)/build/libopcodes.so"
    #expect(bench.prints("2 pairs at usual rates, with \(plugin), about \(minutes) min:"))
    bench.interrupt()
  }

  @Test("compare and validate number their rows, and one row has no number")
  func numbers() throws {
    let environment = ["OPCODEKIT_ROOT": try Self.project.get()]
    let compared = try run(tool, ["compare", "--ksmps", "64"], environment: environment).output
    let count = compared.matches(of: /(?m)^\d+\/(\d+) \w+ against\b/).count
    #expect(count > 1)
    for (number, name) in [(1, "ONEPOLE"), (count, "PORTK")] {
      #expect(compared.contains("\(number)/\(count) \(name) against "), "\(compared)")
    }
    let pair = ["compare", "PORTK", "--ksmps", "64"]
    #expect(try run(tool, pair, environment: environment).output.hasPrefix("PORTK against "))
    try run(tool, ["validate", "ONEPOLE", "--checks", "life-reinit"], environment: environment)
      .says("\n1/2 ONEPOLE.k ", "\n2/2 ONEPOLE.a ")
  }

  @Test(
    "An interrupted run keeps the rows that are finished, in the table and in JSON, beside an older file"
  )
  func interruption() throws {
    let json = try temporaryDirectory() + "/bench.json"
    try "older".save(to: json)
    let bench = try RunningTool(
      ["bench", "--all", "--json", json],
      environment: ["OPCODEKIT_ROOT": try Self.project.get()])
    // Rows arrive one at a time.
    #expect(bench.prints("1/4"))
    let ending = bench.interrupt().refused(130, "of 4 rows were finished, and are kept")
    #expect(try String(file: json) == "older")
    let written = json.replacing("bench.json", with: "bench.unfinished.json")
    let export = try JSONDecoder().decode(Export.self, file: written)
    let rows = export.rows
    #expect(export.partial == ["finished": rows.count, "of": 4])
    #expect(rows.first?.subject == "ONEPOLE")
    #expect(rows.count < 4 && ending.output.contains("\(rows.count)/4"))
  }
}
