import CommandKit
import Foundation
import HarnessBase
import Rendering

/// One run of `profile`: measures where the time of a piece goes, or how much time is saved when lines are left out.
struct ProfileSession {
  static let everyCall = Option(
    name: "every-call",
    help: "Time every call, even if that takes over 8 % of the time; else in random k-cycles.")
  static let renders = Option(
    name: "renders", value: "N", takes: .wholeNumber(1...1000),
    help: "Render N times with a trace and N times without; up to 3 in 30 s unless given.")
  static let top = Option(
    name: "top", value: "N", takes: .wholeNumber(1...10_000),
    help: "Show the N most expensive lines and opcodes; 15 by default.")
  static let folded = Option(
    name: "folded", value: "FILE", help: "Also write folded stacks, in nanoseconds or instructions."
  )
  static let speedscope = Option(
    name: "speedscope", value: "FILE", help: "Also write a profile for speedscope.app.")
  static let html = Option(
    name: "html", value: "FILE", help: "Also write a page: flame graph, orchestra, load over time.")

  static let counts = Option(
    name: "counts", help: "Count the instructions of every call, with valgrind, instead of time.")
  static let perf = Option(
    name: "perf", help: "Sample which functions run, with Linux's perf; shows no lines.")

  static let removal = Option(
    name: "removal",
    help: "Also leave out each of the --top N lines (5) in turn and measure what that saves."
  )

  static let against = Option(
    name: "against", value: "FILE",
    help: """
      Say what became dearer than in another CSD, or in a profile that --json wrote; exit code 2 above the threshold, \
      1 when nothing can be told.
      """)
  static let threshold = Option(
    name: "threshold", value: "PERCENT",
    takes: ValueReader.number(0.01...1000).map { $0 / 100 }, standard: 0.02,
    help: "How much dearer a piece may become, with the whole interval of its change; default 2.")
  static let budget = Option(
    name: "budget", value: "PERCENT", takes: ValueReader.number(0.01...10_000).map { $0 / 100 },
    help: "Exit code 2 when the k-cycles take more than this part of real time on average.")

  static let threads = Option(
    name: "threads", letter: "j", value: "N", takes: .wholeNumber(2...64),
    help: "Render by 1 to N threads: which is fastest, who waits, and what could run side by side.")

  static let voices = Option(
    name: "voices", value: "INSTR",
    help:
      "How many notes of an instrument fit, by ksmps, until half and 80 % (or --budget) of the time is taken."
  )
  static let calibrate = Option(
    name: "calibrate", value: "FILE",
    help: "Write how fast this machine is, for --machine elsewhere; takes no piece.")
  static let machine = Option(
    name: "machine", value: "FILE",
    help: "With --voices: also say how many fit on the machine where --calibrate wrote FILE.")

  static let options: [any CommandOption] = [
    .duration, .oneRate, .oneKsmps, .plugin, .toolCsound, .timeLimit, counts, perf, everyCall,
    removal, against, threshold, budget, threads, voices, machine, calibrate, renders,
    top, .json, folded, speedscope, html,
  ]

  /// What a piece is compared with.
  private enum Reference {
    case piece(Orchestra)
    case profile(ProfileComparison.Costs)
  }

  private let arguments: Arguments
  private let orchestra: Orchestra
  private let profiler: Profiler
  /// How many lines and opcodes are shown, or left out in turn.
  private let most: Int
  private let reference: Reference?
  /// Of the other machine.
  private let speed: MachineSpeed?
  private let exports:
    (json: FileExport?, folded: FileExport?, speedscope: FileExport?, html: FileExport?)

  /// Checks everything that can be checked before the work, and fails if something is wrong.
  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    if !arguments[Self.removal] { try arguments.requireOperands(atMost: 1) }
    guard let csd = arguments.operands.first ?? (arguments.has(Self.calibrate) ? "" : nil) else {
      throw .usage("profile needs a CSD; see ./opcodekit profile --help.")
    }
    most = arguments[Self.top] ?? (arguments[Self.removal] ? 5 : 15)
    orchestra = Orchestra(
      path: csd, sampleRate: arguments[.oneRate], ksmps: arguments[.oneKsmps],
      plugin: Project.plugin(arguments))
    exports = try (
      json: FileExport(arguments, .json), folded: FileExport(arguments, Self.folded),
      speedscope: FileExport(arguments, Self.speedscope), html: FileExport(arguments, Self.html)
    )
    try Self.checkTogether(arguments)
    speed = try arguments[Self.machine].map(MachineSpeed.read)
    reference = try Self.reference(arguments, orchestra)
    var profiler = Profiler(
      pool: WorkerPool(
        Project.worker, pinsPlugins: false, timeLimit: arguments[.timeLimit], jobsPerWorker: 1))
    profiler.pairs = arguments[Self.renders]
    if arguments[Self.everyCall] { profiler.tracingShare = 0 }
    self.profiler = profiler
  }

  private static func reference(
    _ arguments: Arguments, _ orchestra: Orchestra
  ) throws(Failure) -> Reference? {
    guard let path = arguments[against] else {
      guard arguments.given(threshold).isEmpty else { throw .usage("--threshold needs --against.") }
      return nil
    }
    guard path.lowercased().hasSuffix(".json") else {
      var before = orchestra
      before.path = path
      return .piece(before)
    }
    let costs = try ProfileComparison.Costs(readingFrom: path)
    guard costs.isCounted == arguments[counts] else {
      throw .usage(
        costs.isCounted
          ? "'\(path)' has counts of instructions; give --counts, too."
          : "'\(path)' has times; leave --counts out, or profile the piece again with --counts.")
    }
    return .profile(costs)
  }

  func run() throws(Failure) -> ExitCode {
    defer { ProgressLine.clear() }
    if let file = arguments[Self.calibrate] { return try calibrate(file) }
    if arguments.operands.count > 1 { return try judgeAll() }
    sayDevices(of: orchestra)
    if let most = arguments[Self.threads] { return try compareThreads(upTo: most) }
    if let instrument = arguments[Self.voices] { return try count(voicesOf: instrument) }
    if case .piece(let before) = reference { return try compare(with: before) }
    return arguments[Self.perf] ? try sample() : try profile()
  }

  // MARK: Several pieces

  /// Leaves out lines of each piece in turn.
  private func judgeAll() throws(Failure) -> ExitCode {
    var ending = ExitCode.success
    var trials: [RemovalTrial] = []
    for piece in arguments.operands {
      var orchestra = orchestra
      orchestra.path = piece
      sayDevices(of: orchestra)
      let (profile, wasCutOff) = try time(orchestra)
      let trial = try judge(profile, orchestra)
      print((trials.isEmpty ? RemovalTrial.explanation + "\n\n" : "\n") + trial.tableText)
      fflush(nil)
      trials.append(trial)
      if complain(of: piece, profile.noteErrors, wasCutOff) != .success { ending = .checkFailed }
    }
    let judged = trials.flatMap(\.rows).filter { $0.saved != nil }
    print(
      "\n\(judged.count.counted("line")) of \(trials.count.counted("piece")):"
        + " \(judged.count { $0.verdict == .agrees }) agree,"
        + " \(judged.count { $0.verdict == .inProportion }) in proportion,"
        + " \(judged.count { $0.verdict == .differs }) differ,"
        + " \(judged.count { $0.verdict == .tooNoisy }) are too noisy to tell.")
    try exports.json?.write(trials)
    return ending
  }

  private func judge(
    _ profile: Profile, _ orchestra: Orchestra
  ) throws(Failure) -> RemovalTrial {
    let trial = try profiler.judge(profile, of: orchestra, limit: arguments[.duration], top: most) {
      ProgressLine.show("without lines, render \($0): \($1.formatted(0)) s of sound")
    }
    ProgressLine.clear()
    return trial
  }

  // MARK: One piece

  private func profile() throws(Failure) -> ExitCode {
    let (profile, wasCutOff) =
      arguments[Self.counts] ? try countInstructions(orchestra) : try time(orchestra)
    ProgressLine.clear()
    print(profile.counted?.text(top: most) ?? profile.text(top: most))
    var judged = profile
    if arguments[Self.removal] {
      let trial = try judge(profile, orchestra)
      judged.removal = trial
      print("\n" + trial.text)
    }
    if let counted = profile.counted {
      try exports.json?.write(counted)
    } else {
      try exports.json?.write(judged)
    }
    try export(profile)
    var ending = complain(of: orchestra.path, profile.noteErrors, wasCutOff)
    if case .profile(let before) = reference {
      let comparison = try profiler.compare(
        profile, with: before, threshold: arguments[Self.threshold])
      print("\n" + comparison.text(top: most))
      ending = worse(ending, of: comparison)
    }
    return worse(ending, forBudgetOf: profile)
  }

  private func compareThreads(upTo most: Int) throws(Failure) -> ExitCode {
    let table = try profiler.compareThreads(
      orchestra, upTo: most, limit: arguments[.duration]
    ) { ProgressLine.show("render: \($0.formatted(0)) s of sound") }
    ProgressLine.clear()
    print(table.text(top: self.most))
    try exports.json?.write(table)
    return complain(of: orchestra.path, table.noteErrors, table.wasCutOff)
  }

  private func count(voicesOf instrument: String) throws(Failure) -> ExitCode {
    var table = try profiler.voices(
      of: instrument, in: orchestra, ksmps: orchestra.ksmps.map { [$0] },
      loads: arguments[Self.budget].map { [$0] } ?? [0.5, 0.8], limit: arguments[.duration]
    ) { ProgressLine.show($0) }
    if let speed {
      table.machine = .init(
        speed, table, factor: speed.factor(from: try profiler.calibrate { ProgressLine.show($0) }))
    }
    ProgressLine.clear()
    print(table.text)
    try exports.json?.write(table)
    return .success
  }

  private func calibrate(_ path: String) throws(Failure) -> ExitCode {
    let file = try FileExport(path)
    let speed = try profiler.calibrate { ProgressLine.show($0) }
    ProgressLine.clear()
    print(speed.text)
    try file.write(speed)
    return .success
  }

  private func export(_ profile: Profile) throws(Failure) {
    try exports.folded?.write(profile.stacks.folded)
    try exports.speedscope?.write(profile.speedscope)
    try exports.html?.write(try profile.page)
  }

  // MARK: Comparing

  /// Compares the piece with another one, by time; by counts if asked, or if the machine is too busy to tell.
  private func compare(with before: Orchestra) throws(Failure) -> ExitCode {
    sayDevices(of: before)
    let threshold = arguments[Self.threshold]
    var ending = ExitCode.success
    if !arguments[Self.counts] {
      let (comparison, profile, wasCutOff) = try profiler.compare(
        orchestra, against: before, limit: arguments[.duration], threshold: threshold
      ) {
        ProgressLine.show("render \($0): \($1.formatted(0)) s of sound")
      }
      ProgressLine.clear()
      ending = worse(
        complain(of: orchestra.path, profile.noteErrors, wasCutOff), forBudgetOf: profile)
      try export(profile)
      let canCount = installedProgram("valgrind") != nil
      if comparison.whole.verdict != .tooNoisy || !canCount {
        print(comparison.text(top: most))
        try exports.json?.write(comparison)
        return worse(ending, of: comparison)
      }
      printError(
        "opcodekit: this machine is too busy to tell by time; instructions are counted instead.")
    }
    let (old, _) = try countInstructions(before)
    let (profile, wasCutOff) = try countInstructions(orchestra)
    ProgressLine.clear()
    let comparison = try profiler.compare(
      profile, with: .init(old.counted!), threshold: threshold)
    print(comparison.text(top: most))
    try exports.json?.write(comparison)
    if arguments[Self.counts] {
      try export(profile)
      ending = complain(of: orchestra.path, profile.noteErrors, wasCutOff)
    }
    return worse(ending, of: comparison)
  }

  private func worse(_ ending: ExitCode, of comparison: ProfileComparison) -> ExitCode {
    switch comparison.whole.verdict {
    case .slower: .slower
    case .tooNoisy: ending == .success ? .checkFailed : ending
    case .same, .faster: ending
    }
  }

  /// Says how much of real time the piece takes, if that has a limit.
  private func worse(_ ending: ExitCode, forBudgetOf profile: Profile) -> ExitCode {
    guard let budget = arguments[Self.budget] else { return ending }
    let load = 1 / profile.speed
    func percent(_ part: Double) -> String { (part * 100).formatted(1) }
    print(
      "\nThe k-cycles take \(percent(load)) % of real time on average, the longest"
        + " \(percent(profile.load.worst / profile.deadline)) %;"
        + " the budget of \(percent(budget)) % is \(load > budget ? "exceeded" : "kept").")
    return load > budget ? .slower : ending
  }

  private func time(
    _ orchestra: Orchestra
  ) throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
    try profiler.profile(orchestra, limit: arguments[.duration]) { number, seconds in
      ProgressLine.show("render \(number): \(seconds.formatted(0)) s of sound")
    }
  }

  private func countInstructions(
    _ orchestra: Orchestra
  ) throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
    if let option = orchestra.threadOption {
      printError("opcodekit: \(orchestra.path): rendered by one thread, without its \(option).")
    }
    let callgrind = try Callgrind()
    defer { callgrind.close() }
    return try profiler.count(orchestra, limit: arguments[.duration], with: callgrind) {
      seconds, all in
      let part = all.map { " of \($0.formatted(2))" } ?? ""
      ProgressLine.show(
        "\(all == nil ? "render" : "count"): \(seconds.formatted(2))\(part) s of sound")
    }
  }

  private func sample() throws(Failure) -> ExitCode {
    let perf = try Perf()
    defer { perf.close() }
    let (sampled, wasCutOff) = try profiler.sample(
      orchestra, limit: arguments[.duration], with: perf
    ) { seconds in
      ProgressLine.show("render: \(seconds.formatted(0)) s of sound")
    }
    ProgressLine.clear()
    print(sampled.text(top: most))
    try exports.json?.write(sampled)
    return complain(of: orchestra.path, sampled.noteErrors, wasCutOff)
  }

  // MARK: What is said beside it

  private func sayDevices(of orchestra: Orchestra) {
    let devices = orchestra.deviceOptions
    guard !devices.isEmpty else { return }
    printError(
      "opcodekit: \(orchestra.path): rendered to memory, without its"
        + " \(devices.joined(separator: ", ")).")
  }

  private func complain(
    of csd: String, _ noteErrors: [String], _ wasCutOff: Bool
  ) -> ExitCode {
    var complaints = noteErrors
    if wasCutOff {
      complaints.append(
        "cut off after \(Int(Renderer.longestUnlimited)) s, because the score had not ended;"
          + " --duration sets another limit.")
    }
    for complaint in complaints { printError("opcodekit: \(csd): \(complaint)") }
    return complaints.isEmpty ? .success : .checkFailed
  }
}
