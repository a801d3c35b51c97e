import CommandKit
import Foundation
import HarnessBase
import Rendering

/// One run of `bench`: chooses the pairings, times them, and reports the results.
final class BenchSession {
  /// What is asked for in addition to what `SpeedTask` does.
  struct Order {
    var selection: Selection
    var seed: UInt64
    /// The number of runs of a self-check; nil if opcodes are timed.
    var selfCheckRuns: Int?
    /// Whether the kit's own pairs are timed, too.
    var hasKit: Bool
    /// Whether options choose some of the rows.
    var isNarrowed: Bool
  }

  private let arguments: Arguments
  private let order: Order
  private let task: SpeedTask
  private let grid: Grid
  private let export: FileExport?
  private let pairings: [Pairing]
  /// Why pairings cannot be read or played. The others are timed nevertheless.
  private var failures: [Failure]
  /// Rows that one of two builds does not have.
  private var missing: [SpeedChange] = []

  init(
    _ arguments: Arguments, _ order: Order, selfCheck: Option<Int?>, building build: ProductBuild?
  ) throws(Failure) {
    (self.arguments, self.order) = (arguments, order)
    let isCheckedBriefly = arguments.operands.isEmpty && order.selfCheckRuns != nil
    var failures: [Failure] = []
    let chosen = try Pairing.chosen(
      isCheckedBriefly ? Command.checkedNames : arguments.operands, order.selection,
      on: arguments.target.csound, hasKit: order.hasKit,
      withoutRivals: arguments[SpeedTask.againstBuild] != nil,
      building: build, failures: &failures)
    task = try SpeedTask(arguments, selfCheck: selfCheck)
    grid = try Grid(arguments, otherBuild: task.otherBuild)
    export = try FileExport(arguments, .json)
    // Before the first row, because a whole run takes an hour.
    pairings = try Pairing.building(chosen, grid, failures: &failures)
    self.failures = failures
  }

  func run() throws(Failure) -> ExitCode {
    guard let runs = order.selfCheckRuns else { return try time(plan()) }
    try Failure.raise(failures)
    return try Command.check(
      grid, pairings, order.selection, arguments.operands.isEmpty ? .brief : .verdict, runs: runs,
      seed: order.seed, export: export)
  }

  // MARK: Timing

  /// What is timed, and how long it may take.
  private struct Plan {
    /// The pairings that can be timed.
    let pairings: [Pairing]
    /// The rows of each pairing.
    let selections: [Selection]
    let isOverview: Bool
    /// The expected duration in seconds, without regard to how long the last run took.
    let seconds: Double
    let table: BenchTable

    var effort: Benchmark.Effort { Self.effort(isOverview) }

    static func effort(_ isOverview: Bool) -> Benchmark.Effort { isOverview ? .brief : .verdict }
  }

  private func plan() throws(Failure) -> Plan {
    let (pairings, missing) = try task.comparable(pairings, order.selection, grid)
    self.missing = missing
    let isOverview = arguments.operands.isEmpty && !order.isNarrowed && task.isPlain
    let selections = pairings.map { isOverview ? .overview(of: $0) : order.selection }
    let rows = zip(pairings, selections)
    return Plan(
      pairings: pairings, selections: selections, isOverview: isOverview,
      seconds: rows.reduce(0) { $0 + grid.seconds($1.0, $1.1, Plan.effort(isOverview)) },
      table: BenchTable(
        rows.flatMap { grid.places($0, $1) }, hasCounts: task.counts,
        isPrinted: task.reference == nil))
  }

  private func time(_ plan: Plan) throws(Failure) -> ExitCode {
    let callgrind = task.counts ? try Callgrind() : nil
    defer { callgrind?.close() }
    plan.table.announce(
      isOverview: plan.isOverview, pairs: plan.pairings.count,
      of: Project.plugin(arguments).map(Project.short) ?? "the tool's own opcodes",
      seconds: plan.seconds * (task.counts ? 1 : BenchRun.pace(plan.effort)))
    let start = Date()
    // Read before the work: after an interruption no program is started any more.
    let provenance = Project.provenance(arguments)
    return try PartialRun.keeping(
      "rows", of: plan.table.count, finished: { plan.table.rows.count },
      work: { () throws(Failure) in
        for (pairing, selection) in zip(plan.pairings, plan.selections) {
          try time(pairing, selection, plan, callgrind)
        }
      },
      conclude: { partial throws(Failure) in
        try conclude(plan, partial, provenance, seconds: Date().timeIntervalSince(start))
      })
  }

  /// Times a pairing. If it cannot be played, the others are still timed.
  private func time(
    _ pairing: Pairing, _ selection: Selection, _ plan: Plan, _ callgrind: Callgrind?
  ) throws(Failure) {
    let line = ProgressLine(pairing.subject, among: plan.table.progress)
    do throws(Failure) {
      _ = try grid.benchmark(
        pairing, selection, seed: order.seed, counting: callgrind, effort: plan.effort
      ) {
        line.count($1)
      } finished: {
        plan.table.add($0)
      }
    } catch {
      if grid.isLacking(error) {
        missing += grid.places(pairing, selection).map {
          SpeedChange(place: $0, missing: .reference)
        }
      } else if [.badInput, .missingInput, .unavailable].contains(error.kind) {
        failures.append(error)
      } else {
        throw error
      }
    }
  }

  // MARK: What comes of it

  private func conclude(
    _ plan: Plan, _ partial: PartialRun?, _ provenance: Provenance, seconds: Double
  ) throws(Failure) -> ExitCode {
    ProgressLine.clear()
    let rows = withoutLacking(plan.table.rows)
    let failure = rows.compactMap(\.failure).first ?? failures.first
    let extent = RunExtent(partial, isRefused: failure != nil)
    guard extent == .whole else {
      try keepUnfinished(rows, plan, extent, provenance)
      if let failure { try Failure.raise([failure] + failures) }
      return .checkFailed
    }
    if task.reference == nil {
      print("\n" + plan.table.legend)
      for summary in GroupSummary.all(of: rows.map { BenchExport.Row($0) }) { print(summary.text) }
      let duration = BenchExport.Duration(
        effort: plan.effort, expectedSeconds: plan.seconds, seconds: seconds)
      try keep(rows, task.counts ? nil : duration, extent, provenance)
      if plan.isOverview { print("\n" + Overview(rows, of: pairings, grid).text) }
    }
    try task.save(rows, provenance)
    return try judge(rows, plan, provenance)
  }

  /// The rows whose overload both builds have; the others are added to `missing`.
  private func withoutLacking(_ rows: [BenchmarkRow]) -> [BenchmarkRow] {
    let lacking = rows.filter { $0.failure.map(grid.isLacking) ?? false }
    missing += lacking.map { SpeedChange(place: $0.place, missing: .reference) }
    return rows.filter { row in !lacking.contains { $0.place == row.place } }
  }

  /// The exit code, which depends on the reference, if there is one, and on sounds that differ.
  private func judge(
    _ rows: [BenchmarkRow], _ plan: Plan, _ provenance: Provenance
  ) throws(Failure) -> ExitCode {
    var (rows, stopped): ([BenchmarkRow], Failure?) = (rows, nil)
    do throws(Failure) {
      rows = try task.repeatingSlower(
        rows, of: plan.pairings, among: pairings, order.selection, missing, grid,
        seed: order.seed &+ 1)
    } catch { stopped = error }
    let report = try task.report(
      task.compare(rows, pairings, order.selection, missing), provenance, to: export)
    if let stopped { throw stopped }
    let compared = try CompareReport.conclude(rows.flatMap(\.cases))
    return switch report?.finding {
    case .slower: .slower
    case .incomplete: .checkFailed
    case .good, nil: compared
    }
  }

  /// Writes and prints the finished rows of a run that was stopped or failed.
  private func keepUnfinished(
    _ rows: [BenchmarkRow], _ plan: Plan, _ extent: RunExtent, _ provenance: Provenance
  ) throws(Failure) {
    if task.reference == nil, !rows.isEmpty {
      try keep(rows, nil, extent, provenance)
      print(plan.table.legend)
    } else if task.reference != nil {
      let finished = rows.filter { $0.failure == nil }
      _ = try task.report(
        task.compare(finished, pairings, order.selection, missing), provenance, to: export, extent)
    }
  }

  /// Writes rows to the file of `--json`, and where `report` finds them.
  private func keep(
    _ rows: [BenchmarkRow], _ duration: BenchExport.Duration?, _ extent: RunExtent,
    _ provenance: Provenance
  ) throws(Failure) {
    var results = BenchExport(
      rows, seed: order.seed, plugin: Project.plugin(arguments), provenance)
    results.duration = duration
    results.partial = extent.partial
    var export = export
    export?.extent = extent
    try export?.write(results)
    BenchRun.leave(results)
  }
}
