import CommandKit
import Foundation
import HarnessBase

/// The summary of a brief benchmark of all pairs, in sentences.
struct Overview {
  let text: String

  /// `pairings` and `grid` give the size of the complete benchmark.
  init(_ rows: [BenchmarkRow], of pairings: [Pairing], _ grid: Grid) {
    let verdicts = rows.compactMap { $0.measurement?.verdict }
    func count(_ verdict: Verdict, _ words: String) -> String? {
      let count = verdicts.count { $0 == verdict }
      return count == 0 ? nil : "\(count) \(words)"
    }
    let counts = [
      count(.same, "as fast"), count(.slower, "slower"),
      count(.tooNoisy, "too noisy to tell"),
    ].compactMap(\.self).map { ", \($0)" }.joined()
    let cases = rows.flatMap(\.cases)
    let passed = cases.count(where: \.passed)
    let sound =
      passed == cases.count
      ? "all \(cases.count) comparisons of their sound are within their limits"
      : "\(passed) of \(cases.count) comparisons of their sound are within their limits"
    let faster = verdicts.count { $0 == .faster }
    var lines = [
      "Of \(rows.count.counted("pair")) \(faster) \(faster == 1 ? "is" : "are") faster than"
        + " \(faster == 1 ? "its rival" : "their rivals")\(counts); \(sound)."
    ]
    let timed = rows.compactMap { row in row.ratio.map { (row: row, ratio: $0.value) } }
    if let slowest = timed.min(by: { $0.ratio < $1.ratio }) {
      let mean = exp(timed.reduce(0) { $0 + log($1.ratio) } / Double(timed.count))
      lines.append(
        "On the geometric mean they run \(mean.formatted(2)) times as fast; slowest beside its rival"
          + " is \(slowest.row.subject) \(slowest.row.rates), \(slowest.ratio.formatted(2)) times as"
          + " fast as \(slowest.row.rival).")
    }
    let all = pairings.reduce(0) { $0 + grid.places($1, Selection()).count }
    let seconds = pairings.reduce(0) { $0 + grid.seconds($1, Selection(), .full) }
    let names = rows.map(\.subject)
    let example = names.first { $0 == "MOOGLADDER" } ?? names.first ?? "NAME"
    let orchestra = "\(Project.root)/csd/\(example).csd"
    let isThere = FileManager.default.fileExists(atPath: orchestra)
    lines.append(
      ("Read on: ./opcodekit bench --all times all \(all) rates and ksmps, in about"
        + " \(seconds.asDuration), ./opcodekit bench \(example) those of one opcode"
        + (isThere
          ? "; ./opcodekit render \(Project.short(orchestra)) -o sound.wav lets you hear it." : "."))
        .callingTool)
    text = lines.joined(separator: "\n")
  }
}
