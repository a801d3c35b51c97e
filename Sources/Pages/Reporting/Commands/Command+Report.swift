import CommandKit
import Comparing
import Foundation
import HarnessBase
import Linting
import PluginBuilding

extension Command {
  private static let output = Option(
    name: "output", letter: "o", value: "DIR",
    help: "Where the pages go; build/report of the package or the kit unless given.")
  private static let benchRuns = Option(
    name: "bench", value: "FILE,…", takes: .names,
    help: "Show these runs of bench --json, not the last one and those in Benchmarks/results.")

  static let report = Command(
    name: "report", operands: "[NAME …]",
    summary: "Build a page of the bench results and one for each opcode, with measured pictures.",
    options: [output, benchRuns, .sources, .plugin, .toolCsound, .arguments, .timeLimit]
  ) { arguments throws(Failure) in
    let manuals = try Manual.chosen(arguments)
    let runs = try BenchRun.all(arguments[benchRuns])
    let directory = try outputDirectory(
      arguments[output].map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        ?? Project.written + "/build/report")
    let gnuplot = try Gnuplot()
    var examples: [String: [Example]] = [:]
    for manual in manuals { examples[manual.name] = try manual.examples() }
    let line = ProgressLine("report")
    defer { ProgressLine.clear() }
    let portraits = try Portraits(
      root: Project.root, plugin: Project.plugin(arguments),
      worker: Project.worker,
      timeLimit: arguments[.timeLimit]
    ).measure(
      manuals, examples: examples.mapValues { $0.map(\.path) },
      arguments: try ArgumentFile(arguments),
      parallel: ProcessInfo.processInfo.activeProcessorCount
    ) { line.count($1) }
    for manual in manuals {
      ProgressLine.show("report: drawing \(manual.name)")
      let page = OpcodePage(
        manual: manual, examples: examples[manual.name] ?? [],
        builtins: try manual.builtinRivals(),
        portraits: portraits.filter { $0.opcode == manual.name }, runs: runs)
      try FileExport("\(directory)/\(manual.name).html").write(page.text(gnuplot), isTold: false)
    }
    var hasSound = false
    let names = Set(manuals.map(\.name))
    // A report of some opcodes, or of an author's, is without it.
    if names.isSuperset(of: SoundTrial.subjects.map(\.name)), let plugin = Project.plugin(arguments)
    {
      let page = SoundPage(trial: SoundTrial(plugin: plugin))
      let text = try page.text(gnuplot, soundsIn: directory) {
        ProgressLine.show("report: sound: \($0)")
      }
      try FileExport("\(directory)/how-it-sounds.html").write(text, isTold: false)
      hasSound = true
    }
    let index = IndexPage(
      manuals: manuals, runs: runs, provenance: Project.provenance(arguments), hasSound: hasSound)
    try FileExport("\(directory)/index.html").write(index.text(gnuplot), isTold: false)
    ProgressLine.clear()
    let failures = portraits.compactMap { item -> String? in
      guard case .failure(let failure) = item.result else { return nil }
      return "\(item.subject): \(failure.message)"
    }
    let complaints = manuals.uniqueProblems + failures
    print(
      "\(directory)/index.html: \(manuals.count.counted("opcode")),"
        + " \(runs.count.counted("run")) of bench")
    for complaint in complaints { printError("opcodekit: \(complaint)") }
    return complaints.isEmpty ? .success : .checkFailed
  }
}
