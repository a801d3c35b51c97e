import CommandKit
import Comparing
import Foundation
import HarnessBase

/// The tables of speed in the documentation, made of recorded runs of `bench`.
struct PackSpeed {
  private typealias Row = BenchExport.Row

  private let recordings: [Recording]
  /// Every pairing at several ksmps, with the plugin's code for most processors.
  private let run: BenchExport
  /// Every pairing at ksmps 64, with code that every x86-64 processor can execute.
  private let plain: BenchExport
  /// Every pairing at several ksmps in Csound 7.0.
  private let seven: BenchExport
  /// Every pairing at usual rates, in Csound 6.18 and 7.0.
  private let usual, usualOnSeven: BenchExport

  init() throws(Failure) {
    let recordings = try [
      "x86-64", "x86-64-plain", "x86-64-csound7", "usual-csound6", "usual-csound7",
    ]
    .map { name throws(Failure) in try Recording(name) }
    self.recordings = recordings
    (run, plain, seven) = (recordings[0].run, recordings[1].run, recordings[2].run)
    (usual, usualOnSeven) = (recordings[3].run, recordings[4].run)
  }

  /// A recorded run, and a later one of some pairs, whose rows take the place of theirs.
  private struct Recording {
    private let name: String
    private let first: BenchExport
    private let later: BenchExport?

    init(_ name: String) throws(Failure) {
      self.name = name
      let path = Project.kit + "/Benchmarks/results/" + name
      first = try BenchRun(readingFrom: path + ".json").results
      let again = path + "-later.json"
      later =
        FileManager.default.fileExists(atPath: again)
        ? try BenchRun(readingFrom: again).results : nil
    }

    var run: BenchExport { later.map(first.updated) ?? first }

    /// When, where and with what the runs were made.
    var provenance: [String] {
      func line(_ name: String, _ run: BenchExport, of pairs: [String] = []) -> String {
        "`Benchmarks/results/\(name).json`\(pairs.isEmpty ? "" : ", \(pairs.joined(separator: ", "))"): \(run.date),"
          + " \(run.processor), Csound \(run.csound), \(run.compiler), seed \(run.seed).\n"
      }
      let pairs = later.map { Set($0.rows.map(\.pairing)).sorted() } ?? []
      return [line(name, first)] + (later.map { [line(name + "-later", $0, of: pairs)] } ?? [])
    }
  }

  var provenance: String { recordings.flatMap(\.provenance).joined(separator: "\n") }

  /// The opcodes by how many times as fast as Csound's they are at one ksmps, at the slowest combination of rates; a
  /// rival that does not have the opcode's name is named.
  func classes(ksmps: Int) -> String {
    let slowest = pairings(of: "pack").map { pairing in
      (pairing, rows(run, pairing, ksmps).compactMap(\.clearRatio).min())
    }
    func names(_ belong: (Double?) -> Bool) -> String {
      slowest.filter { belong($0.1) }.map { pairing, _ in
        let isNamesake = pairing.rival.uppercased() == pairing.subject
        return subject(pairing) + (isNamesake || isArray(pairing) ? "" : " (\(rival(pairing)))")
      }.joined(separator: ", ")
    }
    let limits = [Double.infinity, 10, 5, 3, 2, 1, 0]
    var lines = zip(limits, limits.dropFirst()).map { high, low in
      let heading =
        high == .infinity
        ? "\(Int(low)) or more" : low == 0 ? "below 1" : "\(Int(low)) to \(Int(high))"
      return [heading, names { $0.map { low <= $0 && $0 < high } ?? false }]
    }
    lines += [
      ["too noisy to tell", names { $0 == nil }], ["geometric mean of all rows", mean(run, ksmps)],
    ]
    return MarkdownTable(["times as fast", "opcodes"], lines.filter { !$0[1].isEmpty }).text
  }

  /// The same pairs at every ksmps, and at ksmps 64 also with code that every processor can
  /// execute.
  var table: String {
    var table = table(pairings(of: "pack"))
    table.add(["geometric mean", ""] + blocks.map { mean(run, $0) } + ["", mean(plain, 64)])
    return table.text
  }

  /// The same for one opcode; nil if it is paired with none of Csound's own.
  func table(of opcode: String) -> String? {
    let own = pairings(of: "pack").filter { $0.subject == opcode }
    return own.isEmpty ? nil : table(own).text
  }

  private var blocks: [Int] { Set(run.rows.map(\.ksmps)).sorted() }

  private func table(_ pairings: [Row]) -> MarkdownTable {
    MarkdownTable(
      ["opcode", "rival"] + blocks.map { "ksmps \($0)" } + ["null dB", "64, no AVX2"],
      pairings.map { pairing in
        [subject(pairing), rival(pairing)] + blocks.map { range(rows(run, pairing, $0)) }
          + [nullDepth(pairing), range(rows(plain, pairing, 64))]
      })
  }

  /// The pairs with user-defined opcodes and C, with confidence intervals.
  var references: String {
    let rows = run.rows.filter {
      ["udo", "reference"].contains($0.group) && !$0.isSilence && $0.ratio != nil
    }
    return MarkdownTable(
      ["opcode", "rival", "ksmps", "times as fast", "99 %"],
      rows.map { [$0.subject, "`\($0.rival)`", "\($0.ksmps)"] + $0.ratioCells }
    ).text
  }

  /// The pairs that belong to no group, at ksmps 64.
  var others: String {
    let lines = pairings(of: nil).map { pairing in
      let rows = rows(run, pairing, 64)
      return [
        pairing.subject, "`\(pairing.rival)`", pairing.unit,
        range(rows.compactMap(\.subjectNanoseconds)), range(rows.compactMap(\.rivalNanoseconds)),
        range(rows),
      ]
    }
    return MarkdownTable(["opcode", "rival", "per", "ns", "rival ns", "times as fast"], lines).text
  }

  /// The pairs with libraries outside Csound, at ksmps 64, with what their files say of accuracy.
  func outside() throws(Failure) -> String {
    let rows = try BenchRun(readingFrom: Project.kit + "/Benchmarks/results/world.json").results
      .rows
    let pairings = try Pairing.all(in: Project.kit + "/Benchmarks/world").pairings
    let lines = rows.filter { $0.ratio != nil }.map { row in
      // Above -60 dB the two do not have the same sound, and the depth says nothing.
      let depth = row.isIdentical ? -.infinity : row.nullDepthDecibels ?? .infinity
      return [row.subject, "`\(row.rival)`", row.rates] + row.costCells + row.ratioCells + [
        depth < -60 ? (row.isIdentical ? "identical" : "\(Int(depth.rounded()))") : "–",
        pairings.first { $0.name == row.pairing }?.accuracy ?? "",
      ]
    }
    return MarkdownTable(
      [
        "opcode", "rival", "form", "ns", "rival ns", "times as fast", "99 %", "null dB", "accuracy",
      ],
      lines
    ).text
  }

  /// Cost of a sample in ns with noise and with silence at the input.
  var silence: String {
    let lines = run.rows.filter(\.isSilence).map { quiet in
      let loud = run.rows.first {
        $0.pairing == quiet.pairing && $0.rates == quiet.rates && $0.ksmps == quiet.ksmps
          && !$0.isSilence
      }
      return [subject(quiet), quiet.rates] + (loud?.costCells ?? ["–", "–"]) + quiet.costCells
    }
    return MarkdownTable(
      ["opcode", "rates", "noise ns", "rival ns", "silence ns", "rival ns"], lines
    ).text
  }

  /// Cost of a sample in ns for each ksmps or number of instances: a line for each subject and each
  /// rival.
  func growth(_ file: String, over quantity: KeyPath<BenchExport.Row, Int>) throws(Failure)
    -> String
  {
    let rows = try BenchRun(readingFrom: Project.kit + "/Benchmarks/results/" + file).results.rows
      .filter { !$0.isSilence }
    let places = Set(rows.map { $0[keyPath: quantity] }).sorted()
    let lines = rows.firstOfEach(\.pairing).flatMap { pairing in
      let own = rows.filter { $0.pairing == pairing.pairing && $0.rates == pairing.rates }
      let costs = places.map { place in
        own.first { $0[keyPath: quantity] == place }?.costCells ?? ["–", "–"]
      }
      return [
        ["\(pairing.subject) \(pairing.rates)"] + costs.map { $0[0] },
        ["`\(pairing.rival)`"] + costs.map { $0[1] },
      ]
    }
    return MarkdownTable(["opcode"] + places.map { "\($0)" }, lines).text
  }

  /// What each quality costs.
  func quality() throws(Failure) -> String {
    QualityCosts(run, try Pairing.all(in: Project.kit + "/Benchmarks/kit").pairings).text
  }

  /// The rows beside Csound's own opcodes whose whole interval is below 1.
  var slower: String {
    let rows = run.rows.filter {
      $0.isSlower && ($0.group == "pack" || $0.rival.uppercased() == $0.subject)
    }
    return MarkdownTable(
      ["opcode", "rival", "rates", "ksmps", "times as fast", "99 %"],
      rows.map { [subject($0), rival($0), $0.form, "\($0.ksmps)"] + $0.ratioCells }
    ).text
  }

  /// The rivals' times in Csound 7.0 beside those in 6.18.
  var onSeven: String { SpeedOnSeven(six: usual, seven: usualOnSeven).text }

  /// The rows of the grid in Csound 7.0 whose whole interval is below 1, those of an opcode and a ksmps in a line.
  var slowerOnSeven: String {
    let slower = seven.rows.filter(\.isSlower)
    let lines = slower.firstOfEach { "\($0.pairing) \($0.ksmps)" }.map { row in
      let own = slower.filter { $0.pairing == row.pairing && $0.ksmps == row.ksmps }
      return [
        subject(row), "`\(row.rival)`", "\(row.ksmps)",
        own.map(\.form).joined(separator: ", "), range(own.compactMap(\.ratio?.value)),
      ]
    }
    return MarkdownTable(["opcode", "rival", "ksmps", "rates", "times as fast"], lines).text
  }

  /// The first row of each pairing of a group.
  private func pairings(of group: String?) -> [Row] {
    run.rows.filter { $0.group == group }.firstOfEach(\.pairing)
  }

  private func rows(_ run: BenchExport, _ pairing: Row, _ ksmps: Int) -> [Row] {
    run.rows.filter {
      $0.pairing == pairing.pairing && $0.ksmps == ksmps && !$0.isSilence && $0.instances == 1
    }
  }

  private func subject(_ row: Row) -> String {
    isArray(row) ? "\(row.subject) `a[]`" : row.subject
  }

  /// The rival of an array form is an opcode of its orchestra that calls the built-in for each
  /// channel.
  private func rival(_ row: Row) -> String {
    guard isArray(row), let plain = run.rows.first(where: { $0.pairing == row.subject }) else {
      return "`\(row.rival)`"
    }
    return "`\(plain.rival)` for each"
  }

  private func isArray(_ row: Row) -> Bool { row.pairing.hasSuffix("-array") }

  private func nullDepth(_ pairing: Row) -> String {
    let rows = run.rows.filter { $0.pairing == pairing.pairing }
    let worst = rows.compactMap(\.nullDepthDecibels).max()
    return worst.map { "\(Int($0.rounded()))" } ?? "identical"
  }

  private func mean(_ run: BenchExport, _ ksmps: Int) -> String {
    run.groups.first { $0.group == "pack" && $0.ksmps == ksmps }?.geometricMean.formatted(2) ?? "–"
  }

  /// The range of the ratios that are not too noisy.
  private func range(_ rows: [Row]) -> String {
    range(rows.compactMap(\.clearRatio))
  }

  /// From the smallest to the largest value.
  private func range(_ values: [Double]) -> String {
    guard let low = values.min()?.formatted(2), let high = values.max()?.formatted(2) else {
      return "–"
    }
    return low == high ? low : "\(low)–\(high)"
  }
}

extension BenchExport.Row {
  /// The ratio; nil unless the upper bound of its interval is less than twice the lower one.
  var clearRatio: Double? {
    guard let ratio, ratio.high < 2 * ratio.low else { return nil }
    return ratio.value
  }

  /// Whether the whole interval of the ratio is below 1.
  fileprivate var isSlower: Bool { ratio.map { $0.high < 1 } ?? false }

  /// The rates, and whether the input is silent.
  fileprivate var form: String { rates + (isSilence ? " silence" : "") }

  /// The ratio and its interval.
  fileprivate var ratioCells: [String] {
    guard let ratio else { return ["–", "–"] }
    return [
      ratio.value.formatted(2), "\(ratio.low.formatted(2))–\(ratio.high.formatted(2))",
    ]
  }

  /// What a sample costs the opcode and its rival, in ns.
  fileprivate var costCells: [String] {
    [subjectNanoseconds, rivalNanoseconds].map { $0?.formatted(2) ?? "–" }
  }
}

extension Sequence {
  /// The first element of each of those with the same key.
  func firstOfEach<Key: Hashable>(_ key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}
