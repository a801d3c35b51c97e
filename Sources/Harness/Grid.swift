import Foundation
import HarnessBase
import Rendering
import Sounds
import Statistics

/// What to narrow a run to; an absent list leaves the pairing's own.
public struct Selection: Sendable {
  public var ksmps: [Int]?
  public var sampleRates: [Double]?
  public var rates: [String]?
  /// How many instances of the opcode a benchmark runs side by side; absent for one.
  public var instances: [Int]?
  /// Whether a benchmark also times what comes after a signal has ended.
  public var includesSilence = true

  public init(
    ksmps: [Int]? = nil, sampleRates: [Double]? = nil, rates: [String]? = nil,
    instances: [Int]? = nil
  ) {
    self.ksmps = ksmps
    self.sampleRates = sampleRates
    self.rates = rates
    self.instances = instances
  }

  /// What gives a first picture of a pairing: its first rates, which are the usual ones, near ksmps 64.
  public static func overview(of pairing: Pairing) -> Selection {
    let ksmps = pairing.benchmark.ksmps.min { abs($0 - 64) < abs($1 - 64) }
    var selection = Selection(
      ksmps: ksmps.map { [$0] }, sampleRates: [pairing.benchmark.sampleRate],
      rates: [pairing.rates[0].name])
    selection.includesSilence = false
    return selection
  }
}

/// One comparison of a pairing's grid: where it stands and what came of it.
public struct ComparedCase: Sendable {
  /// The pairing's name.
  public var pairing: String
  public var subject: String
  public var rival: String
  public var name: String
  public var rates: String
  public var sampleRate: Double
  public var ksmps: Int
  public var tolerance: Double
  public var evidence: Evidence
  public var report: Report

  public var comparison: Comparison? {
    if case .compared(let comparison) = report { comparison } else { nil }
  }

  public var passed: Bool { comparison?.verdict == .passed }
}

/// What tells one row of a benchmark from every other.
public struct BenchmarkPlace: Codable, Hashable, Sendable {
  /// The pairing's name.
  public var pairing: String
  public var subject: String
  public var rival: String
  public var rates: String
  /// Whether the opcodes computed what comes after a signal has ended.
  public var isSilence: Bool
  public var sampleRate: Double
  public var ksmps: Int
  /// How many instances of the opcode ran side by side.
  public var instances: Int
  /// What its figures count.
  public var unit: Pairing.Unit

  public init(
    pairing: String, subject: String, rival: String, rates: String, isSilence: Bool,
    sampleRate: Double, ksmps: Int, instances: Int, unit: Pairing.Unit
  ) {
    self.pairing = pairing
    self.subject = subject
    self.rival = rival
    self.rates = rates
    self.isSilence = isSilence
    self.sampleRate = sampleRate
    self.ksmps = ksmps
    self.instances = instances
    self.unit = unit
  }
}

/// One row of a benchmark: a rate combination at a ksmps.
@dynamicMemberLookup
public struct BenchmarkRow: Sendable {
  public var place: BenchmarkPlace
  /// The pairing's group.
  public var group: String?
  public var report: Report
  /// What came of counting its instructions; nil when they were not to be counted.
  public var countReport: Report?
  /// The comparisons at this rate combination and ksmps.
  public var cases: [ComparedCase]

  public subscript<Value>(dynamicMember member: KeyPath<BenchmarkPlace, Value>) -> Value {
    place[keyPath: member]
  }

  public init(
    place: BenchmarkPlace, group: String?, report: Report, countReport: Report? = nil,
    cases: [ComparedCase]
  ) {
    self.place = place
    self.group = group
    self.report = report
    self.countReport = countReport
    self.cases = cases
  }

  public var instructions: InstructionCount? { countReport?.count }

  /// Why the row has no measurement, or no count where it should have one.
  public var failure: Failure? {
    let work = "\(place.subject) \(place.rates) at ksmps \(place.ksmps)"
    if measurement == nil { return report.failure(of: "Timing \(work)") }
    if let countReport, instructions == nil {
      return Callgrind.failure(of: countReport, counting: work)
    }
    return nil
  }

  public var measurement: Measurement? { report.measurement }

  /// Rival cost over subject cost; nil where noise left no interval.
  public var ratio: Estimate? { measurement.flatMap { $0.hasRatio ? $0.ratio : nil } }

  /// The worst of the cases; −∞ when all are identical, NaN when none could be compared.
  public var nullDepth: Double { cases.compactMap { $0.comparison?.nullDepth }.max() ?? .nan }
  public var peakError: Double { cases.compactMap { $0.comparison?.peakError }.max() ?? .nan }
}

/// Turns pairings into jobs and runs them.
public struct Grid: Sendable {
  /// The directory pairings' paths start from.
  public let root: String
  /// Where evidence of failed comparisons goes.
  public let evidenceDirectory: String
  /// A plugin with the opcodes; without one they are the worker's own.
  public let plugin: String?
  /// A plugin whose opcodes of the subjects' names take the rivals' places.
  public let otherBuild: String?
  /// The program that serves as worker, and its arguments.
  public let worker: [String]
  /// Seconds a worker may be silent before it is stopped.
  public let timeLimit: Double

  public init(
    root: String, evidenceDirectory: String, plugin: String?, otherBuild: String? = nil,
    worker: [String], timeLimit: Double = WorkerPool.defaultTimeLimit
  ) {
    self.root = root
    self.evidenceDirectory = evidenceDirectory
    self.plugin = plugin
    self.otherBuild = otherBuild
    self.worker = worker
    self.timeLimit = timeLimit
  }

  /// Workers that start where the orchestra is, as Csound looks for files and options there.
  func pool(_ pairing: Pairing, jobsPerWorker: Int? = nil) -> WorkerPool {
    WorkerPool(
      executable: worker[0], arguments: Array(worker.dropFirst()),
      directory: (pairing.path(root: root) as NSString).deletingLastPathComponent,
      pinsPlugins: pairing.usesInstalledPlugins != true, timeLimit: timeLimit,
      jobsPerWorker: jobsPerWorker)
  }

  /// The pairing's rate combinations that were asked for.
  func rates(_ pairing: Pairing, _ selection: Selection) -> [Pairing.Variant] {
    guard let names = selection.rates else { return pairing.rates }
    return pairing.rates.filter { names.contains($0.name) }
  }

  /// Compares subject and rival in every case, at every rate combination, sample rate and ksmps.
  public func compare(
    _ pairing: Pairing, _ selection: Selection = Selection(), parallel: Int = 2,
    progress: @escaping @Sendable (Int, Report) -> Void = { _, _ in }
  ) throws(Failure) -> [ComparedCase] {
    try checkUsesOpcodeMacro(pairing)
    try buildRival(pairing)
    var cases: [ComparedCase] = []
    var jobs: [Job] = []
    for rates in rates(pairing, selection) {
      for ksmps in selection.ksmps ?? pairing.ksmps {
        for item in pairing.cases {
          let sampleRates = item.sampleRates ?? pairing.sampleRates
          for sampleRate in selection.sampleRates ?? sampleRates {
            let orchestra = pairing.orchestra(
              root: root, rates: rates, macros: item.macros, sampleRate: sampleRate, ksmps: ksmps,
              plugin: plugin)
            append(
              pairing, orchestra, name: item.name, rates: rates.name, input: nil,
              tolerance: item.tolerance ?? pairing.tolerance, to: &cases, &jobs)
          }
        }
      }
    }
    return try run(pairing, cases, jobs, parallel: parallel, progress: progress)
  }

  /// Compares subject and rival on a sound file, at its own sample rate and channels.
  public func compare(
    _ pairing: Pairing, input path: String, _ selection: Selection = Selection(),
    parallel: Int = 2, progress: @escaping @Sendable (Int, Report) -> Void = { _, _ in }
  ) throws(Failure) -> [ComparedCase] {
    guard var macros = pairing.input else {
      throw Failure(
        .usage,
        "\(pairing.subject) cannot be compared on a sound file: 'Benchmarks/\(pairing.name).json' has"
          + " no 'input', the macros that make its orchestra read one.")
    }
    try checkUsesOpcodeMacro(pairing)
    try buildRival(pairing)
    let sound = try Sound(readingFrom: path)
    macros["DURATION"] = "\(sound.duration)"
    var cases: [ComparedCase] = []
    var jobs: [Job] = []
    for rates in rates(pairing, selection) {
      for ksmps in selection.ksmps ?? [64] {
        var orchestra = pairing.orchestra(
          root: root, rates: rates, macros: macros, sampleRate: sound.sampleRate, ksmps: ksmps,
          plugin: plugin)
        orchestra.channelCount = sound.channelCount
        append(
          pairing, orchestra, name: "input", rates: rates.name, input: path,
          tolerance: pairing.tolerance, to: &cases, &jobs)
      }
    }
    return try run(pairing, cases, jobs, parallel: parallel, progress: progress)
  }

  /// An orchestra that does not take the opcode from outside would agree with itself: it must not
  /// compile with an opcode nobody has.
  func checkUsesOpcodeMacro(_ pairing: Pairing) throws(Failure) {
    guard try !compilesWithoutOpcode(pairing, macros: [:]) else {
      throw Failure(
        .badInput,
        "'\(pairing.path(root: root))' never uses the macro OPCODE; write $OPCODE where the opcode"
          + " stands.")
    }
  }

  /// What is subtracted from both costs must not contain the opcode: with EMPTY the orchestra must
  /// compile although nobody has it.
  func checkUsesEmptyMacro(_ pairing: Pairing) throws(Failure) {
    guard try compilesWithoutOpcode(pairing, macros: ["EMPTY": "1"]) else {
      throw Failure(
        .badInput,
        "'\(pairing.path(root: root))' cannot do without its opcode; put it between #ifndef EMPTY"
          + " and #end.")
    }
  }

  private func compilesWithoutOpcode(
    _ pairing: Pairing, macros: [String: String]
  ) throws(Failure) -> Bool {
    try requireReadableFile(pairing.path(root: root))
    let orchestra = pairing.orchestra(
      root: root, rates: pairing.rates[0],
      macros: pairing.benchmark.macros.merging(macros) { $1 }, sampleRate: nil, ksmps: nil,
      plugin: nil)
    let job = Job.compile(orchestra.with(["OPCODE": "NO_SUCH_OPCODE"]))
    if case .compiled(true) = try pool(pairing).run([job])[0] { return true }
    return false
  }

  private func append(
    _ pairing: Pairing, _ orchestra: Orchestra, name: String, rates: String, input: String?,
    tolerance: Double, to cases: inout [ComparedCase], _ jobs: inout [Job]
  ) {
    let sampleRate = orchestra.sampleRate ?? 0
    let ksmps = orchestra.ksmps ?? 0
    let place = "\(cases.count + 1)-\(name)-\(rates)-sr\(Int(sampleRate.rounded()))-ksmps\(ksmps)"
      .replacing(/[^\p{L}\p{N}]+/, with: "-").lowercased()
    let evidence = Evidence(directory: "\(evidenceDirectory)/\(pairing.name)/\(place)")
    cases.append(
      ComparedCase(
        pairing: pairing.name, subject: pairing.subject, rival: rivalName(pairing), name: name,
        rates: rates,
        sampleRate: sampleRate, ksmps: ksmps, tolerance: tolerance, evidence: evidence,
        report: .notRun))
    jobs.append(
      .compare(
        CompareJob(
          subject: orchestra.with(["OPCODE": pairing.subject]),
          rival: rival(pairing, orchestra), input: input, tolerance: tolerance,
          evidence: evidence)))
  }

  /// What the subject is held against, for sentences: the rival, or the other build's file.
  func rivalName(_ pairing: Pairing) -> String {
    otherBuild.map { ($0 as NSString).lastPathComponent } ?? pairing.rival
  }

  /// Builds the plugin the rival comes from, if it has one that is ours to build.
  private func buildRival(_ pairing: Pairing) throws(Failure) {
    guard otherBuild == nil, let source = pairing.rivalSource else { return }
    try ReferencePlugin(source, root).build()
  }

  /// The orchestra with the rival in it, which can have a plugin of its own.
  private func rival(_ pairing: Pairing, _ orchestra: Orchestra) -> Orchestra {
    if let otherBuild {
      var orchestra = orchestra.with(["OPCODE": pairing.subject])
      orchestra.plugin = otherBuild
      return orchestra
    }
    var orchestra = orchestra.with(["OPCODE": pairing.rival])
    if let source = pairing.rivalSource { orchestra.plugin = ReferencePlugin(source, root).path }
    return orchestra
  }

  private func run(
    _ pairing: Pairing, _ cases: [ComparedCase], _ jobs: [Job], parallel: Int,
    progress: @escaping @Sendable (Int, Report) -> Void
  ) throws(Failure) -> [ComparedCase] {
    let pool = pool(pairing)
    let reports = try pool.run(jobs, parallel: parallel, progress: progress)
    return zip(cases, reports).map { item, report in
      var item = item
      item.report = report
      return item
    }
  }

  /// Compares, then times subject and rival, one row for each rate combination and ksmps; with
  /// `counting` it counts their instructions, too.
  ///
  /// One process times all rows; or, with `processes` above 1, each row is timed in as many, for a
  /// shorter time, the rows taking turns. `finished` is called for each row as soon as it is known, on
  /// any thread.
  public func benchmark(
    _ pairing: Pairing, _ selection: Selection = Selection(), seed: UInt64 = 1,
    counting callgrind: Callgrind? = nil, processes: Int = 1, effort: Benchmark.Effort = .full,
    progress: @escaping @Sendable (Int, Report) -> Void = { _, _ in },
    finished: @escaping @Sendable (BenchmarkRow) -> Void = { _ in }
  ) throws(Failure) -> [BenchmarkRow] {
    var selection = selection
    selection.ksmps = selection.ksmps ?? pairing.benchmark.ksmps
    let compared = try compare(pairing, selection, progress: progress)
    try checkUsesEmptyMacro(pairing)
    let path = pairing.path(root: root)
    guard selection.instances == nil || Orchestra(path: path).takesNotes else {
      throw Failure(
        .badInput,
        "'\(path)' never uses the macro NOTES; play that many notes, 1 when it is not set, or leave"
          + " out --instances.")
    }
    let settings = rowSettings(pairing, selection)
    var rows = settings.map { setting in
      BenchmarkRow(
        place: place(pairing, setting), group: pairing.group, report: .notRun,
        cases: compared.filter { $0.rates == setting.rates.name && $0.ksmps == setting.ksmps })
    }
    let jobs = settings.map { setting in
      job(
        pairing, setting.rates, setting.sampleRate, setting.ksmps, setting.instances,
        silence: setting.silence ?? [:], seed: seed)
    }
    var count = compared.count
    if let callgrind {
      let jobs = jobs.map { Job.count($0, directory: callgrind.directory) }
      let reports = try callgrind.pool(pool(pairing)).run(jobs, parallel: 2) { [count] in
        progress(count + $0, $1)
      }
      count += jobs.count
      for (index, report) in reports.enumerated() { rows[index].countReport = report }
    }
    // One worker: a second one would compete for the caches that are being measured.
    let turns = (0..<processes).flatMap { turn in
      jobs.map { job in
        var job = job
        job.effort = processes > 1 ? .oneOfMany : effort
        job.seed &+= UInt64(turn)
        return Job.benchmark(job)
      }
    }
    let pool = pool(pairing, jobsPerWorker: processes > 1 ? 1 : nil)
    let reports = try pool.run(turns, parallel: 1) { [count, rows] index, report in
      progress(count + index, report)
      guard processes == 1, !report.isProgress else { return }
      var row = rows[index]
      row.report = report
      finished(row)
    }
    for index in rows.indices {
      rows[index].report =
        stride(from: index, to: reports.count, by: rows.count).map { reports[$0] }.mergingProcesses
      if processes > 1 { finished(rows[index]) }
    }
    return rows
  }

  /// About how long `benchmark` takes on two cores nobody else uses, in seconds.
  public func seconds(
    _ pairing: Pairing, _ selection: Selection, _ effort: Benchmark.Effort, _ processes: Int
  ) -> Double {
    let rates = rates(pairing, selection).count
    let ksmps = (selection.ksmps ?? pairing.benchmark.ksmps).count
    let cases = pairing.cases.reduce(0) { count, item in
      count + (selection.sampleRates ?? item.sampleRates ?? pairing.sampleRates).count
    }
    let perRow =
      processes > 1 ? Double(processes) * Benchmark.Effort.oneOfMany.seconds : effort.seconds
    let perCase = 0.05
    return Double(places(pairing, selection).count) * perRow
      + Double(rates * ksmps * cases) * perCase
  }

  /// Which rows `benchmark` makes.
  public func places(_ pairing: Pairing, _ selection: Selection) -> [BenchmarkPlace] {
    rowSettings(pairing, selection).map { place(pairing, $0) }
  }

  private struct RowSetting {
    var rates: Pairing.Variant
    var sampleRate: Double
    var ksmps: Int
    var instances = 1
    /// The macros that end the signal; nil where it goes on.
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
          let ksmps = everyKsmps.first(where: { $0 >= 64 })
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

  /// How one row is timed.
  func job(
    _ pairing: Pairing, _ rates: Pairing.Variant, _ sampleRate: Double, _ ksmps: Int,
    _ instances: Int, silence: [String: String] = [:], seed: UInt64
  ) -> BenchmarkJob {
    let settings = pairing.benchmark
    var orchestra = pairing.orchestra(
      root: root, rates: rates, macros: settings.macros.merging(silence) { $1 },
      sampleRate: sampleRate, ksmps: ksmps, plugin: plugin)
    orchestra.macros["NOTES"] = "\(instances)"
    // What Csound does with its output takes longer when that is not silence.
    orchestra.macros["MUTED"] = "1"
    let calls = (settings.callsPerPass ?? 1) * instances
    return BenchmarkJob(
      subject: orchestra.with(["OPCODE": pairing.subject]), rival: rival(pairing, orchestra),
      empty: orchestra.with(["EMPTY": "1"]),
      unitsPerCycle: Double(calls * (settings.unit == .sample ? ksmps : 1)),
      cyclesPerPeriod: ((settings.period ?? 1) + ksmps - 1) / ksmps, seed: seed)
  }
}
