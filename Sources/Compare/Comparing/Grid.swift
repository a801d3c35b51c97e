import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// The subset of settings to run; for a nil list the pairing's own list is used.
public struct Selection: Sendable {
  public var ksmps: [Int]?
  public var sampleRates: [Double]?
  public var rates: [String]?
  /// The numbers of instances of the opcode that a benchmark plays at the same time; nil for one.
  public var instances: [Int]?
  /// The calls in a note that a benchmark times beside a first one; nil for the pairing's.
  public var calls: Int?
  /// Whether a benchmark also times the opcodes on silence, after their input signal has ended.
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

  /// Whether it has the rates of this name. A name with commas may stand in the list in pieces.
  public func hasRates(_ name: String) -> Bool {
    guard let rates else { return true }
    let pieces = Self.pieces(of: name)
    return rates.contains(name) || rates.indices.contains { rates[$0...].starts(with: pieces) }
  }

  /// The first of its rates that is none of these names; nil if it has none or all are known.
  public func unknownRates(among names: some Sequence<String>) -> String? {
    let known = Set(names.filter(hasRates).flatMap { [$0] + Self.pieces(of: $0) })
    return rates?.first { !known.contains($0) }
  }

  private static func pieces(of name: String) -> [String] {
    name.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The settings for a first overview of a pairing: its first rates, which are the usual ones, at the
  /// ksmps nearest to 64.
  public static func overview(of pairing: Pairing) -> Selection {
    let ksmps = pairing.benchmark.ksmps.min { abs($0 - 64) < abs($1 - 64) }
    var selection = Selection(
      ksmps: ksmps.map { [$0] }, sampleRates: [pairing.benchmark.sampleRate],
      rates: [pairing.rates[0].name])
    selection.includesSilence = false
    return selection
  }
}

/// One comparison of a pairing: its settings and its result.
public struct ComparedCase: Codable, Sendable {
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
  public var report: Report<Comparison>

  public var comparison: Comparison? { report.reply }

  public var passed: Bool { comparison?.verdict == .passed }
}

/// Turns pairings into jobs for all combinations of settings, and runs the jobs.
public struct Grid: Sendable {
  /// The directory that paths in pairings are relative to.
  public let root: String
  /// The directory for evidence of failed comparisons.
  public let evidenceDirectory: String
  /// The path of a plugin that provides the opcodes; nil for the worker's own opcodes.
  public let plugin: String?
  /// The path of another build of the plugin: its opcodes of the same names replace the rivals.
  public var otherBuild: String?
  /// The worker program's path, followed by its arguments.
  public let worker: [String]
  /// Seconds without a report after which a worker is stopped.
  public var timeLimit = WorkerPool.defaultTimeLimit
  /// The `csound` program that plays the orchestras, which `plugin` must be built for; nil for the
  /// workers' own Csound.
  public var player: CsoundProgram?

  /// Workers for a pairing's jobs.
  package func pool(_ pairing: Pairing, jobsPerWorker: Int? = nil) -> WorkerPool {
    WorkerPool(
      worker, directory: pairing.directory(root: root),
      pinsPlugins: pairing.usesInstalledPlugins != true, timeLimit: timeLimit,
      jobsPerWorker: jobsPerWorker)
  }

  /// The pairing's rate combinations that are selected.
  package func rates(_ pairing: Pairing, _ selection: Selection) -> [Pairing.Variant] {
    pairing.rates.filter { selection.hasRates($0.name) }
  }

  /// Compares subject and rival in every case, at every rate combination, sample rate and ksmps; or on a sound file, with
  /// the file's sample rate and number of channels, at ksmps 64 unless selected otherwise.
  public func compare(
    _ pairing: Pairing, input path: String? = nil, _ selection: Selection = Selection(),
    parallel: Int = 2, progress: @escaping @Sendable (Int, JobProgress) -> Void = { _, _ in }
  ) throws(Failure) -> [ComparedCase] {
    guard path == nil || pairing.input != nil else {
      throw .usage(
        "\(pairing.subject) cannot be compared on a sound file: 'Benchmarks/\(pairing.name).json' has"
          + " no 'input', the macros that make its orchestra read one.")
    }
    try buildRival(pairing)
    try check(pairing, selection)
    let sound = try path.map { path throws(Failure) in try Sound(readingFrom: path) }
    let longest = (selection.ksmps ?? [64]).max() ?? 1
    if let sound, sound.frameCount < longest {
      throw .badInput(
        "'\(path!)' has \(sound.frameCount) samples, fewer than a k-cycle of \(longest); give a longer sound or a smaller"
          + " --ksmps.")
    }
    let input = sound.map { sound in
      Pairing.Case(
        name: "input", macros: pairing.input!.merging(["DURATION": "\(sound.duration)"]) { $1 })
    }
    var cases: [ComparedCase] = []
    var jobs: [CompareJob] = []
    for rates in rates(pairing, selection) {
      for ksmps in selection.ksmps ?? (input == nil ? pairing.ksmps : [64]) {
        for item in input.map({ [$0] }) ?? pairing.cases {
          let sampleRates = selection.sampleRates ?? item.sampleRates ?? pairing.sampleRates
          for sampleRate in sound.map({ [$0.sampleRate] }) ?? sampleRates {
            var orchestra = try pairing.orchestra(
              root: root, rates: rates, macros: item.macros, sampleRate: sampleRate, ksmps: ksmps,
              plugin: plugin, player: player)
            orchestra.channelCount = sound?.channelCount
            let rate = "sr\(Int(sampleRate.rounded()))"
            let place = "\(cases.count + 1)-\(item.name)-\(rates.name)-\(rate)-ksmps\(ksmps)"
              .replacing(/[^\p{L}\p{N}]+/, with: "-").lowercased()
            cases.append(
              ComparedCase(
                pairing: pairing.name, subject: pairing.subject, rival: rivalName(pairing),
                name: item.name, rates: rates.name, sampleRate: sampleRate, ksmps: ksmps,
                tolerance: item.tolerance ?? pairing.tolerance,
                evidence: Evidence(directory: "\(evidenceDirectory)/\(pairing.name)/\(place)"),
                report: .notRun))
            jobs.append(
              CompareJob(
                subject: orchestra.with(["OPCODE": pairing.subject]),
                rival: rival(pairing, orchestra), input: path, tolerance: cases.last!.tolerance,
                evidence: cases.last!.evidence))
          }
        }
      }
    }
    let reports = try pool(pairing).run(jobs, parallel: parallel) { progress($0, $1.stage) }
    for (index, report) in reports.enumerated() { cases[index].report = report }
    return cases
  }

  /// Checks that the orchestra calls the opcode that the macro OPCODE names; otherwise it would be
  /// compared with itself. It must not compile with an opcode name that does not exist. An orchestra
  /// written from calls uses the macro anyway; it must compile with the subject and with the rival.
  package func check(_ pairing: Pairing, _ selection: Selection) throws(Failure) {
    if let pattern = pairing.pattern { return try check(pairing, pattern, selection) }
    // With the plugin, since without it an orchestra that calls one of the plugin's opcodes by name
    // would not compile either.
    guard try withoutOpcode(pairing, macros: [:], plugin: plugin) != nil else {
      throw .badInput(
        "'\(pairing.path(root: root))' never uses the macro OPCODE; write $OPCODE where the opcode"
          + " stands.")
    }
  }

  private func check(
    _ pairing: Pairing, _ pattern: CallPattern, _ selection: Selection
  ) throws(Failure) {
    var jobs: [CompileJob] = []
    var places: [String] = []
    for rates in rates(pairing, selection) {
      let orchestra = try pairing.orchestra(
        root: root, rates: rates, macros: [:], sampleRate: nil, ksmps: nil, plugin: plugin,
        player: player)
      jobs.append(CompileJob(orchestra.with(["OPCODE": pairing.subject])))
      jobs.append(CompileJob(rival(pairing, orchestra)))
      places += ["call", pattern.rival == nil ? "rival" : "rivalCall"].map {
        "'\($0)' at rates \(rates.name)"
      }
    }
    for (place, report) in zip(places, try pool(pairing).run(jobs, parallel: 2)) {
      guard let refusal = report.reply?.refusal, !isLacking(refusal) else { continue }
      throw Failure(
        refusal.kind, "'\(root)/Benchmarks/\(pairing.name).json', \(place): \(refusal.message)")
    }
  }

  /// Whether a failure says that the other build's opcode has no overload for these arguments.
  package func isLacking(_ failure: Failure) -> Bool {
    guard let otherBuild, failure.kind == .badInput else { return false }
    return failure.message.contains(Orchestra.lackingOverload)
      && failure.message.contains("the plugin '\(otherBuild)'")
  }

  /// Csound's refusal of the orchestra with an opcode name that does not exist; nil if it compiles.
  package func withoutOpcode(
    _ pairing: Pairing, macros: [String: String], plugin: String?
  ) throws(Failure) -> Failure? {
    let orchestra = try pairing.orchestra(
      root: root, rates: pairing.rates[0],
      macros: pairing.benchmark.macros.merging(macros) { $1 }, sampleRate: nil, ksmps: nil,
      plugin: plugin, player: player)
    try requireReadableFile(orchestra.path)
    let job = CompileJob(orchestra.with(["OPCODE": "NO_SUCH_OPCODE"]))
    let report = try pool(pairing).run([job])[0]
    guard let reply = report.reply else { return report.failure(of: "'\(orchestra.path)'") }
    return reply.refusal
  }

  /// What the subject is compared with, for messages: the rival, or the other build's file name.
  package func rivalName(_ pairing: Pairing) -> String {
    otherBuild.map { ($0 as NSString).lastPathComponent } ?? pairing.rival
  }

  /// Builds the rival's plugin if the pairing gives its source.
  package func buildRival(_ pairing: Pairing) throws(Failure) {
    guard otherBuild == nil, let source = pairing.rivalSource else { return }
    guard player?.csound ?? CsoundVersion(rawValue: Csound.major) != .seven else {
      throw .badInput(
        "The rival of '\(pairing.subject)' is '\(source)', which is written for Csound 6; leave the pair out with"
          + " --csound 7.")
    }
    try ReferencePlugin(
      source, root, libraries: pairing.rivalLibraries, opened: pairing.rivalOpens,
      for: player?.processor ?? .own
    ).build()
  }

  /// The orchestra that plays the rival, with the rival's plugin if it has its own.
  package func rival(_ pairing: Pairing, _ orchestra: Orchestra) -> Orchestra {
    if let otherBuild {
      var orchestra = orchestra.with(["OPCODE": pairing.subject])
      orchestra.plugin = otherBuild
      return orchestra
    }
    var orchestra = orchestra.with(pairing.rivalMacros)
    if let source = pairing.rivalSource {
      orchestra.plugin = ReferencePlugin(source, root, for: player?.processor ?? .own).path
    }
    return orchestra
  }
}
