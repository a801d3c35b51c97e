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

  static let options: [any CommandOption] = [
    .duration, .oneRate, .oneKsmps, .plugin, .toolCsound, .timeLimit, counts, perf, everyCall,
    removal, renders,
    top, .json, folded, speedscope, html,
  ]

  private let arguments: Arguments
  private let orchestra: Orchestra
  private let profiler: Profiler
  /// How many lines and opcodes are shown, or left out in turn.
  private let most: Int
  private let exports:
    (json: FileExport?, folded: FileExport?, speedscope: FileExport?, html: FileExport?)

  /// Checks everything that can be checked before the work, and fails if something is wrong.
  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    if !arguments[Self.removal] { try arguments.requireOperands(atMost: 1) }
    guard let csd = arguments.operands.first else {
      throw Failure(.usage, "profile needs a CSD; see ./opcodekit profile --help.")
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
    var profiler = Profiler(
      pool: WorkerPool(
        executable: Project.executable, arguments: ["worker"], pinsPlugins: false,
        timeLimit: arguments[.timeLimit], jobsPerWorker: 1))
    profiler.pairs = arguments[Self.renders]
    if arguments[Self.everyCall] { profiler.tracingShare = 0 }
    self.profiler = profiler
  }

  /// Fails if options are given that exclude one another.
  private static func checkTogether(_ arguments: Arguments) throws(Failure) {
    if arguments[counts], let option = arguments.given(everyCall, renders, removal).first {
      throw Failure(
        .usage,
        "--\(option.name) does not go with --counts, which counts every call in one render;"
          + " leave one of them out.")
    }
    let others = arguments.given(counts, everyCall, removal, renders, folded, speedscope, html)
    if arguments[perf], let option = others.first {
      throw Failure(
        .usage,
        "--\(option.name) does not go with --perf, which knows functions only; leave one of them out."
      )
    }
    if arguments.operands.count > 1,
      let option = arguments.given(folded, speedscope, html).first
    {
      throw Failure(.usage, "--\(option.name) is for one piece; leave it or the other pieces out.")
    }
  }

  func run() throws(Failure) -> ExitCode {
    defer { ProgressLine.clear() }
    if arguments.operands.count > 1 { return try judgeAll() }
    sayDevices(of: orchestra)
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
      "\n\(judged.count) line\(judged.count == 1 ? "" : "s") of \(trials.count)"
        + " piece\(trials.count == 1 ? "" : "s"):"
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
      arguments[Self.counts] ? try countInstructions() : try time(orchestra)
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
    try exports.folded?.write(profile.foldedStacks)
    try exports.speedscope?.write(profile.speedscope)
    try exports.html?.write(try profile.page)
    return complain(of: orchestra.path, profile.noteErrors, wasCutOff)
  }

  private func time(
    _ orchestra: Orchestra
  ) throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
    try profiler.profile(orchestra, limit: arguments[.duration]) { number, seconds in
      ProgressLine.show("render \(number): \(seconds.formatted(0)) s of sound")
    }
  }

  private func countInstructions() throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
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
