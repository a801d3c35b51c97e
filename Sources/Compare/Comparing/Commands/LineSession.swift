import CommandKit
import Foundation
import HarnessBase
import Rendering

/// One run of `bench --lines`: counts the instructions of each opcode, line by line.
struct LineSession {
  static let lines = Option(
    name: "lines",
    help: """
      Instead, count the instructions inside each opcode, and in its rival in C or C++, line by line, with valgrind: \
      which run in vectors, and why others do not.
      """)
  static let removal = Option(
    name: "removal",
    help:
      "With --lines: also leave out each of the 5 most expensive lines, in a copy, and count what that saves."
  )
  static let options: [any CommandOption] = [lines, removal]

  /// How many lines are left out in turn.
  private static let tried = 5

  private let arguments: Arguments
  private let selection: Selection
  private let grid: Grid
  private let pairings: [Pairing]
  private let export: FileExport?
  private let source: CodeSource
  private let scratch: ScratchDirectory

  init(
    _ arguments: Arguments, _ selection: Selection, without others: [any CommandOption],
    building build: ProductBuild?, code: @escaping CodeSource
  ) throws(Failure) {
    (self.arguments, source) = (arguments, code)
    guard !arguments.operands.isEmpty else {
      throw .usage("--lines needs the NAME of an opcode, as in ./opcodekit bench NAME --lines.")
    }
    if let other = others.first(where: arguments.has) {
      throw .usage("--\(other.name) does not go with --lines; leave one of them out.")
    }
    guard !arguments[Self.removal] || arguments.takesBuiltPlugin || !arguments.has(.plugin) else {
      throw .usage(
        "--removal compiles the opcode without a line, which needs its package; leave out --plugin."
      )
    }
    var failures: [Failure] = []
    grid = try Grid(arguments)
    let chosen = try Pairing.chosen(
      arguments.operands, selection, on: arguments.target.csound, building: build,
      failures: &failures)
    try Failure.raise(failures)
    pairings = chosen
    export = try FileExport(arguments, .json)
    var selection = selection
    // One call in a note, at the usual place unless the options say another.
    selection.calls = 0
    selection.includesSilence = false
    self.selection = selection
    scratch = try ScratchDirectory("lines")
  }

  func run() throws(Failure) -> ExitCode {
    defer {
      scratch.remove()
      ProgressLine.clear()
    }
    // Says that valgrind is missing before anything is compiled.
    try Callgrind(for: "lines", countsAddresses: true).close()
    var told: [LineProfile] = []
    func tell(_ profile: LineProfile) {
      ProgressLine.clear()
      print((told.isEmpty ? "" : "\n") + profile.text)
      if let removals = profile.removalText { print("\n" + removals) }
      fflush(nil)
      told.append(profile)
    }
    for pairing in pairings.callingEachOnce {
      ProgressLine.show("compiling")
      let code = try source(arguments, pairing.subjectProduct)
      try profiles(of: pairing, code, isOfRival: false).forEach(tell)
    }
    for pairing in pairings {
      guard let file = pairing.rivalSource else { continue }
      try grid.buildRival(pairing)
      let rival = ReferencePlugin(file, grid.root, libraries: pairing.rivalLibraries)
      guard let code = try rival.code() else { continue }
      try profiles(of: pairing, code, isOfRival: true).forEach(tell)
    }
    try export?.write(told)
    return .success
  }

  /// A new folder, by the name that Callgrind gives it.
  private func folder() throws(Failure) -> String {
    let folder = "\(scratch.path)/\(UUID().uuidString)"
    try makeDirectory(folder)
    return URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
  }

  /// The profiles of a pairing's subject, or of its rival, at each place that is selected.
  private func profiles(
    of pairing: Pairing, _ code: CodeBuild, isOfRival: Bool
  ) throws(Failure) -> [LineProfile] {
    var chosen = selection
    let usual = Selection.overview(of: pairing)
    chosen.ksmps = chosen.ksmps ?? usual.ksmps
    chosen.rates = chosen.rates ?? usual.rates
    let folder = try folder()
    let plugin = try code.plugin(in: folder)
    var profiles: [LineProfile] = []
    for (place, job) in try grid.rows(pairing, chosen, seed: 1) {
      let count = LineCount(
        pairing: pairing, place: place, job: job, isOfRival: isOfRival, grid: grid)
      var profile = try count.profile(plugin, remarks: code, in: folder)
      if arguments[Self.removal] {
        profile.removals = try removals(profile, code, count)
      }
      profiles.append(profile)
    }
    return profiles
  }

  // MARK: Leaving lines out

  private func removals(
    _ profile: LineProfile, _ code: CodeBuild, _ count: LineCount
  ) throws(Failure) -> [LineRemoval] {
    var removals: [LineRemoval] = []
    for line in profile.lines.filter({ $0.file != nil }).prefix(Self.tried) {
      var removal = LineRemoval(line, of: profile)
      ProgressLine.show("without line \(line.line)")
      for text in ["", Self.constant(line.text)].compactMap(\.self) where removal.saved == nil {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let edited = "\(folder)/\((removal.file as NSString).lastPathComponent)"
        do throws(Failure) {
          try Self.copy(removal.file, with: text, as: line.line, to: edited)
          let plugin = try code.plugin(in: folder, edited: (removal.file, edited))
          removal.judge(profile, without: try count.profile(plugin, remarks: nil, in: folder))
          removal.isReplaced = !text.isEmpty
        } catch {
          guard [.badInput, .crashed].contains(error.kind) else { throw error }
          // Of what the compiler says the first error, else the sentence.
          removal.reason =
            error.message.firstMatch(of: /error: (.+)/).map { String($0.1) } ?? error.message
        }
      }
      removals.append(removal)
    }
    return removals
  }

  /// A declaration with the value 0.5 in place of its own; nil for other lines.
  private static func constant(_ line: String) -> String? {
    guard let match = line.firstMatch(of: /^((let|var|double|float|MYFLT) \w+(: Double)?) =\s/)
    else { return nil }
    return "\(match.1) = 0.5\(line.hasSuffix(";") ? ";" : "")"
  }

  /// Copies a source with another text as one of its lines.
  private static func copy(
    _ file: String, with text: String, as line: Int, to copy: String
  ) throws(Failure) {
    try writing(copy) {
      var lines = try String(contentsOfFile: file, encoding: .utf8).textLines
      lines[line - 1] = text[...]
      try lines.joined(separator: "\n").write(toFile: copy, atomically: false, encoding: .utf8)
    }
  }
}

/// A row of a benchmark whose subject or rival is counted line by line.
private struct LineCount {
  var pairing: Pairing
  var place: BenchmarkPlace
  var job: BenchmarkJob
  var isOfRival: Bool
  var grid: Grid

  /// Counts the calls with a plugin. `build` is asked why loops do not run in vectors.
  func profile(
    _ plugin: CodeBuild.Plugin, remarks build: CodeBuild?, in folder: String
  ) throws(Failure) -> LineProfile {
    let callgrind = try Callgrind(for: "lines", countsAddresses: true)
    defer { callgrind.close() }
    let name = isOfRival ? place.rival : place.subject
    ProgressLine.show("\(name): counting")
    var job = job
    if isOfRival { job.rival.plugin = plugin.path } else { job.subject.plugin = plugin.path }
    let counting = AddressCountJob(
      benchmark: job, isOfRival: isOfRival, directory: callgrind.directory)
    let report = try callgrind.pool(grid.pool(pairing)).run([counting])[0]
    guard let cycles = report.reply else {
      if case .failed(let failure) = report { throw failure }
      throw Callgrind.failure(of: report, counting: name, for: "lines")
    }
    let counts = AddressCounts(
      try callgrind.file(InstructionCounter.fileOfInstructions), of: plugin.path)
    let samples = pairing.benchmark.unit == .sample ? place.ksmps : nil
    let calls = Double(cycles) * job.unitsPerCycle / Double(samples ?? 1)
    let code = try PluginCode(counts.own.keys.sorted(), of: plugin.symbols)
    let counter = try LineCounter(counts, code, plugin)
    let remarks = try build?.remarks(on: counter.sources, in: folder) ?? []
    return LineProfile(
      opcode: name, rates: place.rates, ksmps: place.ksmps, samplesPerCall: samples,
      instructions: Double(counts.total) / calls, lines: counter.lines(calls: calls, remarks))
  }
}
