import CommandKit
import Counting
import Foundation
import HarnessBase
import Profiling
import Rendering
import Workers

extension Command {
  private static let everyCall = Option(
    name: "every-call",
    help: "Time every call, even if that takes more than 8 % of the time; else k-cycles at random.")
  private static let renders = Option(
    name: "renders", value: "N", takes: .wholeNumber(1...1000),
    help: "Render N times with a trace and N times without, instead of up to 3 within 30 s.")
  private static let top = Option(
    name: "top", value: "N", takes: .wholeNumber(1...10_000),
    help: "Show the N most expensive lines and opcodes; 15 by default.")
  private static let folded = Option(
    name: "folded", value: "FILE", help: "Also write folded stacks, in nanoseconds or instructions."
  )
  private static let speedscope = Option(
    name: "speedscope", value: "FILE", help: "Also write a profile for speedscope.app.")
  private static let html = Option(
    name: "html", value: "FILE", help: "Also write a page: flame graph, orchestra, load over time.")

  private static let counts = Option(
    name: "counts", help: "Count the instructions of every call, with valgrind, instead of time.")
  private static let perf = Option(
    name: "perf", help: "Look where the processor is, with Linux's perf: functions, not lines.")

  private static let removal = Option(
    name: "removal",
    help: "Also leave out each of the --top N lines (5) in turns and see what the piece then saves."
  )

  static let profile = Command(
    name: "profile", operands: "PIECE.csd …",
    summary: "Find out which lines, opcodes and instruments of a piece take the time.",
    options: [
      .duration, .oneRate, .oneKsmps, .plugin, .timeLimit, counts, perf, everyCall, removal,
      renders, top, .json, folded, speedscope, html,
    ]
  ) { arguments throws(Failure) in
    let isTrial = arguments[removal]
    if !isTrial { try arguments.requireOperands(atMost: 1) }
    guard let csd = arguments.operands.first else {
      throw Failure(.usage, "profile needs a CSD; see ./opcodekit profile --help.")
    }
    let most = arguments[top] ?? (isTrial ? 5 : 15)
    var orchestra = Orchestra(
      path: csd, sampleRate: arguments[.oneRate], ksmps: arguments[.oneKsmps],
      plugin: Project.plugin(arguments))
    let exports = try (
      json: FileExport(arguments, .json), folded: FileExport(arguments, folded),
      speedscope: FileExport(arguments, speedscope), html: FileExport(arguments, html)
    )
    var profiler = Profiler(
      pool: WorkerPool(
        executable: Project.executable, arguments: ["worker"], pinsPlugins: false,
        timeLimit: arguments[.timeLimit], jobsPerWorker: 1))
    if arguments[counts], let option = arguments.given(everyCall, renders, removal).first {
      throw Failure(
        .usage,
        "--\(option.name) does not go with --counts, which counts every call in one render;"
          + " leave one of them out.")
    }
    if arguments[perf],
      let option = arguments.given(
        counts, everyCall, removal, renders, folded, speedscope, html
      ).first
    {
      throw Failure(
        .usage,
        "--\(option.name) does not go with --perf, which knows functions only; leave one of them out."
      )
    }
    profiler.pairs = arguments[renders]
    if arguments[everyCall] { profiler.tracingShare = 0 }
    let limit = arguments[.duration]
    defer { ProgressLine.clear() }
    if arguments.operands.count > 1 {
      if let option = arguments.given(folded, speedscope, html).first {
        throw Failure(.usage, "--\(option.name) is about one piece; leave it or the others out.")
      }
      var endings = ExitCode.success
      var trials: [RemovalTrial] = []
      for piece in arguments.operands {
        orchestra.path = piece
        sayDevices(of: orchestra)
        let (profile, wasCutOff) = try time(orchestra, limit: limit, by: profiler)
        let trial = try judge(profile, orchestra, limit: limit, top: most, by: profiler)
        print((trials.isEmpty ? RemovalTrial.explanation + "\n\n" : "\n") + trial.tableText)
        fflush(nil)
        trials.append(trial)
        if complain(of: piece, profile.noteErrors, wasCutOff) != .success { endings = .checkFailed }
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
      return endings
    }
    sayDevices(of: orchestra)
    if arguments[perf] {
      let (sampled, wasCutOff) = try sample(orchestra, limit: limit, by: profiler)
      ProgressLine.clear()
      print(sampled.text(top: most))
      try exports.json?.write(sampled)
      return complain(of: csd, sampled.noteErrors, wasCutOff)
    }
    let (profile, wasCutOff) =
      if arguments[counts] {
        try countInstructions(orchestra, limit: limit, by: profiler)
      } else {
        try time(orchestra, limit: limit, by: profiler)
      }
    ProgressLine.clear()
    var judged = profile
    print(profile.counted?.text(top: most) ?? profile.text(top: most))
    if isTrial {
      let trial = try judge(profile, orchestra, limit: limit, top: most, by: profiler)
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
    return complain(of: csd, profile.noteErrors, wasCutOff)
  }

  private static func sayDevices(of orchestra: Orchestra) {
    let devices = orchestra.deviceOptions
    guard !devices.isEmpty else { return }
    printError(
      "opcodekit: \(orchestra.path): rendered to memory, without its"
        + " \(devices.joined(separator: ", ")).")
  }

  private static func time(
    _ orchestra: Orchestra, limit: Double?, by profiler: Profiler
  ) throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
    try profiler.profile(orchestra, limit: limit) { number, seconds in
      ProgressLine.show("render \(number): \(seconds.formatted(0)) s of sound")
    }
  }

  private static func judge(
    _ profile: Profile, _ orchestra: Orchestra, limit: Double?, top count: Int,
    by profiler: Profiler
  ) throws(Failure) -> RemovalTrial {
    let trial = try profiler.judge(profile, of: orchestra, limit: limit, top: count) {
      ProgressLine.show("without lines, render \($0): \($1.formatted(0)) s of sound")
    }
    ProgressLine.clear()
    return trial
  }

  private static func complain(
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

  private static func sample(
    _ orchestra: Orchestra, limit: Double?, by profiler: Profiler
  ) throws(Failure) -> (profile: SampledProfile, wasCutOff: Bool) {
    let perf = try Perf()
    defer { perf.close() }
    return try profiler.sample(orchestra, limit: limit, with: perf) { seconds in
      ProgressLine.show("render: \(seconds.formatted(0)) s of sound")
    }
  }

  private static func countInstructions(
    _ orchestra: Orchestra, limit: Double?, by profiler: Profiler
  ) throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
    if let option = orchestra.threadOption {
      printError("opcodekit: \(orchestra.path): rendered by one thread, without its \(option).")
    }
    let callgrind = try Callgrind()
    defer { callgrind.close() }
    return try profiler.count(orchestra, limit: limit, with: callgrind) { seconds, all in
      let part = all.map { " of \($0.formatted(2))" } ?? ""
      ProgressLine.show(
        "\(all == nil ? "render" : "count"): \(seconds.formatted(2))\(part) s of sound")
    }
  }
}

extension SampledProfile {
  fileprivate func text(top count: Int) -> String {
    func percent(_ count: Int) -> String {
      (Double(count) / Double(max(1, samples)) * 100).formatted(1)
    }
    let clock =
      event.hasPrefix("cycles") ? "" : "; this machine lets perf count no cycles of the processor"
    let header = """
      \(path): \(soundSeconds.formatted(2)) s of sound
      \(samples) samples in the k-cycles by perf's \(event)\(clock); \(otherSamples) before and after \
      are left out
      """
    let cells = rows.prefix(count).map { row in
      [
        percent(row.samples), "\(row.samples)", row.opcodes ?? "",
        String(row.function.prefix(60)), row.object,
      ]
    }
    let rest = rows.dropFirst(count)
    let more =
      rest.isEmpty
      ? ""
      : "\n… and \(rest.count) more functions, \(percent(rest.reduce(0) { $0 + $1.samples })) %"
    return header + "\n\n"
      + Table(
        rows: [["%", "samples", "opcode", "function", "in"]] + cells, alignment: [.right, .right]
      ).text + more
  }
}

extension Profile {
  fileprivate func text(top count: Int) -> String {
    [
      header,
      table("line", lines, top: count) { row in
        let file = row.file.map { $0 == path ? "" : ($0 as NSString).lastPathComponent + ":" } ?? ""
        return [file + "\(row.line ?? 0)", String((row.text ?? "").prefix(70))]
      },
      table("opcode", opcodes, top: count) { [$0.name] },
      instrumentTable,
      engineText,
    ].joined(separator: "\n\n")
  }

  private var header: String {
    let worst = load.worst / deadline
    let late =
      load.lateCycles == 0
      ? "none late"
      : "\(load.lateCycles) late, hidden by a buffer of \(Int((load.largestBacklog * sampleRate).rounded(.up))) samples"
    let timed =
      tracing.timedShare == 1
      ? "every call timed"
      : "calls timed in \((tracing.timedShare * 100).formatted(1)) % of the k-cycles, drawn at random"
    let disturbed =
      load.disturbedCycles == 0
      ? "" : "; \(load.disturbedCycles) disturbed by other work on the machine are left out"
    let cost = (tracing.overhead * 100).formatted(1)
    let slowdown = (1 + tracing.slowdown).formatted(2)
    let identical =
      tracing.isBitIdentical
      ? "the same samples with and without" : "the samples differ from render to render"
    return """
      \(path): \(soundSeconds.formatted(2)) s of sound, \(sampleRate.formatted(0)) Hz, ksmps \(ksmps), \
      rendered in \(load.seconds.formatted(3)) s, \(speed.formatted(1)) × real time
      k-cycles: \(load.cycles) of \((deadline * 1e3).formatted(3)) ms; longest \
      \((load.worst * 1e3).formatted(3)) ms, \((worst * 100).formatted(0)) % of its time, at \
      \((Double(load.worstCycle) * deadline).formatted(2)) s; \(late)\(disturbed)
      trace: \(tracing.renders) renders, \(timed), which cost \(cost) % (rendering took \(slowdown) \
      times as long), \((accounted * 100).formatted(1)) % accounted for, \(identical)
      """
  }

  private func percent(_ seconds: Double) -> String {
    (seconds / wholeSeconds * 100).formatted(1)
  }

  private func table(
    _ name: String, _ rows: [Row], top count: Int, _ last: (Row) -> [String]
  ) -> String {
    let headings = [
      "own %", "± %", "own ms", "total ms", "calls", "ns/call", "ns/sample", "worst µs", "init ms",
      name,
    ].filter { $0 != "± %" || name == "line" }
    let shown = rows.prefix(count)
    let cells = shown.map { row in
      [
        percent(row.ownSeconds)
      ] + (name == "line" ? [row.doubt.map { ($0 * 100).formatted(1) } ?? "?"] : []) + [
        (row.ownSeconds * 1e3).formatted(2), (row.total * 1e3).formatted(2), "\(row.passes)",
        row.passes == 0 ? "" : (row.seconds / Double(row.passes) * 1e9).formatted(1),
        row.samples == 0 ? "" : (row.seconds / Double(row.samples) * 1e9).formatted(2),
        (row.worst * 1e6).formatted(1), (row.initSeconds * 1e3).formatted(2),
      ] + last(row)
    }
    let rest = rows.dropFirst(count)
    let more =
      rest.isEmpty
      ? ""
      : "\n… and \(rest.count) more \(name)s, \(percent(rest.reduce(0) { $0 + $1.ownSeconds })) %"
    return Table(
      rows: [headings] + cells,
      alignment: Array(repeating: .right, count: headings.count - (name == "line" ? 0 : 1))
    ).text + more
  }

  private var instrumentTable: String {
    let headings = [
      "total %", "total ms", "own ms", "init ms", "notes", "at a time", "worst µs", "of its time",
      "instrument",
    ]
    let cells = instruments.map { row in
      [
        percent(row.total), (row.total * 1e3).formatted(2), (row.ownSeconds * 1e3).formatted(2),
        (row.initSeconds * 1e3).formatted(2), row.notes.map(String.init) ?? "",
        row.mostNotes.map(String.init) ?? "", (row.worst * 1e6).formatted(1),
        "\((row.worst / deadline * 100).formatted(0)) %", row.name,
      ]
    }
    return Table(
      rows: [headings] + cells, alignment: Array(repeating: .right, count: headings.count - 1)
    ).text
  }

  /// What the orchestra computes before its first k-cycle.
  private var startText: String {
    let seconds = lines.reduce(0) { $0 + $1.startSeconds }
    guard let longest = lines.max(by: { $0.startSeconds < $1.startSeconds }), seconds >= 0.5e-3
    else {
      return ""
    }
    let file =
      longest.file.map { $0 == path ? "" : ($0 as NSString).lastPathComponent + ":" } ?? ""
    return ": \((seconds * 1e3).formatted(1)) ms of it in lines, the most,"
      + " \((longest.startSeconds * 1e3).formatted(1)) ms, in \(file)\(longest.line ?? 0)"
  }

  private var engineText: String {
    "Csound itself: events and notes \(percent(engine.events)) %, between notes"
      + " \(percent(engine.notes)) %, output \(percent(engine.output)) %."
      + " Compiling and starting took \((startSeconds * 1e3).formatted(0)) ms, which is not in these sums"
      + startText + "."
  }
}

extension RemovalTrial {
  fileprivate static let explanation = """
    As it is and without each line, in turns of some k-cycles: what is saved against the line's part by \
    the profile, with what it calls. Init passes are in neither; a line's last values stay for the others.
    """

  fileprivate var text: String { Self.explanation + "\n\n" + tableText }

  fileprivate var tableText: String {
    func percent(_ part: Double?) -> String { part.map { ($0 * 100).formatted(1) } ?? "" }
    let headings = [
      "profile %", "± %", "saved %", "± %", "difference", "in proportion", "verdict", "line",
    ]
    let cells = rows.map { row in
      let name = row.file.map { $0 == path ? "" : ($0 as NSString).lastPathComponent + ":" } ?? ""
      return [
        percent(row.share), row.doubt == nil ? "?" : percent(row.doubt), percent(row.saved?.middle),
        percent(row.saved?.margin), percent(row.saved.map { row.share - $0.middle }),
        percent(row.savedInProportion),
        row.verdict.rawValue + (row.reason.map { ": " + $0 } ?? ""), "\(name)\(row.line)",
        String(row.text.prefix(60)),
      ]
    }
    let all = together.map {
      "\nAll these lines of instruments left out at once save \(percent($0)) %; one at a time,"
        + " added up, \(percent(sum)) %."
    }
    return """
      \(path): \(soundSeconds.formatted(2)) s of sound, \(turns) turns in \(renders) \
      render\(renders == 1 ? "" : "s")

      \(Table(rows: [headings] + cells, alignment: Array(repeating: .right, count: 6)).text)\(all ?? "")
      """
  }
}
