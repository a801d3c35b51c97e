import DevCommands
import Foundation
import SpeedCommands
import Testing

@Suite("Recorded runs of bench")
struct RecordedSpeedTests {
  /// A run with a row for each pair, and its ratio. The rival takes ten times as many nanoseconds, unless they are given.
  private static func run(
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
    let text = """
      {"date": "d", "csound": "6.18", "compiler": "c", "processor": "p", "seed": 1, "groups": [],
       "rows": [\(rows.joined(separator: ","))]}
      """
    return try JSONDecoder().decode(BenchExport.self, from: Data(text.utf8))
  }

  @Test("A later run replaces the rows of its pairs, adds new ones, and counts in the mean")
  func later() throws {
    let grid = try Self.run(["CLIP-array": 9, "CLIP": 2, "RESON": 4])
    let updated = try grid.updated(by: Self.run(["PLATE": 5, "CLIP": 8]))
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
    let six = try Self.run(["A": 1, "B": 1, "C": 1, "D": 1, "E": 1, "G": 1, "H": 1])
    let seven = try Self.run(
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
