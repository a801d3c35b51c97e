import CommandKit
import Foundation
import HarnessBase

/// The change of a cost from the reference to the present.
public struct CostChange: Codable, Equatable, Sendable {
  /// The figures that the change is computed from: ratios to the rival, nanoseconds or
  /// instructions.
  public var before: Double?
  public var now: Double?
  /// The cost now divided by the cost before: 1.05 if it grew by 5 %. Nil if it is too noisy.
  public var change: Estimate?
  public var verdict: Verdict

  public init(before: Double?, now: Double?, change: Estimate?, threshold: Double) {
    self.before = before
    self.now = now
    self.change = change.flatMap { $0.isBounded ? $0 : nil }
    verdict = self.change?.verdict(beyond: threshold) ?? .tooNoisy
  }
}

extension BenchmarkPlace {
  /// A description of the row for messages.
  public var title: String {
    "\(subject) against \(rival), \(rates)\(isSilence ? " silence" : ""), ksmps \(ksmps)"
      + (instances == 1 ? "" : ", \(instances) instances") + ", sr \(Int(sampleRate.rounded()))"
  }

  /// Whether a run of these pairings (nil for all) and this selection has this row.
  func isAmong(_ pairings: [String]?, _ selection: Selection) -> Bool {
    pairings?.contains(pairing) != false && selection.ksmps?.contains(ksmps) != false
      && selection.hasRates(rates)
      && selection.sampleRates?.contains(sampleRate) != false
      && (isSilence || selection.instances?.contains(instances) != false)
  }
}

/// The change of one row's speed from a reference, which is a baseline or another build.
public struct SpeedChange: Codable, Sendable {
  public enum Side: String, Codable, Sendable { case reference, present }

  public var place: BenchmarkPlace
  /// The side that does not have this row; if set, all other values are nil.
  public var missing: Side?
  public var timing: CostChange?
  public var instructions: CostChange?
  /// The side that has no instruction count, if counts were to be compared.
  public var uncounted: Side?
}

/// The changes of all rows from a reference.
public struct SpeedReport: Codable, Sendable {
  /// How large a change must be to count, as a fraction of the cost: 0.05 is 5 %.
  public struct Thresholds: Codable, Equatable, Sendable {
    public var time = 0.05
    public var instructions = 0.01
  }

  public enum Finding: Sendable {
    /// A row is slower, or takes more instructions, by more than the threshold.
    case slower
    /// A row or an instruction count is missing on one side, or no row has a verdict.
    case incomplete
    case good
  }

  /// A description of the reference for messages.
  public var reference: String
  public var thresholds: Thresholds
  public var changes: [SpeedChange]
}

extension SpeedReport {
  /// Compares the rows of a run with those of a baseline for these pairings (nil for all) and this
  /// selection. It compares the ratios to the rival, because times in nanoseconds are not
  /// comparable between runs and machines.
  public init(
    _ rows: [BenchmarkRow], against baseline: Baseline, named name: String,
    pairings: [String]?, _ selection: Selection, counting: Bool, thresholds: Thresholds
  ) {
    let before = Dictionary(baseline.rows.map { ($0.place, $0) }) { first, _ in first }
    let now = Set(rows.map(\.place))
    let gone = baseline.rows.map(\.place).filter {
      !now.contains($0) && $0.isAmong(pairings, selection)
    }
    let changes = rows.map { row in
      SpeedChange(row, since: before[row.place], counting: counting, thresholds)
    }
    let missing = gone.map { SpeedChange(place: $0, missing: .present) }
    self.init(
      reference: "the baseline '\(name)'", thresholds: thresholds, changes: changes + missing)
  }

  /// Compares two builds: `rows` are those of a run whose rivals were the same opcodes in another
  /// build, `missing` the pairings whose opcodes only one of the builds has.
  public init(
    _ rows: [BenchmarkRow], againstBuild name: String, missing: [SpeedChange], counting: Bool,
    thresholds: Thresholds
  ) {
    let changes = rows.map { row in
      var item = SpeedChange(place: row.place)
      item.timing = CostChange(
        before: row.measurement?.rival.finite, now: row.measurement?.subject.finite,
        change: row.ratio?.reciprocal, threshold: thresholds.time)
      if counting { item.compare(row.instructions?.rival, row.instructions?.subject, thresholds) }
      return item
    }
    self.init(
      reference: "the build '\(name)'", thresholds: thresholds, changes: changes + missing)
  }

  /// The result of all rows. A slower row decides, even if others are missing.
  public var finding: Finding {
    let verdicts = changes.flatMap { [$0.timing?.verdict, $0.instructions?.verdict] }
    if verdicts.contains(.slower) { return .slower }
    let isComplete = changes.allSatisfy { $0.missing == nil && $0.uncounted == nil }
    let isTelling = verdicts.contains { $0 != nil && $0 != .tooNoisy }
    return isComplete && isTelling ? .good : .incomplete
  }
}

extension SpeedChange {
  /// The change of a row since the baseline's row for the same place; `old` is nil if there is
  /// none.
  init(
    _ row: BenchmarkRow, since old: Baseline.Row?, counting: Bool,
    _ thresholds: SpeedReport.Thresholds
  ) {
    self.init(place: row.place, missing: old == nil ? .reference : nil)
    guard let old else { return }
    var change: Estimate?
    if let before = old.ratio, let now = row.ratio { change = Estimate(dividing: before, by: now) }
    timing = CostChange(
      before: old.ratio?.value, now: row.ratio?.value, change: change, threshold: thresholds.time)
    if counting { compare(old.instructions, row.instructions?.subject, thresholds) }
  }

  /// Adds the change of the instruction counts. Counts are exact, so the interval has zero width.
  mutating func compare(
    _ before: Double?, _ now: Double?, _ thresholds: SpeedReport.Thresholds
  ) {
    guard let before, let now else {
      uncounted = before == nil ? .reference : .present
      return
    }
    let change = now / before
    instructions = CostChange(
      before: before, now: now, change: Estimate(value: change, low: change, high: change),
      threshold: thresholds.instructions)
  }
}
