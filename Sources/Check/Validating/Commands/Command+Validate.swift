import CommandKit
import CsoundHost
import Foundation
import HarnessBase
import Linting
import Rendering

extension Command {
  private static let builtin = Option(
    name: "builtin", help: "Validate Csound's own opcodes of these names, or all of them.")
  private static let checks = Option(
    name: "checks", value: "LIST", takes: ValueReader.names.map(checks(named:)),
    help: "Only these checks or groups, such as edges,life-reinit.")
  private static let listing = Option(name: "list", help: "List the checks and end.")
  private static let level = Option(
    name: "level", value: "N", takes: .wholeNumber(1...10), standard: 5,
    help: "How thoroughly to check, from 1 to 10; 5 unless given.")
  private static let seed = Option(
    name: "seed", value: "N", takes: ValueReader.wholeNumber(1...Int.max).map { UInt64($0) },
    standard: 1, help: "The seed of the random orchestras; that of an earlier run repeats these.")
  static let jobs = Option(
    name: "jobs", value: "N", takes: .wholeNumber(1...256),
    standard: ProcessInfo.processInfo.activeProcessorCount,
    help: "How many processes at a time; as many as processors unless given.")
  private static let onlyFailed = Option(
    name: "only-failed", help: "Print only what failed or crashed.")
  private static let exclude = Option(
    name: "exclude", value: "FILE",
    help: "Checks to leave out, with reasons; PLUGIN.exclusions.json beside a plugin unless given.")

  static let validate = Command(
    name: "validate", operands: "[NAME …]",
    summary: "Look for faults in opcodes: edges, lifetimes, numbers, real time, arguments.",
    options: [
      .plugin, .toolCsound, builtin, checks, listing, level, seed, jobs, onlyFailed, .json, .junit,
      .arguments,
      exclude, .timeLimit(20),
    ] + Shard.options,
    takesPlugin: { !$0[builtin] && !$0[listing] }
  ) { arguments throws(Failure) in
    if arguments[listing] {
      print(Table(rows: Check.catalogue.map { [$0.id, "level \($0.level)", $0.sentence] }).text)
      return .success
    }
    guard !arguments[builtin] || arguments[.plugin] == nil else {
      throw .usage("--builtin and --plugin exclude each other; leave one out.")
    }
    var validator = try validator(arguments)
    let all = try signatures(arguments, validator)
    let chosen = try chosen(all, arguments.operands)
    let place = arguments[builtin] ? "Benchmarks/builtins" : "Opcodes"
    if let path = Project.dataFile(arguments, .arguments, "arguments", in: place) {
      validator.arguments = try ArgumentFile(readingFrom: path)
      // The kit's own file for Csound's opcodes also names opcodes of plugins that may not be
      // installed.
      if !arguments[builtin] || arguments[.arguments] != nil {
        try validator.arguments.requireNames(among: all)
      }
    }
    if let path = Project.dataFile(arguments, exclude, "exclusions", in: place) {
      validator.exclusions = try Exclusions(readingFrom: path)
    }
    let report = ValidationReport(validator, printsAll: !arguments[onlyFailed])
    let run = try SharedRun(arguments, report, units: chosen.map(\.title), splits: true)
    validator.shard = (run.shard.part, run.shard.count)
    var unit = 0
    defer { ProgressLine.clear() }
    return try run.finish { () throws(Failure) in
      try validator.validate(
        chosen, among: all,
        finished: { subject in
          run.found(subject, unit: unit)
          unit += 1
        },
        progress: { underWay, done, count in
          run.progress.show("\(underWay) (\(done) of \(count) checks done)")
        })
    }
  }

  private static func validator(_ arguments: Arguments) throws(Failure) -> Validator {
    var validator = Validator(
      worker: Project.worker, plugin: Project.plugin(arguments),
      directory: try Project.outputDirectory("validate"), timeLimit: arguments[.timeLimit])
    validator.level = arguments[level]
    validator.seed = arguments[seed]
    validator.jobs = arguments[jobs]
    validator.checks = arguments[checks] ?? validator.checks
    return validator
  }

  /// The checks with these names, or in the groups with these names, each once.
  @Sendable private static func checks(named names: [String]) throws(Failure) -> [Check] {
    var checks: [Check] = []
    for name in names {
      let found = Check.catalogue.filter { $0.id == name || $0.group == name }
      guard !found.isEmpty else {
        throw .usage(
          "--checks is '\(name)', which is neither a check nor a group; ./opcodekit validate --list"
            + " names them.")
      }
      checks += found.filter { item in !checks.contains { $0.id == item.id } }
    }
    return checks
  }

  /// The signatures of all opcodes of the plugin, of Csound or of the tool, as the options say.
  private static func signatures(
    _ arguments: Arguments, _ validator: Validator
  ) throws(Failure) -> [Signature] {
    if arguments[builtin] { return try validator.builtins() }
    let name = arguments[.plugin].map { ($0 as NSString).lastPathComponent }
    return try validator.pool.lint(
      Project.plugin(arguments), name: name ?? "opcodes in-process"
    ).signatures
  }

  private static func chosen(
    _ all: [Signature], _ names: [String]
  ) throws(Failure) -> [Signature] {
    guard !names.isEmpty else { return all }
    var chosen: [Signature] = []
    for name in names {
      let found = all.filter { $0.opcode == name || $0.name == name }
      guard !found.isEmpty else {
        throw .usage(NearNames.unknown("No opcode", name, Set(all.map(\.opcode))))
      }
      chosen += found.filter { !chosen.contains($0) }
    }
    return chosen
  }
}

/// The results of `validate` for the overloads.
struct ValidationReport: SharedReport {
  private let printsAll: Bool
  private let checks: [String]
  fileprivate let csound: String
  fileprivate let plugin: String?
  fileprivate let level: Int
  fileprivate let seed: UInt64

  init(_ validator: Validator, printsAll: Bool) {
    self.printsAll = printsAll
    checks = validator.checks.filter { $0.level <= validator.level }.map(\.id)
    csound = Csound.version
    plugin = validator.plugin
    level = validator.level
    seed = validator.seed
  }

  static var command: String { "validate" }
  static var things: String { "overloads" }
  static var exports: [Option<String?>] { [.json, .junit] }

  func heading(part: String, units: Int) -> String? {
    "\(units.counted("overload")), \(checks.count.counted("check")) each, level \(level),"
      + " seed \(seed), Csound \(csound)\(part)"
  }

  func row(_ subject: Validator.Subject) -> String? { subject.text(all: printsAll) }

  func joined(_ parts: [Validator.Subject]) -> Validator.Subject { .init(joining: parts, checks) }

  func conclude(
    _ subjects: [Validator.Subject], units: Int, _ exports: Exports
  ) throws(Failure) -> ExitCode {
    print(summary(subjects))
    try exports[.json]?.write(ValidationExport(subjects, self))
    try exports[.junit]?.write(
      JUnit.text(subjects.map(JUnit.Suite.init), partial: exports.partial))
    let results = subjects.flatMap(\.results)
    guard !results.isEmpty else {
      throw .usage(
        "Nothing was checked: no check was chosen; take fewer parts or a higher --level.")
    }
    guard results.contains(where: { $0.outcome.kind != .skipped }) else {
      throw .usage(
        "Nothing was checked: everything was skipped"
          + (printsAll
            ? "; the reasons are above." : "; call it without --only-failed for the reasons."))
    }
    if results.contains(where: \.outcome.isFault) { return .checkFailed }
    let silent = subjects.filter(\.isSilent).map(\.signature.name)
    guard silent.isEmpty else {
      throw .usage(
        "\(silent.count) of \(subjects.count.counted("overload")) stayed silent and counts as not checked:"
          + " \(silent.joined(separator: ", ")); give values with which it sounds in an argument file."
      )
    }
    return .success
  }
}

extension Signature {
  /// The overload's name with its types.
  fileprivate var title: String { "\(name) (\(outputs) ← \(inputs))" }
}

extension Validator.Subject {
  var title: String { signature.title }

  /// The text to print for it; nil if there is nothing to print.
  fileprivate func text(all: Bool) -> String? {
    var counts: [String] = []
    for kind in Outcome.Kind.allCases where count(kind) > 0 {
      counts.append("\(count(kind)) \(kind.rawValue)")
    }
    let shown = results.filter { result in
      result.outcome.isFault || (all && result.outcome.kind == .warning)
    }
    guard all || !shown.isEmpty else { return nil }
    var lines = ["\(title): \(counts.joined(separator: ", "))"]
    if all { lines += skipped + slow }
    // An outcome that is the same for all checks is printed once.
    let isOne = shown.count > 1 && shown.count == results.count
    if isOne, Set(shown.map(\.outcome.message)).count == 1 {
      lines.append("  \(shown[0].outcome.kind.rawValue) everything: \(shown[0].outcome.message)")
    } else {
      for result in shown {
        lines.append(
          "  \(result.outcome.kind.rawValue) \(result.check.id): \(result.outcome.message)")
      }
    }
    if let result = shown.first(where: { $0.outcome.isFault && $0.orchestra != nil }),
      let path = result.orchestra, let text = try? String(contentsOfFile: path, encoding: .utf8)
    {
      lines.append("  The orchestra of \(result.check.id):")
      lines += text.split(separator: "\n").map { "    \($0)" }
    }
    for result in shown {
      if let path = result.orchestra { lines.append("  Wrote \(Project.short(path))") }
    }
    return lines.joined(separator: "\n")
  }

  /// A line for each check that took ten seconds or longer.
  fileprivate var slow: [String] {
    results.filter { $0.seconds >= 10 }.sorted { $0.seconds > $1.seconds }
      .map { "  slow \($0.check.id): it took \($0.seconds.asDuration)" }
  }

  /// Why checks were skipped: a line for each reason, with the checks that it applies to.
  fileprivate var skipped: [String] {
    let skipped = results.filter { $0.outcome.kind == .skipped }
    var reasons: [String] = []
    for result in skipped where !reasons.contains(result.outcome.message) {
      reasons.append(result.outcome.message)
    }
    return reasons.map { reason in
      let ids = skipped.filter { $0.outcome.message == reason }.map(\.check.id)
      let which = ids.count == results.count ? "everything" : ids.joined(separator: ", ")
      return "  skipped \(which): \(reason)"
    }
  }
}

extension ValidationReport {
  /// The totals of a whole run.
  private func summary(_ subjects: [Validator.Subject]) -> String {
    let results = subjects.flatMap(\.results)
    let counts = Outcome.Kind.allCases.map { kind in
      "\(results.count { $0.outcome.kind == kind }) \(kind.rawValue)"
    }
    let blocks = results.reduce(0) { $0 + $1.blocks }
    let fuzzed = results.filter { $0.check.group == "fuzz" }.reduce(0) { $0 + $1.blocks }
    let silent = subjects.count(where: \.isSilent)
    return "\(results.count.counted("check")): \(counts.joined(separator: ", "));"
      + " \(blocks) blocks computed, \(fuzzed) of them fuzzed; --seed \(seed) repeats it"
      + (silent == 0 ? "" : "; not checked, because silent: \(silent.counted("overload"))")
  }
}

/// The results of `validate`, in JSON.
struct ValidationExport: Encodable {
  struct Overload: Encodable {
    var name, outputs, inputs, values: String
    var checks: [Entry]
  }

  struct Entry: Encodable {
    var id: String
    var outcome: Outcome.Kind
    /// Absent if the check succeeded.
    var message: String?
    var orchestra: String?
    var blocks: Int
    /// 0 if it did not come to an end.
    var seconds: Double
  }

  var csound: String
  var plugin: String?
  var level: Int
  var seed: UInt64
  var overloads: [Overload]

  init(_ subjects: [Validator.Subject], _ report: ValidationReport) {
    (csound, plugin, level, seed) = (report.csound, report.plugin, report.level, report.seed)
    overloads = subjects.map { subject in
      Overload(
        name: subject.signature.name, outputs: subject.signature.outputs,
        inputs: subject.signature.inputs, values: subject.values,
        checks: subject.results.map { result in
          Entry(
            id: result.check.id, outcome: result.outcome.kind,
            message: result.outcome.message.isEmpty ? nil : result.outcome.message,
            orchestra: result.orchestra, blocks: result.blocks, seconds: result.seconds)
        })
    }
  }
}
