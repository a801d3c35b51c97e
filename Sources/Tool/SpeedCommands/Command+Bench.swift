import Benchmarking
import CommandKit
import Comparing
import Counting
import CsoundHost
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let seed = Option(
    name: "seed", value: "N", takes: ValueReader.wholeNumber(0...Int.max).map { UInt64($0) },
    standard: 1, help: "Seed of the random order and of the intervals; default 1.")

  private static let instances = Option(
    name: "instances", value: "LIST", takes: .wholeNumbers(1...1000),
    help: "Notes that play the opcode side by side, such as 1,10,1000; default 1.")

  private static let selfCheck = Option(
    name: "self-check", value: "N", takes: .wholeNumber(1...10_000),
    help: """
      Instead, judge the benchmark on one row of each opcode: N runs against its rival, N against \
      itself, 5 against itself slowed down by 5 %. Without NAME, of MOOGLADDER and ONEPOLE, briefly; \
      exit code 1 when under 95 % of the estimates lie within the intervals of other runs, when runs \
      contradict each other, when the slowdown is missed, or when fewer of the N intervals hold 1 \
      than would with a probability of 1 % (96 of 100).
      """)

  private static let wholeGrid = Option(
    name: "all",
    help: "Time the whole grid: every pair at all of its rates and ksmps.")

  /// Only to be refused with its reason, as many commands have it.
  private static let shard = Option(
    name: "shard", value: "I/N",
    takes: ValueReader<String> { _, _ throws(Failure) in
      throw Failure(
        .usage,
        "bench cannot be shared among machines: ratios of different processors and loads make no one"
          + " table. Give it fewer NAMEs, or compare --shard.")
    },
    help: "Not for bench: its rows are of one machine at one time.")

  static func bench(building build: ProductBuild?) -> Command {
    Command(
      name: "bench", operands: "[NAME …]",
      summary:
        "Compare and benchmark opcodes: all pairs briefly, or the whole grid of those named.",
      options: [
        wholeGrid, .ksmps, .rates, .sampleRate, instances, seed, selfCheck, .plugin, .toolCsound,
        .timeLimit, .json, shard,
      ] + SpeedTask.options
    ) { arguments throws(Failure) in
      var selection = Project.selection(arguments)
      selection.instances = arguments[instances]
      let (runs, seed) = (arguments[selfCheck], arguments[seed])
      let names = arguments.operands.isEmpty && runs != nil ? checkedNames : arguments.operands
      var failures: [Failure] = []
      let pairings = try Project.pairings(
        names, selection, hasKit: arguments[wholeGrid],
        withoutRivals: arguments[SpeedTask.againstBuild] != nil, building: build,
        failures: &failures)
      let task = try SpeedTask(arguments, selfCheck: selfCheck)
      let grid = try Project.grid(arguments, otherBuild: task.otherBuild)
      let export = try FileExport(arguments, .json)
      if let runs {
        try Project.raise(failures)
        return try check(
          grid, pairings, selection, arguments.operands.isEmpty ? .brief : .full, runs: runs,
          seed: seed, export: export)
      }
      let callgrind = task.counts ? try Callgrind() : nil
      defer { callgrind?.close() }
      var (comparable, missing) = try task.comparable(pairings, selection, grid)
      let isNarrowed = !arguments.given(wholeGrid, .ksmps, .rates, .sampleRate, instances).isEmpty
      let isOverview = names.isEmpty && !isNarrowed && task.isPlain
      let plan = comparable.map {
        (pairing: $0, selection: isOverview ? .overview(of: $0) : selection)
      }
      let table = BenchTable(
        plan.flatMap { grid.places($0.pairing, $0.selection) }, hasCounts: task.counts,
        isPrinted: task.reference == nil)
      let effort = isOverview ? Benchmark.Effort.brief : .full
      let work = plan.map { grid.seconds($0.pairing, $0.selection, effort) }
        .reduce(0, +)
      let pace = !task.counts ? BenchRun.pace(effort) : 1
      table.announce(
        isOverview: isOverview, pairs: plan.count,
        of: Project.plugin(arguments).map(Project.short) ?? "the tool's own opcodes",
        seconds: work * pace)
      let start = Date()
      // Before an interruption, after which no program is started any more.
      let provenance = Project.provenance(arguments)
      return try PartialRun.keeping(
        "rows", of: table.count, finished: { table.rows.count },
        work: { () throws(Failure) in
          for (pairing, selection) in plan {
            let line = ProgressLine(pairing.subject, among: table.progress)
            do throws(Failure) {
              _ = try grid.benchmark(
                pairing, selection, seed: seed, counting: callgrind, effort: effort
              ) {
                line.count($1)
              } finished: {
                table.add($0)
              }
            } catch {
              // A pairing that cannot be played spoils only itself.
              if task.isLacking(error) {
                missing += grid.places(pairing, selection).map {
                  SpeedChange(place: $0, missing: .reference)
                }
              } else if error.kind == .badInput {
                failures.append(error)
              } else {
                throw error
              }
            }
          }
        },
        conclude: { partial throws(Failure) in
          ProgressLine.clear()
          // An overload that the other build lacks is a row that is missing there.
          let lacking = table.rows.filter { $0.failure.map(task.isLacking) ?? false }
          missing += lacking.map { SpeedChange(place: $0.place, missing: .reference) }
          var rows = table.rows.filter { row in !lacking.contains { $0.place == row.place } }
          let failure = rows.compactMap(\.failure).first ?? failures.first
          guard partial == nil, failure == nil else {
            // What is finished is kept, however the rest ended.
            if task.reference == nil, !rows.isEmpty {
              try keep(rows, seed: seed, nil, partial, arguments, provenance, export)
              print(table.legend)
            } else if partial != nil {
              _ = try task.report(
                task.compare(rows, pairings, selection, missing), provenance, to: export, partial)
            }
            if let failure { try Project.raise([failure] + failures) }
            return .checkFailed
          }
          if task.reference == nil {
            print("\n" + table.legend)
            for summary in GroupSummary.all(of: rows) { print(summary.text) }
            var duration: BenchExport.Duration?
            if !task.counts {
              duration = .init(
                effort: effort, expectedSeconds: work, seconds: Date().timeIntervalSince(start))
            }
            try keep(rows, seed: seed, duration, nil, arguments, provenance, export)
            if isOverview { print("\n" + Overview(rows, of: pairings, grid).text) }
          }
          try task.save(rows, provenance)
          rows = try task.repeatingSlower(
            rows, of: comparable, among: pairings, selection, missing, grid, seed: seed &+ 1)
          let report = try task.report(
            task.compare(rows, pairings, selection, missing), provenance, to: export)
          let compared = try CompareReport.conclude(rows.flatMap(\.cases))
          return switch report?.finding {
          case .slower: .slower
          case .incomplete: .checkFailed
          case .good, nil: compared
          }
        })
    }
  }

  /// Writes rows where they were asked for, and where `report` finds them.
  private static func keep(
    _ rows: [BenchmarkRow], seed: UInt64, _ duration: BenchExport.Duration?, _ partial: PartialRun?,
    _ arguments: Arguments, _ provenance: Provenance, _ export: FileExport?
  ) throws(Failure) {
    var results = BenchExport(rows, seed: seed, plugin: Project.plugin(arguments), provenance)
    results.duration = duration
    results.partial = partial
    try export?.write(results)
    BenchRun.leave(results)
  }
}
