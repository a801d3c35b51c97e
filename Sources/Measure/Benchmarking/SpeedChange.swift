import Comparing
import Foundation
import Statistics

/// What one cost is now beside what it was.
public struct CostChange: Codable, Equatable, Sendable {
  /// The figures the change was made of: ratios to the rival, nanoseconds or instructions.
  public var before: Double?
  public var now: Double?
  /// Cost now over cost before, 1.05 where it grew by 5 %; absent where noise leaves no interval.
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
  /// The place in words.
  public var title: String {
    "\(subject) against \(rival), \(rates)\(isSilence ? " silence" : ""), ksmps \(ksmps)"
      + (instances == 1 ? "" : ", \(instances) instances") + ", sr \(Int(sampleRate.rounded()))"
  }

  /// Whether a run of these pairings and this selection would have such a row.
  func isAmong(_ pairings: [String]?, _ selection: Selection) -> Bool {
    pairings?.contains(pairing) != false && selection.ksmps?.contains(ksmps) != false
      && selection.rates?.contains(rates) != false
      && selection.sampleRates?.contains(sampleRate) != false
      && (isSilence || selection.instances?.contains(instances) != false)
  }
}

/// One row's speed now beside that of a reference: a baseline, or another build.
public struct SpeedChange: Codable, Sendable {
  public enum Side: String, Codable, Sendable { case reference, present }

  public var place: BenchmarkPlace
  /// Which of the two has no such row; then there is nothing else.
  public var missing: Side?
  public var timing: CostChange?
  public var instructions: CostChange?
  /// Which of the two has no instruction count, when they were to be compared.
  public var uncounted: Side?

  public init(place: BenchmarkPlace, missing: Side? = nil) {
    self.place = place
    self.missing = missing
  }
}

/// All rows beside those of a reference.
public struct SpeedReport: Codable, Sendable {
  /// How large a change must be, as fractions of a cost.
  public struct Thresholds: Codable, Equatable, Sendable {
    public var time: Double
    public var instructions: Double

    public init(time: Double = 0.05, instructions: Double = 0.01) {
      self.time = time
      self.instructions = instructions
    }
  }

  public enum Finding: Sendable {
    /// A row is slower, or takes more instructions, by more than the threshold.
    case slower
    /// A row lacks its counterpart, or no row has a verdict.
    case incomplete
    case good
  }

  /// What the present is compared with, in words.
  public var reference: String
  public var thresholds: Thresholds
  public var changes: [SpeedChange]

  public init(reference: String, thresholds: Thresholds, changes: [SpeedChange]) {
    self.reference = reference
    self.thresholds = thresholds
    self.changes = changes
  }

  /// The rows of a run beside those a baseline has for these pairings (all when nil) and this
  /// selection. What travels from run to run and between machines is a row's ratio to its rival.
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

  /// The rows of a run whose rivals were the same opcodes of another build, and the pairings that
  /// only one of the builds has opcodes for.
  public init(
    _ rows: [BenchmarkRow], againstBuild name: String, missing: [SpeedChange], counting: Bool,
    thresholds: Thresholds
  ) {
    let changes = rows.map { row in
      var item = SpeedChange(place: row.place)
      item.timing = CostChange(
        before: row.measurement?.rival.finiteValue, now: row.measurement?.subject.finiteValue,
        change: row.ratio?.reciprocal, threshold: thresholds.time)
      if counting { item.compare(row.instructions?.rival, row.instructions?.subject, thresholds) }
      return item
    }
    self.init(
      reference: "the build '\(name)'", thresholds: thresholds, changes: changes + missing)
  }

  /// What the run comes to. What is slower is so whatever else is missing.
  public var finding: Finding {
    let verdicts = changes.flatMap { [$0.timing?.verdict, $0.instructions?.verdict] }
    if verdicts.contains(.slower) { return .slower }
    let isComplete = changes.allSatisfy { $0.missing == nil && $0.uncounted == nil }
    let isTelling = verdicts.contains { $0 != nil && $0 != .tooNoisy }
    return isComplete && isTelling ? .good : .incomplete
  }
}

extension SpeedChange {
  /// A row since a baseline's of the same place, if it has one.
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

  /// Adds the instruction counts, which are exact: the interval is a point.
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

extension Double {
  /// The number, or nil where JSON has none.
  fileprivate var finiteValue: Double? { isFinite ? self : nil }
}
