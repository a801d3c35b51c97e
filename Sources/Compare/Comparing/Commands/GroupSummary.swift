import Foundation

/// The speed of a group of pairings at one ksmps.
package struct GroupSummary: Codable {
  package var group: String
  package var ksmps: Int
  package var pairings: Int
  /// Geometric mean of the pairings' ratios, each the geometric mean over its rates.
  package var geometricMean: Double
  package var smallestRatio: Double
  /// The row with the smallest ratio.
  package var smallest: String

  /// A summary for each group and ksmps that has ratios; counts only rows with one instance and a
  /// sounding signal.
  package static func all(of rows: [BenchExport.Row]) -> [GroupSummary] {
    let timed = rows.filter {
      $0.group != nil && $0.instances == 1 && !$0.isSilence && $0.ratio != nil
    }
    let groups = Set(timed.compactMap(\.group)).sorted()
    return groups.flatMap { group in
      Set(timed.map(\.ksmps)).sorted().compactMap { ksmps in
        GroupSummary(group, ksmps, timed.filter { $0.group == group && $0.ksmps == ksmps })
      }
    }
  }

  private init?(_ group: String, _ ksmps: Int, _ rows: [BenchExport.Row]) {
    func ratio(_ row: BenchExport.Row) -> Double { row.ratio?.value ?? .nan }
    guard let worst = rows.min(by: { ratio($0) < ratio($1) }) else { return nil }
    let means = Dictionary(grouping: rows, by: \.pairing).values.map { rows in
      rows.reduce(0) { $0 + log(ratio($1)) } / Double(rows.count)
    }
    self.group = group
    self.ksmps = ksmps
    pairings = means.count
    geometricMean = exp(means.reduce(0, +) / Double(means.count))
    smallestRatio = ratio(worst)
    smallest = "\(worst.subject) \(worst.rates)"
  }

  package var text: String {
    "\(group), \(pairings) pair\(pairings == 1 ? "" : "s") at ksmps \(ksmps): geometric mean"
      + " \(geometricMean.formatted(2)), smallest \(smallestRatio.formatted(2)) (\(smallest))."
  }
}
