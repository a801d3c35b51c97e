import CommandKit
import Foundation
import HarnessBase
import Linting
import Rendering

/// What `bench` does with its rows besides printing them: saves them as a baseline, or compares them with a baseline or
/// another build.
struct SpeedTask {
  static let save = Option(
    name: "save", value: "NAME", takes: baselineName,
    help: "Save the rows as the baseline Benchmarks/baselines/NAME.json.")
  static let replace = Option(
    name: "replace", help: "Let --save write over a baseline of that name.")
  static let against = Option(
    name: "against", value: "NAME", takes: baselineName,
    help: """
      Hold each row's ratio to its rival against that of a baseline; exit code 2 when a row is slower \
      beyond the threshold, 1 when rows are missing or nothing can be told.
      """)
  static let againstBuild = Option(
    name: "against-build", value: "FILE",
    help:
      "Compare each opcode with the one of that name in another build, a plugin; same exit codes.")
  static let counts = Option(
    name: "counts", help: "Also count instructions, with valgrind; saved and compared like times.")
  static let threshold = Option(
    name: "threshold", value: "PERCENT",
    takes: ValueReader.number(0.1...1000).map { $0 / 100 }, standard: Thresholds().time,
    help: "How much a cost must grow to count as slower, with its whole interval; default 5.")
  static let countThreshold = Option(
    name: "count-threshold", value: "PERCENT",
    takes: ValueReader.number(0.001...1000).map { $0 / 100 }, standard: Thresholds().instructions,
    help: "How much the instructions must grow to count as more; default 1.")
  static let junit = Option(
    name: "junit", value: "FILE",
    help: "With --against…: also write JUnit XML, a case for each row.")
  static let markdown = Option(
    name: "markdown", value: "FILE", help: "With --against…: also write the table as Markdown.")

  static let options: [any CommandOption] = [
    save, replace, against, againstBuild, counts, threshold, countThreshold, junit, markdown,
  ]

  typealias Thresholds = SpeedReport.Thresholds

  enum Reference {
    case baseline(name: String, Baseline)
    /// The absolute path of another build's plugin.
    case build(String)
  }

  private let arguments: Arguments
  let reference: Reference?
  let thresholds: Thresholds
  private let saved: FileExport?
  private let junit: FileExport?
  private let markdown: FileExport?

  /// Checks everything that can be checked before the work, and fails if something is wrong.
  init(_ arguments: Arguments, selfCheck: Option<Int?>) throws(Failure) {
    self.arguments = arguments
    try Self.checkTogether(arguments, selfCheck)
    thresholds = Thresholds(
      time: arguments[Self.threshold], instructions: arguments[Self.countThreshold])
    saved = try Self.saved(arguments)
    if let name = arguments[Self.against] {
      reference = .baseline(name: name, try Self.baseline(name))
    } else if let file = arguments[Self.againstBuild] {
      reference = .build(URL(fileURLWithPath: file).path)
    } else {
      reference = nil
    }
    junit = try FileExport(arguments, Self.junit)
    markdown = try FileExport(arguments, Self.markdown)
  }

  /// Whether rows are only printed.
  var isPlain: Bool { saved == nil && reference == nil && !counts }

  var counts: Bool { arguments[Self.counts] }

  var otherBuild: String? {
    if case .build(let path) = reference { path } else { nil }
  }

  /// Fails if options exclude one another, or lack an option that they need.
  private static func checkTogether(
    _ arguments: Arguments, _ selfCheck: Option<Int?>
  ) throws(Failure) {
    let chosen = arguments.given(save, against, againstBuild, selfCheck)
    if chosen.count > 1 {
      throw .usage("--\(chosen[0].name) and --\(chosen[1].name) exclude each other; leave one out.")
    }
    let needs: [(any CommandOption, [any CommandOption])] = [
      (replace, [save]), (threshold, [against, againstBuild]), (junit, [against, againstBuild]),
      (markdown, [against, againstBuild]), (countThreshold, [counts]),
      (countThreshold, [against, againstBuild]),
    ]
    for (option, others) in needs where arguments.has(option) {
      guard others.contains(where: arguments.has) else {
        let names = others.map { "--\($0.name)" }.joined(separator: " or ")
        throw .usage("--\(option.name) needs \(names).")
      }
    }
    if arguments[counts], arguments[selfCheck] != nil {
      throw .usage("--counts and --\(selfCheck.name) exclude each other; leave one out.")
    }
  }

  // MARK: Baselines

  private static let directory = Project.written + "/Benchmarks/baselines"

  private static func path(_ name: String) -> String { "\(directory)/\(name).json" }

  private static let baselineName = ValueReader<String> { name, _ throws(Failure) in
    guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._+-]{0,63}/) != nil else {
      throw .usage(
        "A baseline cannot be called '\(name)'; a name has up to 64 letters, digits and . _ + -, and"
          + " begins with a letter or digit.")
    }
    return name
  }

  private static func saved(_ arguments: Arguments) throws(Failure) -> FileExport? {
    guard let name = arguments[save] else { return nil }
    let path = path(name)
    guard arguments[replace] || !FileManager.default.fileExists(atPath: path) else {
      throw .unwritableOutput(
        "There is a baseline '\(name)' already; give --replace to write over it, or another name.")
    }
    try makeDirectory(directory)
    return try FileExport(path)
  }

  private static func baseline(_ name: String) throws(Failure) -> Baseline {
    let path = path(name)
    guard FileManager.default.fileExists(atPath: path) else {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      let known = Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
      throw .missingInput(
        known.isEmpty
          ? "There is no baseline '\(name)'; make it with ./opcodekit bench --save \(name)."
          : NearNames.unknown("No baseline", name, known))
    }
    return try Baseline(readingFrom: path)
  }

  // MARK: Builds

  /// The pairings whose opcode both builds have, one for each way to call it, and the rows that one side lacks.
  func comparable(
    _ pairings: [Pairing], _ selection: Selection, _ grid: Grid
  ) throws(Failure) -> (pairings: [Pairing], missing: [SpeedChange]) {
    guard let otherBuild else { return (pairings, []) }
    let plugin = Project.plugin(arguments)
    if let plugin, isSameFile(plugin, otherBuild) {
      throw .usage(
        "--plugin and --against-build are the same file; keep a copy of the build to compare with.")
    }
    let here = try Self.opcodes(of: plugin)
    let there = try Self.opcodes(of: otherBuild)
    var chosen: [Pairing] = []
    var missing: [SpeedChange] = []
    for pairing in pairings.callingEachOnce {
      if here.contains(pairing.subject) && there.contains(pairing.subject) {
        chosen.append(pairing)
      } else {
        let side = there.contains(pairing.subject) ? SpeedChange.Side.present : .reference
        missing += grid.places(pairing, selection).map { SpeedChange(place: $0, missing: side) }
      }
    }
    guard !chosen.isEmpty else {
      let names = Set(pairings.map(\.subject)).sorted().joined(separator: ", ")
      throw .badInput(
        "Nothing can be compared: \(names) must be in both builds, and '\(otherBuild)' registers"
          + " \(there.sorted().joined(separator: ", ")).")
    }
    return (chosen, missing)
  }

  static func opcodes(of plugin: String?) throws(Failure) -> Set<String> {
    let pool = WorkerPool(Project.worker, timeLimit: 10)
    return Set(try pool.lint(plugin, name: plugin ?? "the tool").signatures.map(\.opcode))
  }

  private func isSameFile(_ first: String, _ second: String) -> Bool {
    func identity(_ path: String) -> [UInt64]? {
      var status = stat()
      return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
    return identity(first) != nil && identity(first) == identity(second)
  }

  // MARK: Results

  /// Saves the rows if `--save` was given.
  func save(_ rows: [BenchmarkRow], _ provenance: Provenance) throws(Failure) {
    // Another run may have saved a baseline of that name in the meantime.
    try saved?.write(
      isNew: !arguments[Self.replace],
      Baseline(
        rows.map(Baseline.Row.init), provenance: provenance, plugin: Project.plugin(arguments)))
  }

  /// Compares the rows with those of the reference; nil if there is no reference.
  func compare(
    _ rows: [BenchmarkRow], _ pairings: [Pairing], _ selection: Selection, _ missing: [SpeedChange]
  ) -> SpeedReport? {
    switch reference {
    case nil: nil
    case .baseline(let name, let baseline):
      SpeedReport(
        rows, against: baseline, named: name,
        pairings: arguments.operands.isEmpty ? nil : pairings.map(\.name), selection,
        counting: counts, thresholds: thresholds)
    case .build(let path):
      SpeedReport(
        rows, againstBuild: (path as NSString).lastPathComponent, missing: missing,
        counting: counts, thresholds: thresholds)
    }
  }

  /// The rows; slower rows are timed once more, and the new result counts. A disturbance, such as other work on the
  /// machine or an unlucky place in memory, rarely affects a row twice.
  func repeatingSlower(
    _ rows: [BenchmarkRow], of timed: [Pairing], among pairings: [Pairing],
    _ selection: Selection, _ missing: [SpeedChange], _ grid: Grid, seed: UInt64
  ) throws(Failure) -> [BenchmarkRow] {
    var rows = rows
    for place in compare(rows, pairings, selection, missing)?.slowerPlaces ?? [] {
      guard let pairing = timed.first(where: { $0.name == place.pairing }),
        let index = rows.firstIndex(where: { $0.place == place })
      else { continue }
      ProgressLine.show("\(place.subject): slower, once more")
      var narrowed = selection
      narrowed.rates = [place.rates]
      narrowed.ksmps = [place.ksmps]
      narrowed.sampleRates = [place.sampleRate]
      let again = try grid.benchmark(pairing, narrowed, seed: seed)
      if let row = again.first(where: { $0.place == place }), row.measurement != nil {
        rows[index].report = row.report
      }
    }
    ProgressLine.clear()
    return rows
  }

  /// Prints and exports a comparison of the rows that the run has timed.
  func report(
    _ report: SpeedReport?, _ provenance: Provenance, to json: FileExport?,
    _ extent: RunExtent = .whole
  ) throws(Failure) -> SpeedReport? {
    guard var report else { return nil }
    // Rows of the baseline that were not timed because the run was stopped.
    let partial = extent.partial
    if partial != nil, case .baseline = reference {
      report.changes.removeAll { $0.missing == .present }
    }
    var (json, junit, markdown) = (json, junit, markdown)
    json?.extent = extent
    junit?.extent = extent
    markdown?.extent = extent
    var origin: Provenance?
    if case .baseline(_, let baseline) = reference { origin = baseline.provenance }
    let table = SpeedTable(report, origin: origin, present: provenance)
    print(table.text)
    try json?.write(SpeedExport(report: report, origin: origin, present: provenance))
    try junit?.write(JUnit.text([JUnit.Suite(report)], partial: partial))
    try markdown?.write(table.markdown + (partial.map { "\n\($0.sentence)\n" } ?? ""))
    return report
  }
}

extension [Pairing] {
  /// One pairing for each way to call an opcode; if there are several, the one named after the opcode is preferred.
  var callingEachOnce: [Pairing] {
    var chosen: [Pairing] = []
    for pairing in filter({ $0.name == $0.subject }) + filter({ $0.name != $0.subject })
    where !chosen.contains(where: { $0.asksTheSame(as: pairing) }) {
      chosen.append(pairing)
    }
    return chosen
  }
}

extension Pairing {
  /// Whether a benchmark of the other pairing would time no calls that this one does not.
  fileprivate func asksTheSame(as other: Pairing) -> Bool {
    subject == other.subject
      && (orchestra == other.orchestra || pattern != nil && pattern == other.pattern)
      && benchmark.macros == other.benchmark.macros
      && other.rates.allSatisfy { item in rates.contains { $0.macros == item.macros } }
  }
}
