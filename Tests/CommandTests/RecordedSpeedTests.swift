import Comparing
import DevCommands
import Foundation
import Testing

@Suite("Recorded runs of bench")
struct RecordedSpeedTests {
  /// A run with a row for each pair, and its ratio. The rival takes ten times as many nanoseconds, unless they are given.
  private static func recorded(
    _ ratios: KeyValuePairs<String, Double>, nanoseconds: [String: Double] = [:]
  ) throws -> BenchExport {
    let rows = ratios.map { name, ratio in
      """
      {"pairing": "\(name)", "group": "pack", "subject": "\(name)", "rival": "r", "rates": "k", "unit": "sample",
       "sampleRate": 48000, "ksmps": 64, "instances": 1, "isSilence": false, "casesCompared": 1, "casesPassed": 1,
       "isIdentical": true, "rivalNanoseconds": \(nanoseconds[name] ?? 10 * ratio),
       "ratio": {"value": \(ratio), "low": \(ratio), "high": \(ratio)}}
      """
    }
    return try export(of: rows)
  }

  private static func export(of rows: [String]) throws -> BenchExport {
    let text = """
      {"date": "d", "csound": "6.18", "compiler": "c", "processor": "p", "seed": 1, "groups": [],
       "rows": [\(rows.joined(separator: ","))]}
      """
    return try JSONDecoder().decode(BenchExport.self, from: Data(text.utf8))
  }

  /// Rows of pairs at the qualities 0 to 2, with the opcode's nanoseconds, at ksmps 64 and, three times as long, at 16.
  private static func qualities(_ costs: KeyValuePairs<String, [Double]>) throws -> BenchExport {
    let rows = costs.flatMap { name, costs in
      [64, 16].flatMap { ksmps in
        costs.enumerated().map { quality, cost in
          """
          {"pairing": "\(name)-quality", "group": "quality", "subject": "\(name)", "rival": "r",
           "rates": "k, iquality \(quality)", "unit": "sample", "sampleRate": 48000, "ksmps": \(ksmps),
           "instances": 1, "isSilence": false, "casesCompared": 1, "casesPassed": 1, "isIdentical": false,
           "subjectNanoseconds": \(ksmps == 64 ? cost : 3 * cost),
           "ratio": {"value": 2, "low": 1.5, "high": \(cost < 10 ? 2.5 : 3.5)}}
          """
        }
      }
    }
    return try export(of: rows)
  }

  @Test("A group's mean counts neither silence nor several notes")
  func group() throws {
    var run = try Self.recorded(["A": 2, "B": 8, "C": 1000, "D": 0.001])
    run.rows[2].isSilence = true
    run.rows[3].instances = 10
    let group = try #require(GroupSummary.all(of: run.rows).first)
    #expect(group.pairings == 2 && abs(group.geometricMean - 4) < 1e-9 && group.smallest == "A k")
  }

  @Test("The cost of each quality at ksmps 64, and which opcodes keep to three times that of 0")
  func byQuality() throws {
    let run = try Self.qualities(["LPF18": [2, 3, 5], "B": [2, 3, 6.5], "C": [4, 5, 12]])
    let pairings = try Pairing.all(in: root + "/Benchmarks/kit").pairings
    let lines = QualityCosts(run, pairings).text.split(separator: "\n")
    #expect(
      lines.dropFirst(2) == [
        "| `LPF18 ain, kcutoff, 0.7, 0.5, 0, iquality` | `r` | 2.00 (2.00) | 3.00 (2.00) | 5.00 (2.00) | 2.50 |",
        "| `B` | `r` | 2.00 (2.00) | 3.00 (2.00) | 6.50 (2.00) | 3.25 |",
        "| `C` | `r` | 4.00 (2.00) | 5.00 (2.00) | 12.00 (–) | 3.00 |",
        "The goal is that iquality 2 costs at most 3 times as much as iquality 0.",
        "Opcodes that keep to it: C, LPF18.", "Opcodes that do not: B.",
      ])
  }

  @Test("The tables of costs and of slower rows are stale when a recorded row has changed")
  func recordedRows() throws {
    let copy = try temporaryDirectory()
    let benchmarks = copy + "/Benchmarks"
    try Files.makeDirectories(benchmarks)
    for name in try Files.names(in: root + "/Benchmarks")
    where name != "results" {
      try Files.link("\(benchmarks)/\(name)", to: "\(root)/Benchmarks/\(name)")
    }
    try Files.copy(root + "/Benchmarks/results", to: benchmarks + "/results")
    let page = copy + "/README.md"
    try ["speed by iquality", "speed below 1"].map {
      "<!-- \($0), by ./opcodekit dev docs --update -->\n<!-- end of \($0) -->\n"
    }.joined().save(to: page)
    func docs(_ option: String) throws -> Int32 {
      try opcodekit(["dev", "docs", option], root: copy).exitCode
    }
    /// Writes the tables, changes the rows of a pair in the recorded runs, and returns the tables before and after.
    func tables(
      of pairing: String, _ rates: String, _ change: (inout [String: Any]) -> Void
    ) throws -> (before: String, after: String) {
      #expect(try docs("--update") == 0 && docs("--check") == 0)
      let before = try String(file: page)
      for name in ["x86-64", "x86-64-later"] {
        let file = benchmarks + "/results/\(name).json"
        var results = try jsonObject(file)
        let rows = try #require(results["rows"] as? [[String: Any]])
        results["rows"] = rows.map { row in
          var row = row
          if row["pairing"] as? String == pairing, row["rates"] as? String == rates { change(&row) }
          return row
        }
        try JSONSerialization.data(withJSONObject: results).write(to: URL(filePath: file))
      }
      #expect(try docs("--check") == 1 && docs("--update") == 0)
      return (before, try String(file: page))
    }
    let costs = try tables(of: "LPF18-quality", "k, iquality 2") { $0["subjectNanoseconds"] = 1.25 }
    let call = "| `LPF18 ain, kcutoff, 0.7, 0.5, 0, iquality` | `lpf18` |"
    #expect(costs.before.contains(call) && !costs.before.contains(" 1.25 ("))
    #expect(costs.after.contains(call) && costs.after.contains(" 1.25 ("))
    let slower = try tables(of: "SATURATE-distort1", "akkkk") {
      $0["ratio"] = ["value": 0.5, "low": 0.25, "high": 0.75]
    }
    let row = "| SATURATE | `distort1` | akkkk | 1024 | 0.50 | 0.25–0.75 |"
    #expect(!slower.before.contains(row) && slower.after.contains(row))
    let faster = try tables(of: "SATURATE-distort1", "akkkk") {
      $0["ratio"] = ["value": 0.9, "low": 0.75, "high": 1.01]
    }
    #expect(!faster.after.contains("| SATURATE | `distort1` |"))
  }

  @Test("A later run replaces the rows of its pairs, adds new ones, and counts in the mean")
  func later() throws {
    let grid = try Self.recorded(["CLIP-array": 9, "CLIP": 2, "RESON": 4])
    let updated = try grid.updated(by: Self.recorded(["PLATE": 5, "CLIP": 8]))
    #expect(updated.rows.map(\.pairing) == ["CLIP-array", "CLIP", "PLATE", "RESON"])
    #expect(updated.rows.map { $0.ratio?.value } == [9, 8, 5, 4])
    let group = try #require(updated.groups.first)
    #expect(updated.groups.count == 1 && group.pairings == 4)
    #expect(abs(group.geometricMean - pow(9 * 8 * 5 * 4, 0.25)) < 1e-12)
  }

  @Test(
    "A rival is called faster or slower in Csound 7 if its time and its ratio change by more than a fifth"
  )
  func onSeven() throws {
    let six = try Self.recorded(["A": 1, "B": 1, "C": 1, "D": 1, "E": 1, "G": 1, "H": 1])
    let seven = try Self.recorded(
      ["A": 1.3, "B": 1.1, "C": 0.9, "D": 0.7, "F": 1, "G": 1, "H": 2],
      nanoseconds: ["G": 20, "H": 10.5])
    let lines = SpeedOnSeven(six: six, seven: seven).text.split(separator: "\n").dropFirst(2)
    let told = lines.prefix(6).map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells[1] + " " + cells[6]
    }
    #expect(
      told == ["D faster", "C as fast", "H as fast", "B as fast", "A slower", "G as fast"])
    #expect(lines.last == "Of 6 rivals in 7.0: faster 1, as fast 4, slower 1, too noisy to tell 0.")
  }
}
