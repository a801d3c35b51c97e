import CommandKit
import Foundation
import HarnessBase

/// Times the plugins of one package for several processor levels against one another, opcode by opcode, as `bench
/// --against-build` does.
package struct BuildContest {
  private let plain: (level: String, plugin: String)
  private let others: [(level: String, plugin: String)]
  private let plan: [(pairing: Pairing, selection: Selection)]

  /// The package's pairings, which say how to call its opcodes; their rivals are not used.
  package static func pairings() throws(Failure) -> [Pairing] {
    let directory = Project.root + "/Benchmarks"
    guard FileManager.default.fileExists(atPath: directory) else { throw nothing }
    let (all, broken) = try Pairing.all(in: directory, withoutRivals: true)
    for (_, failure) in broken { printError("opcodekit: left out: \(failure.message)") }
    guard !all.isEmpty else { throw nothing }
    return all.callingEachOnce
  }

  private static var nothing: Failure {
    Failure.missingInput(
      "No build can be measured, because no file in '\(Project.root)/Benchmarks' calls an opcode; write one, such"
        + " as { \"subject\": \"NAME\", \"call\": \"aout NAME ain\" }, or name a level.")
  }

  /// `plain` is the build for every processor of the kind. All builds have the same opcodes.
  package init(
    _ pairings: [Pairing], plain: (level: String, plugin: String),
    others: [(level: String, plugin: String)]
  ) throws(Failure) {
    (self.plain, self.others) = (plain, others)
    let registered = try SpeedTask.opcodes(of: plain.plugin)
    plan = pairings.filter { registered.contains($0.subject) }
      .map { ($0, .overview(of: $0)) }
    guard !plan.isEmpty else { throw Self.nothing }
  }

  private func grid(_ plugin: String, evidence: String) -> Grid {
    Grid(
      root: Project.root, evidenceDirectory: evidence, plugin: plugin, otherBuild: plain.plugin,
      worker: Project.worker)
  }

  /// Times each opcode at its usual rates in all builds before the next opcode. If a build seems slower, it is timed
  /// again, for longer.
  package func run() throws(Failure) -> BuildChoice {
    let evidence = try Project.outputDirectory("compare")
    let grids = others.map { grid($0.plugin, evidence: evidence) }
    let seconds = plan.reduce(0) { $0 + grids[0].seconds($1.pairing, $1.selection, .brief) }
    print(
      "\(plan.count.counted("row")) at usual rates in \(others.count + 1) builds, about"
        + " \((seconds * Double(others.count)).asDuration):\n")
    fflush(nil)
    let progress = RowProgress(plan.count)
    var standings = others.map { BuildStanding(level: $0.level) }
    defer { ProgressLine.clear() }
    for (pairing, selection) in plan {
      progress.show(pairing.name)
      do throws(Failure) {
        for index in grids.indices {
          standings[index].rows += try rows(pairing, selection, grids[index])
        }
      } catch {
        // A pairing that cannot be played is left out; the others are timed.
        guard error.kind == .badInput else { throw error }
        printError("opcodekit: left out: \(error.message)")
      }
      progress.print(nil)
    }
    return BuildChoice(plain: plain.level, standings)
  }

  private func rows(
    _ pairing: Pairing, _ selection: Selection, _ grid: Grid
  ) throws(Failure) -> [BuildStanding.Row] {
    func measure(_ seed: UInt64, _ effort: Benchmark.Effort) throws(Failure) -> [BuildStanding.Row]
    {
      let rows = try grid.benchmark(
        pairing, selection, seed: seed, effort: effort)
      if let failure = rows.compactMap(\.failure).first { throw failure }
      return rows.map { row in
        BuildStanding.Row(
          title: "\(row.place.pairing) \(row.place.rates)", ratio: row.ratio,
          isIdentical: row.cases.allSatisfy { $0.comparison?.nullDepth == -.infinity })
      }
    }
    let rows = try measure(1, .brief)
    return rows.contains(where: \.isSlower) ? try measure(2, .verdict) : rows
  }
}
