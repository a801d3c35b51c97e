import Foundation
import HarnessBase
import Rendering
import Synchronization

extension Grid {
  /// Checks that the orchestra does not contain the opcode if the macro EMPTY is set, since its cost is
  /// then subtracted from both: it must compile with an opcode name that does not exist.
  func checkUsesEmptyMacro(_ pairing: Pairing) throws(Failure) {
    guard pairing.pattern == nil else { return }
    if let refusal = try withoutOpcode(pairing, macros: ["EMPTY": "1"], plugin: nil) {
      throw .badInput(
        "'\(pairing.path(root: root))' must compile without its opcode when the macro EMPTY is set; put the"
          + " opcode between #ifndef EMPTY and #end. \(refusal.message)")
    }
  }

  /// Compares subject and rival, then times them, one row for each rate combination and ksmps. With
  /// `counting` it counts their instructions, too.
  ///
  /// Several processes time each row, one after another. The rows take turns, so that interference that
  /// lasts some seconds does not affect one row alone. `finished` is called for each row as soon as its
  /// result is known, on any thread.
  public func benchmark(
    _ pairing: Pairing, _ selection: Selection = Selection(), seed: UInt64 = 1,
    counting callgrind: Callgrind? = nil, effort: Benchmark.Effort = .full,
    progress: @escaping @Sendable (Int, JobProgress) -> Void = { _, _ in },
    finished: @escaping @Sendable (BenchmarkRow) -> Void = { _ in }
  ) throws(Failure) -> [BenchmarkRow] {
    var selection = selection
    selection.ksmps = selection.ksmps ?? pairing.benchmark.ksmps
    let compared = try compare(pairing, selection, progress: progress)
    try checkUsesEmptyMacro(pairing)
    let path = pairing.path(root: root)
    guard selection.instances == nil || Orchestra(path: path).takesNotes else {
      throw .badInput(
        "'\(path)' never uses the macro NOTES; play that many notes, 1 when it is not set, or leave"
          + " out --instances.")
    }
    let settings = try self.rows(pairing, selection, seed: seed)
    var rows = settings.map { setting in
      BenchmarkRow(
        place: setting.place, group: pairing.group, report: .notRun,
        cases: compared.filter {
          $0.rates == setting.place.rates && $0.ksmps == setting.place.ksmps
        })
    }
    let jobs = settings.map(\.job)
    var count = compared.count
    if let callgrind {
      let jobs = jobs.map { CountJob(benchmark: $0, directory: callgrind.directory) }
      let reports = try callgrind.pool(pool(pairing)).run(jobs, parallel: 2) { [count] in
        progress(count + $0, $1.stage)
      }
      count += jobs.count
      for (index, report) in reports.enumerated() { rows[index].countReport = report }
    }
    let timed = try time(jobs, pairing, effort) { [count] in
      progress(count + $0, $1)
    } finished: { [rows] index, report in
      var row = rows[index]
      row.report = report
      finished(row)
    }
    for index in rows.indices { rows[index].report = timed[index] }
    return rows
  }

  /// Times each job in several processes, one process at a time, because a second one would compete for
  /// the processor's caches. The jobs take turns, so that interference that lasts some seconds does not
  /// affect one job alone. Both closures are called on any thread: `progress` with the index of a
  /// process, `finished` with the index of a job.
  func time(
    _ jobs: [BenchmarkJob], _ pairing: Pairing, _ effort: Benchmark.Effort,
    progress: @escaping @Sendable (Int, JobProgress) -> Void = { _, _ in },
    finished: @escaping @Sendable (Int, Report<Measurement>) -> Void = { _, _ in }
  ) throws(Failure) -> [Report<Measurement>] {
    let turns = (0..<effort.processes).flatMap { turn in
      jobs.map { job in
        var job = job
        job.effort = effort
        job.seed &+= UInt64(turn)
        job.countsBytes = turn == 0
        return job
      }
    }
    let known = Mutex([Report<ProcessTiming>](repeating: .notRun, count: turns.count))
    let told = Mutex(Set<Int>())
    @Sendable func measurement(_ job: Int) -> Report<Measurement> {
      let reports = known.withLock { known in
        stride(from: job, to: turns.count, by: jobs.count).map { known[$0] }
      }
      return reports.measurement
    }
    _ = try pool(pairing, jobsPerWorker: 1).run(turns) { index, report in
      progress(index, report.stage)
      guard !report.isProgress else { return }
      known.withLock { $0[index] = report }
      let job = index % jobs.count
      guard index + jobs.count >= turns.count else { return }
      _ = told.withLock { $0.insert(job) }
      finished(job, measurement(job))
    }
    // Those whose last turn was not begun, because too many did not come to an end.
    for job in jobs.indices where !told.withLock({ $0.contains(job) }) {
      finished(job, measurement(job))
    }
    return jobs.indices.map(measurement)
  }

  /// The approximate time that `benchmark` takes on two idle cores, in seconds.
  public func seconds(
    _ pairing: Pairing, _ selection: Selection, _ effort: Benchmark.Effort
  ) -> Double {
    let rates = rates(pairing, selection).count
    let ksmps = (selection.ksmps ?? pairing.benchmark.ksmps).count
    let cases = pairing.cases.reduce(0) { count, item in
      count + (selection.sampleRates ?? item.sampleRates ?? pairing.sampleRates).count
    }
    let perCase = 0.05
    return Double(places(pairing, selection).count) * effort.seconds
      + Double(rates * ksmps * cases) * perCase
  }

  /// The rows that `benchmark` makes.
  public func places(_ pairing: Pairing, _ selection: Selection) -> [BenchmarkPlace] {
    rowSettings(pairing, selection).map { place(pairing, $0) }
  }

  /// The rows, each with the job that times it.
  func rows(
    _ pairing: Pairing, _ selection: Selection, seed: UInt64
  ) throws(Failure) -> [(place: BenchmarkPlace, job: BenchmarkJob)] {
    try rowSettings(pairing, selection).map { setting throws(Failure) in
      (
        place(pairing, setting),
        try job(
          pairing, setting.rates, setting.sampleRate, setting.ksmps, setting.instances,
          // In a longer k-cycle a call's cost hardly depends on what is beside it; numbers of notes are compared. In
          // silence many opcodes do nothing.
          calls: setting.ksmps > 64 || selection.instances != nil || setting.silence != nil
            ? 0 : selection.calls ?? pairing.benchmark.calls,
          silence: setting.silence ?? [:], seed: seed)
      )
    }
  }

  private struct RowSetting {
    var rates: Pairing.Variant
    var sampleRate: Double
    var ksmps: Int
    var instances = 1
    /// The macros that make the input signal end; nil if it does not end.
    var silence: [String: String]?
  }

  private func rowSettings(_ pairing: Pairing, _ selection: Selection) -> [RowSetting] {
    var settings: [RowSetting] = []
    let everyKsmps = selection.ksmps ?? pairing.benchmark.ksmps
    for rates in rates(pairing, selection) {
      for sampleRate in selection.sampleRates ?? [pairing.benchmark.sampleRate] {
        for ksmps in everyKsmps {
          for instances in selection.instances ?? [1] {
            settings.append(
              RowSetting(
                rates: rates, sampleRate: sampleRate, ksmps: ksmps, instances: instances))
          }
        }
        if selection.includesSilence, let silence = pairing.benchmark.silence,
          // The same as in a run without --ksmps, if that is one of them, so that the rows can be compared.
          let ksmps = (pairing.benchmark.ksmps.filter(everyKsmps.contains) + everyKsmps)
            .first(where: { $0 >= 64 })
        {
          settings.append(
            RowSetting(rates: rates, sampleRate: sampleRate, ksmps: ksmps, silence: silence))
        }
      }
    }
    return settings
  }

  private func place(_ pairing: Pairing, _ setting: RowSetting) -> BenchmarkPlace {
    BenchmarkPlace(
      pairing: pairing.name, subject: pairing.subject, rival: rivalName(pairing),
      rates: setting.rates.name, isSilence: setting.silence != nil, sampleRate: setting.sampleRate,
      ksmps: setting.ksmps, instances: setting.instances, unit: pairing.benchmark.unit)
  }

  /// The job that times one row.
  private func job(
    _ pairing: Pairing, _ rates: Pairing.Variant, _ sampleRate: Double, _ ksmps: Int,
    _ instances: Int, calls: Int, silence: [String: String] = [:], seed: UInt64
  ) throws(Failure) -> BenchmarkJob {
    let settings = pairing.benchmark
    var orchestra = try pairing.orchestra(
      root: root, rates: rates, macros: settings.macros.merging(silence) { $1 },
      sampleRate: sampleRate, ksmps: ksmps, plugin: plugin)
    orchestra.macros["NOTES"] = "\(instances)"
    // Without sound at the output, Csound's own work on the output costs less.
    orchestra.macros["MUTED"] = "1"
    if calls > 0 { orchestra = try pairing.repeatingCalls(calls, of: orchestra, root: root) }
    let units = (settings.callsPerPass ?? 1) * max(1, calls) * instances
    var job = BenchmarkJob(
      subject: orchestra.with(["OPCODE": pairing.subject]), rival: rival(pairing, orchestra),
      calls: calls,
      unitsPerCycle: Double(units * (settings.unit == .sample ? ksmps : 1)),
      cyclesPerPeriod: ((settings.period ?? 1) + ksmps - 1) / ksmps, seed: seed)
    // The signals end after 0.1 s; then the opcodes come to rest.
    if !silence.isEmpty { job.cyclesBefore = max(2, Int(0.5 * sampleRate) / ksmps) }
    return job
  }
}
